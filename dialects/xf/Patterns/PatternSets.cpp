//===- PatternSets.cpp - Static patterns as unions of conjunctions (spec section 2) -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/IR/XfPatterns.h"

using namespace mlir;
using namespace mlir::xf;

namespace {
/// Builds conjunctions over (i, j)[Nq, Nk, p..].
class SetBuilder {
public:
  explicit SetBuilder(MLIRContext *context, unsigned symbols = 2)
      : i(getAffineDimExpr(0, context)), j(getAffineDimExpr(1, context)), nq(getAffineSymbolExpr(0, context)),
        nk(getAffineSymbolExpr(1, context)), symbols(symbols), context(context) {}

  /// Adds left >= right.
  SetBuilder &ge(AffineExpr left, AffineExpr right) { return add(left - right, false); }
  SetBuilder &equal(AffineExpr left, AffineExpr right) { return add(left - right, true); }
  AffineExpr number(int64_t value) const { return getAffineConstantExpr(value, context); }
  AffineExpr symbol(unsigned position) const { return getAffineSymbolExpr(position, context); }

  /// The conjunction of what was added, which is then forgotten.
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
} // namespace

using Conjunctions = SmallVectorImpl<IntegerSet>;

static void addWindow(SetBuilder &set, Bound left, Bound right) {
  if (left.value)
    set.ge(set.j, set.i - *left.value);
  if (right.value)
    set.ge(set.i + *right.value, set.j);
}

LogicalResult DensePatternAttr::getConjunctions(Conjunctions &out) const {
  out.push_back(SetBuilder(getContext()).take());
  return success();
}

LogicalResult CausalPatternAttr::getConjunctions(Conjunctions &out) const {
  SetBuilder set(getContext());
  out.push_back(set.ge(set.i, set.j).take());
  return success();
}

LogicalResult WindowPatternAttr::getConjunctions(Conjunctions &out) const {
  SetBuilder set(getContext());
  addWindow(set, getLeft(), getRight());
  out.push_back(set.take());
  return success();
}

LogicalResult DilatedPatternAttr::getConjunctions(Conjunctions &out) const {
  SetBuilder set(getContext());
  addWindow(set, getLeft(), getRight());
  out.push_back(set.equal((set.i - set.j) % getStep(), set.number(0)).take());
  return success();
}

LogicalResult StridedPatternAttr::getConjunctions(Conjunctions &out) const {
  SetBuilder set(getContext());
  if (getPart() != Part::k_column) {
    addWindow(set, getStride(), 0);
    out.push_back(set.take());
  }
  if (getPart() != Part::k_local)
    out.push_back(set.ge(set.i, set.j).equal((set.i - set.j) % getStride(), set.number(0)).take());
  return success();
}

LogicalResult FixedPatternAttr::getConjunctions(Conjunctions &out) const {
  SetBuilder set(getContext());
  int64_t block = getBlock();
  if (getPart() != Part::k_column)
    out.push_back(set.ge(set.i, set.j).equal(set.i.floorDiv(block), set.j.floorDiv(block)).take());
  if (getPart() == Part::k_local)
    return success();
  int64_t lower = block - getSummary() * (getSlot() + 1), upper = block - getSummary() * getSlot();
  set.ge(set.i, set.j).ge(set.j % block, set.number(lower));
  if (upper < block)
    set.ge(set.number(upper - 1), set.j % block);
  out.push_back(set.take());
  return success();
}

LogicalResult GlobalPatternAttr::getConjunctions(Conjunctions &out) const {
  SetBuilder set(getContext());
  for (int64_t position : getPositions()) {
    auto token = [&](AffineExpr size) { return position < 0 ? size + position : set.number(position); };
    // A query's position lies on the key axis, so both ends count from Nk.
    out.push_back(set.equal(set.i, token(set.nk)).take());
    out.push_back(set.equal(set.j, token(set.nk)).take());
  }
  return success();
}

LogicalResult PrefixPatternAttr::getConjunctions(Conjunctions &out) const {
  SetBuilder set(getContext(), getLength() ? 2 : 3);
  AffineExpr length = getLength() ? set.number(*getLength()) : set.symbol(2);
  out.push_back(set.ge(set.i, set.j).take());
  out.push_back(set.ge(length - 1, set.j).take());
  return success();
}

static LogicalResult addIntervals(SetBuilder &set, AffineExpr position, ArrayRef<Interval> intervals, int64_t mod,
                                  Conjunctions &out) {
  AffineExpr value = mod > 0 ? position % mod : position;
  for (Interval interval : intervals)
    out.push_back(set.ge(value, set.number(interval.lower)).ge(set.number(interval.upper - 1), value).take());
  return success();
}

LogicalResult KeysPatternAttr::getConjunctions(Conjunctions &out) const {
  SetBuilder set(getContext());
  return addIntervals(set, set.j, getIntervals(), getMod(), out);
}

LogicalResult QueriesPatternAttr::getConjunctions(Conjunctions &out) const {
  SetBuilder set(getContext());
  return addIntervals(set, set.i, getIntervals(), getMod(), out);
}

LogicalResult AffinePatternAttr::getConjunctions(Conjunctions &out) const {
  out.push_back(getSet());
  return success();
}
