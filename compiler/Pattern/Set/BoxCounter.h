//===- BoxCounter.h - The pairs of a predicate in a box ---------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PATTERN_SET_BOXCOUNTER_H
#define XF_COMPILER_PATTERN_SET_BOXCOUNTER_H

#include "compiler/Pattern/Set/PairPredicate.h"
#include <map>

namespace mlir::xf::pattern {

/// Counts the pairs of a predicate in a box. Halves the box until interval arithmetic decides each part. A half
/// evaluates only the constraints that are undecided on its whole box.
///
/// Two boxes share one count if they are known to have the same pairs up to a translation. For this, the boxes must
/// have the same shape and the same undecided constraints. The values of these constraints and of their division
/// remainders must agree at the first corners of the boxes.
class BoxCounter {
public:
  /// All counts together examine at most `budget` boxes. Each examined box is subtracted from `budget`, which must
  /// outlive the counter.
  BoxCounter(const PairPredicate &predicate, int64_t &budget);

  /// Returns the number of pairs in the box `positions` x `keys`, or nullopt if the budget does not suffice.
  std::optional<int64_t> count(KeyRange positions, KeyRange keys) { return count(positions, keys, whole); }

private:
  struct Constraint {
    AffineExpr expression;
    bool isEquality;
    LinearForm form;                    ///< the expression, in `system`
    SmallVector<unsigned, 4> divisions; ///< divisions of `system` that the form needs
    bool asksData;
  };
  /// The indices of the undecided constraints, as one list for each conjunction.
  using Open = SmallVector<SmallVector<unsigned, 4>, 4>;
  using Key = SmallVector<int64_t, 0>;

  unsigned numberOf(AffineExpr expression, bool isEquality);
  std::optional<int64_t> count(KeyRange positions, KeyRange keys, const Open &asked);
  SmallVector<KeyRange> symbolsOf(KeyRange positions, KeyRange keys, bool withData) const;
  std::optional<Open> decide(KeyRange positions, KeyRange keys, const Open &asked) const;
  bool asksData(const Open &open) const;
  int64_t countPoints(KeyRange positions, KeyRange keys, const Open &open) const;
  bool contains(ArrayRef<int64_t> values, const Open &open) const;
  SmallVector<int64_t, 16> valuesAt(int64_t i, int64_t j) const;
  Key keyOf(KeyRange positions, KeyRange keys, const Open &open) const;
  KeyRange firstPart(KeyRange range) const;

  const PairPredicate &predicate;
  int64_t &budget;
  System system;
  SmallVector<Constraint, 0> constraints;
  SmallVector<int64_t> periods; ///< the periods of the divisions, ascending
  Open whole;
  std::map<Key, int64_t> known;
};

} // namespace mlir::xf::pattern

#endif // XF_COMPILER_PATTERN_SET_BOXCOUNTER_H
