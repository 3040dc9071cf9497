//===- PatternOracle.cpp - Patterns by their definition -------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/oracle/PatternOracle.h"
#include "mlir/IR/IntegerSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::xf;
using namespace xftest;

int64_t xftest::quotient(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a % b < 0) != (b < 0)); }
int64_t xftest::remainder(int64_t a, int64_t b) { return a - b * quotient(a, b); }

int64_t xftest::evaluate(AffineExpr expr, ArrayRef<int64_t> dims, ArrayRef<int64_t> symbols) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return symbols[symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  int64_t a = evaluate(binary.getLHS(), dims, symbols), b = evaluate(binary.getRHS(), dims, symbols);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return uint64_t(a) + uint64_t(b);
  case AffineExprKind::Mul:
    return uint64_t(a) * uint64_t(b);
  case AffineExprKind::Mod:
    return remainder(a, b);
  case AffineExprKind::FloorDiv:
    return quotient(a, b);
  default:
    return -quotient(-a, b);
  }
}

namespace {

/// A pair of tokens, blocks or coordinates, how many of those there are, and the call that it is of.
struct Pair {
  int64_t i, j, numQueries, numKeys;
  const PatternCall &call;
  PatternDraws &draws;
};

bool inWindow(Pair p, xf::Bound left, xf::Bound right) {
  return (!left.value || p.i - p.j <= *left.value) && (!right.value || p.j - p.i <= *right.value);
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
  int64_t blocks = -quotient(-p.numKeys, size), first = quotient(p.numKeys - p.numQueries, size);
  return holds(of, {quotient(p.i, size), quotient(p.j, size), blocks - first, blocks, p.call, p.draws});
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
                           extent, p.call, p.draws});
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

/// Swin: the windows of the grid, each moved by `shift` tokens and cut where the grid ends.
bool holdsSwin(SwinPatternAttr a, Pair p) {
  auto x = coordinates(a.getExtents(), p.i), y = coordinates(a.getExtents(), p.j);
  for (unsigned axis = 0; axis < x.size(); ++axis) {
    int64_t window = a.getWindow()[axis], first = a.getShift()[axis] - window;
    for (; first + window <= x[axis];)
      first += window;
    for (; first > x[axis];)
      first -= window;
    if (y[axis] < first || y[axis] >= first + window)
      return false;
  }
  return true;
}

bool holdsAffine(IntegerSet set, Pair p) {
  SmallVector<int64_t> symbols = {p.numQueries, p.numKeys};
  symbols.append(p.call.symbols.begin(), p.call.symbols.end());
  return llvm::all_of(llvm::zip(set.getConstraints(), set.getEqFlags()), [&](auto constraint) {
    int64_t value = xftest::evaluate(std::get<0>(constraint), {p.i, p.j}, symbols);
    return std::get<1>(constraint) ? value == 0 : value >= 0;
  });
}

bool holdsPermute(PermutePatternAttr a, Pair p) {
  ArrayRef<int64_t> table = a.getTable();
  int64_t size = table.size();
  return p.i >= 0 && p.i < size && p.j >= 0 && p.j < size &&
         holds(a.getOf(), {table[p.i], table[p.j], p.numQueries, p.numKeys, p.call, p.draws});
}

/// OmniNet: token g is layer g mod L of position g div L, or one layer lies behind the other.
bool holdsGrid(GridPatternAttr a, Pair asked) {
  int64_t layers = a.getLayers(), positions = std::max<int64_t>(1, asked.numKeys / layers);
  bool isIndexed = a.getOrder() == GridOrder::k_index, isTop = a.getQueries() == GridQueries::k_top;
  int64_t position = asked.i - asked.numKeys + positions;
  int64_t top = isIndexed ? layers * position + layers - 1 : (layers - 1) * positions + position;
  Pair p{isTop ? top : asked.i, asked.j,    isTop ? asked.numKeys : asked.numQueries,
         asked.numKeys,         asked.call, asked.draws};
  auto positionOf = [&](int64_t g) { return isIndexed ? quotient(g, layers) : remainder(g, positions); };
  if (a.getFactorised() && positionOf(p.i) != positionOf(p.j))
    return false;
  if (a.getGranularity() == Granularity::k_token)
    return holds(a.getOf(), p);
  return isIndexed ? holdsBlock(a.getOf(), layers, p)
                   : holds(a.getOf(), {positionOf(p.i), positionOf(p.j), positions, positions, p.call, p.draws});
}

//===----------------------------------------------------------------------===//
// Operands and draws
//===----------------------------------------------------------------------===//

bool holdsSegments(SegmentsPatternAttr a, Pair p) {
  auto segmentOf = [](ArrayRef<int64_t> segments, int64_t token) {
    return token >= 0 && token < int64_t(segments.size()) ? segments[token] : -1;
  };
  int64_t q = segmentOf(p.call.querySegments, p.i - (p.numKeys - p.numQueries));
  int64_t k = segmentOf(p.call.keySegments, p.j);
  if (q < 0 || k < 0)
    return false;
  ArrayAttr relation = a.getRelation();
  if (!relation)
    return q == k;
  if (q >= int64_t(relation.size()) || k >= int64_t(cast<ArrayAttr>(relation[q]).size()))
    return false;
  return cast<IntegerAttr>(cast<ArrayAttr>(relation[q])[k]).getInt() != 0;
}

bool holdsTable(TablePatternAttr a, Pair p) {
  int64_t row = quotient(p.i, a.getBlock()), column = quotient(p.j, a.getWidth());
  return row >= 0 && row < int64_t(p.call.table.size()) && llvm::is_contained(p.call.table[row], column);
}

/// Salmon et al., "Parallel random numbers: as easy as 1, 2, 3": ten rounds of Philox4x32, the low two words.
uint64_t philox(uint64_t key, uint32_t draw, uint64_t row, uint32_t head) {
  uint32_t x[4] = {draw, uint32_t(row), uint32_t(row >> 32), head}, k[2] = {uint32_t(key), uint32_t(key >> 32)};
  for (int round = 0; round < 10; ++round) {
    uint64_t a = uint64_t(x[0]) * 0xD2511F53u, b = uint64_t(x[2]) * 0xCD9E8D57u;
    uint32_t next[4] = {uint32_t(b >> 32) ^ x[1] ^ k[0], uint32_t(b), uint32_t(a >> 32) ^ x[3] ^ k[1], uint32_t(a)};
    std::copy(next, next + 4, x);
    k[0] += 0x9E3779B9u, k[1] += 0xBB67AE85u;
  }
  return x[0] | uint64_t(x[1]) << 32;
}

/// Draws `count` of `keys`, each of those that are left.
std::vector<int64_t> drawKeys(std::vector<int64_t> keys, int64_t count, int64_t seed, int64_t row, int64_t head) {
  size_t drawn = std::min<size_t>(std::max<int64_t>(count, 0), keys.size());
  for (size_t draw = 0; draw < drawn; ++draw) {
    unsigned __int128 word = philox(seed, draw, row, head);
    std::swap(keys[draw], keys[draw + size_t(word * (keys.size() - draw) >> 64)]);
  }
  keys.resize(drawn);
  llvm::sort(keys);
  return keys;
}

/// Returns true if `key` is drawn in a row from the keys below `numKeys` that are allowed.
template <typename PatternT, typename IsAllowed>
bool isDrawn(PatternT a, int64_t count, int64_t row, int64_t key, int64_t numKeys, Pair p, IsAllowed isAllowed) {
  auto [place, isNew] = p.draws.try_emplace({a.getAsOpaquePointer(), row, p.numQueries, p.numKeys});
  if (isNew) {
    std::vector<int64_t> keys;
    for (int64_t other = 0; other < numKeys; ++other)
      if (isAllowed(other))
        keys.push_back(other);
    place->second = drawKeys(std::move(keys), count, a.getSeed(), row, p.call.head);
  }
  return llvm::binary_search(place->second, key);
}

bool holdsRandom(RandomPatternAttr a, Pair p) {
  return isDrawn(a, a.getCount(), p.i, p.j, p.numKeys, p, [&](int64_t j) {
    return !a.getOutside() || !holds(a.getOutside(), {p.i, j, p.numQueries, p.numKeys, p.call, p.draws});
  });
}

bool holdsBigBird(BigBirdPatternAttr a, Pair p) {
  int64_t blocks = -quotient(-p.numKeys, a.getBlock());
  int64_t row = quotient(p.i, a.getBlock()), column = quotient(p.j, a.getBlock());
  if (blocks <= a.getRandom() + 4)
    return true;
  auto isGlobal = [&](int64_t block) {
    return (block >= 0 && block < a.getGlobal()) || (block >= 0 && block >= blocks - a.getGlobal());
  };
  auto isFixed = [&](int64_t block) {
    return isGlobal(row) || isGlobal(block) || std::abs(row - block) <= a.getWindow() / 2;
  };
  auto isOther = [&](int64_t block) { return !isFixed(block); };
  return isFixed(column) || isDrawn(a, a.getRandom(), row, column, blocks, p, isOther);
}

//===----------------------------------------------------------------------===//
// All families
//===----------------------------------------------------------------------===//

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
      .Case(
          [&](PrefixPatternAttr a) { return p.j <= p.i || p.j < (a.getLength() ? *a.getLength() : p.call.symbols[0]); })
      .Case([&](KeysPatternAttr a) { return inIntervals(a.getIntervals(), a.getMod(), p.j); })
      .Case([&](QueriesPatternAttr a) { return inIntervals(a.getIntervals(), a.getMod(), p.i); })
      .Case([&](LiftPatternAttr a) { return holdsLift(a, p); })
      .Case([&](WindowNdPatternAttr a) { return holdsWindowNd(a, p); })
      .Case([&](SwinPatternAttr a) { return holdsSwin(a, p); })
      .Case([&](GridPatternAttr a) { return holdsGrid(a, p); })
      .Case([&](PermutePatternAttr a) { return holdsPermute(a, p); })
      .Case([&](AffinePatternAttr a) { return holdsAffine(a.getSet(), p); })
      .Case([&](SegmentsPatternAttr a) { return holdsSegments(a, p); })
      .Case([&](TablePatternAttr a) { return holdsTable(a, p); })
      .Case([&](RandomPatternAttr a) { return holdsRandom(a, p); })
      .Case([&](BigBirdPatternAttr a) { return holdsBigBird(a, p); })
      .Case([&](HeadsPatternAttr a) { return in(a.getMembers()[p.call.head % a.getMembers().size()]); })
      .Case([&](UnionPatternAttr a) { return llvm::any_of(a.getMembers(), in); })
      .Case([&](IntersectionPatternAttr a) { return llvm::all_of(a.getMembers(), in); })
      .Case([&](DifferencePatternAttr a) { return in(a.getMembers()[0]) && !in(a.getMembers()[1]); })
      .Default([](Attribute) -> bool { llvm::report_fatal_error("expected a pattern that is a set of pairs"); });
}

} // namespace

bool PatternOracle::contains(int64_t i, int64_t j) {
  return holds(pattern, {i, j, call.numQueries, call.numKeys, call, draws});
}

bool xftest::contains(xf::Pattern pattern, int64_t i, int64_t j, const PatternCall &call) {
  PatternDraws draws;
  return holds(pattern, {i, j, call.numQueries, call.numKeys, call, draws});
}
