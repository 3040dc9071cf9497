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

  /// Returns the range [lower, upper] of indices on the other axis that `index` pairs with; empty where lower > upper.
  KeyRange operator()(int64_t index) const;

  /// The values of all bounds and conditions at one index, those of the box first.
  struct Values {
    SmallVector<int64_t, 4> lower, upper, conditions;
  };
  Values valuesAt(int64_t index) const;
  /// Returns a period P of the bounds: each bound at index + P is its value at index plus a constant, and for lower and
  /// upper bounds the constant is a multiple of `modulus`. The period is at most 2^31.
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
