//===- SetBuilder.h - Conjunctions of a pattern -----------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XF_PATTERNS_SETBUILDER_H
#define XF_DIALECTS_XF_PATTERNS_SETBUILDER_H

#include "dialects/xf/IR/XfPatterns.h"

namespace mlir::xf {

using Conjunctions = SmallVectorImpl<IntegerSet>;

/// Builds conjunctions of constraints on the position i of a query and the position j of a key. Nq, Nk and run-time
/// symbols may occur in them.
class SetBuilder {
public:
  explicit SetBuilder(MLIRContext *context, unsigned symbols = 2)
      : i(getAffineDimExpr(0, context)), j(getAffineDimExpr(1, context)), nq(getAffineSymbolExpr(0, context)),
        nk(getAffineSymbolExpr(1, context)), symbols(symbols), context(context) {}

  /// Add one constraint: left >= right, or left == right.
  SetBuilder &ge(AffineExpr left, AffineExpr right) { return add(left - right, false); }
  SetBuilder &equal(AffineExpr left, AffineExpr right) { return add(left - right, true); }
  AffineExpr number(int64_t value) const { return getAffineConstantExpr(value, context); }
  AffineExpr symbol(unsigned position) const { return getAffineSymbolExpr(position, context); }

  /// Returns the conjunction of the constraints added so far, and removes them from the builder. Without constraints,
  /// the conjunction has every pair.
  IntegerSet take() {
    IntegerSet set = exprs.empty() ? IntegerSet::get(2, symbols, {number(0)}, {false})
                                   : IntegerSet::get(2, symbols, exprs, equalities);
    exprs.clear();
    equalities.clear();
    return set;
  }

  const AffineExpr i, j, nq, nk;

private:
  SetBuilder &add(AffineExpr expr, bool equality) {
    exprs.push_back(expr);
    equalities.push_back(equality);
    return *this;
  }

  unsigned symbols;
  MLIRContext *context;
  SmallVector<AffineExpr> exprs;
  SmallVector<bool> equalities;
};

/// Sorts intervals, and joins those that touch or overlap.
SmallVector<Interval> joinIntervals(ArrayRef<Interval> intervals);

} // namespace mlir::xf

#endif // XF_DIALECTS_XF_PATTERNS_SETBUILDER_H
