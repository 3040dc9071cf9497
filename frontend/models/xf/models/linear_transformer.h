//===- xf/models/linear_transformer.h - Linear transformer -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A. Katharopoulos, A. Vyas, N. Pappas, F. Fleuret, "Transformers are RNNs: Fast Autoregressive Transformers with
// Linear Attention", arXiv 2006.16236. Features are elu(x) + 1. A model is called with all tokens, or computes token by
// token with `step` and a state of constant size.
//
// Parameters of the layers have the names of pytorch-fast-transformers. Left out: the mixture of logistics with which
// the paper predicts pixels, other feature maps.
//
//===----------------------------------------------------------------------===//

#ifndef XF_MODELS_LINEAR_TRANSFORMER_H
#define XF_MODELS_LINEAR_TRANSFORMER_H

#include "xf/linear_attention.h"
#include "xf/nn.h"
#include "xf/nn/caller.h"
#include "xf/nn/heads.h"

#include <cmath>

namespace xf::models {

/// Options of a linear transformer. The defaults are those of the paper's model of MNIST's pixels.
struct LinearTransformerOptions {
  int64_t vocabulary = 256, width = 256, layers = 8, heads = 8, hidden = 1024;
  double dropout = 0.1;
  /// Number of tokens of a slice (SLiM, arXiv 2012.11346), or 0 to compute all tokens at once; see PerformerOptions.
  int64_t slice = 0;
};

/// The state of a layer: S, B x H x D x D, and z, B x H x D. Both are zero before the first token.
struct LinearState {
  Tensor s, z;
};

/// A layer: attention and feed-forward. Each adds a residual, then normalises.
struct LinearTransformerLayer : nn::Module {
  nn::Linear query_projection, key_projection, value_projection, out_projection, linear1, linear2;
  nn::LayerNorm norm1, norm2;
  LinearTransformerOptions options;

  explicit LinearTransformerLayer(const LinearTransformerOptions &o, Here here = Here::current())
      : query_projection(o.width, o.width, true, here), key_projection(o.width, o.width, true, here),
        value_projection(o.width, o.width, true, here), out_projection(o.width, o.width, true, here),
        linear1(o.width, o.hidden, true, here), linear2(o.hidden, o.width, true, here),
        norm1(o.width, 1e-5, true, here), norm2(o.width, 1e-5, true, here), options(o) {}
  void visit_members(nn::Visitor &visitor) const override {
    visitor.member("attention.query_projection", query_projection);
    visitor.member("attention.key_projection", key_projection);
    visitor.member("attention.value_projection", value_projection);
    visitor.member("attention.out_projection", out_projection);
    visitor.members("linear1, linear2, norm1, norm2", linear1, linear2, norm1, norm2);
  }
  Tensor heads(const nn::Linear &projection, const Tensor &x) const {
    return split_heads(projection(x), options.heads);
  }
  static Kernelized features() { return {.feature = Feature::elu, .scale_input = false}; }

  /// Applies the layer to all tokens x, batch x tokens x width.
  Tensor operator()(const Tensor &x, Here here = Here::current()) const {
    nn::Caller caller(here);
    Kernelized kernel = features();
    kernel.of = causal();
    return finish(x, scaled_dot_product_attention(heads(query_projection, x), heads(key_projection, x),
                                                  heads(value_projection, x), {.pattern = kernelized(kernel)}));
  }
  /// Returns what the layer computes before and after its attention, for sliced_layers. The layer must outlive the
  /// result.
  SlicedLayer parts() const {
    return {[this](const Tensor &x, int64_t) { return rows(x); },
            [this](const Tensor &x, const Tensor &o) { return finish(x, o); }};
  }
  /// Computes the features of queries and keys, and the values, of the tokens x.
  LinearAttentionRows rows(const Tensor &x) const {
    return {feature_map(heads(query_projection, x), {}, features()),
            feature_map(heads(key_projection, x), {}, features()), heads(value_projection, x)};
  }
  /// Applies the layer to the next token, x, batch x 1 x width. Updates `state`.
  Tensor step(const Tensor &x, LinearState &state, Here here = Here::current()) const {
    nn::Caller caller(here);
    auto [phi_q, phi_k, v] = rows(x);
    LinearAttentionStep next = linear_attention_step(phi_q, phi_k, v, state.s, state.z);
    state = {next.s, next.z};
    return finish(x, next.o);
  }
  Tensor finish(Tensor x, const Tensor &o) const {
    x = norm1(x + xf::dropout(out_projection(merge_heads(o)), options.dropout));
    Tensor y = xf::dropout(relu(linear1(x)), options.dropout);
    return norm2(x + xf::dropout(linear2(y), options.dropout));
  }
};

/// A linear transformer, from ids to logits.
struct LinearTransformer : nn::Module {
  nn::Embedding embedding;
  std::vector<LinearTransformerLayer> layers;
  nn::LayerNorm norm;
  nn::Linear predictor;
  LinearTransformerOptions options;
  XF_MEMBERS(embedding, layers, norm, predictor)

  explicit LinearTransformer(const LinearTransformerOptions &o = {}, Here here = Here::current())
      : embedding(o.vocabulary, o.width, 1, here), norm(o.width, 1e-5, true, here),
        predictor(o.width, o.vocabulary, true, here), options(o) {
    for (int64_t layer = 0; layer < o.layers; ++layer)
      layers.emplace_back(o, here);
  }
  /// Computes the logits of the next token, batch x tokens x vocabulary, at each token of `ids`, batch x tokens.
  Tensor operator()(const Tensor &ids, Here here = Here::current()) const {
    nn::Caller caller(here);
    Tensor x = embed(ids, arange(ids.size(1)));
    return predictor(norm(options.slice ? sliced(x) : whole(x)));
  }
  Tensor whole(Tensor x) const {
    for (const LinearTransformerLayer &layer : layers)
      x = layer(x);
    return x;
  }
  Tensor sliced(const Tensor &x) const {
    std::vector<SlicedLayer> parts;
    for (const LinearTransformerLayer &layer : layers)
      parts.push_back(layer.parts());
    return sliced_layers(x, parts, {.slice = options.slice});
  }
  /// Computes the logits of the token after `id`, batch x 1. `position`, an integer of shape [1], is the position of
  /// `id`. Updates `states`, one for each layer.
  Tensor step(const Tensor &id, const Tensor &position, std::vector<LinearState> &states,
              Here here = Here::current()) const {
    nn::Caller caller(here);
    Tensor x = embed(id, position);
    for (size_t n = 0; n < layers.size(); ++n)
      x = layers[n].step(x, states[n]);
    return predictor(norm(x));
  }
  Tensor embed(const Tensor &ids, const Tensor &positions, Here here = Here::current()) const {
    nn::Caller caller(here);
    Tensor x = embedding(ids);
    return xf::dropout(x + sinusoids(positions, options.width, {.dtype = x.dtype()}), options.dropout);
  }
  /// Returns the states of all layers, as they are before the first token.
  std::vector<LinearState> start(const Dim &batch, Here here = Here::current()) const {
    nn::Caller caller(here);
    int64_t size = nn::head_size(options.width, options.heads);
    Dtype dtype = embedding.weight.dtype();
    return std::vector<LinearState>(
        layers.size(), {zeros({batch, options.heads, size, size}, dtype), zeros({batch, options.heads, size}, dtype)});
  }
};

} // namespace xf::models

#endif // XF_MODELS_LINEAR_TRANSFORMER_H
