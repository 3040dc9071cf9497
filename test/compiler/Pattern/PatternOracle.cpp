//===- PatternOracle.cpp - Patterns by their definition -------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PatternOracle.h"
#include "compiler/Pattern/Membership.h"
#include "compiler/Pattern/Properties.h"
#include "mlir/AsmParser/AsmParser.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cstdlib>

using namespace mlir;
using namespace mlir::xf;

namespace {

int64_t quotient(int64_t a, int64_t b) { return a / b - (a % b != 0 && a < 0); }
int64_t remainder(int64_t a, int64_t b) { return a - b * quotient(a, b); }

struct Pair {
  int64_t i, j, numQueries, numKeys;
  ArrayRef<int64_t> symbols;
};

bool inWindow(Pair p, xf::Bound left, xf::Bound right) {
  return (!left.value || p.j >= p.i - *left.value) && (!right.value || p.j <= p.i + *right.value);
}

int64_t evaluate(AffineExpr expr, Pair p) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dim.getPosition() == 0 ? p.i : p.j;
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr)) {
    unsigned k = symbol.getPosition();
    return k == 0 ? p.numQueries : k == 1 ? p.numKeys : p.symbols[k - 2];
  }
  auto binary = cast<AffineBinaryOpExpr>(expr);
  int64_t a = evaluate(binary.getLHS(), p), b = evaluate(binary.getRHS(), p);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return a + b;
  case AffineExprKind::Mul:
    return a * b;
  case AffineExprKind::Mod:
    return remainder(a, b);
  case AffineExprKind::FloorDiv:
    return quotient(a, b);
  default:
    return -quotient(-a, b);
  }
}

bool holds(xf::Pattern pattern, Pair p);

bool holdsStrided(StridedPatternAttr a, Pair p) {
  bool isLocal = p.i - p.j <= a.getStride(), isColumn = remainder(p.i - p.j, a.getStride()) == 0;
  bool isPart = a.getPart() == Part::k_local ? isLocal : a.getPart() == Part::k_column ? isColumn : isLocal || isColumn;
  return p.j <= p.i && isPart;
}

bool holdsFixed(FixedPatternAttr a, Pair p) {
  int64_t l = a.getBlock(), c = a.getSummary(), place = remainder(p.j, l);
  bool isLocal = quotient(p.i, l) == quotient(p.j, l);
  bool isColumn = place >= l - c * (a.getSlot() + 1) && place < l - c * a.getSlot();
  bool isPart = a.getPart() == Part::k_local ? isLocal : a.getPart() == Part::k_column ? isColumn : isLocal || isColumn;
  return p.j <= p.i && isPart;
}

bool holdsBlock(xf::Pattern of, int64_t size, Pair p) {
  int64_t blocks = quotient(p.numKeys + size - 1, size), first = quotient(p.numKeys - p.numQueries, size);
  return holds(of, {quotient(p.i, size), quotient(p.j, size), blocks - first, blocks, p.symbols});
}

bool inIntervals(ArrayRef<xf::Interval> intervals, int64_t mod, int64_t x) {
  int64_t value = mod > 0 ? remainder(x, mod) : x;
  return llvm::any_of(intervals, [&](xf::Interval in) { return in.lower <= value && value < in.upper; });
}

bool isGlobal(ArrayRef<int64_t> positions, Pair p) {
  return llvm::any_of(positions, [&](int64_t t) {
    int64_t token = t < 0 ? p.numKeys + t : t;
    return p.i == token || p.j == token;
  });
}

SmallVector<int64_t> coordinates(ArrayRef<int64_t> extents, int64_t n) {
  SmallVector<int64_t> result(extents.size());
  for (unsigned axis = extents.size(); axis-- > 0;) {
    result[axis] = axis == 0 ? n : remainder(n, extents[axis]);
    n = quotient(n, extents[axis]);
  }
  return result;
}

bool holdsLift(LiftPatternAttr a, Pair p) {
  int64_t axis = a.getAxis(), extent = a.getExtents()[axis];
  return holds(a.getOf(), {coordinates(a.getExtents(), p.i)[axis], coordinates(a.getExtents(), p.j)[axis], extent,
                           extent, p.symbols});
}

/// Of 2r + 1 keys around x, shifted so that they lie in [0, extent) where clamped.
bool inRadius(int64_t x, int64_t y, int64_t radius, int64_t extent, bool isClamped) {
  int64_t first = x - radius, last = x + radius;
  if (isClamped) {
    int64_t width = std::min(2 * radius + 1, extent);
    first = std::min(std::max<int64_t>(first, 0), extent - width);
    last = first + width - 1;
  }
  return first <= y && y <= last;
}

bool holdsWindowNd(WindowNdPatternAttr a, Pair p) {
  auto x = coordinates(a.getExtents(), p.i), y = coordinates(a.getExtents(), p.j);
  for (unsigned axis = 0; axis < x.size(); ++axis)
    if (!inRadius(x[axis], y[axis], a.getRadius()[axis], a.getExtents()[axis], a.getClamp()))
      return false;
  return true;
}

/// Swin: the grid is rolled by -shift; tokens meet in a window unless one of them wrapped round and the other did not.
bool holdsSwin(SwinPatternAttr a, Pair p) {
  auto x = coordinates(a.getExtents(), p.i), y = coordinates(a.getExtents(), p.j);
  for (unsigned axis = 0; axis < x.size(); ++axis) {
    int64_t extent = a.getExtents()[axis], window = a.getWindow()[axis], shift = a.getShift()[axis];
    int64_t u = remainder(x[axis] - shift, extent), v = remainder(y[axis] - shift, extent);
    if (u / window != v / window || (x[axis] < shift) != (y[axis] < shift))
      return false;
  }
  return true;
}

bool holds(xf::Pattern pattern, Pair p) {
  auto in = [&](xf::Pattern member) { return holds(member, p); };
  return llvm::TypeSwitch<Attribute, bool>(pattern)
      .Case([&](DensePatternAttr) { return true; })
      .Case([&](CausalPatternAttr) { return p.j <= p.i; })
      .Case([&](WindowPatternAttr a) { return inWindow(p, a.getLeft(), a.getRight()); })
      .Case([&](DilatedPatternAttr a) {
        return inWindow(p, a.getLeft(), a.getRight()) && remainder(p.i - p.j, a.getStep()) == 0;
      })
      .Case([&](StridedPatternAttr a) { return holdsStrided(a, p); })
      .Case([&](FixedPatternAttr a) { return holdsFixed(a, p); })
      .Case([&](BlockPatternAttr a) { return holdsBlock(a.getOf(), a.getSize(), p); })
      .Case([&](GlobalPatternAttr a) { return isGlobal(a.getPositions(), p); })
      .Case([&](PrefixPatternAttr a) { return p.j <= p.i || p.j < (a.getLength() ? *a.getLength() : p.symbols[0]); })
      .Case([&](KeysPatternAttr a) { return inIntervals(a.getIntervals(), a.getMod(), p.j); })
      .Case([&](QueriesPatternAttr a) { return inIntervals(a.getIntervals(), a.getMod(), p.i); })
      .Case([&](LiftPatternAttr a) { return holdsLift(a, p); })
      .Case([&](WindowNdPatternAttr a) { return holdsWindowNd(a, p); })
      .Case([&](SwinPatternAttr a) { return holdsSwin(a, p); })
      .Case([&](GridPatternAttr a) {
        return a.getGranularity() == Granularity::k_token ? holds(a.getOf(), p)
                                                          : holdsBlock(a.getOf(), a.getLayers(), p);
      })
      .Case([&](AffinePatternAttr a) {
        return llvm::all_of(llvm::zip(a.getSet().getConstraints(), a.getSet().getEqFlags()), [&](auto constraint) {
          int64_t value = evaluate(std::get<0>(constraint), p);
          return std::get<1>(constraint) ? value == 0 : value >= 0;
        });
      })
      .Case([&](UnionPatternAttr a) { return llvm::any_of(a.getMembers(), in); })
      .Case([&](IntersectionPatternAttr a) { return llvm::all_of(a.getMembers(), in); })
      .Case([&](DifferencePatternAttr a) { return in(a.getMembers()[0]) && !in(a.getMembers()[1]); });
}

} // namespace

bool xftest::contains(xf::Pattern pattern, int64_t i, int64_t j, const CallSizes &sizes) {
  return holds(pattern, {i, j, sizes.numQueries, sizes.numKeys, sizes.symbols});
}

xf::Pattern xftest::parsePattern(StringRef text, MLIRContext &context) {
  auto pattern = dyn_cast_or_null<xf::Pattern>(parseAttribute(text, &context));
  if (!pattern) {
    llvm::errs() << "no pattern: " << text << "\n";
    std::abort();
  }
  return pattern;
}

std::string xftest::checkSolution(xf::Pattern pattern, SolutionAttr solution,
                                  ArrayRef<std::pair<int64_t, int64_t>> allSizes, ArrayRef<int64_t> symbols) {
  bool isCausal = pattern::isCausal(pattern), mayBeEmpty = pattern::mayHaveEmptyRows(solution);
  for (auto [numQueries, numKeys] : allSizes) {
    CallSizes sizes{numQueries, numKeys, SmallVector<int64_t, 2>(symbols)};
    auto where = [&](StringRef what) {
      return (what + " at Nq = " + Twine(sizes.numQueries) + ", Nk = " + Twine(sizes.numKeys)).str();
    };
    SmallVector<int> forward = pattern::countCover(solution, numQueries, numKeys, symbols, false);
    SmallVector<int> inverse = pattern::countCover(solution, numQueries, numKeys, symbols, true);
    int64_t pairs = 0;
    for (int64_t row = 0; row < numQueries; ++row) {
      int64_t i = row + numKeys - numQueries, before = pairs;
      for (int64_t j = 0; j < numKeys; ++j) {
        bool isMember = contains(pattern, i, j, sizes);
        pairs += isMember;
        if (forward[row * numKeys + j] != isMember)
          return where("keys of query " + std::to_string(i) + ", key " + std::to_string(j));
        if (inverse[row * numKeys + j] != isMember)
          return where("queries of key " + std::to_string(j) + ", query " + std::to_string(i));
        if (isMember && isCausal && j > i)
          return where("claim to be causal");
      }
      if (pairs == before && !mayBeEmpty && numQueries <= numKeys)
        return where("claim to have no empty rows");
    }
    if (pattern::countPairs(solution, sizes) != pairs)
      return where("count");
    if (pattern::countExecutedPairs(solution, sizes, 1, 1) != pairs)
      return where("executed pairs of 1 x 1 tiles");
    if (*pattern::countExecutedPairs(solution, sizes, 4, 8) < pairs)
      return where("executed pairs of 4 x 8 tiles");
  }
  return "";
}
