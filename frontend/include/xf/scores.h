//===- xf/scores.h - Named score modifications -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Score modifications before the softmax, for AttentionOptions::score:
//
//   .score = scores::chain({scores::alibi(8), scores::soft_cap(30)})
//
// Memory is never Nq x Nk, except for tensors that the caller passes in. Tensors that a score reads receive gradients.
//
//===----------------------------------------------------------------------===//

#ifndef XF_SCORES_H
#define XF_SCORES_H

#include "xf/attention.h"
#include "xf/module.h"

namespace xf {
namespace scores {

/// Maps a score and its position to the score that replaces it.
using Function = std::function<Scalar(Score)>;

/// Composes score functions, the first one innermost: a soft cap of a biased score is chain({bias, cap}).
Function chain(std::vector<Function> functions);

/// Soft cap: cap tanh(s / cap).
Function soft_cap(double cap, Here here = Here::current());
/// Linear bias by distance: s - slope_h |i - j| with slope_h = 2^(-8 (h + 1) / heads) (Press 2022).
Function alibi(int64_t heads, Here here = Here::current());
/// Scaling by the logarithm of the position: s max(1, log(i + 1) / log(base)), so that queries with more than `base`
/// keys have attention as sharp as the others.
Function log_n(double base, Here here = Here::current());

/// Bias by distance: s + table[h, i - j + N - 1]; table H x (2N - 1) for N keys.
Function distance_bias(const Tensor &table, Here here = Here::current());
/// Parameters of t5_table: the number of keys, whether keys after the query have half of the buckets, and the distance
/// from which on all distances share the last bucket.
struct T5Buckets {
  int64_t keys;
  bool bidirectional = true;
  int64_t farthest = 128;
};
/// Returns the table of distance_bias as in T5, from `learned`, buckets x H: one bucket for each small distance, then
/// ever wider ranges up to `farthest`.
Tensor t5_table(const Tensor &learned, T5Buckets parameters, Here here = Here::current());
/// Bias by the offset on an image: s + table[h, y_i - y_j + height - 1, x_i - x_j + width - 1]; table
/// H x (2 height - 1) x (2 width - 1). Tokens are the image's pixels or patches, row by row.
Function image_bias(const Tensor &table, Here here = Here::current());
/// Bias by query and key: s + table[.., i - first, j]. `table` is one matrix, or one per head, or one per batch entry
/// and head; `first` is the position of the first query, Nk - Nq.
Function bias(const Tensor &table, int64_t first = 0, Here here = Here::current());

/// Replaces s by -sharpness |Delta - centre_h|^2, where Delta = key - query on an image of `width` columns; centres
/// H x 2, (y, x) each. With K^2 heads at the K x K offsets, attention is a convolution (Cordonnier 2020).
Function gaussian(const Tensor &centres, double sharpness, int64_t width, Here here = Here::current());
/// Replaces s by -1/2 |S_h (Delta - centre_h)|^2, a Gaussian of any direction and shape; factors S, H x 2 x 2.
Function quadratic(const Tensor &centres, const Tensor &factors, int64_t width, Here here = Here::current());

} // namespace scores

/// Computes attention whose softmax has one more score per head, sinks[h], with the value vector 0.
Tensor attention_with_sinks(const Tensor &q, const Tensor &k, const Tensor &v, const Tensor &sinks,
                            AttentionOptions options = {}, Here here = Here::current());
/// Computes o_i = sum of P(i, j) e^factors[h, i - j + N - 1] v_j: after the softmax, the probabilities P are scaled
/// element-wise by a Toeplitz matrix per head. `factors`, H x (2N - 1), holds the logarithms of its entries.
Tensor attention_with_factors(const Tensor &q, const Tensor &k, const Tensor &v, const Tensor &factors,
                              AttentionOptions options = {}, Here here = Here::current());

} // namespace xf

#endif // XF_SCORES_H
