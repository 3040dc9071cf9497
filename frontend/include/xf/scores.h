//===- xf/scores.h - Named score modifications -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What can be done to a score before the softmax, for AttentionOptions::score:
//
//   .score = scores::chain({scores::alibi(8), scores::soft_cap(30)})
//
// Nothing of size Nq x Nk is stored but what is given so. Tensors that a score reads get gradients.
//
//===----------------------------------------------------------------------===//

#ifndef XF_SCORES_H
#define XF_SCORES_H

#include "xf/attention.h"
#include "xf/module.h"

namespace xf {
namespace scores {

/// The score that takes the place of one.
using Function = std::function<Scalar(Score)>;

/// One after the other: a soft cap of a biased score is chain({bias, cap}).
Function chain(std::vector<Function> functions);

/// cap tanh(s / cap).
Function soft_cap(double cap, Here here = Here::current());
/// s - slope_h |i - j| with slope_h = 2^(-8 (h + 1) / heads) (Press 2022).
Function alibi(int64_t heads, Here here = Here::current());
/// s max(1, log(i + 1) / log(base)): queries that see more keys than `base` are as sharp as the others.
Function log_n(double base, Here here = Here::current());

/// s + table[h, i - j + N - 1]: H x (2N - 1), N keys.
Function distance_bias(const Tensor &table, Here here = Here::current());
/// The table of distance_bias that T5 makes of `buckets` learned numbers per head, buckets x H: one for each small
/// distance, then ever wider ranges up to `farthest`. Bidirectional: half of them for keys after the query.
struct T5Buckets {
  int64_t keys;
  bool bidirectional = true;
  int64_t farthest = 128;
};
Tensor t5_table(const Tensor &learned, T5Buckets parameters, Here here = Here::current());
/// s + table[h, y_i - y_j + height - 1, x_i - x_j + width - 1]: H x (2 height - 1) x (2 width - 1), for tokens of an
/// image, row by row.
Function image_bias(const Tensor &table, Here here = Here::current());
/// s + table[.., i - first, j]: a matrix, or one per head or per batch and head; `first` is the first query's position,
/// Nk - Nq.
Function bias(const Tensor &table, int64_t first = 0, Here here = Here::current());

/// -sharpness |Delta - centre_h|^2 in place of s, Delta = key - query on an image of `width` columns: centres H x 2,
/// (y, x) each. With K^2 heads at the K x K offsets attention is a convolution (Cordonnier 2020).
Function gaussian(const Tensor &centres, double sharpness, int64_t width, Here here = Here::current());
/// -1/2 |S_h (Delta - centre_h)|^2 in place of s: factors S, H x 2 x 2, any direction and shape.
Function quadratic(const Tensor &centres, const Tensor &factors, int64_t width, Here here = Here::current());

} // namespace scores

/// A softmax with one more score, sinks[h], whose value is 0.
Tensor attention_with_sinks(const Tensor &q, const Tensor &k, const Tensor &v, const Tensor &sinks,
                            AttentionOptions options = {}, Here here = Here::current());
/// o_i = sum of P(i, j) e^factors[h, i - j + N - 1] v_j: probabilities times a Toeplitz matrix, H x (2N - 1), after the
/// softmax.
Tensor attention_with_factors(const Tensor &q, const Tensor &k, const Tensor &v, const Tensor &factors,
                              AttentionOptions options = {}, Here here = Here::current());

} // namespace xf

#endif // XF_SCORES_H
