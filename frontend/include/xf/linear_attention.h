//===- xf/linear_attention.h - Kernelised attention as a recurrence -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Causal kernelised attention needs no more of the past than S, the sum of phi(k) v^T, and z, the sum of phi(k)
// (Katharopoulos 2020). Both are ordinary values here, from ordinary operations: a program takes and returns them.
//
//===----------------------------------------------------------------------===//

#ifndef XF_LINEAR_ATTENTION_H
#define XF_LINEAR_ATTENTION_H

#include "xf/features.h"

namespace xf {

/// What is added to the denominator, and what the token does to the state besides adding itself. BxH each, or none.
struct LinearAttentionOptions {
  double guard = 1e-6;
  Tensor decay = {}, beta = {};
};

/// What a token gives.
struct LinearAttentionStep {
  /// B x H x 1 x Dv.
  Tensor o;
  /// The state after the token: B x H x M x Dv and B x H x M.
  Tensor s, z;
};

/// One token more, in time and memory that do not depend on how many there were: S' = decay S + phi(k) v^T, z' = decay
/// z + phi(k), o = phi(q) S' / (phi(q) z' + guard); with beta the delta rule, as in AttentionOptions. phi_q and phi_k
/// BxHx1xM, v BxHx1xDv, s BxHxMxDv, z BxHxM: zeros before the first token.
LinearAttentionStep linear_attention_step(const Tensor &phi_q, const Tensor &phi_k, const Tensor &v, const Tensor &s,
                                          const Tensor &z, const LinearAttentionOptions &options = {},
                                          Here here = Here::current());

/// Of sliced_linear_attention and sliced_layers: tokens of a slice, and what is added to the denominator.
struct SlicedAttentionOptions {
  int64_t slice;
  double guard = 1e-6;
};

/// Causal kernelised attention slice by slice (SLiM, Likhosherstov 2021): the same values and gradients, but features
/// are computed again for the gradient, and what is kept is one state per slice: memory O(slice) + O(N / slice) instead
/// of O(N). `feature` maps rows ..xD to ..xM; q, k BxHxNxD, v BxHxNxDv, N static.
Tensor sliced_linear_attention(const Tensor &q, const Tensor &k, const Tensor &v,
                               const std::function<Tensor(const Tensor &)> &feature, SlicedAttentionOptions options,
                               Here here = Here::current());

/// What a layer's attention is made of: phi(q) and phi(k), BxHxNxM, and v BxHxNxDv.
struct LinearAttentionRows {
  Tensor phi_q, phi_k, v;
};

/// A layer around its causal attention, in two functions that look at each token alone: the rows of tokens x, BxNxd,
/// and what x and the attention's output, BxHxNxDv, become, BxNxd: projection, residual, norms, feed-forward.
struct SlicedLayer {
  std::function<LinearAttentionRows(const Tensor &x)> rows;
  std::function<Tensor(const Tensor &x, const Tensor &attended)> finish;
};

/// Whole layers slice by slice (SLiM): all layers of a slice of tokens before the next slice, with one state per layer
/// between them. Values and gradients are those of the layers one after the other on all tokens. For the gradient, a
/// slice is computed again from its tokens and the states before it: what layers compute takes memory for one slice,
/// not for all. x BxNxd, N and d static.
Tensor sliced_layers(const Tensor &x, const std::vector<SlicedLayer> &layers, SlicedAttentionOptions options,
                     Here here = Here::current());

} // namespace xf

#endif // XF_LINEAR_ATTENTION_H
