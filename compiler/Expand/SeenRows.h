//===- SeenRows.h - Rows that some pair has ---------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A row of q or k that no pair of the set has is not observable, be it NaN. What is computed of all rows before the
// set is known to - features, a maximum over keys, and their gradients - must not look at it: zeros take its place.
//
// Pairs are counted by attention itself, whose features, weights and values are 1: the number of keys of a query is its
// result, the number of queries of a key the gradient of its value.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_EXPAND_SEENROWS_H
#define XF_COMPILER_EXPAND_SEENROWS_H

#include "compiler/Expand/TensorCode.h"

namespace mlir::xf {

class SeenRows {
public:
  /// Ops are built before kernelised `op`, which must outlive this.
  SeenRows(OpBuilder &builder, AttentionOp op) : code{builder, op.getLoc()}, op(op) {}

  /// Whether some rows may be without a pair.
  bool mayHide();
  /// Keys of each query, and queries of each key: BxHxNqx1 and BxHkxNkx1, of the type that scores have.
  Value countKeys() { return countingOp().getO(); }
  Value countQueries();
  /// `x`, which has the rows of q or k, with zeros in rows without a pair.
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
