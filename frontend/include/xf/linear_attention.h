//===- xf/linear_attention.h - Recurrent kernelised attention -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The state of causal kernelised attention is S, the sum of phi(k) v^T, and z, the sum of phi(k), over the tokens so
// far (Katharopoulos 2020). Both are ordinary tensors, computed by ordinary operations: a program takes and returns
// them.
//
//===----------------------------------------------------------------------===//

#ifndef XF_LINEAR_ATTENTION_H
#define XF_LINEAR_ATTENTION_H

#include "xf/features.h"

namespace xf {

/// Options of linear_attention_step and linear_attention_steps. `guard` is added to the denominator. `decay` is the
/// factor of the state and `beta` the step size of the delta rule, of shape BxH for one token, BxHxN for N tokens; each
/// may be undefined. Normalizer::none divides by nothing (retention, state-space duals, delta rules): then there is no
/// z.
struct LinearAttentionOptions {
  double guard = 1e-6;
  Tensor decay = {}, beta = {};
  Normalizer normalizer = Normalizer::sum;
};

/// Result of linear_attention_step and linear_attention_steps.
struct LinearAttentionStep {
  /// Output of the tokens: B x H x N x Dv.
  Tensor o;
  /// State after the last token: s is B x H x M x Dv, z is B x H x M, undefined for Normalizer::none.
  Tensor s, z;
};

/// Computes causal kernelised attention for one more token, in time and memory that do not depend on the number of
/// earlier tokens: S' = decay S + phi(k) v^T, z' = decay z + phi(k), o = phi(q) S' / (phi(q) z' + guard). With `beta`,
/// S and z are updated by the delta rule as with AttentionOptions::beta. Shapes: phi_q and phi_k BxHx1xM, v BxHx1xDv, s
/// BxHxMxDv, z BxHxM. Before the first token, s and z are zero. Throws Error for wrong shapes, and for a normalizer
/// other than sum and none.
LinearAttentionStep linear_attention_step(const Tensor &phi_q, const Tensor &phi_k, const Tensor &v, const Tensor &s,
                                          const Tensor &z, const LinearAttentionOptions &options = {},
                                          Here here = Here::current());

/// Computes linear_attention_step for N tokens, one after the other, by the chunks of causal kernelised attention: a
/// prompt whose state decoding goes on with, or one part of a text whose gradient reaches the state before it. Shapes
/// as there, with N tokens; phi_k may have fewer heads, which groups of heads share. The state goes in as the values of
/// M keys before the tokens, and comes out as the outputs of M queries behind them, so that it costs the time of 2 M
/// tokens. Throws Error for wrong shapes, and unless M is static.
LinearAttentionStep linear_attention_steps(const Tensor &phi_q, const Tensor &phi_k, const Tensor &v, const Tensor &s,
                                           const Tensor &z, const LinearAttentionOptions &options = {},
                                           Here here = Here::current());

/// Options of sliced_linear_attention and sliced_layers: `slice` is the number of tokens of a slice, and `guard` is
/// added to the denominator.
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

/// The parts of a layer before and after its causal attention, each of which treats every token independently. `rows`
/// computes the operands of the attention from tokens x, BxNxd, the first of which has the position `first`. `finish`
/// computes the layer's result, BxNxd, from x and the attention's output, BxHxNxDv: projection, residual, norms,
/// feed-forward.
struct SlicedLayer {
  std::function<LinearAttentionRows(const Tensor &x, int64_t first)> rows;
  std::function<Tensor(const Tensor &x, const Tensor &attended)> finish;
};

/// Computes a stack of layers slice by slice (SLiM): all layers of one slice of tokens before the next slice, with one
/// attention state per layer passed from slice to slice. Values and gradients equal those of applying the layers one
/// after the other to all tokens. The gradient recomputes a slice from its tokens and the states before the slice, so
/// that the layers' intermediate values take memory for one slice only. x is BxNxd; throws Error unless N and d are
/// static.
Tensor sliced_layers(const Tensor &x, const std::vector<SlicedLayer> &layers, SlicedAttentionOptions options,
                     Here here = Here::current());

} // namespace xf

#endif // XF_LINEAR_ATTENTION_H
