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

/// A score function. It maps a score, given with its positions, to the score that replaces it.
using Function = std::function<Scalar(Score)>;

/// Returns the composition of score functions, applied from the first to the last. chain({bias, cap}) caps the biased
/// score.
Function chain(std::vector<Function> functions);

/// Returns the score function of a soft cap: cap tanh(s / cap). Throws Error unless `cap` is positive and finite.
Function soft_cap(double cap, Here here = Here::current());
/// Returns the score function of ALiBi, a linear bias by distance: s - slope_h |i - j| with slope_h = 2^(-8 (h + 1) /
/// heads) for head h (Press 2022). An attention with another number of heads throws Error.
Function alibi(int64_t heads, Here here = Here::current());
/// Returns the score function that scales scores by the logarithm of the query's position: s max(1, log(i + 1) /
/// log(base)). So attention of queries with more than `base` keys is as sharp as that of queries with fewer. Throws
/// Error unless `base` > 1.
Function log_n(double base, Here here = Here::current());

/// Returns the score function of a learned bias by distance: s + table[h, i - j + N - 1], with a table of H x (2N - 1)
/// for N keys.
Function distance_bias(const Tensor &table, Here here = Here::current());
/// Parameters of t5_table. `keys` is the number of keys. With `bidirectional`, half of the buckets are for keys after
/// the query; without it, these keys share the bucket of distance 0. All distances from `farthest` on share the last
/// bucket of their direction.
struct T5Buckets {
  int64_t keys;
  bool bidirectional = true;
  int64_t farthest = 128;
};
/// Returns a table for distance_bias as in T5, H x (2 keys - 1). `learned`, buckets x H, has the biases of buckets.
/// Each small distance has a bucket of its own. Each further bucket is for a range of distances; ranges become wider up
/// to `farthest`. Throws Error for too few buckets.
Tensor t5_table(const Tensor &learned, T5Buckets parameters, Here here = Here::current());
/// Returns the score function of a learned bias by the offset on an image: s + table[h, y_i - y_j + height - 1, x_i -
/// x_j + width - 1], with a table of H x (2 height - 1) x (2 width - 1). Tokens are the image's pixels or patches, row
/// by row.
Function image_bias(const Tensor &table, Here here = Here::current());
/// Returns the score function of decomposed relative positions (MViTv2, Li 2021, equation 4), along y: s + <q_i, rows[c
/// y_i + d (Ky - 1 - y_j)]>. It adds a second product in the same way, with `columns` and x. Queries and keys are the
/// tokens of two images, row by row, of the sizes `queries` and `keys`. Ky is the height of `keys`.
/// Along each axis, one size must divide the other. The larger one, Y or X, is that of the finer image. c = Y / height
/// of `queries`, and d = Y / Ky. `q` is B x H x Nq x D, `rows` is (2 Y - 1) x D, and `columns` is (2 X - 1) x D.
Function image_products(const Tensor &q, const Tensor &rows, const Tensor &columns, Size2 queries, Size2 keys,
                        Here here = Here::current());
/// Returns the score function of a bias by query and key: s + table[.., i - first, j]. `table` is one matrix, Nq x Nk,
/// or has one matrix per head, or per batch entry and head. `first` is the position of the first query, Nk - Nq.
Function bias(const Tensor &table, int64_t first = 0, Here here = Here::current());

/// Returns the score function that replaces s by -sharpness |Delta - centre_h|^2, where Delta is the offset (y, x) of
/// the key from the query on an image of `width` columns, and `centres` is H x 2. With K^2 heads whose centres are the
/// K x K offsets, attention is a convolution (Cordonnier 2020).
Function gaussian(const Tensor &centres, double sharpness, int64_t width, Here here = Here::current());
/// Returns the score function that replaces s by -1/2 |S_h (Delta - centre_h)|^2, a Gaussian of any direction and
/// shape. Delta is the offset (y, x) of the key from the query on an image of `width` columns. `centres` is H x 2;
/// `factors` holds S, H x 2 x 2.
Function quadratic(const Tensor &centres, const Tensor &factors, int64_t width, Here here = Here::current());

} // namespace scores

/// Computes attention with sinks: the softmax of head h has one more score, sinks[h], whose value vector is 0. `sinks`
/// has H elements.
Tensor attention_with_sinks(const Tensor &q, const Tensor &k, const Tensor &v, const Tensor &sinks,
                            AttentionOptions options = {}, Here here = Here::current());
/// Computes o_i = sum over j of P(i, j) exp(f(h, i - j)) v_j, where P(i, j) are the probabilities after the softmax in
/// head h. The logarithm of the factor is f(h, d) = factors[h, d + N - 1] for head h and distance d = i - j. `factors`
/// is H x (2N - 1) for N keys.
Tensor attention_with_factors(const Tensor &q, const Tensor &k, const Tensor &v, const Tensor &factors,
                              AttentionOptions options = {}, Here here = Here::current());
/// Computes o_i = sum over j of P(i, j) g(h, i - j) v_j for factors g(h, d) = factors[h, d + N - 1] of any sign (URPE,
/// Luo 2022). To make the factors positive, adds c, twice the largest |g|. Then subtracts c o', where o' is the
/// attention without factors. So the rounding error is that of numbers of the size of c o'.
Tensor attention_with_signed_factors(const Tensor &q, const Tensor &k, const Tensor &v, const Tensor &factors,
                                     AttentionOptions options = {}, Here here = Here::current());

} // namespace xf

#endif // XF_SCORES_H
