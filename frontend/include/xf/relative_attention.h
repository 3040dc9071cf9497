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
// With a memory of earlier tokens, K and V have the rows of the memory, then those of x. Queries are the last rows. The
// second product, the position scores, is computed for one block of `rows` queries at a time, and again for the
// gradient. The score function reads the position scores at distance i - j. They take space for rows x Nk numbers per
// head, never for Nq x Nk.
//
//===----------------------------------------------------------------------===//

#ifndef XF_RELATIVE_ATTENTION_H
#define XF_RELATIVE_ATTENTION_H

#include "xf/attention.h"
#include "xf/ops.h"

namespace xf {

/// Options of relative_attention.
struct RelativeOptions {
  /// The learned biases u of content scores and v of position scores, H x D each. An undefined bias is 0.
  Tensor content_bias = {}, position_bias = {};
  /// Pattern of the attention: dense(), segments(), or a causal pattern whose pairs do not depend on the number of
  /// keys.
  Pattern pattern = causal();
  /// Factor of content scores and of position scores. Default: 1/sqrt(D).
  std::optional<double> scale = {};
  /// Score modification s' = score(s), applied to the sum s of content and position score.
  std::function<Scalar(Score)> score = {};
  /// Number of queries whose position scores are computed at a time. The scores take memory for rows x Nk numbers per
  /// head.
  int64_t rows = 128;
  /// Numbers of visible keys and of valid queries, as in AttentionOptions.
  Tensor lengths = {}, query_lengths = {};
  /// Segment numbers, as in AttentionOptions, for segments() and its intersections with causal patterns.
  Tensor query_segments = {}, key_segments = {};
  /// Attention dropout, as in AttentionOptions. Each block of `rows` queries draws with its own seed, so that the
  /// dropped pairs depend on `rows`.
  double dropout = 0;
  Tensor seed = {};
};

/// Computes Transformer-XL's attention, with the scores scale (<q_i + u, k_j> + <q_i + v, r_(i - j)>) for the biases u
/// and v of the options. Shapes: q BxHxNqxD, k BxHkxNkxD, v BxHvxNkxDv, with static Nq <= Nk. `relative` holds the keys
/// r_d of distances d as H x distances x D: d = 0 .. Nk - 1 for a causal pattern, d = 1 - Nk .. Nk - 1 for others.
/// Throws Error for wrong shapes and for any other pattern.
Tensor relative_attention(const Tensor &q, const Tensor &k, const Tensor &v, const Tensor &relative,
                          const RelativeOptions &options = {}, Here here = Here::current());
/// Computes the attention of relative_attention. Returns its output and the log-sum-exp of each row.
AttentionResult relative_attention_with_lse(const Tensor &q, const Tensor &k, const Tensor &v, const Tensor &relative,
                                            const RelativeOptions &options = {}, Here here = Here::current());

/// Returns the sinusoidal encodings of the distances d = first, first + 1, .. as `count` x `width`: sin(d f_n) in
/// columns n < width / 2, then cos(d f_n) in the remaining columns, with the frequencies f_n = 10000^(-2n / width).
/// Throws Error unless `width` is even.
Tensor distance_sinusoids(int64_t count, int64_t width, int64_t first = 0, Dtype dtype = f32,
                          Here here = Here::current());

} // namespace xf

#endif // XF_RELATIVE_ATTENTION_H
