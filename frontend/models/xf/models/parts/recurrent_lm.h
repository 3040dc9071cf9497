//===- xf/models/parts/recurrent_lm.h - A language model whose layers have states -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The language model of GLA, RetNet and DeltaNet, which differ only in the layer that mixes tokens. This layer is a
// template parameter, Mixer. Parameters have the names of flash-linear-attention. A Mixer has:
//
//   Options                            sizes: vocabulary, width, layers, hidden, eps and its own
//   State                              what step() must keep of earlier tokens
//   Mixer(options, here)
//   operator()(x)                      applies the layer to all tokens, batch x tokens x width
//   step(x, state)                     applies it to the next token; may also be step(x, position, state)
//   start(options, batch, dtype)       returns the state before the first token
//
//===----------------------------------------------------------------------===//

#ifndef XF_MODELS_PARTS_RECURRENT_LM_H
#define XF_MODELS_PARTS_RECURRENT_LM_H

#include "xf/nn/caller.h"
#include "xf/nn/layers.h"

#include <vector>

namespace xf::models {

/// A block: a mixer and a gated feed-forward. Each reads a norm of its input, and adds a residual.
template <typename Mixer>
struct RecurrentBlock : nn::Module {
  nn::RMSNorm attn_norm, mlp_norm;
  Mixer attn;
  nn::SwiGLU mlp;
  XF_MEMBERS(attn_norm, attn, mlp_norm, mlp)

  explicit RecurrentBlock(const typename Mixer::Options &o, Here here = Here::current())
      : attn_norm(o.width, o.eps, here), mlp_norm(o.width, o.eps, here), attn(o, here),
        mlp({.width = o.width, .hidden = o.hidden, .bias = false}, here) {}
  Tensor operator()(const Tensor &x, Here here = Here::current()) const {
    nn::Caller caller(here);
    return finish(x + attn(attn_norm(x)));
  }
  /// Applies the block to the next token, x, batch x 1 x width. Updates `state`, the state of the mixer.
  Tensor step(const Tensor &x, typename Mixer::State &state, Here here = Here::current()) const {
    nn::Caller caller(here);
    return finish(x + attn.step(attn_norm(x), state));
  }
  Tensor step(const Tensor &x, const Tensor &position, typename Mixer::State &state,
              Here here = Here::current()) const {
    nn::Caller caller(here);
    return finish(x + attn.step(attn_norm(x), position, state));
  }
  Tensor finish(const Tensor &x) const { return x + mlp(mlp_norm(x)); }
};

/// A language model of blocks with a mixer, from ids to logits.
template <typename Mixer>
struct RecurrentLM : nn::Module {
  using Options = typename Mixer::Options;
  using State = typename Mixer::State;
  nn::Embedding embeddings;
  std::vector<RecurrentBlock<Mixer>> layers;
  nn::RMSNorm norm;
  nn::Linear lm_head;
  Options options;

  explicit RecurrentLM(const Options &o = {}, Here here = Here::current())
      : embeddings(o.vocabulary, o.width, 0.02, here), norm(o.width, o.eps, here),
        lm_head(o.width, o.vocabulary, false, here), options(o) {
    for (int64_t layer = 0; layer < o.layers; ++layer)
      layers.emplace_back(o, here);
  }
  void visit_members(nn::Visitor &visitor) const override {
    visitor.members("model.embeddings, model.layers, model.norm, lm_head", embeddings, layers, norm, lm_head);
  }
  /// Computes the logits of the next token, batch x tokens x vocabulary, at each token of `ids`, batch x tokens.
  Tensor operator()(const Tensor &ids, Here here = Here::current()) const {
    nn::Caller caller(here);
    Tensor x = embeddings(ids);
    for (const RecurrentBlock<Mixer> &layer : layers)
      x = layer(x);
    return lm_head(norm(x));
  }
  /// Computes the logits of the token after `id`, batch x 1. Updates `states`, one for each layer.
  Tensor step(const Tensor &id, std::vector<State> &states, Here here = Here::current()) const {
    nn::Caller caller(here);
    Tensor x = embeddings(id);
    for (size_t n = 0; n < layers.size(); ++n)
      x = layers[n].step(x, states[n]);
    return lm_head(norm(x));
  }
  /// Computes the logits of the token after `id`, batch x 1. `position`, an integer of shape [1], is the position of
  /// `id`. For mixers whose step takes a position.
  Tensor step(const Tensor &id, const Tensor &position, std::vector<State> &states, Here here = Here::current()) const {
    nn::Caller caller(here);
    Tensor x = embeddings(id);
    for (size_t n = 0; n < layers.size(); ++n)
      x = layers[n].step(x, position, states[n]);
    return lm_head(norm(x));
  }
  /// Returns the states before the first token, one for each layer.
  std::vector<State> start(const Dim &batch, Here here = Here::current()) const {
    nn::Caller caller(here);
    return std::vector<State>(layers.size(), Mixer::start(options, batch, embeddings.weight.dtype()));
  }
};

} // namespace xf::models

#endif // XF_MODELS_PARTS_RECURRENT_LM_H
