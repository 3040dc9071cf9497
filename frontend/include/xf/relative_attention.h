//===- xf/relative_attention.h - Scores that depend on content and distance -*- C++ -*-===//
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
// With memory, K and V are [memory; x]: queries are the last rows. The second product is made for a block of queries at
// a time and read by the score function at distance i - j, forwards and again for the gradient: what is kept of it is
// rows x Nk numbers per head, never Nq x Nk.
//
//===----------------------------------------------------------------------===//

#ifndef XF_RELATIVE_ATTENTION_H
#define XF_RELATIVE_ATTENTION_H

#include "xf/attention.h"
#include "xf/ops.h"

namespace xf {

/// What relative_attention may do besides.
struct RelativeOptions {
  /// u and v, H x D each; an undefined one is 0.
  Tensor content_bias = {}, position_bias = {};
  /// dense(), or a causal pattern of positions: one that does not ask how many keys there are.
  Pattern pattern = causal();
  /// Of both products. Default: D^-1/2.
  std::optional<double> scale = {};
  /// s' = score(s), of the sum of both products.
  std::function<Scalar(Score)> score = {};
  /// Queries of a block.
  int64_t rows = 128;
};

/// Attention with these scores: q BxHxNqxD, k BxHkxNkxD, v BxHvxNkxDv with static Nq <= Nk. `relative` holds r_d, H
/// rows x D: rows d = 0 .. Nk - 1 of a causal pattern; d = 1 - Nk .. Nk - 1 of dense().
Tensor relative_attention(const Tensor &q, const Tensor &k, const Tensor &v, const Tensor &relative,
                          const RelativeOptions &options = {}, Here here = Here::current());

/// Sinusoids of the distances first, first + 1, .., `count` rows: sin(d f_n) in columns n < width / 2, cos(d f_n)
/// behind them, f_n = 10000^(-2n / width).
Tensor distance_sinusoids(int64_t count, int64_t width, int64_t first = 0, Dtype dtype = f32,
                          Here here = Here::current());

} // namespace xf

#endif // XF_RELATIVE_ATTENTION_H
