//===- SeenRows.h - Rows of q and k with a pair -----------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Replaces rows of q and k that have no pair in the set by zeros. Results must not depend on such a row, even if it
// contains NaN. But some ops compute values from all rows, whether they have pairs or not: features, a maximum over
// keys, and their gradients.
//
// Rows without a pair are found by counting pairs, with an attention whose features, weights and values are 1. Its
// result is the number of keys of each query. The gradient of its values is the number of queries of each key.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_EXPAND_SEENROWS_H
#define XF_COMPILER_EXPAND_SEENROWS_H

#include "compiler/Expand/TensorCode.h"

namespace mlir::xf {

/// Builds ops that find the rows of q and k without a pair, and ops that replace these rows by zeros.
class SeenRows {
public:
  /// Builds all ops before `op`, which must be kernelised and outlive this object.
  SeenRows(OpBuilder &builder, AttentionOp op) : code{builder, op.getLoc()}, op(op) {}

  /// Returns true if some rows of q or k may have no pair.
  bool mayHide();
  /// Builds the number of keys that each query sees, BxHxNqx1, in the type of scores.
  Value countKeys() { return countingOp().getO(); }
  /// Builds the number of queries that see each key, BxHkxNkx1, in the type of scores.
  Value countQueries();
  /// Builds a copy of `x`, a tensor with the rows of q, with zeros in rows without a pair.
  Value selectQueries(Value x) { return selectRows(x, &SeenRows::countKeys); }
  /// Builds a copy of `x`, a tensor with the rows of k, with zeros in rows without a pair.
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
