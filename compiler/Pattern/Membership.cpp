//===- Membership.cpp - Which pairs a solution has ------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Pattern/Membership.h"
#include "compiler/Pattern/Set/PairPredicate.h"
#include "dialects/xf/Pieces/XfPieceNumbers.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::pattern;

/// Calls `visit` with the positions in `run` that residue r of `map` has, in ascending order.
static void visitIndices(IndexMapAttr map, int64_t r, xfrt::KeyRun run, function_ref<void(int64_t)> visit) {
  if (run.isEmpty())
    return;
  for (int64_t a = map.rank(r, run.begin), end = map.rank(r, run.end); a < end; ++a)
    visit(map.at(r, a));
}

/// Calls visit(row, key) with the pairs of one piece: query by query if `isForward`, otherwise key by key.
static void visitPiece(PieceAttr piece, const CallSizes &sizes, bool isForward,
                       function_ref<void(int64_t row, int64_t key)> visit) {
  int64_t first = sizes.numKeys - sizes.numQueries;
  std::optional<SizedPiece> seen = SizedPiece::make(piece, sizes.numQueries, sizes.numKeys, sizes.symbols,
                                                    isForward ? PieceSide::KeysOfQueries : PieceSide::QueriesOfKeys);
  IndexMapAttr outer = isForward ? piece.getQueries() : piece.getKeys();
  IndexMapAttr inner = isForward ? piece.getKeys() : piece.getQueries();
  for (int64_t r = 0; seen && r < piece.getResidues(); ++r)
    visitIndices(outer, r, {isForward ? first : 0, sizes.numKeys}, [&](int64_t x) {
      visitIndices(inner, r, (*seen)(x), [&](int64_t y) { isForward ? visit(x - first, y) : visit(y - first, x); });
    });
}

void mlir::xf::pattern::visitPairs(SolutionAttr solution, const CallSizes &sizes, bool inverse,
                                   function_ref<void(int64_t row, int64_t key, unsigned piece)> visit) {
  int64_t numQueries = sizes.numQueries, numKeys = sizes.numKeys;
  if (TilesAttr tiles = solution.getTiles(); tiles && tiles.isStatic()) {
    PairPredicate predicate(tiles, numQueries, numKeys, sizes.symbols, sizes.head);
    for (int64_t pair = 0; pair < numQueries * numKeys; ++pair)
      if (predicate.contains(numKeys - numQueries + pair / numKeys, pair % numKeys))
        visit(pair / numKeys, pair % numKeys, solution.getPieces().size());
  }
  for (auto [number, piece] : llvm::enumerate(solution.getPieces()))
    visitPiece(piece, sizes, /*isForward=*/!inverse || !piece.getHasInverse(),
               [&, number = number](int64_t row, int64_t key) { visit(row, key, number); });
}

SmallVector<int> mlir::xf::pattern::countCover(SolutionAttr solution, const CallSizes &sizes, bool inverse) {
  SmallVector<int> cover(sizes.numQueries * sizes.numKeys, 0);
  visitPairs(solution, sizes, inverse, [&](int64_t row, int64_t key, unsigned) { ++cover[row * sizes.numKeys + key]; });
  return cover;
}

bool mlir::xf::pattern::isSolutionOf(SolutionAttr solution, const Set &set, int64_t numQueries, int64_t numKeys) {
  SmallVector<int64_t> symbols(set.empty() ? 0 : set.front().getNumVariables() - kFirstSymbol, 3);
  for (bool inverse : {false, true}) {
    SmallVector<int> cover = countCover(solution, {numQueries, numKeys, {symbols.begin(), symbols.end()}}, inverse);
    for (int64_t row = 0; row < numQueries; ++row)
      for (int64_t j = 0; j < numKeys; ++j) {
        SmallVector<int64_t, 16> values = {row + numKeys - numQueries, j, numQueries, numKeys};
        values.append(symbols);
        bool isMember = llvm::any_of(set, [&](const Conjunction &part) {
          SmallVector<int64_t, 16> point = values;
          return part.contains(point);
        });
        if (cover[row * numKeys + j] != int(isMember))
          return false;
      }
  }
  return true;
}
