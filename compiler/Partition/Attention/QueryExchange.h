//===- QueryExchange.h - Attention of queries at their keys --- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PARTITION_ATTENTION_QUERYEXCHANGE_H
#define XF_COMPILER_PARTITION_ATTENTION_QUERYEXCHANGE_H

#include "compiler/Partition/Plan/TokenSet.h"
#include "compiler/Partition/ShareOps.h"
#include "dialects/xf/IR/XfOps.h"
#include "dialects/xf/IR/XfSizes.h"

namespace mlir::xf {

/// Builds one rank's share of the attention of exchanged queries (ExchangedQueries.h). Each rank computes these queries
/// on its own keys. Tensors of queries have tokens in dimension 2. Tensors of exchanged queries have only the exchanged
/// tokens there, in ascending order.
class QueryExchange {
public:
  QueryExchange(OpBuilder &b, const OpShare &share, const plan::TokenSet &rows);

  /// Builds o and, if `op` has it, the log-sum-exp of the exchanged queries. Only the rows of a rank's own queries in o
  /// are complete sums. Fails after an error.
  FailureOr<SmallVector<Value>> attend(AttentionOp op);
  /// Builds d_q of the exchanged queries, and summands of d_k and d_v for a rank's keys. Only the rows of a rank's own
  /// queries in d_q are complete sums. Fails after an error.
  FailureOr<SmallVector<Value>> attend(AttentionVjpOp op);

  /// Builds a tensor with the rows of all queries of a rank. The rows of the rank's exchanged queries come from
  /// `exchanged`, and all other rows from `rows`.
  Value replaced(Value rows, Value exchanged);
  /// Undoes replaced(): if a call replaced(rows, exchanged) built `value`, returns `rows`, else `value` itself.
  Value beforeReplaced(Value value);

private:
  /// A run of `count` consecutive exchanged queries in one chunk of rank `owner`. The first of them is query `place` of
  /// that rank, and number `number` of all exchanged queries.
  struct Run {
    int64_t owner, place, number, count;
  };
  /// The queries [begin, end) of every rank. Of this range, a rank exchanges either all queries or none. `runs` has a
  /// run, [begin, end), for each rank that exchanges them.
  struct Segment {
    int64_t begin, end;
    SmallVector<Run> runs;
  };

  Value slice(Value x, int64_t begin, int64_t count);
  Value joined(ArrayRef<Value> parts);
  Value isOwner(int64_t rank);
  Value toAll(Value rows);
  Value sumAtOwner(Value summands);
  std::pair<Value, Value> sumOfShares(Value lse, Value all);
  Value exactLse(Value lse);
  SmallVector<Segment> segments();
  std::optional<std::pair<Value, Value>> findReplaced(Value value);

  OpBuilder &b;
  Location loc;
  const OpShare &share;
  int64_t ranks, queries, count = 0; ///< the numbers of ranks, of a rank's queries, of exchanged queries
  SizeExpression batch;
  SmallVector<Run> runs;
  DenseI64ArrayAttr plan;
};

} // namespace mlir::xf

#endif // XF_COMPILER_PARTITION_ATTENTION_QUERYEXCHANGE_H
