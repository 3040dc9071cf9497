//===- xf/linear_attention.h - Recurrent kernelised attention -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Linear attention with an explicit state. The state of causal kernelised attention is S, the sum of phi(k) v^T, and z,
// the sum of phi(k), over the tokens so far (Katharopoulos 2020). Both are ordinary tensors that a program takes and
// returns.
//
//===----------------------------------------------------------------------===//

#ifndef XF_LINEAR_ATTENTION_H
#define XF_LINEAR_ATTENTION_H

#include "xf/features.h"

namespace xf {

/// Options of linear_attention_step and linear_attention_steps. `guard` is added to the denominator. `decay` is the
/// factor of the state, `beta` the step size of the delta rule. Each of these two is undefined, or has the shape BxH
/// for one token and BxHxN for N tokens. With Normalizer::none (retention, state-space duals, delta rules), outputs are
/// not divided, and there is no z.
struct LinearAttentionOptions {
  double guard = 1e-6;
  Tensor decay = {}, beta = {};
  Normalizer normalizer = Normalizer::sum;
};

/// Result of linear_attention_step and linear_attention_steps.
struct LinearAttentionStep {
  /// Output of the tokens: B x H x N x Dv.
  Tensor o;
  /// State after the last token: `s` is B x H x M x Dv, `z` is B x H x M. `z` is undefined for Normalizer::none.
  Tensor s, z;
};

/// Computes causal kernelised attention for one more token: S' = decay S + phi(k) v^T, z' = decay z + phi(k), o =
/// phi(q) S' / (phi(q) z' + guard). Time and memory do not depend on the number of earlier tokens. With `beta`, S and z
/// are updated by the delta rule, as with AttentionOptions::beta. Shapes: phi_q and phi_k BxHx1xM, v BxHx1xDv, s
/// BxHxMxDv, z BxHxM. Before the first token, s and z are zero. Throws Error for wrong shapes, and for a normalizer
/// other than sum and none.
LinearAttentionStep linear_attention_step(const Tensor &phi_q, const Tensor &phi_k, const Tensor &v, const Tensor &s,
                                          const Tensor &z, const LinearAttentionOptions &options = {},
                                          Here here = Here::current());

/// Computes the steps of N tokens at once, in chunks, with the results of linear_attention_step. Needed to start
/// decoding after a prompt, or to compute a part of a text whose gradient must reach the state before that part. Shapes
/// are those of linear_attention_step, with N tokens. phi_k may have fewer heads than phi_q; then several heads of
/// phi_q share one.
/// Passing the state in and out takes the time of 2 M tokens: it enters as the values of M keys before the tokens, and
/// leaves as the outputs of M queries behind them. Throws Error for wrong shapes, and unless M is static.
LinearAttentionStep linear_attention_steps(const Tensor &phi_q, const Tensor &phi_k, const Tensor &v, const Tensor &s,
                                           const Tensor &z, const LinearAttentionOptions &options = {},
                                           Here here = Here::current());

/// Options of sliced_linear_attention and sliced_layers. `slice` is the number of tokens of a slice. `guard` is added
/// to the denominator.
struct SlicedAttentionOptions {
  int64_t slice;
  double guard = 1e-6;
};

/// Computes causal kernelised attention slice by slice (SLiM, Likhosherstov 2021). Values and gradients equal those of
/// attention over the whole sequence at once. The gradient recomputes the features from one stored state per slice, so
/// that memory is O(slice) + O(N / slice) instead of O(N). `feature` maps rows ..xD to ..xM; q and k are BxHxNxD, v is
/// BxHxNxDv. Throws Error unless N and Dv are static.
Tensor sliced_linear_attention(const Tensor &q, const Tensor &k, const Tensor &v,
                               const std::function<Tensor(const Tensor &)> &feature, SlicedAttentionOptions options,
                               Here here = Here::current());

/// Operands of a layer's linear attention: the features phi(q) and phi(k), BxHxNxM, and the values v, BxHxNxDv.
struct LinearAttentionRows {
  Tensor phi_q, phi_k, v;
};

/// A layer as two functions, which compute what comes before and after its causal attention. Both treat every token
/// independently. `rows` computes the operands of the attention from tokens x, BxNxd; `first` is the position of the
/// first token. `finish` computes the layer's result, BxNxd, from x and the attention's output `attended`, BxHxNxDv:
/// projection, residual, norms, feed-forward.
struct SlicedLayer {
  std::function<LinearAttentionRows(const Tensor &x, int64_t first)> rows;
  std::function<Tensor(const Tensor &x, const Tensor &attended)> finish;
};

/// Computes a stack of layers slice by slice (SLiM): applies all layers to one slice of tokens before the next slice,
/// and passes one attention state per layer from slice to slice. Values and gradients equal those of applying the
/// layers one after the other to all tokens. The gradient recomputes each slice from its tokens and the states before
/// it, so that intermediate values take memory for one slice only. x is BxNxd. Throws Error unless N and d are static.
Tensor sliced_layers(const Tensor &x, const std::vector<SlicedLayer> &layers, SlicedAttentionOptions options,
                     Here here = Here::current());

} // namespace xf

#endif // XF_LINEAR_ATTENTION_H
