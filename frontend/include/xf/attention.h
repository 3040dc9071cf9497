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
/// reads are captured and receive gradients.
struct AttentionOptions {
  Pattern pattern = dense();
  /// Score modification: maps each scaled score s to s' = score(s) before the softmax. The function is called once, to
  /// record its operations. Throws Error where it is certain to read a tensor of static sizes out of bounds.
  std::function<Scalar(Score)> score = {};
  /// Factor of the products <q_i, k_j>. Default: 1/sqrt(D) for heads of size D.
  std::optional<double> scale = {};
  /// Number of visible keys of each batch entry: only keys j < lengths[b] are attended to. Tensor of B integers. Where
  /// it is an input of the program, every call checks that its elements lie in [0, Nk], with the largest Nk of a named
  /// size.
  Tensor lengths = {};
  /// Number of valid queries of each batch entry: rows i >= query_lengths[b] see no key, and their output is 0. Tensor
  /// of B integers, checked as lengths are.
  Tensor query_lengths = {};
  /// Segment numbers of queries (BxNq) and keys (BxNk), required by the pattern segments().
  Tensor query_segments = {}, key_segments = {};
  /// Values of the pattern's symbols: symbols[n] is the value of symbol(n), and symbols[0] is also the length of the
  /// pattern prefix(). Each value is an integer tensor of shape [] (one value for the whole call), [B] or [B, H].
  std::vector<Tensor> symbols = {};
  /// Lists of blocks, required by the pattern table(r, c), whose blocks are r x c pairs. Block row n holds the queries
  /// at positions n r .. n r + r - 1 of the key axis, block column m the keys m c .. m c + c - 1. Either in block-CSR
  /// form, for all batch entries and heads: the columns of row n are table_columns[table_offsets[n] .. table_offsets[n
  /// + 1]); table_offsets has ceil(Nk / r) + 1 elements, table_columns any number. Or table_columns alone, integers of
  /// shape [R, K], [B, R, K] or [B, H, R, K]: K columns for each of R rows; those below 0, or behind the last one, and
  /// rows that it does not have, hold no pairs.
  Tensor table_offsets = {}, table_columns = {};
  /// Parameters of the pattern: for kernelised attention the projection W of the random features, M x D (see
  /// xf/features.h); for learned low-rank attention the projections E of keys and F of values.
  std::vector<Tensor> parameters = {};
  /// Weights of a recurrent (causal) kernelised attention: `decay` holds the factors of the state, `beta` the step
  /// sizes of the delta rule, each one number per key. BxHxNk tensors of f32 (f64 where q is f64).
  Tensor decay = {}, beta = {};
  /// Logarithms of relative position weights, for kernelised attention: query i multiplies the weight of key j by
  /// e^relative[h, j - i + Nk - 1]. H x (2 Nk - 1) tensor of f32 (f64 where q is f64).
  Tensor relative = {};
  /// Feature map phi of kernelised attention with Feature::identity: maps one row of q or k, of shape [D], to a row of
  /// any size, by element-wise operations, linear and matmul by other tensors, softmax, norms, reductions, concat,
  /// reshape, transpose, slice and broadcast_to. Where it is absent, the rows of q and k are the features. The function
  /// is called once, to record its operations; other tensors that it uses are captured.
  std::function<Tensor(const Tensor &row)> feature = {};
  /// Attention dropout: `dropout` is the probability with which a pair is dropped, and `seed` a tensor of 2 x i64,
  /// which is required where the probability is above 0.
  double dropout = 0;
  Tensor seed = {};
  /// Whether weights, and their gradients, are never rounded to the 16-bit element type of q, k and v where they are
  /// multiplied with other matrices. Such products take about twice the time.
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
/// BxHxNqxDv; H is a multiple of Hk and of Hv. Where there are more keys than queries, query i has position i + Nk - Nq
/// on the key axis. A row without visible keys yields 0. Throws Error for wrong shapes, element types or clauses.
Tensor scaled_dot_product_attention(const Tensor &q, const Tensor &k, const Tensor &v,
                                    const AttentionOptions &options = {}, Here here = Here::current());
/// Computes the attention of scaled_dot_product_attention, and returns the log-sum-exp of each row beside the output.
/// Throws Error for wrong shapes, element types or clauses.
AttentionResult attention_with_lse(const Tensor &q, const Tensor &k, const Tensor &v,
                                   const AttentionOptions &options = {}, Here here = Here::current());

} // namespace xf

#endif // XF_ATTENTION_H
