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

/// Optional clauses of an attention. Tensors that a score function reads are captured and receive gradients.
struct AttentionOptions {
  Pattern pattern = dense();
  /// Score modification s' = score(s). The function is called once, to record its operations.
  std::function<Scalar(Score)> score = {};
  /// Factor of <q_i, k_j>. Default: D^-1/2.
  std::optional<double> scale = {};
  /// Number of visible keys of each batch entry: only keys j < lengths[b] are attended to. Tensor of B integers.
  Tensor lengths = {};
  /// Number of valid queries of each batch entry: rows i >= query_lengths[b] are empty. Tensor of B integers.
  Tensor query_lengths = {};
  /// Segment numbers of queries (BxNq) and keys (BxNk), required by the pattern segments().
  Tensor query_segments = {}, key_segments = {};
  /// Values of the pattern's symbols, prefix() and symbol(n): integer tensors of shape [] (one value for the whole
  /// call), [B] or [B, H].
  std::vector<Tensor> symbols = {};
  /// Block-CSR lists required by the pattern table(b). The query at position i of the key axis lies in block row
  /// n = i div b, whose column blocks are table_columns[table_offsets[n] .. table_offsets[n + 1]). table_offsets has
  /// ceil(Nk / b) + 1 elements, table_columns any number.
  Tensor table_offsets = {}, table_columns = {};
  /// Parameters of the pattern: W (m x D, see xf/features.h) for kernelised attention; E and F for learned low-rank
  /// attention.
  std::vector<Tensor> parameters = {};
  /// Decay factors of the state and step sizes of the delta rule, per key, for kernelised attention over a causal
  /// pattern. Both are BxHxNk tensors of f32 (f64 where q is f64).
  Tensor decay = {}, beta = {};
  /// Logarithms of relative weights, for kernelised attention: key j gets the weight e^relative[h, j - i + Nk - 1] for
  /// query i. H x (2 Nk - 1) tensor of f32 (f64 where q is f64).
  Tensor relative = {};
  /// Feature map phi of kernelised attention with Feature::identity. Maps one row of q or k, of shape [D], to a row of
  /// any size. The function is called once, to record its operations; other tensors that it uses are captured.
  std::function<Tensor(const Tensor &row)> feature = {};
  /// Probability of attention dropout, and its seed (tensor of 2 x i64), required where the probability is above 0.
  double dropout = 0;
  Tensor seed = {};
};

/// Result of attention_with_lse.
struct AttentionResult {
  Tensor o;
  /// Logarithm of the sum of exp(s) over the visible keys of each row: B x H x Nq, f32 (f64 where q is f64).
  Tensor lse;
};

/// Computes o = softmax(score(scale q k^T) over the pattern) v. Shapes: q BxHxNqxD, k BxHkxNkxD, v BxHvxNkxDv, o
/// BxHxNqxDv; H is a multiple of Hk and Hv. With more keys than queries, the queries are the last rows. A row without
/// visible keys yields 0. Throws Error for wrong shapes, element types or clauses.
Tensor scaled_dot_product_attention(const Tensor &q, const Tensor &k, const Tensor &v,
                                    const AttentionOptions &options = {}, Here here = Here::current());
/// Computes the same attention and also returns lse.
AttentionResult attention_with_lse(const Tensor &q, const Tensor &k, const Tensor &v,
                                   const AttentionOptions &options = {}, Here here = Here::current());

} // namespace xf

#endif // XF_ATTENTION_H
