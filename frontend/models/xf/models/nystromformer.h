//===- xf/models/nystromformer.h - Nystromformer -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Xiong, Zeng, Chakraborty, Tan, Fung, Li, Singh: "Nystromformer: A Nystrom-Based Algorithm for Approximating
// Self-Attention", arXiv 2102.03902.
//
//   models::Nystromformer model({});
//   model.load_state_dict(rename(load_safetensors("nystromformer-512.safetensors"),
//                                models::Nystromformer::huggingface()), {.strict = false});
//
// The iteration for the inverse of a matrix starts from the norms of this matrix (equation 13). The published code
// starts from the largest norms in the batch. Left out: masks of padding, and the head of pre-training.
//
//===----------------------------------------------------------------------===//

#ifndef XF_MODELS_NYSTROMFORMER_H
#define XF_MODELS_NYSTROMFORMER_H

#include "xf/nn/heads.h"
#include "xf/nn/layers.h"
#include "xf/ops/arrange.h"

#include <cmath>

namespace xf::models {

/// Options of Nystromformer. The defaults are those of nystromformer-512. The configuration of that checkpoint also has
/// segments of 64 tokens. Because it has 64 landmarks, too, the published code then computes all pairs instead of an
/// approximation.
struct NystromformerOptions {
  int64_t width = 768, layers = 12, heads = 12, hidden = 3072;
  int64_t vocabulary = 30000, positions = 512, types = 2;
  int64_t landmarks = 64;
  /// Size of the convolution that is applied to the values and added to the result (figure 2). 0: no convolution.
  int64_t convolution = 65;
  /// Number of iterations that approximate the pseudoinverse.
  int64_t iterations = 6;
  /// Position of the first token.
  int64_t first = 2;
  double dropout = 0.1;
};

/// Attention by landmarks: softmax(Q K~^T) A^+ softmax(Q~ K^T) V with A = softmax(Q~ K~^T). The landmarks Q~ and K~ are
/// the means of Q and K over segments of tokens (equation 10). The first and the last softmax are computed as
/// attentions, so that no matrix of tokens x landmarks is stored.
struct NystromAttention : nn::Module {
  nn::Linear query, key, value, output;
  std::optional<nn::Conv2d> conv;
  XF_MEMBERS(query, key, value, conv, output)

  NystromAttention(const NystromformerOptions &o, Here here)
      : query(o.width, o.width, true, here), key(o.width, o.width, true, here), value(o.width, o.width, true, here),
        output(o.width, o.width, true, here), options(o) {
    if (o.convolution > 0)
      conv.emplace(o.heads, o.heads, Size2{o.convolution, 1},
                   Conv2dOptions{.padding = {o.convolution / 2, 0}, .groups = o.heads}, false, here);
  }
  /// Computes the attention of x, batch x tokens x width. The number of landmarks must divide the number of tokens.
  Tensor operator()(const Tensor &x, Here here = Here::current()) const {
    auto project = [&](const nn::Linear &layer) { return split_heads(layer(x, here), options.heads, here); };
    Tensor q = project(query), k = project(key), v = project(value);
    int64_t size = x.size(1).value() / options.landmarks;
    Tensor near = pool_tokens(q, size, Pool::mean, here), far = pool_tokens(k, size, Pool::mean, here);
    double scale = 1 / std::sqrt(static_cast<double>(q.size(3).value()));
    Tensor a = softmax(matmul(near * scale, transpose(far, 2, 3, here), here), here);
    Tensor rows = matmul(inverse(a, here), scaled_dot_product_attention(near, k, v, {}, here), here);
    Tensor o = scaled_dot_product_attention(q, far, rows, {}, here);
    return output(merge_heads(conv ? o + (*conv)(v, here) : o, here), here);
  }

private:
  /// Approximates the pseudoinverse of matrices whose rows sum to 1 (equation 11).
  Tensor inverse(const Tensor &a, Here here) const {
    int64_t rows = a.size(3).value();
    std::vector<double> ones(static_cast<size_t>(rows * rows));
    for (int64_t n = 0; n < rows; ++n)
      ones[static_cast<size_t>(n * rows + n)] = 1;
    Tensor identity = constant(ones, {rows, rows}, a.dtype(), here);
    Tensor z = transpose(a, 2, 3, here) / max(sum(a, 2, true, here), 3, true, here);
    for (int64_t n = 0; n < options.iterations; ++n) {
      Tensor az = matmul(a, z, here);
      Tensor inner = 15.0 * identity - matmul(az, 7.0 * identity - az, here);
      z = matmul(0.25 * z, 13.0 * identity - matmul(az, inner, here), here);
    }
    return z;
  }
  NystromformerOptions options;
};

/// A post-norm layer.
struct NystromformerLayer : nn::Module {
  NystromAttention attention;
  nn::LayerNorm norm1, norm2;
  nn::MLP mlp;
  double dropped;
  XF_MEMBERS(attention, norm1, mlp, norm2)

  NystromformerLayer(const NystromformerOptions &o, Here here)
      : attention(o, here), norm1(o.width, 1e-5, true, here), norm2(o.width, 1e-5, true, here),
        mlp({.width = o.width, .hidden = o.hidden, .activation = [](const Tensor &x) { return gelu(x, Gelu::tanh); }},
            here),
        dropped(o.dropout) {}
  Tensor operator()(const Tensor &x, Here here = Here::current()) const {
    Tensor sum = norm1(x + dropout(attention(x, here), dropped, here), here);
    return norm2(sum + dropout(mlp(sum, here), dropped, here), here);
  }
};

/// Nystromformer's encoder: BERT with NystromAttention.
struct Nystromformer : nn::Module {
  NystromformerOptions options;
  nn::Embedding words, positions, types;
  nn::LayerNorm norm;
  std::vector<NystromformerLayer> layers;
  XF_MEMBERS(words, positions, types, norm, layers)

  explicit Nystromformer(const NystromformerOptions &o, Here here = Here::current())
      : options(o), words(o.vocabulary, o.width, 0.02, here), positions(o.positions, o.width, 0.02, here),
        types(o.types, o.width, 0.02, here), norm(o.width, 1e-5, true, here) {
    nn::expect_at_least(1, "a number of landmarks", o.landmarks, here);
    for (int64_t n = 0; n < o.layers; ++n)
      layers.push_back(NystromformerLayer(o, here));
  }
  /// Returns the last hidden states, batch x tokens x width, of `ids`, batch x tokens. All tokens have type 0.
  Tensor operator()(const Tensor &ids, Here here = Here::current()) const {
    Tensor at = slice(positions.weight, 0, options.first, options.first + ids.size(1), 1, here);
    Tensor x = norm(words(ids, here) + at + slice(types.weight, 0, 0, 1, 1, here), here);
    x = dropout(x, options.dropout, here);
    for (const NystromformerLayer &layer : layers)
      x = layer(x, here);
    return x;
  }

  /// Returns the rules for rename() to read Hugging Face's checkpoints (uw-madison/nystromformer-512, ..).
  static std::vector<std::pair<std::string, std::string>> huggingface() {
    return {{"nystromformer.embeddings.word_embeddings.", "words."},
            {"nystromformer.embeddings.position_embeddings.", "positions."},
            {"nystromformer.embeddings.token_type_embeddings.", "types."},
            {"nystromformer.embeddings.LayerNorm.", "norm."},
            {"nystromformer.encoder.layer.*.attention.self.", "layers.*.attention."},
            {"nystromformer.encoder.layer.*.attention.output.dense.", "layers.*.attention.output."},
            {"nystromformer.encoder.layer.*.attention.output.LayerNorm.", "layers.*.norm1."},
            {"nystromformer.encoder.layer.*.intermediate.dense.", "layers.*.mlp.fc1."},
            {"nystromformer.encoder.layer.*.output.dense.", "layers.*.mlp.fc2."},
            {"nystromformer.encoder.layer.*.output.LayerNorm.", "layers.*.norm2."}};
  }
};

} // namespace xf::models

#endif // XF_MODELS_NYSTROMFORMER_H
