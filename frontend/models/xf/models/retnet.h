//===- xf/models/retnet.h - RetNet -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Y. Sun, L. Dong, S. Huang, S. Ma, Y. Xia, J. Xue, J. Wang, F. Wei, "Retentive Network: A Successor to Transformer for
// Large Language Models", arXiv 2307.08621. Retention is causal attention without a softmax. In head h, the weight of a
// key decays by the factor 1 - 2^(-5 - h) with each later token. A model is called with all tokens, or computes token
// by token with `step` and a state of constant size.
//
// Parameters have the names of flash-linear-attention's RetNetForCausalLM. The form is the same, too: a gated
// feed-forward, and RMS norms of the heads. Left out: the paper's feed-forward of two matrices; its scaling of rows
// before the norm of the heads, which that norm cancels; and chunks, because the compiler divides tokens into chunks
// itself.
//
//===----------------------------------------------------------------------===//

#ifndef XF_MODELS_RETNET_H
#define XF_MODELS_RETNET_H

#include "xf/attention.h"
#include "xf/models/parts/recurrent_lm.h"
#include "xf/nn/caller.h"
#include "xf/nn/heads.h"
#include "xf/nn/layers.h"

#include <cmath>

namespace xf::models {

/// Options of RetNet. The defaults are those of flash-linear-attention's model of 1.3B parameters.
struct RetNetOptions {
  int64_t vocabulary = 32000, width = 2048, value_width = 4096, layers = 24, heads = 8, hidden = 2816;
  double eps = 1e-6;
  Rotary rotary = {};
};

/// Multi-scale retention with its gate (section 2.2).
struct Retention : nn::Module {
  using Options = RetNetOptions;
  using State = Tensor;
  nn::Linear q_proj, k_proj, v_proj, g_proj, o_proj;
  nn::RMSNorm g_norm_swish_gate;
  Options options;
  XF_MEMBERS(q_proj, k_proj, v_proj, g_proj, o_proj, g_norm_swish_gate)

  explicit Retention(const Options &o, Here here = Here::current())
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
  /// Computes the retention of the next token, x, batch x 1 x width, at `position`, an integer of shape [1]. Updates
  /// `state`.
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
  /// Returns the factor by which the state of each head decays per token, as a tensor of shape `shape`.
  Tensor decay(Dtype dtype, const Shape &shape) const {
    std::vector<double> factors;
    for (int64_t head = 0; head < options.heads; ++head)
      factors.push_back(1 - std::exp2(static_cast<double>(-5 - head)));
    return constant(factors, shape, dtype);
  }
  /// Returns the state before the first token, batch x heads x key size x value size.
  static Tensor start(const Options &o, const Dim &batch, Dtype dtype) {
    return zeros({batch, o.heads, o.width / o.heads, o.value_width / o.heads}, dtype);
  }
};

/// RetNet, from ids to logits.
using RetNet = RecurrentLM<Retention>;

} // namespace xf::models

#endif // XF_MODELS_RETNET_H
