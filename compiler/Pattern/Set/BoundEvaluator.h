//===- BoundEvaluator.h - A piece's bounds at concrete sizes ----*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PATTERN_SET_BOUNDEVALUATOR_H
#define XF_COMPILER_PATTERN_SET_BOUNDEVALUATOR_H

#include "compiler/Pattern/Linear/System.h"
#include "dialects/xf/IR/XfPieces.h"

namespace mlir::xf::pattern {

/// Evaluates the key bounds of queries, or the query bounds of keys, of one piece. Sizes and symbols are up to 2^20.
class BoundEvaluator {
public:
  enum Direction { kKeysOfQuery, kQueriesOfKey };
  BoundEvaluator(PieceAttr piece, Direction direction, int64_t numQueries, int64_t numKeys, ArrayRef<int64_t> symbols);

  /// Returns the range [lower, upper] of the indices that `index` forms pairs with: keys for a query, queries for a
  /// key. The range is empty if lower > upper.
  KeyRange operator()(int64_t index) const;

  /// The values of all bounds and conditions at one index. The bounds of the box come first.
  struct Values {
    SmallVector<int64_t, 4> lower, upper, conditions;
  };
  Values valuesAt(int64_t index) const;
  /// Returns a period P of the bounds: every bound at index + P is its value at `index` plus a constant. For lower and
  /// upper bounds, this constant is a multiple of `modulus`. Returns 2^31, which no axis reaches, if P would exceed it.
  int64_t getPeriod(int64_t modulus) const;

private:
  SmallVector<int64_t, 16> pointAt(int64_t index) const;
  void import(AffineMap map, SmallVectorImpl<LinearForm> &forms);

  System system; // index, Nq, Nk, p..
  SmallVector<LinearForm, 2> lower, upper, conditions;
  SmallVector<int64_t, 8> symbols;
  KeyRange box;
};

} // namespace mlir::xf::pattern

#endif // XF_COMPILER_PATTERN_SET_BOUNDEVALUATOR_H
