//===- PairPredicate.h - The predicate of tiles at given sizes --*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Evaluates the predicate of #xf.tiles at concrete sizes, for one head: pair by pair, and by interval arithmetic for
// boxes of pairs, so that counting does not visit every pair.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PATTERN_SET_PAIRPREDICATE_H
#define XF_COMPILER_PATTERN_SET_PAIRPREDICATE_H

#include "compiler/Pattern/Set/Import.h"
#include "dialects/xf/IR/XfPieces.h"

namespace mlir::xf::pattern {

/// Returns bounds of the values of a quasi-affine expression whose dimensions and symbols lie in the ranges `dims` and
/// `symbols`.
KeyRange rangeOf(AffineExpr expression, ArrayRef<KeyRange> dims, ArrayRef<KeyRange> symbols);

class PairPredicate {
public:
  /// Builds the predicate of `tiles`, which must be static (TilesAttr::isStatic), for one head of a call.
  PairPredicate(TilesAttr tiles, int64_t numQueries, int64_t numKeys, ArrayRef<int64_t> symbols, int64_t head = 0);

  bool contains(int64_t i, int64_t j) const;

  enum class Share { None, Some, All };
  /// Returns whether none, some or all pairs of the box `positions` x `keys` belong to the pattern. Also returns Some
  /// if interval arithmetic cannot decide.
  Share decide(KeyRange positions, KeyRange keys) const;
  /// Returns whether a box has a pair of the pattern. Examines at most `budget` boxes and subtracts their number from
  /// `budget`. Returns nullopt if more boxes would be needed.
  std::optional<bool> hasPair(KeyRange positions, KeyRange keys, int64_t &budget) const;

private:
  friend class BoxCounter;

  /// Calls `visit` for the pairs of the pattern in a box, one after the other. Stops when `visit` returns false.
  void visitMembers(KeyRange positions, KeyRange keys, function_ref<bool()> visit) const;

  struct Lists {
    SmallVector<int64_t, 0> offsets, columns;
    int64_t first = 0, rows = 0; ///< the first list and the number of lists of the head

    ArrayRef<int64_t> at(int64_t row) const;
  };
  using Values = SmallVector<int64_t, 0>; ///< the values of a datum, by row or by key

  void readData(int64_t numQueries, int64_t numKeys, int64_t head);
  Values valuesOf(DatumAttr datum, AffineMap map, int64_t first, int64_t count, bool isRow) const;
  int64_t valueOf(unsigned number, int64_t i, int64_t j, ArrayRef<int64_t> symbols) const;
  KeyRange rangeOfDatum(unsigned number, KeyRange positions, KeyRange keys, ArrayRef<KeyRange> symbols) const;

  TilesAttr tiles;
  int64_t firstPosition;
  SmallVector<int64_t, 8> sizes; ///< Nq, Nk, p..
  Set parts;
  SmallVector<Values, 0> values; ///< by datum
  SmallVector<Lists, 0> lists;   ///< by datum
};

} // namespace mlir::xf::pattern

#endif // XF_COMPILER_PATTERN_SET_PAIRPREDICATE_H
