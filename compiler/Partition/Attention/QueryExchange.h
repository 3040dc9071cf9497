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

/// Queries of one attention that travel (ExchangedQueries.h), and what a rank computes of them. A tensor of queries
/// has tokens along dimension 2; one of exchanged queries has only these there, in ascending order.
class QueryExchange {
public:
  QueryExchange(OpBuilder &b, const OpShare &share, const plan::TokenSet &rows);

  /// Builds o and log-sum-exp of the exchanged queries, which their owners then have.
  FailureOr<SmallVector<Value>> attend(AttentionOp op);
  /// Builds d_q of the exchanged queries, which their owners then have, and summands of d_k and d_v of a rank's keys.
  FailureOr<SmallVector<Value>> attend(AttentionVjpOp op);

  /// Builds `rows`, a row for each of a rank's queries, with rows of `exchanged` for those that travel.
  Value replaced(Value rows, Value exchanged);
  /// Returns the `rows` of which `replaced` built this value, or the value itself if something else did.
  Value beforeReplaced(Value value);

private:
  /// Exchanged queries that follow each other in one chunk: the rank that has them, and their places there and among
  /// all that travel.
  struct Run {
    int64_t owner, place, number, count;
  };
  /// Some of a rank's queries, and the runs that lie there, each on another rank.
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
