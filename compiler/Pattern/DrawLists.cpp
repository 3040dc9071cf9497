//===- DrawLists.cpp - Random patterns as lists of keys -------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Pattern/DrawLists.h"
#include "compiler/Pattern/PairPredicate.h"
#include "dialects/xf/Patterns/RandomDraw.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::pattern;

namespace {
/// Keys that are left to a row, as intervals from the first to the last.
struct KeysLeft {
  SmallVector<KeyRange, 16> intervals;
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
  /// Replaces numbers of keys, which ascend, by the keys.
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

/// What draws avoid; without it, nothing.
class Avoided {
public:
  static FailureOr<Avoided> of(xf::Pattern pattern, const StaticCall &call, ErrorFn emitError);

  KeysLeft keysLeft(int64_t row, int64_t head);

private:
  void addKeysLeft(int64_t row, KeyRange keys, KeysLeft &left);

  explicit Avoided(const StaticCall &call) : call(call) {}
  StaticCall call;
  TilesAttr tiles;
  bool isPerHead = false;
  int64_t head = -1;
  std::optional<PairPredicate> predicate;
};
} // namespace

/// The pattern where it asks for the number of queries, for that many.
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

void Avoided::addKeysLeft(int64_t row, KeyRange keys, KeysLeft &left) {
  PairPredicate::Share share = predicate->decide({row, row}, keys);
  if (share == PairPredicate::Share::All)
    return;
  if (share == PairPredicate::Share::None)
    return left.add(keys);
  int64_t middle = (keys.lower + keys.upper) >> 1;
  addKeysLeft(row, {keys.lower, middle}, left);
  addKeysLeft(row, {middle + 1, keys.upper}, left);
}

KeysLeft Avoided::keysLeft(int64_t row, int64_t ofHead) {
  KeysLeft left;
  bool isInBox = row >= call.numKeys - call.numQueries && row < call.numKeys;
  if (!tiles || !isInBox) {
    left.add({0, call.numKeys - 1});
    return left;
  }
  if (!predicate || (isPerHead && head != ofHead))
    predicate.emplace(tiles, call.numQueries, call.numKeys, ArrayRef<int64_t>(), ofHead);
  head = ofHead;
  if (call.numKeys > 0)
    addKeysLeft(row, {0, call.numKeys - 1}, left);
  return left;
}

FailureOr<DrawnLists> mlir::xf::pattern::drawLists(RandomPatternAttr random, KeyRange rows, const StaticCall &call,
                                                   ErrorFn emitError) {
  constexpr int64_t most = int64_t(1) << 26;
  int64_t numRows = rows.upper - rows.lower + 1, perRow = std::min(random.getCount(), call.numKeys);
  if (double(numRows) * double(std::max<int64_t>(perRow, 1)) * double(call.numHeads) > most)
    return emitError() << "expected at most " << most << " random keys for all rows and heads, got " << perRow
                       << " in each of " << numRows << " rows of " << call.numHeads << " heads";
  StaticCall allRows = call; // a permutation asks for rows before the first query too
  allRows.numQueries = std::max(call.numQueries, call.numKeys - rows.lower);
  xf::Pattern outside = random.getOutside();
  FailureOr<Avoided> avoided =
      Avoided::of(outside ? withQueries(outside, call.numQueries) : outside, allRows, emitError);
  if (failed(avoided))
    return failure();
  SmallVector<int32_t, 0> offsets = {0}, columns;
  for (int64_t head = 0; head < call.numHeads; ++head)
    for (int64_t row = rows.lower; row <= rows.upper; ++row) {
      KeysLeft allowed = avoided->keysLeft(row, head);
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
