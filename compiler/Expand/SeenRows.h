//===- SeenRows.h - Rows of q and k with a pair -----------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A row of q or k without a pair in the set is not observable, even if it is NaN. Values computed from all rows before
// the set is known to an op - features, a maximum over keys, and their gradients - must not depend on such rows: zeros
// replace them.
//
// Attention itself counts pairs, with features, weights and values of 1: the number of keys of a query is its result,
// the number of queries of a key is the gradient of its value.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_EXPAND_SEENROWS_H
#define XF_COMPILER_EXPAND_SEENROWS_H

#include "compiler/Expand/TensorCode.h"

namespace mlir::xf {

/// Builds ops that find the rows of q and k without a pair, and that replace these rows by zeros.
class SeenRows {
public:
  /// Builds all ops before `op`, which must be kernelised and outlive this object.
  SeenRows(OpBuilder &builder, AttentionOp op) : code{builder, op.getLoc()}, op(op) {}

  /// Returns true if some rows of q or k may have no pair.
  bool mayHide();
  /// Build two tensors of counts in the type of scores: the number of keys that each query sees (countKeys, BxHxNqx1),
  /// and the number of queries that see each key (countQueries, BxHkxNkx1).
  Value countKeys() { return countingOp().getO(); }
  Value countQueries();
  /// Build a copy of `x` in which rows without a pair are zero. The rows of `x` are those of q in selectQueries, and
  /// those of k in selectKeys.
  Value selectQueries(Value x) { return selectRows(x, &SeenRows::countKeys); }
  Value selectKeys(Value x) { return selectRows(x, &SeenRows::countQueries); }

private:
  AttentionOp countingOp();
  Value selectRows(Value x, Value (SeenRows::*count)());

  TensorCode code;
  AttentionOp op, counting;
  Value queriesOfKeys;
};

} // namespace mlir::xf

#endif // XF_COMPILER_EXPAND_SEENROWS_H
