//===- Count.cpp - The number of pairs of a solution ----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Pattern/Count/Count.h"
#include "compiler/Pattern/Set/BoxCounter.h"
#include "dialects/xf/Pieces/XfPieceNumbers.h"
#include "runtime/pieces/Work.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::pattern;

static constexpr int64_t maxSize = int64_t(1) << 20, maxQuestions = int64_t(1) << 18;

static bool isCountable(const CallSizes &sizes) {
  return sizes.numQueries >= 0 && sizes.numKeys >= 0 && sizes.numQueries <= maxSize && sizes.numKeys <= maxSize &&
         llvm::all_of(sizes.symbols, [](int64_t symbol) { return std::abs(symbol) <= maxSize; });
}

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

/// Calls visit(r, a, begin, end) for every row of `piece`, residue by residue in ascending rank. r is the residue and a
/// the rank of the row. The row sees the keys of ranks begin to end - 1 in residue r.
static void visitRows(PieceAttr piece, const CallSizes &sizes,
                      function_ref<void(int64_t r, int64_t a, int64_t begin, int64_t end)> visit) {
  std::optional<SizedPiece> keysOf = SizedPiece::make(piece, sizes.numQueries, sizes.numKeys, sizes.symbols);
  IndexMapAttr queries = piece.getQueries(), keys = piece.getKeys();
  for (int64_t r = 0; keysOf && r < piece.getResidues(); ++r)
    for (int64_t a = queries.rank(r, sizes.numKeys - sizes.numQueries), last = queries.rank(r, sizes.numKeys); a < last;
         ++a) {
      xfrt::KeyRun seen = (*keysOf)(queries.at(r, a));
      int64_t begin = keys.rank(r, seen.begin);
      visit(r, a, begin, std::max(begin, keys.rank(r, std::max(seen.begin, seen.end))));
    }
}

void mlir::xf::pattern::visitTiles(PieceAttr piece, const CallSizes &sizes, int64_t tileRows, int64_t tileColumns,
                                   function_ref<void(const ExecutedTile &)> visit) {
  ExecutedTile tile{-1, 0, 0, 0, 0};
  auto finishTile = [&] {
    if (tile.begin < tile.end) {
      tile.begin = llvm::alignDown(tile.begin, tileColumns);
      tile.end = llvm::alignTo(tile.end, tileColumns);
      visit(tile);
    }
  };
  visitRows(piece, sizes, [&](int64_t r, int64_t a, int64_t rowBegin, int64_t rowEnd) {
    if (r != tile.residue || tile.numRows == tileRows) {
      finishTile();
      tile = {r, a, 0, 0, 0};
    }
    ++tile.numRows;
    if (rowBegin == rowEnd)
      return;
    bool isFirst = tile.begin == tile.end;
    tile.begin = isFirst ? rowBegin : std::min(tile.begin, rowBegin);
    tile.end = isFirst ? rowEnd : std::max(tile.end, rowEnd);
  });
  finishTile();
}

/// Counts the pairs of a piece, and the pairs that its tiles compute. Returns nullopt if a number of the piece or a
/// count is out of range.
static std::optional<xfrt::Work> countWork(PieceAttr piece, const CallSizes &sizes, xfrt::WorkTile tile = {}) {
  std::optional<SizedPiece> sized = SizedPiece::make(piece, sizes.numQueries, sizes.numKeys, sizes.symbols);
  constexpr int64_t anyGroups = std::numeric_limits<int64_t>::max();
  xfrt::KeyRun rows = {sizes.numKeys - sizes.numQueries, sizes.numKeys};
  xfrt::Work work;
  if (!sized || !xfrt::addWork(sized->piece(), sized->sizes(), rows, tile, anyGroups, work))
    return std::nullopt;
  return work;
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

bool mlir::xf::pattern::isPerHead(SolutionAttr solution) {
  TilesAttr tiles = solution.getTiles();
  return tiles && llvm::any_of(tiles.getData(), [](DatumAttr datum) { return datum.getHeads() > 1; });
}

static std::optional<int64_t> countTiles(TilesAttr tiles, const CallSizes &sizes) {
  if (!tiles.isStatic())
    return std::nullopt;
  PairPredicate predicate(tiles, sizes.numQueries, sizes.numKeys, sizes.symbols, sizes.head);
  int64_t budget = maxQuestions;
  KeyRange positions = {sizes.numKeys - sizes.numQueries, sizes.numKeys - 1}, keys = {0, sizes.numKeys - 1};
  return BoxCounter(predicate, budget).count(positions, keys);
}

namespace {
/// Counts the tiles that contain a pair of a predicate.
struct TileCounter {
  const PairPredicate &predicate;
  int64_t tileRows, tileColumns;
  int64_t budget = maxQuestions, tiles = 0;

  /// Adds the tiles of the box `rows` x `keys`. Halves the box along borders of tiles until each part is decided.
  /// Returns false if this examines more than `budget` boxes.
  bool add(KeyRange rows, KeyRange keys);
};
} // namespace

bool TileCounter::add(KeyRange rows, KeyRange keys) {
  int64_t down = llvm::divideCeil(rows.upper - rows.lower + 1, tileRows);
  int64_t across = llvm::divideCeil(keys.upper - keys.lower + 1, tileColumns);
  if (rows.lower > rows.upper || keys.lower > keys.upper)
    return true;
  if (down == 1 && across == 1) {
    std::optional<bool> has = predicate.hasPair(rows, keys, budget);
    tiles += has.value_or(false);
    return has.has_value();
  }
  if (--budget < 0)
    return false;
  PairPredicate::Share share = predicate.decide(rows, keys);
  if (share != PairPredicate::Share::Some) {
    tiles += share == PairPredicate::Share::All ? down * across : 0;
    return true;
  }
  if (down * tileRows > across * tileColumns && down > 1) {
    int64_t middle = rows.lower + down / 2 * tileRows;
    return add({rows.lower, middle - 1}, keys) && add({middle, rows.upper}, keys);
  }
  if (across == 1) {
    int64_t middle = rows.lower + down / 2 * tileRows;
    return add({rows.lower, middle - 1}, keys) && add({middle, rows.upper}, keys);
  }
  int64_t middle = keys.lower + across / 2 * tileColumns;
  return add(rows, {keys.lower, middle - 1}) && add(rows, {middle, keys.upper});
}

/// Counts the pairs that tiles of the predicate compute. A tile that contains a pair of the pattern is computed as a
/// whole, and any other tile is not computed. Returns nullopt if the predicate reads data that are operands of the
/// call, or if too many boxes would have to be examined.
static std::optional<int64_t> countExecutedTiles(TilesAttr tiles, const CallSizes &sizes, int64_t tileRows,
                                                 int64_t tileColumns) {
  if (!tiles.isStatic())
    return std::nullopt;
  PairPredicate predicate(tiles, sizes.numQueries, sizes.numKeys, sizes.symbols, sizes.head);
  TileCounter counter{predicate, tileRows, tileColumns};
  bool known = counter.add({sizes.numKeys - sizes.numQueries, sizes.numKeys - 1}, {0, sizes.numKeys - 1});
  return known ? std::optional(counter.tiles * tileRows * tileColumns) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Counts
//===----------------------------------------------------------------------===//

std::optional<int64_t> mlir::xf::pattern::countPairs(SolutionAttr solution, const CallSizes &sizes) {
  if (!isCountable(sizes))
    return std::nullopt;
  int64_t pairs = 0;
  if (TilesAttr tiles = solution.getTiles()) {
    std::optional<int64_t> rest = countTiles(tiles, sizes);
    if (!rest)
      return std::nullopt;
    pairs = *rest;
  }
  for (PieceAttr piece : solution.getPieces()) {
    std::optional<xfrt::Work> work = countWork(piece, sizes);
    if (!work)
      return std::nullopt;
    pairs += work->pairs;
  }
  return pairs;
}

std::optional<int64_t> mlir::xf::pattern::countExecutedPairs(SolutionAttr solution, const CallSizes &sizes,
                                                             int64_t tileRows, int64_t tileColumns,
                                                             int64_t predicateColumns, TileOfPiece tileOf) {
  if (!isCountable(sizes))
    return std::nullopt;
  int64_t executed = 0;
  if (TilesAttr tiles = solution.getTiles()) {
    std::optional<int64_t> rest =
        countExecutedTiles(tiles, sizes, tileRows, predicateColumns ? predicateColumns : tileColumns);
    if (!rest)
      return std::nullopt;
    executed = *rest;
  }
  for (PieceAttr piece : solution.getPieces()) {
    auto own = tileOf ? tileOf(piece) : std::nullopt;
    std::optional<xfrt::Work> work =
        countWork(piece, sizes, {own ? own->first : tileRows, own ? own->second : tileColumns});
    if (!work)
      return std::nullopt;
    executed += work->executed;
  }
  return executed;
}
