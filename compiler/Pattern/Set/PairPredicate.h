//===- PairPredicate.h - Tiles asked for pairs ------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The predicate of #xf.tiles at concrete sizes, for one head: pair by pair, and for boxes of pairs by interval
// arithmetic, so that counting does not visit every pair.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PATTERN_SET_PAIRPREDICATE_H
#define XF_COMPILER_PATTERN_SET_PAIRPREDICATE_H

#include "compiler/Pattern/Set/Import.h"
#include "dialects/xf/IR/XfPieces.h"

namespace mlir::xf::pattern {

/// The values of a quasi-affine expression, bounds that hold where `dims` and `symbols` lie in theirs.
KeyRange rangeOf(AffineExpr expression, ArrayRef<KeyRange> dims, ArrayRef<KeyRange> symbols);

class PairPredicate {
public:
  /// `tiles` must be static (TilesAttr::isStatic).
  PairPredicate(TilesAttr tiles, int64_t numQueries, int64_t numKeys, ArrayRef<int64_t> symbols, int64_t head = 0);

  bool contains(int64_t i, int64_t j) const;

  enum class Share { None, Some, All };
  /// How much of a box belongs to the pattern; Some where interval arithmetic cannot tell.
  Share decide(KeyRange positions, KeyRange keys) const;
  /// The pairs of a box; none where that takes a look at more than `budget` boxes, which are taken from it.
  std::optional<int64_t> count(KeyRange positions, KeyRange keys, int64_t &budget) const;
  /// Whether a box has a pair; the same.
  std::optional<bool> hasPair(KeyRange positions, KeyRange keys, int64_t &budget) const;

private:
  friend class BoxCounter;

  /// Calls `visit` pair by pair while it returns true.
  void visitMembers(KeyRange positions, KeyRange keys, function_ref<bool()> visit) const;

  struct Lists {
    SmallVector<int64_t, 0> offsets, columns;
    int64_t first = 0, rows = 0; ///< the head's

    ArrayRef<int64_t> at(int64_t row) const;
  };
  using Values = SmallVector<int64_t, 0>; ///< of a datum, by row or by key

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
