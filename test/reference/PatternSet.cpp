//===- PatternSet.cpp - Which pairs an attention pattern has --------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/reference/PatternSet.h"
#include "dialects/xf/Patterns/PatternSizes.h"
#include "dialects/xf/Patterns/RandomDraw.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::reference;

int64_t reference::floorDiv(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a % b < 0) != (b < 0)); }
int64_t reference::floorMod(int64_t a, int64_t b) { return a - floorDiv(a, b) * b; }
int64_t reference::ceilDiv(int64_t a, int64_t b) { return -floorDiv(-a, b); }

//===----------------------------------------------------------------------===//
// Patterns that ask their parameters only
//===----------------------------------------------------------------------===//

static bool inWindow(Bound left, Bound right, Pair p) {
  return (!left.value || p.i - p.j <= *left.value) && (!right.value || p.j - p.i <= *right.value);
}

static bool inDilated(DilatedPatternAttr pattern, Pair p) {
  return inWindow(pattern.getLeft(), pattern.getRight(), p) && floorMod(p.i - p.j, pattern.getStep()) == 0;
}

static bool inStrided(StridedPatternAttr pattern, Pair p) {
  int64_t stride = pattern.getStride();
  bool local = p.i - p.j <= stride, column = floorMod(p.i - p.j, stride) == 0;
  bool chosen = pattern.getPart() == Part::k_local    ? local
                : pattern.getPart() == Part::k_column ? column
                                                      : local || column;
  return p.j <= p.i && chosen;
}

static bool inFixed(FixedPatternAttr pattern, Pair p) {
  int64_t l = pattern.getBlock(), c = pattern.getSummary(), s = pattern.getSlot();
  bool local = floorDiv(p.i, l) == floorDiv(p.j, l);
  bool column = floorMod(p.j, l) >= l - c * (s + 1) && floorMod(p.j, l) < l - c * s;
  bool chosen = pattern.getPart() == Part::k_local    ? local
                : pattern.getPart() == Part::k_column ? column
                                                      : local || column;
  return p.j <= p.i && chosen;
}

static bool inGlobal(GlobalPatternAttr pattern, Pair p) {
  return llvm::any_of(pattern.getPositions(), [&](int64_t position) {
    int64_t token = position < 0 ? p.nk + position : position;
    return p.i == token || p.j == token;
  });
}

static bool inIntervals(ArrayRef<Interval> intervals, int64_t mod, int64_t position) {
  int64_t value = mod > 0 ? floorMod(position, mod) : position;
  return llvm::any_of(intervals, [&](Interval interval) { return interval.lower <= value && value < interval.upper; });
}

//===----------------------------------------------------------------------===//
// Patterns that ask run-time operands
//===----------------------------------------------------------------------===//

/// Element (batch, head) of a scalar, per-batch or per-head symbol.
int64_t PatternSet::symbol(unsigned number) const {
  const Tensor &values = *clauses.symbols[number];
  int64_t heads = values.rank() == 2 ? values.shape[1] : 1;
  return values.integers[values.rank() == 0 ? 0 : batch * heads + (values.rank() == 2 ? head : 0)];
}

static int64_t segmentOf(const Tensor &segments, int64_t batch, int64_t token) {
  bool isToken = token >= 0 && token < segments.columns();
  return isToken ? segments.integers[batch * segments.columns() + token] : -1;
}

bool PatternSet::inSegments(SegmentsPatternAttr pattern, Pair p) const {
  int64_t q = segmentOf(*clauses.segmentsQ, batch, p.i - (p.nk - p.nq)), k = segmentOf(*clauses.segmentsK, batch, p.j);
  if (q < 0 || k < 0)
    return false;
  ArrayAttr relation = pattern.getRelation();
  if (!relation)
    return q == k;
  auto row = q < int64_t(relation.size()) ? cast<ArrayAttr>(relation[q]) : ArrayAttr();
  return row && k < int64_t(row.size()) && !cast<IntegerAttr>(row[k]).getValue().isZero();
}

bool PatternSet::inTable(TablePatternAttr pattern, Pair p) const {
  int64_t row = floorDiv(p.i, pattern.getBlock()), column = floorDiv(p.j, pattern.getBlock());
  ArrayRef<int64_t> offsets = clauses.tableOffsets->integers, columns = clauses.tableColumns->integers;
  if (row < 0 || row + 1 >= int64_t(offsets.size()))
    return false;
  return llvm::is_contained(columns.slice(offsets[row], offsets[row + 1] - offsets[row]), column);
}

static int64_t valueOf(AffineExpr expr, ArrayRef<int64_t> dims, ArrayRef<int64_t> symbols) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return symbols[symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  int64_t left = valueOf(binary.getLHS(), dims, symbols), right = valueOf(binary.getRHS(), dims, symbols);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return uint64_t(left) + uint64_t(right);
  case AffineExprKind::Mul:
    return uint64_t(left) * uint64_t(right);
  case AffineExprKind::Mod:
    return floorMod(left, right);
  case AffineExprKind::FloorDiv:
    return floorDiv(left, right);
  default:
    return ceilDiv(left, right);
  }
}

bool PatternSet::inAffine(AffinePatternAttr pattern, Pair p) const {
  IntegerSet set = pattern.getSet();
  SmallVector<int64_t> symbols = {p.nq, p.nk};
  for (unsigned number = 2; number < set.getNumSymbols(); ++number)
    symbols.push_back(symbol(number - 2));
  return llvm::all_of(llvm::zip(set.getConstraints(), set.getEqFlags()), [&](auto constraint) {
    int64_t value = valueOf(std::get<0>(constraint), {p.i, p.j}, symbols);
    return std::get<1>(constraint) ? value == 0 : value >= 0;
  });
}

//===----------------------------------------------------------------------===//
// Random patterns
//===----------------------------------------------------------------------===//

template <typename IsAllowed>
const PatternSet::Drawn &PatternSet::drawn(Attribute pattern, int64_t seed, int64_t count, int64_t row, int64_t keys,
                                           IsAllowed isAllowed) {
  auto [place, isNew] = draws.try_emplace({pattern.getAsOpaquePointer(), batch, head, row, keys});
  if (isNew) {
    Drawn allowed;
    for (int64_t j = 0; j < keys; ++j)
      if (isAllowed(j))
        allowed.push_back(j);
    place->second = drawKeys(seed, head, row, allowed, count);
  }
  return place->second;
}

bool PatternSet::inRandom(RandomPatternAttr pattern, Pair p) {
  auto isAllowed = [&](int64_t j) {
    return !pattern.getOutside() || !holds(pattern.getOutside(), Pair{p.i, j, p.nq, p.nk});
  };
  const Drawn &keys = drawn(pattern, pattern.getSeed(), pattern.getCount(), p.i, p.nk, isAllowed);
  return llvm::binary_search(keys, p.j);
}

/// Blocks: the first and last `global` rows and columns, `window` around the diagonal, `random` more per row.
bool PatternSet::inBigBird(BigBirdPatternAttr pattern, Pair p) {
  int64_t blocks = ceilDiv(p.nk, pattern.getBlock()), row = floorDiv(p.i, pattern.getBlock());
  int64_t column = floorDiv(p.j, pattern.getBlock()), global = pattern.getGlobal(), reach = pattern.getWindow() / 2;
  if (blocks <= pattern.getRandom() + 4)
    return true;
  auto isEnd = [&](int64_t block) { return block >= 0 && (block < global || block >= blocks - global); };
  auto isFixed = [&](int64_t block) { return isEnd(row) || isEnd(block) || std::abs(row - block) <= reach; };
  if (isFixed(column))
    return true;
  auto isAllowed = [&](int64_t block) { return !isFixed(block); };
  return llvm::binary_search(drawn(pattern, pattern.getSeed(), pattern.getRandom(), row, blocks, isAllowed), column);
}

//===----------------------------------------------------------------------===//
// Patterns over patterns
//===----------------------------------------------------------------------===//

bool PatternSet::inPermute(PermutePatternAttr pattern, Pair p) {
  ArrayRef<int64_t> table = pattern.getTable();
  auto isIn = [&](int64_t position) { return position >= 0 && position < int64_t(table.size()); };
  return isIn(p.i) && isIn(p.j) && holds(pattern.getOf(), Pair{table[p.i], table[p.j], p.nq, p.nk});
}

/// Positions i are floor(i / size) as blocks; the queries' ones are the last of the key axis.
static Pair blockPair(int64_t size, Pair p) {
  int64_t blocks = ceilDiv(p.nk, size);
  return {floorDiv(p.i, size), floorDiv(p.j, size), blocks - floorDiv(p.nk - p.nq, size), blocks};
}

/// Token g is layer g mod L of position g div L (index order) or layer g div N of position g mod N (layer order).
bool PatternSet::inGrid(GridPatternAttr pattern, Pair p) {
  int64_t layers = pattern.getLayers(), positions = std::max<int64_t>(1, p.nk / layers);
  bool byIndex = pattern.getOrder() == GridOrder::k_index, fromTop = pattern.getQueries() == GridQueries::k_top;
  if (fromTop) { // the queries are the last positions, each by its top layer
    int64_t n = p.i - (p.nk - positions);
    p = {byIndex ? n * layers + layers - 1 : (layers - 1) * positions + n, p.j, p.nk, p.nk};
  }
  auto positionOf = [&](int64_t g) { return byIndex ? floorDiv(g, layers) : floorMod(g, positions); };
  if (pattern.getFactorised() && positionOf(p.i) != positionOf(p.j))
    return false;
  if (pattern.getGranularity() == Granularity::k_token)
    return holds(pattern.getOf(), p);
  if (byIndex)
    return holds(pattern.getOf(), blockPair(layers, p));
  return holds(pattern.getOf(), Pair{positionOf(p.i), positionOf(p.j), positions, positions});
}

static Pair liftedPair(LiftPatternAttr pattern, Pair p) {
  ArrayRef<int64_t> extents = pattern.getExtents().asArrayRef();
  int64_t axis = pattern.getAxis(), extent = extents[axis];
  return {gridCoordinates(p.i, extents)[axis], gridCoordinates(p.j, extents)[axis], extent, extent};
}

bool PatternSet::holds(xf::Pattern pattern, Pair p) {
  auto inMember = [&](xf::Pattern member) { return holds(member, p); };
  return TypeSwitch<Attribute, bool>(pattern)
      .Case([&](DensePatternAttr) { return true; })
      .Case([&](CausalPatternAttr) { return p.j <= p.i; })
      .Case([&](WindowPatternAttr a) { return inWindow(a.getLeft(), a.getRight(), p); })
      .Case([&](DilatedPatternAttr a) { return inDilated(a, p); })
      .Case([&](StridedPatternAttr a) { return inStrided(a, p); })
      .Case([&](FixedPatternAttr a) { return inFixed(a, p); })
      .Case([&](BlockPatternAttr a) { return holds(a.getOf(), blockPair(a.getSize(), p)); })
      .Case([&](GlobalPatternAttr a) { return inGlobal(a, p); })
      .Case([&](RandomPatternAttr a) { return inRandom(a, p); })
      .Case([&](BigBirdPatternAttr a) { return inBigBird(a, p); })
      .Case([&](SegmentsPatternAttr a) { return inSegments(a, p); })
      .Case([&](PrefixPatternAttr a) { return p.j <= p.i || p.j < (a.getLength() ? *a.getLength() : symbol(0)); })
      .Case([&](WindowNdPatternAttr a) { return inWindowNd(a, p); })
      .Case([&](LiftPatternAttr a) { return holds(a.getOf(), liftedPair(a, p)); })
      .Case([&](SwinPatternAttr a) { return inSwin(a, p); })
      .Case([&](KeysPatternAttr a) { return inIntervals(a.getIntervals(), a.getMod(), p.j); })
      .Case([&](QueriesPatternAttr a) { return inIntervals(a.getIntervals(), a.getMod(), p.i); })
      .Case([&](PermutePatternAttr a) { return inPermute(a, p); })
      .Case([&](AffinePatternAttr a) { return inAffine(a, p); })
      .Case([&](TablePatternAttr a) { return inTable(a, p); })
      .Case([&](UnionPatternAttr a) { return llvm::any_of(a.getMembers(), inMember); })
      .Case([&](IntersectionPatternAttr a) { return llvm::all_of(a.getMembers(), inMember); })
      .Case([&](DifferencePatternAttr a) { return inMember(a.getMembers()[0]) && !inMember(a.getMembers()[1]); })
      .Case([&](HeadsPatternAttr a) { return inMember(a.getMembers()[head % a.getMembers().size()]); })
      .Case([&](GridPatternAttr a) { return inGrid(a, p); })
      .Default(false); // the verifier refused it
}

FailureOr<PatternSet> PatternSet::create(Operation *op, xf::Pattern pattern, PatternClauses clauses, int64_t queries,
                                         int64_t keys) {
  auto emitError = [&] { return op->emitError(); };
  if (failed(verifyTable(op, clauses)) || (pattern && failed(verifyTokens(pattern, keys, emitError))))
    return failure();
  return PatternSet(pattern, std::move(clauses), queries, keys);
}

bool PatternSet::contains(int64_t batch, int64_t head, int64_t query, int64_t key) {
  this->batch = batch;
  this->head = head;
  if (clauses.lengths && key >= clauses.lengths->integers[batch])
    return false;
  if (clauses.queryLengths && query >= clauses.queryLengths->integers[batch])
    return false;
  return !pattern || holds(pattern, Pair{query + firstPosition(), key, queries, keys});
}
