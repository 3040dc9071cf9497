//===- SolutionPairs.cpp - Solutions by their definition ------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SolutionPairs.h"

using namespace mlir;
using namespace mlir::xf;
using namespace xftest;

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

/// Whether some a has x(r, a) = x.
static bool reaches(IndexMapAttr map, int64_t r, int64_t x) {
  int64_t start =
      map.getOffset() + map.getCell() * remainder(map.getMultiplier() * r + map.getShift(), map.getResidues());
  return remainder(x - start, map.getPeriod()) < map.getWidth();
}

static SmallVector<int64_t> symbolsOf(const PatternCall &call) {
  SmallVector<int64_t> symbols = {call.numQueries, call.numKeys};
  symbols.append(call.symbols.begin(), call.symbols.end());
  return symbols;
}

static SmallVector<int64_t, 2> valuesOf(AffineMap map, int64_t x, const PatternCall &call) {
  SmallVector<int64_t, 2> values;
  if (map)
    for (AffineExpr result : map.getResults())
      values.push_back(evaluate(result, x, symbolsOf(call)));
  return values;
}

namespace {
/// The maps of one direction of a piece: from an index on one axis to those that it sees on the other one.
struct Direction {
  IndexMapAttr from, to;
  AffineMap lower, upper, conditions;
  int64_t begin, end, otherBegin, otherEnd;
};
} // namespace

static Direction directionOf(PieceAttr piece, const PatternCall &call, bool inverse) {
  int64_t first = call.numKeys - call.numQueries;
  if (inverse)
    return {piece.getKeys(),       piece.getQueries(),
            piece.getQueryLower(), piece.getQueryUpper(),
            piece.getColumns(),    0,
            call.numKeys,          first,
            call.numKeys};
  return {piece.getQueries(), piece.getKeys(), piece.getLower(), piece.getUpper(),
          piece.getRows(),    first,           call.numKeys,     0,
          call.numKeys};
}

static void visitPairs(PieceAttr piece, const PatternCall &call, bool inverse,
                       function_ref<void(int64_t x, int64_t y)> visit) {
  Direction d = directionOf(piece, call, inverse);
  for (int64_t x = d.begin; x < d.end; ++x) {
    if (llvm::any_of(valuesOf(d.conditions, x, call), [](int64_t value) { return value < 0; }))
      continue;
    int64_t lower = d.otherBegin, upper = d.otherEnd - 1;
    for (int64_t bound : valuesOf(d.lower, x, call))
      lower = std::max(lower, bound);
    for (int64_t bound : valuesOf(d.upper, x, call))
      upper = std::min(upper, bound);
    for (int64_t r = 0; r < piece.getResidues() && lower <= upper; ++r)
      for (int64_t y = lower; y <= upper && reaches(d.from, r, x); ++y)
        if (reaches(d.to, r, y))
          visit(x, y);
  }
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

static int64_t elementAt(ArrayRef<int64_t> elements, int64_t place) {
  return place >= 0 && place < int64_t(elements.size()) ? elements[place] : -1;
}

static int64_t elementAt(DenseIntElementsAttr elements, int64_t place) {
  return (*(elements.getValues<APInt>().begin() + place)).getSExtValue();
}

/// Whether list x of the head has y.
static bool isListed(DatumAttr datum, int64_t x, int64_t y, int64_t head) {
  int64_t rows = (datum.getOffsets().getNumElements() - 1) / datum.getHeads();
  if (x < 0 || x >= rows)
    return false;
  int64_t list = head % datum.getHeads() * rows + x;
  for (int64_t n = elementAt(datum.getOffsets(), list); n < elementAt(datum.getOffsets(), list + 1); ++n)
    if (elementAt(datum.getColumns(), n) == y)
      return true;
  return false;
}

static int64_t valueOf(DatumAttr datum, int64_t i, int64_t j, ArrayRef<int64_t> symbols, const PatternCall &call) {
  int64_t x = datum.getRow() ? evaluate(datum.getRow().getResult(0), i, symbols) : 0;
  int64_t y = datum.getColumn() ? evaluate(datum.getColumn().getResult(0), j, symbols) : 0;
  switch (datum.getSource()) {
  case DatumSource::k_segments:
    return datum.getRow() ? elementAt(call.querySegments, x) : elementAt(call.keySegments, y);
  case DatumSource::k_numbers:
    return elementAt(datum.getNumbers(), datum.getRow() ? x : y);
  case DatumSource::k_table:
    return x >= 0 && x < int64_t(call.table.size()) && llvm::is_contained(call.table[x], y);
  case DatumSource::k_lists:
    return isListed(datum, x, y, call.head);
  }
  llvm_unreachable("expected a source of data");
}

static bool contains(TilesAttr tiles, int64_t i, int64_t j, const PatternCall &call) {
  SmallVector<int64_t> symbols = symbolsOf(call);
  if (!tiles.getData().empty())
    symbols.resize(tiles.getSymbol(0), 0);
  for (DatumAttr datum : tiles.getData())
    symbols.push_back(valueOf(datum, i, j, symbols, call));
  auto holds = [&](auto constraint) {
    int64_t value = evaluate(std::get<0>(constraint), {i, j}, symbols);
    return std::get<1>(constraint) ? value == 0 : value >= 0;
  };
  return llvm::any_of(tiles.getConjunctions(), [&](IntegerSet set) {
    return llvm::all_of(llvm::zip(set.getConstraints(), set.getEqFlags()), holds);
  });
}

//===----------------------------------------------------------------------===//
// Solutions
//===----------------------------------------------------------------------===//

SmallVector<int> xftest::coverOf(SolutionAttr solution, const PatternCall &call, bool inverse) {
  int64_t first = call.numKeys - call.numQueries;
  SmallVector<int> cover(call.numQueries * call.numKeys, 0);
  for (PieceAttr piece : solution.getPieces()) {
    bool isInverse = inverse && piece.getHasInverse();
    visitPairs(piece, call, isInverse, [&](int64_t x, int64_t y) {
      ++cover[isInverse ? (y - first) * call.numKeys + x : (x - first) * call.numKeys + y];
    });
  }
  if (TilesAttr tiles = solution.getTiles())
    for (int64_t pair = 0; pair < int64_t(cover.size()); ++pair)
      cover[pair] += ::contains(tiles, first + pair / call.numKeys, pair % call.numKeys, call);
  return cover;
}

/// Whether every result of the maps is non-decreasing on [begin, end).
static bool isMonotone(ArrayRef<AffineMap> maps, int64_t begin, int64_t end, const PatternCall &call) {
  for (AffineMap map : maps)
    for (int64_t x = begin; x + 1 < end; ++x)
      for (auto [value, next] : llvm::zip(valuesOf(map, x, call), valuesOf(map, x + 1, call)))
        if (value > next)
          return false;
  return true;
}

/// Whether no index of [begin, end) belongs to two residues.
static bool isDisjoint(IndexMapAttr map, int64_t residues, int64_t begin, int64_t end) {
  for (int64_t x = begin; x < end; ++x) {
    int64_t found = 0;
    for (int64_t r = 0; r < residues; ++r)
      found += reaches(map, r, x);
    if (found > 1)
      return false;
  }
  return true;
}

std::string xftest::checkFlags(PieceAttr piece, const PatternCall &call) {
  int64_t first = call.numKeys - call.numQueries;
  if (piece.getMonotone() && (!isMonotone({piece.getLower(), piece.getUpper()}, first, call.numKeys, call) ||
                              !isMonotone({piece.getQueryLower(), piece.getQueryUpper()}, 0, call.numKeys, call)))
    return "claim of monotone bounds";
  if (piece.getKeysDisjoint() && !isDisjoint(piece.getKeys(), piece.getResidues(), 0, call.numKeys))
    return "claim of disjoint keys";
  if (piece.getQueriesDisjoint() && !isDisjoint(piece.getQueries(), piece.getResidues(), first, call.numKeys))
    return "claim of disjoint queries";
  return "";
}
