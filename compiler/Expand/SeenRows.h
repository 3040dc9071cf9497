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

/// Builds ops that find and zero the rows of q and k without a pair.
class SeenRows {
public:
  /// Builds ops before the kernelised `op`, which must outlive this object.
  SeenRows(OpBuilder &builder, AttentionOp op) : code{builder, op.getLoc()}, op(op) {}

  /// True if some rows may have no pair.
  bool mayHide();
  /// Build the number of keys of each query, BxHxNqx1, and of queries of each key, BxHkxNkx1, in the type of scores.
  Value countKeys() { return countingOp().getO(); }
  Value countQueries();
  /// Build `x`, which has the rows of q or of k, with zeros in rows without a pair.
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
