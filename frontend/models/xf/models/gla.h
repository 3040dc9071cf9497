//===- xf/models/gla.h - Gated linear attention -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// S. Yang, B. Wang, Y. Shen, R. Panda, Y. Kim, "Gated Linear Attention Transformers with Hardware-Efficient Training",
// arXiv 2312.06635. Gated linear attention has a state S. At each token, every channel of the keys decays in S by a
// factor that the token determines: S' = diag(a) S + k v. A model is called with all tokens, or computes token by token
// with `step` and a state of constant size.
//
// Parameters have the names of flash-linear-attention's GLAForCausalLM. In a call with all tokens, an attention has
// only one decay per head. So each channel of a head becomes a head of size 1, and the outputs of these are added. That
// is exact, but costs more: the attention's memory grows with tokens x width of keys x size of a value.
//
//===----------------------------------------------------------------------===//

#ifndef XF_MODELS_GLA_H
#define XF_MODELS_GLA_H

#include "xf/attention.h"
#include "xf/models/parts/recurrent_lm.h"
#include "xf/nn/caller.h"
#include "xf/nn/heads.h"
#include "xf/nn/layers.h"

#include <cmath>

namespace xf::models {

/// Options of GLA. The defaults are those of the paper's model of 1.3B parameters.
struct GLAOptions {
  int64_t vocabulary = 32000, width = 2048, key_width = 1024, layers = 24, heads = 4, hidden = 5632;
  /// Rank of the projection that computes the gates. `temperature` (tau) divides the logarithms of the gates.
  int64_t gate_rank = 16;
  double temperature = 16, eps = 1e-6;
};

/// Gated linear attention with its output gate.
struct GatedLinearAttention : nn::Module {
  using Options = GLAOptions;
  using State = Tensor;
  nn::Linear q_proj, k_proj, v_proj, g_proj, gk_down, gk_up, o_proj;
  nn::RMSNorm g_norm_swish_gate;
  Options options;

  explicit GatedLinearAttention(const Options &o, Here here = Here::current())
      : q_proj(o.width, o.key_width, false, here), k_proj(o.width, o.key_width, false, here),
        v_proj(o.width, o.width, false, here), g_proj(o.width, o.width, false, here),
        gk_down(o.width, o.gate_rank, false, here), gk_up(o.gate_rank, o.key_width, true, here),
        o_proj(o.width, o.width, false, here), g_norm_swish_gate(nn::head_size(o.width, o.heads, here), o.eps, here),
        options(o) {}
  void visit_members(nn::Visitor &visitor) const override {
    visitor.members("q_proj, k_proj, v_proj, g_proj, gk_proj.0, gk_proj.1, g_norm_swish_gate, o_proj", q_proj, k_proj,
                    v_proj, g_proj, gk_down, gk_up, g_norm_swish_gate, o_proj);
  }
  /// Computes the attention of x: batch x tokens x width.
  Tensor operator()(const Tensor &x, Here here = Here::current()) const {
    nn::Caller caller(here);
    int64_t heads = options.heads, size = nn::head_size(options.key_width, heads);
    Kernelized kernel{
        .feature = Feature::identity, .scale_input = false, .normalizer = Normalizer::none, .of = causal()};
    auto channels = [&](const Tensor &rows) { return split_heads(rows, options.key_width); };
    Tensor o = scaled_dot_product_attention(channels(query(x)), channels(k_proj(x)), split_heads(v_proj(x), heads),
                                            {.pattern = kernelized(kernel), .decay = transpose(decay(x), 1, 2)});
    return finish(x, sum(reshape(o, {x.size(0), heads, size, x.size(1), options.width / heads}), 2));
  }
  /// Computes the attention of the next token, x, batch x 1 x width. Updates `state`.
  Tensor step(const Tensor &x, Tensor &state, Here here = Here::current()) const {
    nn::Caller caller(here);
    auto heads = [&](const Tensor &rows) { return split_heads(rows, options.heads); };
    auto columns = [&](const Tensor &rows) { return transpose(heads(rows), 2, 3); };
    state = state * cast(columns(decay(x)), x.dtype()) + columns(k_proj(x)) * heads(v_proj(x));
    return finish(x, matmul(heads(query(x)), state));
  }
  Tensor finish(const Tensor &x, const Tensor &o) const {
    return o_proj(merge_heads(g_norm_swish_gate(o)) * silu(g_proj(x)));
  }
  Tensor query(const Tensor &x) const {
    return q_proj(x) / std::sqrt(static_cast<double>(options.key_width / options.heads));
  }
  /// Returns the factors by which the state decays at each token, one for each channel of the keys: batch x tokens x
  /// width of keys.
  Tensor decay(const Tensor &x) const {
    Tensor gates = cast(gk_up(gk_down(x)), size_of(x.dtype()) < 4 ? f32 : x.dtype());
    return exp(-softplus(-gates) / options.temperature);
  }
  /// Returns the state before the first token, batch x heads x key size x value size.
  static Tensor start(const Options &o, const Dim &batch, Dtype dtype) {
    return zeros({batch, o.heads, o.key_width / o.heads, o.width / o.heads}, dtype);
  }
};

/// GLA, from ids to logits.
using GLA = RecurrentLM<GatedLinearAttention>;

} // namespace xf::models

#endif // XF_MODELS_GLA_H
