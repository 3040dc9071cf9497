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

/// The clauses of an attention. Tensors that a score function uses are captured, and get gradients.
struct AttentionOptions {
  Pattern pattern = dense();
  /// s' = score(s): called once, to record it.
  std::function<Scalar(Score)> score = {};
  /// Default: D^-1/2.
  std::optional<double> scale = {};
  /// j < lengths[b]: tensor of B integers.
  Tensor lengths = {};
  /// Rows with i >= query_lengths[b] are empty.
  Tensor query_lengths = {};
  /// Segment numbers of queries (BxNq) and keys (BxNk), for segments().
  Tensor query_segments = {}, key_segments = {};
  /// The pattern's symbols (prefix(), symbol(n)): integers of shape [] for all, B or BxH.
  std::vector<Tensor> symbols = {};
  /// Block-CSR lists for table(b): row n of blocks has the columns table_columns[table_offsets[n] .. table_offsets[n +
  /// 1]), those of position i in row i div b. ceil(Nk / b) + 1 and any number of integers.
  Tensor table_offsets = {}, table_columns = {};
  /// W of kernelised attention (m x D, see xf/features.h); E and F of low rank.
  std::vector<Tensor> parameters = {};
  /// Of kernelised attention in a causal pattern: what the state keeps from token to token, and the step of the delta
  /// rule with which it takes a token in. Tensors of shape BxHxN, f32 (f64 for f64).
  Tensor decay = {}, beta = {};
  /// Of kernelised attention: the weight of key j for query i is e^relative[h, j - i + N - 1]; H x (2N - 1), as above.
  Tensor relative = {};
  /// Of kernelised attention with Feature::identity: phi(row), from a row of q or k, of shape D, to one of any size. It
  /// is called once, to record it; tensors from outside are captured.
  std::function<Tensor(const Tensor &row)> feature = {};
  /// Attention dropout: probability and seed (2 x i64).
  double dropout = 0;
  Tensor seed = {};
};

/// What attention_with_lse gives.
struct AttentionResult {
  Tensor o;
  /// log sum exp of the visible scores: B x H x Nq, f32 (f64 for f64).
  Tensor lse;
};

/// o = softmax(score(scale q k^T) over the pattern) v: q BxHxNqxD, k BxHkxNkxD, v BxHvxNkxDv, o BxHxNqxDv; H a multiple
/// of Hk and Hv. With more keys than queries, queries are the last rows. A row without keys gives 0.
Tensor scaled_dot_product_attention(const Tensor &q, const Tensor &k, const Tensor &v,
                                    const AttentionOptions &options = {}, Here here = Here::current());
/// The same with lse.
AttentionResult attention_with_lse(const Tensor &q, const Tensor &k, const Tensor &v,
                                   const AttentionOptions &options = {}, Here here = Here::current());

} // namespace xf

#endif // XF_ATTENTION_H
