//===- PatternSets.cpp - Patterns as unions of conjunctions (section 2) ---===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/IR/XfPatterns.h"
#include "llvm/Support/MathExtras.h"

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

  /// Returns the conjunction of the added constraints, and clears the builder.
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

/// Sorts intervals, and joins those that meet or overlap.
static SmallVector<Interval> joinIntervals(ArrayRef<Interval> intervals) {
  SmallVector<Interval> sorted(intervals), joined;
  llvm::sort(sorted, [](Interval a, Interval b) { return a.lower < b.lower; });
  for (Interval interval : sorted) {
    if (joined.empty() || joined.back().upper < interval.lower)
      joined.push_back(interval);
    else
      joined.back().upper = std::max(joined.back().upper, interval.upper);
  }
  return joined;
}

/// Returns the runs of positions that count from the start, then of those that count from the end.
static SmallVector<Interval> runsOf(ArrayRef<int64_t> positions) {
  SmallVector<Interval> first, last;
  for (int64_t position : positions)
    (position < 0 ? last : first).push_back({position, position + 1});
  SmallVector<Interval> runs = joinIntervals(first);
  runs.append(joinIntervals(last));
  return runs;
}

LogicalResult GlobalPatternAttr::getConjunctions(Conjunctions &out) const {
  SetBuilder set(getContext());
  for (Interval run : runsOf(getPositions())) {
    // A query's position lies on the key axis, so both ends count from Nk.
    AffineExpr origin = run.lower < 0 ? set.nk : set.number(0);
    for (AffineExpr token : {set.i, set.j})
      out.push_back(run.upper == run.lower + 1
                        ? set.equal(token, origin + run.lower).take()
                        : set.ge(token, origin + run.lower).ge(origin + (run.upper - 1), token).take());
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
  for (Interval interval : joinIntervals(intervals))
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

//===----------------------------------------------------------------------===//
// Grids of tokens in row-major order
//===----------------------------------------------------------------------===//

/// Returns the axis-th coordinate of token n. The outermost coordinate needs no wrapping: tokens lie in the grid.
static AffineExpr coordinate(AffineExpr n, ArrayRef<int64_t> extents, unsigned axis) {
  int64_t inner = 1;
  for (int64_t extent : extents.drop_front(axis + 1))
    inner *= extent;
  AffineExpr rows = n.floorDiv(inner);
  return axis == 0 ? rows : rows % extents[axis];
}

using Cases = SmallVector<SmallVector<AffineExpr, 4>, 3>; // forms >= 0, a union of conjunctions

/// Returns the cases of |x - y| <= radius. If clamped, the window of 2 radius + 1 keys is shifted to lie in [0,
/// extent), which gives three cases of x. For a window of one key, only the first axis needs a case more, for queries
/// before the first key: the coordinates of other axes wrap.
static Cases radiusCases(SetBuilder &set, AffineExpr x, AffineExpr y, int64_t radius, int64_t extent, bool isClamped,
                         bool isFirst) {
  if (!isClamped || (radius == 0 && !isFirst))
    return {{x - y + radius, y - x + radius}};
  int64_t width = std::min(2 * radius + 1, extent);
  if (width == extent)
    return {{set.number(0)}};
  if (radius == 0)
    return {{x - y, y - x}, {-x - 1, -y}};
  return {{radius - x - 1, width - 1 - y},
          {x - radius, extent - 1 - radius - x, x - y + radius, y - x + radius},
          {x - (extent - radius), y - (extent - width)}};
}

/// Adds the product of the axes' cases as conjunctions, with all `zeros` equal to 0 in each of them.
static void addCases(SetBuilder &set, ArrayRef<Cases> axes, ArrayRef<AffineExpr> zeros, Conjunctions &out,
                     SmallVectorImpl<AffineExpr> &chosen) {
  if (axes.empty()) {
    for (AffineExpr form : zeros)
      set.equal(form, set.number(0));
    for (AffineExpr form : chosen)
      set.ge(form, set.number(0));
    out.push_back(set.take());
    return;
  }
  for (ArrayRef<AffineExpr> oneCase : axes.front()) {
    size_t before = chosen.size();
    chosen.append(oneCase.begin(), oneCase.end());
    addCases(set, axes.drop_front(), zeros, out, chosen);
    chosen.truncate(before);
  }
}

LogicalResult WindowNdPatternAttr::getConjunctions(Conjunctions &out) const {
  SetBuilder set(getContext());
  SmallVector<Cases> axes;
  for (auto [axis, extent] : llvm::enumerate(getExtents().asArrayRef()))
    axes.push_back(radiusCases(set, coordinate(set.i, getExtents(), axis), coordinate(set.j, getExtents(), axis),
                               getRadius()[axis], extent, getClamp(), axis == 0));
  SmallVector<AffineExpr> chosen;
  addCases(set, axes, {}, out, chosen);
  return success();
}

/// Returns a case for each window of an axis: both coordinates lie between the same two cuts.
static Cases windowCases(AffineExpr x, AffineExpr y, int64_t extent, int64_t window, int64_t shift) {
  Cases cases;
  for (int64_t begin = shift > 0 ? shift - window : 0; begin < extent; begin += window)
    cases.push_back({x - begin, begin + window - 1 - x, y - begin, begin + window - 1 - y});
  return cases;
}

/// Along an axis rolled by -shift, the tokens before `shift` come last and do not mix with the tokens that they meet
/// there: they form a window of their own, as floor division does by itself. The same holds for the tokens that windows
/// leave over at the end of an axis. If there are such tokens along an inner axis, the windows of one line do not
/// continue those of the line before, and each window becomes a case where windows are few.
LogicalResult SwinPatternAttr::getConjunctions(Conjunctions &out) const {
  constexpr int64_t few = 16;
  SetBuilder set(getContext());
  SmallVector<Cases> axes;
  SmallVector<AffineExpr> zeros, chosen;
  int64_t count = 1;
  for (auto [axis, extent, window, shift] :
       llvm::enumerate(getExtents().asArrayRef(), getWindow().asArrayRef(), getShift().asArrayRef())) {
    AffineExpr x = coordinate(set.i, getExtents(), axis), y = coordinate(set.j, getExtents(), axis);
    int64_t windows = llvm::divideCeilSigned(extent - shift, window) + (shift > 0);
    if (axis == 0 || extent % window == 0 || windows > few / count) {
      zeros.push_back((x - shift).floorDiv(window) - (y - shift).floorDiv(window));
      continue;
    }
    count *= windows;
    axes.push_back(windowCases(x, y, extent, window, shift));
  }
  addCases(set, axes, zeros, out, chosen);
  return success();
}

LogicalResult AffinePatternAttr::getConjunctions(Conjunctions &out) const {
  out.push_back(getSet());
  return success();
}
