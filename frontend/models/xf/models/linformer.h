//===- xf/models/linformer.h - Linformer -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Wang, Li, Khabsa, Fang, Ma: "Linformer: Self-Attention with Linear Complexity", arXiv 2006.04768.
//
//   models::Linformer model({.tokens = 512, .rank = 128, .sharing = models::LinformerSharing::layerwise});
//
// No checkpoints are published. Left out: other ranks in other layers or heads, projections by pooling or convolution
// (the pattern low_rank() has both), and the head of pre-training.
//
//===----------------------------------------------------------------------===//

#ifndef XF_MODELS_LINFORMER_H
#define XF_MODELS_LINFORMER_H

#include "xf/nn/layers.h"
#include "xf/ops/einsum.h"

#include <cmath>

namespace xf::models {

/// What shares one pair of projections, E of keys and F of values (section 4). none: each head has its own pair.
/// headwise: the heads of a layer share a pair. kv: as headwise, and E = F. layerwise: as kv, and all layers share, so
/// that there is only one matrix.
enum class LinformerSharing { none, headwise, kv, layerwise };

/// Options of Linformer. The defaults are those of RoBERTa-base with n = 512 and k = 128 (table 2).
struct LinformerOptions {
  int64_t width = 768, layers = 12, heads = 12, hidden = 3072;
  int64_t vocabulary = 50265;
  /// The largest number of tokens (n in the paper), and the number of rows to which keys and values are projected (k).
  int64_t tokens = 512, rank = 128;
  LinformerSharing sharing = LinformerSharing::layerwise;
  double dropout = 0.1;
};

/// Linformer: an encoder whose heads attend to E^T K and F^T V (equation 7).
class Linformer : public nn::Module {
public:
  explicit Linformer(const LinformerOptions &o, Here here = Here::current())
      : options(o), words(o.vocabulary, o.width, 0.02, here), positions(o.tokens, o.width, here),
        norm(o.width, 1e-5, true, here) {
    bool isOfHeads = o.sharing == LinformerSharing::none;
    std::vector<int64_t> shape = {o.tokens, o.rank};
    if (isOfHeads)
      shape.insert(shape.begin(), o.heads);
    Initializer normal = normal_init(1 / std::sqrt(static_cast<double>(o.rank)));
    for (int64_t n = 0; n < count(); ++n)
      projections.push_back(Parameter(shape, normal, f32, here));
    for (int64_t n = 0; n < o.layers; ++n) {
      layers.push_back(nn::TransformerEncoderLayer(
          {.width = o.width, .heads = o.heads, .hidden = o.hidden, .activation = gelu, .dropout = o.dropout}, here));
      if (isOfHeads)
        layers.back().self_attn.options.before_attention = projectHeads(keysOf(n), valuesOf(n));
    }
  }

  /// Returns the last hidden states, batch x tokens x width, of `ids`, batch x tokens. The number of tokens is at most
  /// options.tokens.
  Tensor operator()(const Tensor &ids, Here here = Here::current()) const {
    Tensor x = dropout(norm(positions(words(ids, here), here), here), options.dropout, here);
    for (int64_t n = 0; n < options.layers; ++n) {
      nn::AttentionInputs inputs;
      if (options.sharing != LinformerSharing::none)
        inputs.clauses =
            AttentionOptions{.pattern = low_rank({.rank = options.rank}, here), .parameters = {keysOf(n), valuesOf(n)}};
      x = layers[static_cast<size_t>(n)](x, inputs, here);
    }
    return x;
  }

  LinformerOptions options;
  nn::Embedding words;
  nn::PositionEmbedding positions;
  nn::LayerNorm norm;
  std::vector<nn::TransformerEncoderLayer> layers;
  /// The matrices E and F of layer 0, then of layer 1, and so on. If keys and values share one matrix, there is one per
  /// layer. If all layers share it, there is one in all. Each is tokens x rank, or heads x tokens x rank.
  std::vector<Parameter> projections;
  XF_MEMBERS(words, positions, norm, layers, projections)

private:
  /// Returns the number of elements of `projections`. The matrices of all heads of a layer are one element.
  int64_t count() const {
    if (options.sharing == LinformerSharing::layerwise)
      return 1;
    return options.layers * (options.sharing == LinformerSharing::kv ? 1 : 2);
  }
  const Parameter &keysOf(int64_t layer) const { return projections[static_cast<size_t>(layer * perLayer())]; }
  const Parameter &valuesOf(int64_t layer) const {
    return projections[static_cast<size_t>(layer * perLayer() + (perLayer() == 2))];
  }
  int64_t perLayer() const { return options.sharing == LinformerSharing::layerwise ? 0 : count() / options.layers; }

  static std::function<nn::ProjectedHeads(nn::ProjectedHeads)> projectHeads(const Parameter &e, const Parameter &f) {
    return [=](nn::ProjectedHeads heads) {
      auto project = [](const Tensor &matrix, const Tensor &x) {
        return einsum("hnr,bhnd->bhrd", {slice(matrix, 1, 0, x.size(2)), x});
      };
      return nn::ProjectedHeads{heads.q, project(e, heads.k), project(f, heads.v)};
    };
  }
};

} // namespace xf::models

#endif // XF_MODELS_LINFORMER_H
