//===- xf/models/deltanet.h - DeltaNet -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// S. Yang, B. Wang, Y. Zhang, Y. Shen, Y. Kim, "Parallelizing Linear Transformers with the Delta Rule over Sequence
// Length", arXiv 2406.06484. DeltaNet is linear attention whose state S forgets what it held under a key before it
// takes a new value: S' = S + beta k (v - k S). Keys have length 1, and short convolutions come before queries, keys
// and values. A model is called with all tokens, or computes token by token with `step` and a state of constant size.
//
// Parameters have the names of flash-linear-attention's DeltaNetForCausalLM, in the paper's form: silu, keys and
// queries normalised by their length. Left out: the hybrids with other layers, other activations and norms, the output
// gate.
//
//===----------------------------------------------------------------------===//

#ifndef XF_MODELS_DELTANET_H
#define XF_MODELS_DELTANET_H

#include "xf/attention.h"
#include "xf/linear_attention.h"
#include "xf/models/parts/recurrent_lm.h"
#include "xf/nn/caller.h"
#include "xf/nn/heads.h"
#include "xf/nn/layers.h"
#include "xf/ops/arrange.h"

#include <cmath>

namespace xf::models {

/// Options of DeltaNet. The defaults are those of flash-linear-attention's model of 1.3B parameters.
struct DeltaNetOptions {
  int64_t vocabulary = 32000, width = 2048, layers = 24, heads = 16, hidden = 5632, convolution = 4;
  double eps = 1e-6;
};

/// The state of a layer. `s` is S, batch x heads x size x size. The convolutions of queries, keys and values read the
/// last tokens; `q`, `k` and `v` are those of their inputs that the next token still needs, batch x width x
/// (convolution - 1). All are zero before the first token.
struct DeltaState {
  Tensor s, q, k, v;
};

/// Linear attention by the delta rule.
struct DeltaRule : nn::Module {
  using Options = DeltaNetOptions;
  using State = DeltaState;
  nn::Linear q_proj, k_proj, v_proj, b_proj, o_proj;
  nn::Conv1d q_conv1d, k_conv1d, v_conv1d;
  nn::RMSNorm o_norm;
  Options options;
  XF_MEMBERS(q_proj, k_proj, v_proj, b_proj, q_conv1d, k_conv1d, v_conv1d, o_norm, o_proj)

  explicit DeltaRule(const Options &o, Here here = Here::current())
      : q_proj(o.width, o.width, false, here), k_proj(o.width, o.width, false, here),
        v_proj(o.width, o.width, false, here), b_proj(o.width, o.heads, false, here),
        o_proj(o.width, o.width, false, here), q_conv1d(convolution(o, here)), k_conv1d(convolution(o, here)),
        v_conv1d(convolution(o, here)), o_norm(nn::head_size(o.width, o.heads, here), o.eps, here), options(o) {}
  /// Computes the attention of x: batch x tokens x width.
  Tensor operator()(const Tensor &x, Here here = Here::current()) const {
    nn::Caller caller(here);
    Kernelized kernel{
        .feature = Feature::identity, .scale_input = false, .normalizer = Normalizer::none, .of = causal()};
    auto heads = [&](const nn::Linear &projection, const nn::Conv1d &convolution) {
      return activated(convolution(transpose(projection(x), 1, 2)));
    };
    Tensor beta = sigmoid(cast(b_proj(x), size_of(x.dtype()) < 4 ? f32 : x.dtype()));
    Tensor o = scaled_dot_product_attention(unit(heads(q_proj, q_conv1d)) / std::sqrt(size()),
                                            unit(heads(k_proj, k_conv1d)), heads(v_proj, v_conv1d),
                                            {.pattern = kernelized(kernel), .beta = transpose(beta, 1, 2)});
    return o_proj(merge_heads(o_norm(o)));
  }
  /// Computes the attention of the next token, x, batch x 1 x width. Updates `state`.
  Tensor step(const Tensor &x, State &state, Here here = Here::current()) const {
    nn::Caller caller(here);
    auto heads = [&](const nn::Linear &projection, const nn::Conv1d &convolution, Tensor &window) {
      Tensor seen = concat({window, transpose(projection(x), 1, 2)}, 2);
      window = slice(seen, 2, 1, options.convolution);
      return activated(sum(seen * squeeze(convolution.weight, 1), 2, true));
    };
    Tensor q = unit(heads(q_proj, q_conv1d, state.q)), k = unit(heads(k_proj, k_conv1d, state.k));
    LinearAttentionStep next =
        linear_attention_step(q / std::sqrt(size()), k, heads(v_proj, v_conv1d, state.v), state.s, {},
                              {.beta = squeeze(sigmoid(b_proj(x)), 1), .normalizer = Normalizer::none});
    state.s = next.s;
    return o_proj(merge_heads(o_norm(next.o)));
  }
  /// Applies silu to x, the result of a convolution, batch x width x tokens, and splits it into heads.
  Tensor activated(const Tensor &x) const { return split_heads(transpose(silu(x), 1, 2), options.heads); }
  /// Divides each row by its length.
  Tensor unit(const Tensor &x) const { return rms_norm(x, {}, 1e-6 / size()) / std::sqrt(size()); }
  double size() const { return static_cast<double>(options.width / options.heads); }
  static nn::Conv1d convolution(const Options &o, Here here) {
    return nn::Conv1d(o.width, o.width, o.convolution, {.groups = o.width, .causal = true}, false, here);
  }
  /// Returns the state before the first token.
  static State start(const Options &o, const Dim &batch, Dtype dtype) {
    Tensor s = zeros({batch, o.heads, o.width / o.heads, o.width / o.heads}, dtype);
    Tensor window = zeros({batch, o.width, o.convolution - 1}, dtype);
    return {s, window, window, window};
  }
};

/// DeltaNet, from ids to logits.
using DeltaNet = RecurrentLM<DeltaRule>;

} // namespace xf::models

#endif // XF_MODELS_DELTANET_H
