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

/// Queries of one attention that travel (ExchangedQueries.h), and what a rank computes of them. Tensors of queries have
/// tokens along dimension 2. Tensors of exchanged queries have these alone there, in ascending order.
class QueryExchange {
public:
  QueryExchange(OpBuilder &b, const OpShare &share, const plan::TokenSet &rows);

  /// Builds o and log-sum-exp of the exchanged queries, on the ranks that own them.
  FailureOr<SmallVector<Value>> attend(AttentionOp op);
  /// Builds d_q of the exchanged queries, on the ranks that own them, and summands of d_k and d_v of a rank's keys.
  FailureOr<SmallVector<Value>> attend(AttentionVjpOp op);

  /// Builds a row for each of a rank's queries: of `exchanged` for queries that travel, else of `rows`.
  Value replaced(Value rows, Value exchanged);
  /// Returns `rows` of the call of replaced() that built a value, or the value itself if none did.
  Value beforeReplaced(Value value);

private:
  /// Exchanged queries that follow each other in one chunk of a rank. `owner` is the rank, `place` is the number of the
  /// first one among the rank's queries, and `number` that among all exchanged queries.
  struct Run {
    int64_t owner, place, number, count;
  };
  /// Queries [begin, end) of each rank, and the runs of exchanged queries there. Each run is of another rank.
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
  int64_t ranks, queries, count = 0; ///< queries of a rank, and those that travel
  SizeExpression batch;
  SmallVector<Run> runs;
  DenseI64ArrayAttr plan;
};

} // namespace mlir::xf

#endif // XF_COMPILER_PARTITION_ATTENTION_QUERYEXCHANGE_H
