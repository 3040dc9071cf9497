//===- ImportData.cpp - Patterns that no formula gives --------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Pattern/Set/DrawLists.h"
#include "compiler/Pattern/Set/PairPredicate.h"
#include "compiler/Pattern/Set/PatternImporter.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::pattern;

//===----------------------------------------------------------------------===//
// Data
//===----------------------------------------------------------------------===//

AffineMap PatternImporter::rowMap(AffineExpr expr) const { return AffineMap::get(1, numVariables - 2, expr); }

/// Returns `expr`, an expression of the key, as a map whose only dimension is the key.
AffineMap PatternImporter::columnMap(AffineExpr expr) const {
  AffineExpr key = getAffineDimExpr(0, expr.getContext());
  return AffineMap::get(1, numVariables - 2, expr.replaceDims({key, key}));
}

AffineExpr PatternImporter::datum(DatumAttr asked) {
  auto *found = llvm::find(data, asked);
  unsigned number = found - data.begin();
  if (found == data.end()) {
    data.push_back(asked);
    avoided.emplace_back();
  }
  return getAffineSymbolExpr(numSymbols + number, asked.getContext());
}

DatumAttr PatternImporter::numbersOf(ArrayRef<int64_t> numbers, AffineExpr image, bool isRow) {
  MLIRContext *context = image.getContext();
  return DatumAttr::get(context, DatumSource::k_numbers, isRow ? rowMap(image) : AffineMap(),
                        isRow ? AffineMap() : columnMap(image), DenseI64ArrayAttr::get(context, numbers), {}, {}, 1);
}

FailureOr<Set> PatternImporter::pairsOf(DatumAttr asked) {
  Conjunction conjunction = boxOf(numVariables);
  if (failed(addConstraint(conjunction, datum(asked) - 1, /*isEquality=*/false)))
    return failure();
  return Set{conjunction};
}

int64_t PatternImporter::sizeOf(AffineExpr image) const {
  SmallVector<KeyRange> symbols(numVariables - 2, {0, 0});
  symbols[0] = {call->numQueries, call->numQueries};
  symbols[1] = {call->numKeys, call->numKeys};
  return rangeOf(image, {}, symbols).lower;
}

KeyRange PatternImporter::rowsOf(const Images &images) const {
  SmallVector<KeyRange> symbols(numVariables - 2, {0, 0});
  symbols[0] = {call->numQueries, call->numQueries};
  symbols[1] = {call->numKeys, call->numKeys};
  for (auto [number, asked] : llvm::enumerate(data))
    if (asked.getSource() == DatumSource::k_numbers && !asked.getNumbers().empty()) {
      auto [least, most] =
          std::minmax_element(asked.getNumbers().asArrayRef().begin(), asked.getNumbers().asArrayRef().end());
      symbols[numSymbols + number] = {std::min<int64_t>(*least, -1), *most};
    }
  KeyRange positions = {call->numKeys - call->numQueries,
                        std::max(call->numKeys - call->numQueries, call->numKeys - 1)};
  return rangeOf(images[kQuery], {positions, {0, 0}}, symbols);
}

ImportedSet PatternImporter::finish(const Set &members) {
  ImportedSet result;
  unsigned used = numSymbols + data.size();
  result.numSymbols = numSymbols;
  result.members = restrictVariables(members, 2 + used);
  auto shrink = [&](AffineMap map) { return map ? AffineMap::get(1, used, map.getResult(0)) : map; };
  for (auto [number, asked] : llvm::enumerate(data)) {
    result.data.push_back(DatumAttr::get(asked.getContext(), asked.getSource(), shrink(asked.getRow()),
                                         shrink(asked.getColumn()), asked.getNumbers(), asked.getOffsets(),
                                         asked.getColumns(), asked.getHeads()));
    result.avoided.push_back(restrictVariables(avoided[number], 2 + used));
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

/// Returns, for each row of a matrix of zeros and ones, the list of the columns that hold ones.
static DrawnLists listsOf(ArrayAttr relation) {
  SmallVector<int32_t> offsets = {0}, columns;
  for (Attribute row : relation) {
    for (auto [column, element] : llvm::enumerate(mlir::cast<ArrayAttr>(row)))
      if (!mlir::cast<IntegerAttr>(element).getValue().isZero())
        columns.push_back(column);
    offsets.push_back(columns.size());
  }
  Type i32 = IntegerType::get(relation.getContext(), 32);
  auto elements = [&](ArrayRef<int32_t> values) {
    auto type = RankedTensorType::get({static_cast<int64_t>(values.size())}, i32);
    return mlir::cast<DenseIntElementsAttr>(DenseElementsAttr::get(type, values));
  };
  return {elements(offsets), elements(columns)};
}

FailureOr<Set> PatternImporter::importSegments(SegmentsPatternAttr segments, const Images &images) {
  MLIRContext *context = segments.getContext();
  AffineExpr token = images[kQuery] - (images[kNumKeys] - images[kNumQueries]);
  AffineExpr query = datum(DatumAttr::get(context, DatumSource::k_segments, rowMap(token), AffineMap(), {}, {}, {}, 1));
  AffineExpr key =
      datum(DatumAttr::get(context, DatumSource::k_segments, AffineMap(), columnMap(images[kKey]), {}, {}, {}, 1));
  if (ArrayAttr relation = segments.getRelation()) {
    DrawnLists lists = listsOf(relation);
    if (lists.columns.empty())
      return Set{};
    return pairsOf(DatumAttr::get(context, DatumSource::k_lists, rowMap(query), columnMap(key), {}, lists.offsets,
                                  lists.columns, 1));
  }
  Conjunction conjunction = boxOf(numVariables);
  if (failed(addConstraint(conjunction, query - key, /*isEquality=*/true)) ||
      failed(addConstraint(conjunction, query, /*isEquality=*/false)))
    return failure();
  return Set{conjunction};
}

FailureOr<Set> PatternImporter::importTable(TablePatternAttr table, const Images &images) {
  AffineMap row = rowMap(images[kQuery].floorDiv(table.getBlock()));
  AffineMap column = columnMap(images[kKey].floorDiv(table.getWidth()));
  return pairsOf(DatumAttr::get(table.getContext(), DatumSource::k_table, row, column, {}, {}, {}, 1));
}

/// Returns a mark for each of `size` positions: 1 if an interval of `listed` contains the position, otherwise 0.
static SmallVector<int64_t, 0> marksOf(int64_t size, ArrayRef<Interval> listed) {
  SmallVector<int64_t, 0> marks(size + 1, 0); // differences of the numbers of intervals at neighbours, at first
  for (Interval interval : listed) {
    ++marks[std::clamp<int64_t>(interval.lower, 0, size)];
    --marks[std::clamp<int64_t>(interval.upper, 0, size)];
  }
  marks.pop_back();
  for (int64_t position = 0, depth = 0; position < size; ++position) {
    depth += marks[position];
    marks[position] = depth > 0;
  }
  return marks;
}

/// Returns the number of positions from 0 to the last one in `intervals`. Returns 0 if an interval begins before
/// position 0.
static int64_t sizeOf(ArrayRef<Interval> intervals) {
  int64_t size = 0;
  for (Interval interval : intervals) {
    if (interval.lower < 0)
      return 0;
    size = std::max(size, interval.upper);
  }
  return size;
}

/// Imports intervals of positions as data, with a mark for each position. Called if there are too many intervals for a
/// conjunction each.
FailureOr<Set> PatternImporter::importIntervals(ArrayRef<Interval> intervals, int64_t mod, AffineExpr image,
                                                bool isRow) {
  AffineExpr place = mod > 0 ? image % mod : image;
  return pairsOf(numbersOf(marksOf(mod > 0 ? mod : ::sizeOf(intervals), intervals), place, isRow));
}

/// Imports global tokens as data, with a mark for each position. Negative positions count from the end.
FailureOr<Set> PatternImporter::importGlobal(GlobalPatternAttr global, const Images &images) {
  SmallVector<Interval> first, last;
  for (int64_t position : global.getPositions())
    if (position >= 0)
      first.push_back({position, position + 1});
    else
      last.push_back({-1 - position, -position});
  Set result;
  for (AffineExpr image : {images[kQuery], images[kKey]})
    for (bool isFirst : {true, false}) {
      ArrayRef<Interval> listed = isFirst ? first : last;
      if (listed.empty())
        continue;
      AffineExpr place = isFirst ? image : images[kNumKeys] - 1 - image;
      FailureOr<Set> pairs = importIntervals(listed, 0, place, /*isRow=*/image == images[kQuery]);
      if (failed(pairs))
        return failure();
      llvm::append_range(result, *pairs);
    }
  return result;
}

bool mlir::xf::pattern::isLongList(xf::Pattern pattern) {
  constexpr size_t few = 24;                      // conjunctions, each of which is evaluated for every pair
  constexpr int64_t mostMarks = int64_t(1) << 20; // else the pattern is refused for its many conjunctions
  int64_t size = llvm::TypeSwitch<Attribute, int64_t>(pattern)
                     .Case<KeysPatternAttr, QueriesPatternAttr>([](auto listed) {
                       return listed.getMod() > 0 ? listed.getMod() : ::sizeOf(listed.getIntervals());
                     })
                     .Case([](GlobalPatternAttr global) {
                       int64_t size = 1;
                       for (int64_t position : global.getPositions())
                         size = std::max(size, position < 0 ? -position : position + 1);
                       return size;
                     })
                     .Default(int64_t(0));
  SmallVector<IntegerSet> sets;
  return size > 0 && size <= mostMarks && succeeded(pattern.getConjunctions(sets)) && sets.size() > few;
}

/// Imports a permuted pattern, restricted to the tokens that the permutation's table contains.
FailureOr<Set> PatternImporter::importPermute(PermutePatternAttr permute, Images images) {
  int64_t size = permute.getTable().size();
  AffineExpr positions[] = {images[kQuery], images[kKey]};
  images[kQuery] = datum(numbersOf(permute.getTable(), positions[0], /*isRow=*/true));
  images[kKey] = datum(numbersOf(permute.getTable(), positions[1], /*isRow=*/false));
  FailureOr<Set> set = import(permute.getOf(), images);
  if (failed(set))
    return failure();
  Set within;
  for (Conjunction &conjunction : *set) {
    for (AffineExpr position : positions)
      if (failed(addConstraint(conjunction, position, /*isEquality=*/false)) ||
          failed(addConstraint(conjunction, size - 1 - position, /*isEquality=*/false)))
        return failure();
    if (!prover.isEmpty(conjunction))
      within.push_back(conjunction);
  }
  return within;
}

FailureOr<Set> PatternImporter::importRandom(RandomPatternAttr random, const Images &images) {
  if (random.getCount() == 0)
    return Set{};
  if (failed(expectStaticCall(random)))
    return failure();
  KeyRange rows = rowsOf(images);
  StaticCall drawn{sizeOf(images[kNumQueries]), sizeOf(images[kNumKeys]), call->numHeads};
  FailureOr<DrawnLists> lists = drawLists(random, rows, drawn, emitError);
  if (failed(lists))
    return failure();
  auto asked = DatumAttr::get(random.getContext(), DatumSource::k_lists, rowMap(images[kQuery] - rows.lower),
                              columnMap(images[kKey]), {}, lists->offsets, lists->columns, call->numHeads);
  FailureOr<Set> pairs = pairsOf(asked);
  if (failed(pairs) || !random.getOutside())
    return pairs;
  FailureOr<Set> outside = import(random.getOutside(), images);
  if (failed(outside))
    return failure();
  avoided[llvm::find(data, asked) - data.begin()] = *outside;
  return pairs;
}

/// Returns four patterns: queries in the first `count` blocks, queries in the last `count` blocks, keys in the first
/// `count` blocks, and keys in the last `count` blocks. Queries before the first key are in none of these blocks.
static SmallVector<xf::Pattern, 4> endsOf(int64_t count, MLIRContext *context) {
  SmallVector<xf::Pattern, 4> ends;
  AffineExpr numKeys = getAffineSymbolExpr(1, context);
  for (unsigned axis : {kQuery, kKey}) {
    AffineExpr block = getAffineDimExpr(axis, context);
    AffineExpr first[] = {block, count - 1 - block}, last[] = {block, block - numKeys + count};
    for (ArrayRef<AffineExpr> constraints : {ArrayRef(first), ArrayRef(last)})
      ends.push_back(AffinePatternAttr::get(context, IntegerSet::get(2, 2, constraints, {false, false})));
  }
  return ends;
}

/// Returns BigBird's pattern over blocks: a window, global blocks, and random blocks that are in neither of them.
static xf::Pattern blocksOf(BigBirdPatternAttr bigbird) {
  MLIRContext *context = bigbird.getContext();
  int64_t reach = bigbird.getWindow() / 2;
  SmallVector<xf::Pattern, 6> members = {WindowPatternAttr::get(context, Bound(reach), Bound(reach))};
  if (bigbird.getGlobal() > 0)
    llvm::append_range(members, endsOf(bigbird.getGlobal(), context));
  if (bigbird.getRandom() > 0) {
    auto fixed = UnionPatternAttr::get(context, members);
    members.push_back(RandomPatternAttr::get(context, bigbird.getRandom(), bigbird.getSeed(), fixed));
  }
  return UnionPatternAttr::get(context, members);
}

/// Imports BigBird's pattern of blocks, or all pairs if there are few blocks. If the number of keys is dynamic, the
/// result is a union that also has all pairs under the condition that there are few keys.
FailureOr<Set> PatternImporter::importBigBird(BigBirdPatternAttr bigbird, const Images &images) {
  if (bigbird.getRandom() > 0 && failed(expectStaticCall(bigbird)))
    return failure();
  MLIRContext *context = bigbird.getContext();
  int64_t block = bigbird.getBlock(), few = (bigbird.getRandom() + 4) * block;
  xf::Pattern dense = DensePatternAttr::get(context);
  if (call && sizeOf(images[kNumKeys]) <= few)
    return import(dense, images);
  FailureOr<Set> blocks = importBlocks(blocksOf(bigbird), block, images);
  if (failed(blocks) || call)
    return blocks;
  AffineExpr isFew = few - getAffineSymbolExpr(1, context);
  xf::Pattern small = AffinePatternAttr::get(context, IntegerSet::get(2, 2, isFew, false));
  FailureOr<Set> all = import(small, images);
  if (failed(all))
    return failure();
  llvm::append_range(*blocks, *all);
  return blocks;
}
