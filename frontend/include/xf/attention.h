//===- xf/attention.h - Scaled dot product attention -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_ATTENTION_H
#define XF_ATTENTION_H

#include "xf/pattern.h"

namespace xf {

/// Optional clauses of an attention of B batch entries, H heads, Nq queries and Nk keys. Tensors that a score function
/// reads are captured: they become operands of the attention, and receive gradients.
struct AttentionOptions {
  Pattern pattern = dense();
  /// Score modification: maps each scaled score s to s' = score(s) before the softmax. The function is called once, to
  /// record its operations. Throws Error where it is certain to read a tensor of static sizes out of bounds.
  std::function<Scalar(Score)> score = {};
  /// Factor of the products <q_i, k_j>. Default: 1/sqrt(D) for heads of size D.
  std::optional<double> scale = {};
  /// Number of visible keys of each batch entry, a tensor of B integers. Queries of entry b see only keys j <
  /// lengths[b]. If the tensor is an input of the program, every call checks that its elements lie in [0, Nk]. If Nk is
  /// a named size, the upper bound is the largest value of that size.
  Tensor lengths = {};
  /// Number of valid queries of each batch entry, a tensor of B integers. Rows i >= query_lengths[b] see no key, and
  /// their output is 0. If the tensor is an input of the program, every call checks it as it checks `lengths`, with Nq
  /// in place of Nk.
  Tensor query_lengths = {};
  /// Segment numbers of queries (BxNq) and keys (BxNk), required by the pattern segments().
  Tensor query_segments = {}, key_segments = {};
  /// Values of the pattern's symbols: symbols[n] is the value of symbol(n), and symbols[0] is also the length of the
  /// pattern prefix(). Each value is an integer tensor of shape [] (one value for the whole call), [B] or [B, H].
  std::vector<Tensor> symbols = {};
  /// The list of blocks that the pattern table(r, c) requires. A block has r queries and c keys. The block in row n and
  /// column m has the queries at positions n r .. n r + r - 1 of the key axis, and the keys m c .. m c + c - 1.
  ///
  /// With `table_offsets`, of ceil(Nk / r) + 1 elements, the list is in block-CSR form, for all batch entries and
  /// heads. The columns of row n are table_columns[table_offsets[n] .. table_offsets[n + 1]).
  ///
  /// Without `table_offsets`, `table_columns` has the shape [R, K], [B, R, K] or [B, H, R, K]. It lists K columns for
  /// each of the rows 0 .. R - 1. A number below 0 or behind the last column stands for no block. Rows from R on have
  /// no pairs.
  Tensor table_offsets = {}, table_columns = {};
  /// Parameters of the pattern. Kernelised attention takes the projection W of the random features, M x D (see
  /// xf/features.h). Learned low-rank attention takes the projections E of keys and F of values.
  std::vector<Tensor> parameters = {};
  /// Weights of a recurrent (causal) kernelised attention, one number per key: `decay` holds the factors of the state,
  /// `beta` the step sizes of the delta rule. BxHxNk tensors of f32 (f64 where q is f64).
  Tensor decay = {}, beta = {};
  /// Logarithms of relative position weights, for kernelised attention: query i multiplies the weight of key j by
  /// e^relative[h, j - i + Nk - 1]. H x (2 Nk - 1) tensor of f32 (f64 where q is f64).
  Tensor relative = {};
  /// Feature map phi of kernelised attention with Feature::identity: maps one row of q or k, of shape [D], to a row of
  /// any size. Default: the row itself. The function is called once, to record its operations. Allowed are element-wise
  /// operations, linear and matmul by other tensors, softmax, norms, reductions, concat, reshape, transpose, slice and
  /// broadcast_to. Tensors that the function uses besides the row are captured.
  std::function<Tensor(const Tensor &row)> feature = {};
  /// Attention dropout. `dropout` is the probability with which a pair is dropped. If `dropout` is above 0, `seed` is
  /// required: a tensor of 2 x i64. If it is 0, `seed` is not used.
  double dropout = 0;
  Tensor seed = {};
  /// Whether products of other matrices with the weights, or with the gradients of the weights, use unrounded numbers.
  /// If false, and if q, k and v have 16 bits, weights and gradients are rounded to that type first. Unrounded products
  /// take about twice the time.
  bool exact_weights = false;
};

/// Result of attention_with_lse. `o` is the output, the same as that of scaled_dot_product_attention.
struct AttentionResult {
  Tensor o;
  /// Log-sum-exp of each row: the logarithm of the sum of exp(s) over its visible keys. B x H x Nq, f32 (f64 where q is
  /// f64).
  Tensor lse;
};

/// Computes o = softmax(score(scale q k^T) over the pattern) v. Shapes: q BxHxNqxD, k BxHkxNkxD, v BxHvxNkxDv, o
/// BxHxNqxDv, where H is a multiple of Hk and of Hv. Query i has position i + Nk - Nq on the key axis. A row without
/// visible keys yields 0. Throws Error for wrong shapes, element types or clauses.
Tensor scaled_dot_product_attention(const Tensor &q, const Tensor &k, const Tensor &v,
                                    const AttentionOptions &options = {}, Here here = Here::current());
/// Computes the attention of scaled_dot_product_attention. Returns its output and the log-sum-exp of each row. Throws
/// Error for wrong shapes, element types or clauses.
AttentionResult attention_with_lse(const Tensor &q, const Tensor &k, const Tensor &v,
                                   const AttentionOptions &options = {}, Here here = Here::current());

} // namespace xf

#endif // XF_ATTENTION_H
