//===- AttendTiles.cpp - Attention with a predicate, tile by tile ---------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computes P and P V of a key block tile by tile, where a predicate decides which pairs are visible. GroupTiles decides
// the state of each tile and stores it. The product with V reads the states, and skips tiles without visible pairs.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Attend/AttendKernel.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

/// Computes P of a tile. With `isMasked`, the masks stored in `tiles` select the visible pairs; otherwise all pairs of
/// the tile are visible. Returns whether a score of -inf masks some pair (i1). Returns null for ops without a score
/// region and for linear attention.
static Value tileScores(AttendKernel &k, const PieceValues &piece, GroupTiles &tiles, RegisterTile shape, Value column,
                        bool isMasked) {
  KernelBuilder &kb = k.kb;
  auto scores = [&] { return buildTileScores(k, piece, shape, tiles.row, tiles.keyBlock, column); };
  SmallVector<Value> visible;
  if (isMasked)
    visible =
        shape.fill([&](int64_t n, int64_t c) { return tiles.loadVisible(kb.integer(n), kb.add(column, c * k.lanes)); });
  return buildProbabilities(k, shape, scores, tiles.row, tiles.begin(), column, visible);
}

/// Computes P of all tiles of a key block that have visible pairs. Afterwards, the stored state of a tile tells how to
/// multiply P of the tile with V. Some: the product must leave out masked pairs, since their values may not be finite.
/// All: the product may include all pairs.
static void tiledScores(AttendKernel &k, const PieceValues &piece, GroupTiles &tiles, Value hasFinite) {
  KernelBuilder &kb = k.kb;
  kb.loop(tiles.begin(), tiles.range.end, k.width(), [&](Value column) {
    Value state = tiles.classify(column);
    kb.ifThen(tiles.isState(state, TileState::Some), [&] {
      tiles.forSome(column, [&](RegisterTile shape, Value column) {
        tileScores(k, piece, tiles, shape, column, /*isMasked=*/true);
      });
      std::pair<Value, Value> seen = {tiles.load(column, GroupTiles::Begin), tiles.load(column, GroupTiles::End)};
      Value needsNoCare = hasFinite ? hasFinite : buildHasFiniteValues(k, piece, tiles.keyBlock, {seen});
      kb.ifThen(needsNoCare, [&] { tiles.storeState(column, TileState::All); });
    });
    kb.ifThen(tiles.isState(state, TileState::All), [&] {
      Value hides = tileScores(k, piece, tiles, tiles.shape(), column, /*isMasked=*/false);
      if (k.pairs.dropout)
        hides = kb.constant(kb.b.getBoolAttr(true));
      if (hides)
        kb.ifThen(kb.select(hasFinite, kb.constant(kb.b.getBoolAttr(false)), hides),
                  [&] { tiles.storeState(column, TileState::Some); });
    });
  });
}

void cpu::buildTiles(AttendKernel &k, const PieceValues &piece, Value row, Value keyBlock, const ColumnRange &range,
                     Value hasFinite) {
  KernelBuilder &kb = k.kb;
  GroupTiles tiles{k, k.pairs.predicate, piece.rowBounds, k.buffers.tileStates, k.buffers.masks, row, keyBlock, range};
  tiledScores(k, piece, tiles, hasFinite);
  buildValues(k, piece, row, keyBlock, [&](ValueRange sums, ValueSums careful, ValueSums whole) {
    return kb.loop(tiles.begin(), range.end, k.width(), sums, [&](Value column, ValueRange sums) {
      Value state = tiles.load(column, GroupTiles::State);
      Value begin = k.firstTerm(tiles.load(column, GroupTiles::Begin));
      Value end = k.lastTerm(tiles.load(column, GroupTiles::End));
      SmallVector<Type> types(sums.getTypes());
      auto some = [&] { return careful(sums, begin, end); };
      auto all = [&] { return whole(sums, begin, end); };
      auto none = [&] { return SmallVector<Value>(sums); };
      return kb.ifElse(tiles.isState(state, TileState::Some), types, some,
                       [&] { return kb.ifElse(tiles.isState(state, TileState::All), types, all, none); });
    });
  });
}
