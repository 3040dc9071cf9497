//===- xf/models/retnet.h - RetNet -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Y. Sun, L. Dong, S. Huang, S. Ma, Y. Xia, J. Xue, J. Wang, F. Wei, "Retentive Network: A Successor to Transformer for
// Large Language Models", arXiv 2307.08621. Retention is causal attention without a softmax, in which head h multiplies
// the weight of a key by 1 - 2^(-5 - h) for each token between; a call for all tokens, and a step for one, whose state
// does not grow.
//
// Parameters have the names of flash-linear-attention's RetNetForCausalLM, and its form: a gated feed-forward, and RMS
// norms of the heads. Left out: the paper's feed-forward of two matrices, its scaling of rows before the norm of the
// heads, which that norm cancels, and the chunks, which are the compiler's.
//
//===----------------------------------------------------------------------===//

#ifndef XF_MODELS_RETNET_H
#define XF_MODELS_RETNET_H

#include "xf/attention.h"
#include "xf/nn/caller.h"
#include "xf/nn/heads.h"
#include "xf/nn/layers.h"

#include <cmath>

namespace xf::models {

/// Sizes of RetNet; the defaults are those of flash-linear-attention's model of 1.3B parameters.
struct RetNetOptions {
  int64_t vocabulary = 32000, width = 2048, value_width = 4096, layers = 24, heads = 8, hidden = 2816;
  double eps = 1e-6;
  Rotary rotary = {};
};

/// Multi-scale retention with its gate (section 2.2).
struct Retention : nn::Module {
  nn::Linear q_proj, k_proj, v_proj, g_proj, o_proj;
  nn::RMSNorm g_norm_swish_gate;
  RetNetOptions options;
  XF_MEMBERS(q_proj, k_proj, v_proj, g_proj, o_proj, g_norm_swish_gate)

  explicit Retention(const RetNetOptions &o, Here here = Here::current())
      : q_proj(o.width, o.width, false, here), k_proj(o.width, o.width, false, here),
        v_proj(o.width, o.value_width, false, here), g_proj(o.width, o.value_width, false, here),
        o_proj(o.value_width, o.width, false, here),
        g_norm_swish_gate(nn::head_size(o.value_width, o.heads, here), o.eps, here), options(o) {}
  /// Computes the retention of all tokens of x: batch x tokens x width.
  Tensor operator()(const Tensor &x, Here here = Here::current()) const {
    nn::Caller caller(here);
    Kernelized kernel{
        .feature = Feature::identity, .scale_input = false, .normalizer = Normalizer::none, .of = causal()};
    Tensor o = scaled_dot_product_attention(
        scaled(options.rotary(heads(q_proj, x))), options.rotary(heads(k_proj, x)), heads(v_proj, x),
        {.pattern = kernelized(kernel),
         .decay = broadcast_to(decay(size_of(x.dtype()) < 4 ? f32 : x.dtype(), {1, options.heads, 1}),
                               {x.size(0), options.heads, x.size(1)})});
    return finish(x, o);
  }
  /// Computes the retention of the next token, and updates the state.
  Tensor step(const Tensor &x, const Tensor &position, Tensor &state, Here here = Here::current()) const {
    nn::Caller caller(here);
    Tensor q = scaled(options.rotary(heads(q_proj, x), position)), k = options.rotary(heads(k_proj, x), position);
    state = state * decay(x.dtype(), {1, options.heads, 1, 1}) + matmul(transpose(k, 2, 3), heads(v_proj, x));
    return finish(x, matmul(q, state));
  }
  Tensor finish(const Tensor &x, const Tensor &o) const {
    return o_proj(merge_heads(g_norm_swish_gate(o)) * silu(g_proj(x)));
  }
  Tensor heads(const nn::Linear &projection, const Tensor &x) const {
    return split_heads(projection(x), options.heads);
  }
  Tensor scaled(const Tensor &q) const { return q / std::sqrt(static_cast<double>(options.width / options.heads)); }
  /// Returns the factor of each head's state.
  Tensor decay(Dtype dtype, const Shape &shape) const {
    std::vector<double> factors;
    for (int64_t head = 0; head < options.heads; ++head)
      factors.push_back(1 - std::exp2(static_cast<double>(-5 - head)));
    return constant(factors, shape, dtype);
  }
};

/// A block: retention and gated feed-forward, each of a norm, with a residual.
struct RetNetBlock : nn::Module {
  nn::RMSNorm attn_norm, mlp_norm;
  Retention attn;
  nn::SwiGLU mlp;
  XF_MEMBERS(attn_norm, attn, mlp_norm, mlp)

  explicit RetNetBlock(const RetNetOptions &o, Here here = Here::current())
      : attn_norm(o.width, o.eps, here), mlp_norm(o.width, o.eps, here), attn(o, here),
        mlp({.width = o.width, .hidden = o.hidden, .bias = false}, here) {}
  Tensor operator()(const Tensor &x, Here here = Here::current()) const {
    nn::Caller caller(here);
    return finish(x + attn(attn_norm(x)));
  }
  Tensor step(const Tensor &x, const Tensor &position, Tensor &state, Here here = Here::current()) const {
    nn::Caller caller(here);
    return finish(x + attn.step(attn_norm(x), position, state));
  }
  Tensor finish(const Tensor &x) const { return x + mlp(mlp_norm(x)); }
};

/// RetNet, from ids to logits.
struct RetNet : nn::Module {
  nn::Embedding embeddings;
  std::vector<RetNetBlock> layers;
  nn::RMSNorm norm;
  nn::Linear lm_head;
  RetNetOptions options;

  explicit RetNet(const RetNetOptions &o = {}, Here here = Here::current())
      : embeddings(o.vocabulary, o.width, 0.02, here), norm(o.width, o.eps, here),
        lm_head(o.width, o.vocabulary, false, here), options(o) {
    for (int64_t layer = 0; layer < o.layers; ++layer)
      layers.emplace_back(o, here);
  }
  void visit_members(nn::Visitor &visitor) const override {
    visitor.members("model.embeddings, model.layers, model.norm, lm_head", embeddings, layers, norm, lm_head);
  }
  /// Computes the logits of the next token at each token of `ids`, batch x tokens: batch x tokens x vocabulary.
  Tensor operator()(const Tensor &ids, Here here = Here::current()) const {
    nn::Caller caller(here);
    Tensor x = embeddings(ids);
    for (const RetNetBlock &layer : layers)
      x = layer(x);
    return lm_head(norm(x));
  }
  /// Computes the logits for one more token: `id`, batch x 1, at `position`, an integer of shape [1]. Updates `states`,
  /// one for each layer.
  Tensor step(const Tensor &id, const Tensor &position, std::vector<Tensor> &states,
              Here here = Here::current()) const {
    nn::Caller caller(here);
    Tensor x = embeddings(id);
    for (size_t n = 0; n < layers.size(); ++n)
      x = layers[n].step(x, position, states[n]);
    return lm_head(norm(x));
  }
  /// Returns the states before the first token, batch x heads x key size x value size.
  std::vector<Tensor> start(const Dim &batch, Here here = Here::current()) const {
    nn::Caller caller(here);
    int64_t heads = options.heads;
    Shape shape{batch, heads, options.width / heads, options.value_width / heads};
    return std::vector<Tensor>(layers.size(), zeros(shape, embeddings.weight.dtype()));
  }
};

} // namespace xf::models

#endif // XF_MODELS_RETNET_H
