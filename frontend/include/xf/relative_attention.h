//===- xf/relative_attention.h - Transformer-XL attention -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Transformer-XL's attention (Dai 2019, the equation of A^rel in section 3.3):
//
//   s(i, j) = scale (<q_i + u, k_j> + <q_i + v, r_(i - j)>),   r_d = W_kR R_d,   R_d the sinusoids of distance d
//
// With memory, K and V are [memory; x], and queries are the last rows. The second product is computed for one block of
// queries at a time, and again for the gradient; the score function reads it at distance i - j. Memory is rows x Nk
// numbers per head, never Nq x Nk.
//
//===----------------------------------------------------------------------===//

#ifndef XF_RELATIVE_ATTENTION_H
#define XF_RELATIVE_ATTENTION_H

#include "xf/attention.h"
#include "xf/ops.h"

namespace xf {

/// Options of relative_attention.
struct RelativeOptions {
  /// The biases u and v, H x D each; an undefined bias is 0.
  Tensor content_bias = {}, position_bias = {};
  /// dense(), or a causal pattern whose pairs depend on i and j only, not on the number of keys.
  Pattern pattern = causal();
  /// Factor of both products. Default: D^-1/2.
  std::optional<double> scale = {};
  /// Score modification s' = score(s) of the sum of both products.
  std::function<Scalar(Score)> score = {};
  /// Number of queries of a block.
  int64_t rows = 128;
};

/// Computes attention with these scores: q BxHxNqxD, k BxHkxNkxD, v BxHvxNkxDv with static Nq <= Nk. `relative` holds
/// r_d as H x distances x D: rows d = 0 .. Nk - 1 for a causal pattern, d = 1 - Nk .. Nk - 1 for dense().
Tensor relative_attention(const Tensor &q, const Tensor &k, const Tensor &v, const Tensor &relative,
                          const RelativeOptions &options = {}, Here here = Here::current());

/// Returns the sinusoids R_d of the distances first, first + 1, .., as `count` x `width`: sin(d f_n) in columns n <
/// width / 2, cos(d f_n) in the remaining columns, f_n = 10000^(-2n / width). `width` is even.
Tensor distance_sinusoids(int64_t count, int64_t width, int64_t first = 0, Dtype dtype = f32,
                          Here here = Here::current());

} // namespace xf

#endif // XF_RELATIVE_ATTENTION_H
