//===- DrawLists.cpp - Random patterns as lists of keys -------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Pattern/Set/DrawLists.h"
#include "compiler/Pattern/Set/PairPredicate.h"
#include "dialects/xf/Patterns/RandomDraw.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::pattern;

namespace {
/// The keys that a row may draw, as ascending intervals.
struct KeysLeft {
  SmallVector<KeyRange, 4> intervals;
  int64_t count = 0;

  void add(KeyRange keys) {
    if (keys.lower > keys.upper)
      return;
    count += keys.upper - keys.lower + 1;
    if (!intervals.empty() && intervals.back().upper + 1 == keys.lower)
      intervals.back().upper = keys.upper;
    else
      intervals.push_back(keys);
  }
  /// Replaces each element n of `numbers` by key number n of the keys that are left. `numbers` is ascending.
  void lookUp(MutableArrayRef<int64_t> numbers) const {
    int64_t before = 0; // keys of earlier intervals
    const KeyRange *interval = intervals.begin();
    for (int64_t &number : numbers) {
      for (; number - before > interval->upper - interval->lower; ++interval)
        before += interval->upper - interval->lower + 1;
      number += interval->lower - before;
    }
  }
};

/// The pairs that random draws must avoid; none without a pattern.
class Avoided {
public:
  static FailureOr<Avoided> of(xf::Pattern pattern, const StaticCall &call, ErrorFn emitError);

  /// Returns the number of heads for which the avoided pairs differ; 1 if they are the same for all heads.
  int64_t numHeads() const { return isPerHead ? call.numHeads : 1; }
  /// Returns the keys that `row` of `head` may draw. Call it head by head, for the heads below numHeads(), and for the
  /// rows of each head in order.
  KeysLeft keysLeft(int64_t row, int64_t head);

private:
  void addKeysLeft(int64_t row, KeyRange keys);

  explicit Avoided(const StaticCall &call) : call(call) {}
  StaticCall call;
  TilesAttr tiles;
  bool isPerHead = false;
  int64_t head = -1;
  std::optional<PairPredicate> predicate;
  KeysLeft left; ///< the result for the last row
};
} // namespace

/// Replaces the symbol for the number of queries by the constant `numQueries` in all constraints of a pattern.
static xf::Pattern withQueries(xf::Pattern pattern, int64_t numQueries) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](AffinePatternAttr affine) -> Attribute {
    IntegerSet set = affine.getSet();
    if (set.getNumSymbols() == 0)
      return affine;
    MLIRContext *context = affine.getContext();
    SmallVector<AffineExpr> dims, symbols = {getAffineConstantExpr(numQueries, context)};
    for (unsigned n = 0; n < set.getNumDims(); ++n)
      dims.push_back(getAffineDimExpr(n, context));
    for (unsigned n = 1; n < set.getNumSymbols(); ++n)
      symbols.push_back(getAffineSymbolExpr(n, context));
    return AffinePatternAttr::get(context,
                                  set.replaceDimsAndSymbols(dims, symbols, set.getNumDims(), set.getNumSymbols()));
  });
  return mlir::cast<xf::Pattern>(replacer.replace(pattern));
}

FailureOr<Avoided> Avoided::of(xf::Pattern pattern, const StaticCall &call, ErrorFn emitError) {
  Avoided avoided(call);
  if (!pattern)
    return avoided;
  Prover prover{Budget()};
  FailureOr<ImportedSet> set = importPattern(pattern, prover, emitError, call);
  if (failed(set))
    return failure();
  avoided.tiles = exportTiles(set->members, set->data, "avoided", pattern.getContext());
  if (!avoided.tiles.isStatic() || set->numSymbols > 2)
    return emitError() << "expected random keys outside a pattern that is known when a program is compiled, got "
                       << pattern;
  avoided.isPerHead = llvm::any_of(set->data, [](DatumAttr datum) { return datum.getHeads() > 1; });
  return avoided;
}

void Avoided::addKeysLeft(int64_t row, KeyRange keys) {
  PairPredicate::Share share = predicate->decide({row, row}, keys);
  if (share == PairPredicate::Share::All)
    return;
  if (share == PairPredicate::Share::None)
    return left.add(keys);
  int64_t middle = (keys.lower + keys.upper) >> 1;
  addKeysLeft(row, {keys.lower, middle});
  addKeysLeft(row, {middle + 1, keys.upper});
}

/// Splits the keys at the ends of the previous row's intervals before halving them. Intervals change little from row to
/// row, and halving alone would find these ends last.
KeysLeft Avoided::keysLeft(int64_t row, int64_t ofHead) {
  KeysLeft before = std::exchange(left, KeysLeft());
  bool isInBox = row >= call.numKeys - call.numQueries && row < call.numKeys;
  if (!tiles || !isInBox) {
    left.add({0, call.numKeys - 1});
    return left;
  }
  if (!predicate || (isPerHead && head != ofHead))
    predicate.emplace(tiles, call.numQueries, call.numKeys, ArrayRef<int64_t>(), ofHead);
  head = ofHead;
  int64_t first = 0;
  auto addUpTo = [&](int64_t end) {
    if (first < end)
      addKeysLeft(row, {first, end - 1});
    first = std::max(first, end);
  };
  for (KeyRange interval : before.intervals)
    for (int64_t end : {interval.lower, interval.lower + 1, interval.upper + 1, interval.upper + 2})
      addUpTo(std::min(end, call.numKeys));
  addUpTo(call.numKeys);
  return left;
}

FailureOr<DrawnLists> mlir::xf::pattern::drawLists(RandomPatternAttr random, KeyRange rows, const StaticCall &call,
                                                   ErrorFn emitError) {
  constexpr int64_t most = int64_t(1) << 24, mostAvoiding = int64_t(1) << 18;
  int64_t numRows = rows.upper - rows.lower + 1, perRow = std::min(random.getCount(), call.numKeys);
  if (double(numRows) * double(std::max<int64_t>(perRow, 1)) * double(call.numHeads) > most)
    return emitError() << "expected at most " << most << " random keys for all rows and heads, got " << perRow
                       << " in each of " << numRows << " rows of " << call.numHeads << " heads";
  StaticCall allRows = call; // a permutation has rows before the first query too
  allRows.numQueries = std::max(call.numQueries, call.numKeys - rows.lower);
  xf::Pattern outside = random.getOutside();
  FailureOr<Avoided> avoided =
      Avoided::of(outside ? withQueries(outside, call.numQueries) : outside, allRows, emitError);
  if (failed(avoided))
    return failure();
  if (random.getOutside() && double(numRows) * double(avoided->numHeads()) > mostAvoiding)
    return emitError() << "expected at most " << mostAvoiding << " rows that draw keys outside a pattern, got "
                       << numRows << " rows of " << avoided->numHeads() << " heads";
  SmallVector<int32_t, 0> offsets = {0}, columns;
  std::vector<KeysLeft> left; // by row; a single entry where nothing is avoided
  for (int64_t head = 0; head < call.numHeads; ++head)
    for (int64_t row = rows.lower; row <= rows.upper; ++row) {
      size_t place = random.getOutside() ? row - rows.lower : 0;
      bool isNew = place == left.size();
      if (isNew)
        left.emplace_back();
      if (isNew || (head > 0 && head < avoided->numHeads()))
        left[place] = avoided->keysLeft(row, head);
      const KeysLeft &allowed = left[place];
      std::vector<int64_t> keys = drawPlaces(random.getSeed(), head, row, allowed.count, random.getCount());
      allowed.lookUp(keys);
      for (int64_t key : keys)
        columns.push_back(static_cast<int32_t>(key));
      offsets.push_back(static_cast<int32_t>(columns.size()));
    }
  Type i32 = IntegerType::get(random.getContext(), 32);
  auto elements = [&](ArrayRef<int32_t> values) {
    auto type = RankedTensorType::get({static_cast<int64_t>(values.size())}, i32);
    return mlir::cast<DenseIntElementsAttr>(DenseElementsAttr::get(type, values));
  };
  return DrawnLists{elements(offsets), elements(columns)};
}
