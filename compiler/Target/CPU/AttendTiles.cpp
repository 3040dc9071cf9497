//===- AttendTiles.cpp - Patterns that are decided tile by tile -----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Scores and values of the tiles that GroupTiles.h decides on. The states of a key block's tiles are kept for the
// product with V, which skips what the scores skipped.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/AttendKernel.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

/// P of a tile of which all pairs, or those of the stored masks, belong to the pattern.
static void tileScores(AttendKernel &k, const PieceValues &piece, GroupTiles &tiles, Value column, bool isMasked) {
  KernelBuilder &kb = k.kb;
  RegisterTile shape = tiles.shape();
  SmallVector<Value> scores = buildTileScores(k, piece, shape, tiles.row, tiles.keyBlock, column), visible;
  if (isMasked)
    visible =
        shape.fill([&](int64_t n, int64_t c) { return tiles.loadVisible(kb.integer(n), kb.add(column, c * k.lanes)); });
  if (Value hides = buildProbabilities(k, shape, scores, tiles.row, tiles.begin(), column, visible))
    kb.ifThen(hides, [&] { tiles.storeState(column, TileState::Some); });
}

/// Scores of all tiles of the block that have pairs.
static void tiledScores(AttendKernel &k, const PieceValues &piece, GroupTiles &tiles) {
  KernelBuilder &kb = k.kb;
  kb.loop(tiles.begin(), tiles.range.end, k.width(), [&](Value column) {
    Value state = tiles.classify(column);
    kb.ifThen(tiles.isState(state, TileState::Some), [&] { tileScores(k, piece, tiles, column, /*isMasked=*/true); });
    kb.ifThen(tiles.isState(state, TileState::All), [&] { tileScores(k, piece, tiles, column, /*isMasked=*/false); });
  });
}

void cpu::buildTiles(AttendKernel &k, const PieceValues &piece, Value row, Value keyBlock, const ColumnRange &range,
                     Value hasFinite) {
  KernelBuilder &kb = k.kb;
  GroupTiles tiles{k, k.predicate, piece.rowBounds, k.tileStates, k.p, row, keyBlock, range};
  tiledScores(k, piece, tiles);
  buildValues(k, piece, row, keyBlock, [&](ValueRange sums, ValueSums careful, ValueSums whole) {
    return kb.loop(tiles.begin(), range.end, k.width(), sums, [&](Value column, ValueRange sums) {
      Value state = tiles.loadState(column), end = kb.min(kb.add(column, k.width()), range.end);
      Value begin = kb.max(column, range.begin);
      if (k.dropout) // hides pairs of whole tiles too
        state = kb.min(state, kb.integer(static_cast<int64_t>(TileState::Some)));
      Value needsNoCare = arith::AndIOp::create(kb.b, kb.loc, hasFinite, tiles.isState(state, TileState::Some));
      state = kb.select(needsNoCare, kb.integer(static_cast<int64_t>(TileState::All)), state);
      SmallVector<Type> types(sums.getTypes());
      auto some = [&] { return careful(sums, begin, end); };
      auto all = [&] { return whole(sums, begin, end); };
      auto none = [&] { return SmallVector<Value>(sums); };
      return kb.ifElse(tiles.isState(state, TileState::Some), types, some,
                       [&] { return kb.ifElse(tiles.isState(state, TileState::All), types, all, none); });
    });
  });
}
