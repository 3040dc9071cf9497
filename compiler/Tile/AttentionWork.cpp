//===- AttentionWork.cpp - What kernels of attention execute --------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/AttentionWork.h"
#include "compiler/Tile/TileReasons.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::xf;

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

static int64_t evaluate(AffineExpr expression, int64_t position, ArrayRef<int64_t> symbols) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expression))
    return constant.getValue();
  if (isa<AffineDimExpr>(expression))
    return position;
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expression))
    return symbols[symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expression);
  int64_t left = evaluate(binary.getLHS(), position, symbols), right = evaluate(binary.getRHS(), position, symbols);
  switch (expression.getKind()) {
  case AffineExprKind::Add:
    return left + right;
  case AffineExprKind::Mul:
    return left * right;
  case AffineExprKind::Mod:
    return left - right * llvm::divideFloorSigned(left, right);
  case AffineExprKind::FloorDiv:
    return llvm::divideFloorSigned(left, right);
  default:
    return llvm::divideCeilSigned(left, right);
  }
}

namespace {
struct KeyRange {
  int64_t begin = 0, end = 0;
  bool isEmpty() const { return begin >= end; }
};

/// The key ranks that rows of one residue see.
struct RowBounds {
  PieceAttr piece;
  int64_t r, numKeys;
  SmallVector<int64_t, 2> symbols; ///< Nq, Nk

  int64_t fold(AffineMap map, int64_t position, int64_t start, function_ref<int64_t(int64_t, int64_t)> join) const {
    if (map)
      for (AffineExpr expression : map.getResults())
        start = join(start, evaluate(expression, position, symbols));
    return start;
  }

  KeyRange at(int64_t position) const {
    auto larger = [](int64_t x, int64_t y) { return std::max(x, y); };
    auto smaller = [](int64_t x, int64_t y) { return std::min(x, y); };
    if (fold(piece.getRows(), position, 0, smaller) < 0)
      return {};
    int64_t lower = fold(piece.getLower(), position, 0, larger);
    int64_t upper = fold(piece.getUpper(), position, numKeys - 1, smaller);
    return lower > upper ? KeyRange{} : KeyRange{piece.getKeys().rank(r, lower), piece.getKeys().rank(r, upper + 1)};
  }
};
} // namespace

static bool hasOnlySizes(AffineMap map) { return !map || map.getNumSymbols() <= 2; }

//===----------------------------------------------------------------------===//
// Work
//===----------------------------------------------------------------------===//

namespace {
/// Rows and keys that are computed together, and after how many rows tiles start anew.
struct WorkTile {
  int64_t rows, keys, block;
};
} // namespace

static void addPiece(AttentionWork &work, const RowBounds &bounds, int64_t numQueries, WorkTile tile) {
  IndexMapAttr queries = bounds.piece.getQueries();
  int64_t first = queries.rank(bounds.r, bounds.numKeys - numQueries), last = queries.rank(bounds.r, bounds.numKeys);
  for (int64_t block = first; block < last; block += tile.block)
    for (int64_t group = block, end = std::min(block + tile.block, last); group < end; group += tile.rows) {
      KeyRange seen{std::numeric_limits<int64_t>::max(), 0};
      for (int64_t row = group; row < std::min(group + tile.rows, end); ++row) {
        KeyRange range = bounds.at(queries.at(bounds.r, row));
        if (range.isEmpty())
          continue;
        work.pairs += range.end - range.begin;
        seen = {std::min(seen.begin, range.begin), std::max(seen.end, range.end)};
      }
      if (!seen.isEmpty())
        work.executedPairs += tile.rows * (llvm::alignTo(seen.end, tile.keys) - llvm::alignDown(seen.begin, tile.keys));
    }
}

std::optional<AttentionWork> xf::countWork(SolutionAttr solution, int64_t numQueries, int64_t numKeys,
                                           xft::AttendTileAttr tile, const Machine &machine, LaneTileOf lanesOf) {
  if (solution.getTiles())
    return std::nullopt;
  AttentionWork work;
  for (PieceAttr piece : solution.getPieces()) {
    if (!hasOnlySizes(piece.getLower()) || !hasOnlySizes(piece.getUpper()) || !hasOnlySizes(piece.getRows()))
      return std::nullopt;
    WorkTile chosen{tile.getRows(), wholeColumns(tile, machine), tile.getQueries()};
    if (xft::LaneTileAttr lanes = lanesOf(solution, piece))
      chosen = {lanes.getRows(), lanes.getKeys(), lanes.getQueries()};
    for (int64_t r = 0; r < piece.getResidues(); ++r)
      addPiece(work, {piece, r, numKeys, {numQueries, numKeys}}, numQueries, chosen);
  }
  return work;
}

void xf::recordAttentionWork(HostBuilder &host, ArrayRef<HeadGroup> groups, const Buffer &q, const Buffer &k,
                             xft::AttendTileAttr tile, const Machine &machine, LaneTileOf lanesOf, int64_t terms) {
  SmallVector<int64_t, 4> sizes;
  for (Size size : {q.sizes[0], q.sizes[1], q.sizes[2], k.sizes[2]}) {
    if (!HostBuilder::constant(size))
      return;
    sizes.push_back(*HostBuilder::constant(size));
  }
  for (const HeadGroup &group : groups) {
    std::optional<AttentionWork> work = countWork(group.solution, sizes[2], sizes[3], tile, machine, lanesOf);
    if (!work)
      continue;
    double heads = double(sizes[0]) * llvm::divideCeil(sizes[1] - group.first, group.step);
    host.count(2.0 * terms * heads * work->pairs, heads * work->pairs, heads * work->executedPairs);
  }
}
