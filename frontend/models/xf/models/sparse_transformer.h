//===- xf/models/sparse_transformer.h - Sparse Transformer -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Child, Gray, Radford, Sutskever: "Generating Long Sequences with Sparse Transformers", arXiv 1904.10509.
//
//   models::SparseTransformer model(models::SparseTransformerOptions::enwik8());
//   program.train_step("train", model, {bytes, next}, [&](Tensor x, Tensor y) { return cross_entropy(model(x), y); },
//   ..)
//
// Sampling, element by element with a cache. A sequence starts with the id `vocabulary`, here 256:
//
//   nn::KVCache cache = program.state("cache", nn::KVCache(model, {.capacity = 3072}));
//   program.entry("step", {{"ids", i32, {1, 1}}}, [&](Tensor ids) { return model.next(ids, cache); });
//   std::vector<int32_t> image = generate(run, "step", {256}, {.tokens = 3072, .temperature = 1, .seed = 1});
//
// No checkpoints are published. The paper does not say how a sequence starts; here its first input is a vector of
// zeros.
//
//===----------------------------------------------------------------------===//

#ifndef XF_MODELS_SPARSE_TRANSFORMER_H
#define XF_MODELS_SPARSE_TRANSFORMER_H

#include "xf/nn/heads.h"
#include "xf/nn/layers.h"

#include <cmath>

namespace xf::models {

/// Options of SparseTransformer. The defaults are those of CIFAR-10. The paper does not give their stride; here it is
/// one row of an image.
struct SparseTransformerOptions {
  int64_t width = 256, layers = 128, heads = 2, vocabulary = 256;
  /// Width of the feed-forward's hidden layer, and size of a head of q and k. Both are half of the usual sizes.
  int64_t hidden = 512, head_size = 64;
  /// Numbers of rows of the position embeddings. For images (data embedding), these are the numbers of rows, columns
  /// and channels. For other sequences (attention embedding), they are context / stride and stride. Their product is
  /// the length of the context.
  std::vector<int64_t> extents = {32, 32, 3};
  /// The patterns of layers, which take turns: layer n has pattern n mod m of m patterns (section 4.3). The patterns
  /// are the local part and the column part of a factorised attention, or one union of these two, which may differ
  /// between heads.
  std::vector<Pattern> patterns = {strided(96).local(), strided(96).column()};
  double dropout = 0.25;

  /// Returns the options for bytes of images of 32x32x3: strided, 59 million parameters (section 7.1).
  static SparseTransformerOptions cifar10() { return {}; }
  /// Returns the options for texts of 12160 bytes: fixed, 95 million parameters (7.2). All layers have one pattern with
  /// the local and the column part. Its heads have different summary columns.
  static SparseTransformerOptions enwik8() {
    FixedPattern of = fixed(128, 32);
    return {.width = 512,
            .layers = 30,
            .heads = 8,
            .hidden = 2048,
            .head_size = 64,
            .extents = {95, 128},
            .patterns = {xf::heads({of.slot(0), of.slot(1), of.slot(2), of.slot(3)})},
            .dropout = 0.4};
  }
  /// Returns the options for bytes of images of 64x64x3: strided, 152 million parameters (7.3).
  static SparseTransformerOptions imagenet64() {
    return {.width = 512,
            .layers = 48,
            .heads = 16,
            .hidden = 2048,
            .head_size = 32,
            .extents = {64, 64, 3},
            .patterns = {strided(128).local(), strided(128).column()},
            .dropout = 0.01};
  }
  /// Returns the options for 65536 samples of classical music, at 12 kHz in 8-bit mu-law: strided, 152 million
  /// parameters (7.4). The paper gives no other size; these are the layers of ImageNet 64x64.
  static SparseTransformerOptions music() {
    SparseTransformerOptions options = imagenet64();
    options.extents = {512, 128};
    return options;
  }
};

/// One residual block H + a(H) + b(H) with a(H) = attention(norm(H)) and b(H) = ff(norm(H + a(H))) (equations 13 - 15).
/// Weights are initialised from N(0, 0.125 / sqrt(inputs)). Those of the last projection of a and b are scaled by 1 /
/// sqrt(2 layers). Biases start at 0 (sections 5.2 and 6).
struct SparseTransformerBlock : nn::Module {
  nn::LayerNorm norm1, norm2;
  nn::MultiheadAttention attention;
  nn::MLP mlp;
  double dropped;
  XF_MEMBERS(norm1, norm2, attention, mlp)

  SparseTransformerBlock(const SparseTransformerOptions &o, const Pattern &pattern, Here here)
      : norm1(o.width, 1e-5, true, here), norm2(o.width, 1e-5, true, here),
        attention({.width = o.width,
                   .heads = o.heads,
                   .head_size = o.head_size,
                   .value_size = nn::head_size(o.width, o.heads, here),
                   .pattern = pattern},
                  here),
        mlp({.width = o.width,
             .hidden = o.hidden,
             .activation = [](const Tensor &x) { return gelu(x, Gelu::sigmoid); }},
            here),
        dropped(o.dropout) {
    auto start = [&](nn::Linear &layer, double scale) {
      int64_t out = layer.weight.shape()[0].value(), in = layer.weight.shape()[1].value();
      layer = nn::Linear(in, out, normal_init(0.125 * scale / std::sqrt(static_cast<double>(in))), true, here);
    };
    for (nn::Linear *layer : {&*attention.q_proj, &*attention.k_proj, &*attention.v_proj, &mlp.fc1})
      start(*layer, 1);
    for (nn::Linear *layer : {&attention.out_proj, &mlp.fc2})
      start(*layer, 1 / std::sqrt(2.0 * static_cast<double>(o.layers)));
  }
  /// Applies the block to x, batch x tokens x width. Attention also sees the tokens that `cache` holds.
  Tensor operator()(const Tensor &x, const nn::KVCache::Layer &cache = {}, Here here = Here::current()) const {
    Tensor sum = x + dropout(attention(norm1(x, here), cache, here), dropped, here);
    return sum + dropout(mlp(norm2(sum, here), here), dropped, here);
  }
};

/// Sparse Transformer: a language model of bytes. Its gradient recomputes each block (section 5.4).
class SparseTransformer : public nn::Module {
public:
  explicit SparseTransformer(const SparseTransformerOptions &o, Here here = Here::current())
      : embedding(o.vocabulary, o.width, 0.125 / std::sqrt(static_cast<double>(o.width)), here),
        norm(o.width, 1e-5, true, here), head(o.width, o.vocabulary, constant_init(0), false, here) {
    nn::expect_at_least(1, "a number of extents", static_cast<int64_t>(o.extents.size()), here);
    nn::expect_at_least(1, "a number of patterns", static_cast<int64_t>(o.patterns.size()), here);
    double deviation = 0.125 / std::sqrt(static_cast<double>(o.width) * static_cast<double>(o.extents.size()));
    for (int64_t extent : o.extents)
      positions.push_back(Parameter({extent, o.width}, normal_init(deviation), f32, here));
    for (int64_t n = 0; n < o.layers; ++n)
      blocks.push_back(SparseTransformerBlock(o, o.patterns[static_cast<size_t>(n) % o.patterns.size()], here));
  }
  /// Returns the logits of the next element, batch x tokens x vocabulary, at each element of `ids`, batch x tokens. The
  /// number of tokens is at most the product of the extents. A sequence starts with the id `vocabulary`, whose
  /// embedding is 0. So the first logits are those of the first element.
  Tensor operator()(const Tensor &ids, Here here = Here::current()) const {
    Tensor at = positions[0];
    int64_t width = head.weight.shape()[1].value();
    for (size_t n = 1; n < positions.size(); ++n)
      at = reshape(reshape(at, {-1, 1, width}, here) + positions[n], {-1, width}, here);
    Tensor x = embed(ids, here) + slice(at, 0, 0, ids.size(1), 1, here);
    for (const SparseTransformerBlock &block : blocks)
      x = checkpoint([&](const Tensor &rows) { return block(rows, {}, here); }, x, here);
    return head(norm(x, here), here);
  }
  /// Returns the logits of the element after the last of `ids`, batch x vocabulary. Attention also sees the elements
  /// that `cache` holds. `ids` and the cache together have at most as many elements as the product of the extents.
  Tensor next(const Tensor &ids, const nn::KVCache &cache, Here here = Here::current()) const {
    Tensor x = embed(ids, here);
    // Coordinates of the positions, from the innermost axis out. Quotients of such integers are exact in f64.
    Tensor rest = cast(cache.positions(ids.size(1), here), f64, here);
    for (size_t n = positions.size(); n-- > 0;) {
      auto extent = static_cast<double>(positions[n].shape()[0].value());
      Tensor outer = floor(rest / extent, here);
      x = x + xf::embedding(positions[n], cast(rest - outer * extent, i32, here), here);
      rest = outer;
    }
    for (size_t n = 0; n < blocks.size(); ++n)
      x = blocks[n](x, cache[n], here);
    Tensor last = slice(norm(x, here), 1, ids.size(1) - 1, ids.size(1), 1, here);
    return head(reshape(last, {x.size(0), x.size(2)}, here), here);
  }

  nn::Embedding embedding;
  std::vector<Parameter> positions;
  std::vector<SparseTransformerBlock> blocks;
  nn::LayerNorm norm;
  nn::Linear head;
  XF_MEMBERS(embedding, positions, blocks, norm, head)

private:
  /// Returns the embeddings of `ids`. The id `vocabulary`, the start of a sequence, has the embedding 0.
  Tensor embed(const Tensor &ids, Here here) const {
    const Parameter &table = embedding.weight;
    Tensor start = zeros({1, table.shape()[1]}, table.dtype(), here);
    return xf::embedding(concat({table, start}, 0, here), ids, here);
  }
};

} // namespace xf::models

#endif // XF_MODELS_SPARSE_TRANSFORMER_H
