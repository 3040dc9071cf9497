//===- AttendTiles.cpp - Patterns that are decided tile by tile -----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A predicate says which pairs of a group of rows and a tile of keys there are: none, all, or some. Interval arithmetic
// on the tile decides where it can; else the predicate is evaluated pair by pair, and its masks lie where P will. The
// states of a key block's tiles are kept for the product with V, which skips what the scores skipped.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/AttendKernel.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

static constexpr auto sle = arith::CmpIPredicate::sle;

namespace {
/// What a tile holds of the pattern, in its state.
enum TileState : int64_t { None, Some, All };

/// The tiles of a group of rows and a key block.
struct GroupTiles {
  AttendKernel &k;
  KernelBuilder &kb;
  const PieceValues &piece;
  Value row, keyBlock;
  ColumnRange range;
  Value first; ///< column of the first tile

  RegisterTile shape() const { return {k.tileRows, k.tileRegisters}; }
  Value stateOf(Value column) { return kb.at(kb.i64(), k.tileStates, kb.floorDiv(column, k.width())); }
  Value loadState(Value column) { return kb.load(kb.i64(), stateOf(column)); }
  Value slot(Value n, Value column, int64_t c) {
    return kb.at(k.real, kb.at(k.real, kb.at(k.real, k.p, column), kb.mul(n, k.blockKeys)), c * k.lanes);
  }
  Value isState(Value state, TileState which) {
    return kb.compare(arith::CmpIPredicate::eq, state, kb.integer(which));
  }

  Value positionOf(Value row) { return kb.add(k.rowIndex(row), kb.sub(k.nk, k.nq)); }

  /// By interval arithmetic; lengths make a tile partial.
  Value decide(Value column) {
    TilePredicate::Interval positions{positionOf(row), positionOf(kb.add(row, k.tileRows - 1))};
    Value first = kb.add(keyBlock, column), end = kb.add(column, k.width());
    auto decision = k.predicate.decide(kb, positions, {first, kb.add(first, k.width() - 1)});
    Value begins = kb.compare(sle, range.commonBegin, column), ends = kb.compare(sle, end, range.commonEnd);
    Value isFull = arith::AndIOp::create(kb.b, kb.loc, decision.isFull,
                                         arith::AndIOp::create(kb.b, kb.loc, begins, ends).getResult());
    return kb.select(decision.isEmpty, kb.integer(None), kb.select(isFull, kb.integer(All), kb.integer(Some)));
  }

  /// Stores the masks of a tile, all bits or none; returns its state.
  Value evaluate(Value column) {
    VectorType bits = kb.vector(k.integer, k.lanes);
    auto build = [&](int64_t indexLimit) {
      return kb.loop(kb.integer(0), kb.integer(k.tileRows), 1, kb.integerOf(bits, 0), [&](Value n, ValueRange any) {
        Value one = kb.add(row, n), sum = any[0];
        for (int64_t c = 0; c < k.tileRegisters; ++c) {
          Value key = kb.add(keyBlock, kb.add(column, c * k.lanes));
          Value holds = k.predicate.evaluate(k, positionOf(one), key, indexLimit);
          Value visible = arith::AndIOp::create(kb.b, kb.loc, holds, buildVisible(k, piece.rowBounds, one, key));
          Value mask = arith::ExtSIOp::create(kb.b, kb.loc, bits, visible);
          kb.store(mask, slot(n, column, c));
          sum = arith::OrIOp::create(kb.b, kb.loc, sum, mask);
        }
        return SmallVector<Value>{sum};
      });
    };
    Value any = k.predicate.forEachVersion(kb, Type(bits), build)[0];
    Value all = vector::ReductionOp::create(kb.b, kb.loc, vector::CombiningKind::OR, any);
    Value isEmpty = kb.compare(arith::CmpIPredicate::eq, all, kb.integerOf(k.integer, 0));
    return kb.select(isEmpty, kb.integer(None), kb.integer(Some));
  }

  /// P of a tile of which all pairs, or those of the stored masks, belong to the pattern.
  void scores(Value column, bool isMasked) {
    SmallVector<Value> scores = buildTileScores(k, piece, shape(), row, keyBlock, column), visible;
    VectorType bits = kb.vector(k.integer, k.lanes);
    for (int64_t n = 0; isMasked && n < k.tileRows; ++n)
      for (int64_t c = 0; c < k.tileRegisters; ++c) {
        Value mask = kb.load(bits, slot(kb.integer(n), column, c));
        visible.push_back(kb.compare(arith::CmpIPredicate::ne, mask, kb.integerOf(bits, 0)));
      }
    if (Value hides = buildProbabilities(k, shape(), scores, row, first, column, visible))
      kb.ifThen(hides, [&] { kb.store(kb.integer(Some), stateOf(column)); });
  }
};
} // namespace

/// Scores of all tiles of the block that have pairs.
static void tiledScores(GroupTiles &tiles) {
  KernelBuilder &kb = tiles.kb;
  AttendKernel &k = tiles.k;
  kb.loop(tiles.first, tiles.range.end, k.width(), [&](Value column) {
    Value state = tiles.decide(column);
    auto asked = [&]() -> SmallVector<Value> { return {tiles.evaluate(column)}; };
    state = kb.ifElse(tiles.isState(state, Some), kb.i64(), asked, [&]() -> SmallVector<Value> { return {state}; })[0];
    kb.store(state, tiles.stateOf(column));
    kb.ifThen(tiles.isState(state, Some), [&] { tiles.scores(column, /*isMasked=*/true); });
    kb.ifThen(tiles.isState(state, All), [&] { tiles.scores(column, /*isMasked=*/false); });
  });
}

void cpu::buildTiles(AttendKernel &k, const PieceValues &piece, Value row, Value keyBlock, const ColumnRange &range,
                     Value hasFinite) {
  KernelBuilder &kb = k.kb;
  Value first = kb.mul(kb.floorDiv(range.begin, k.width()), k.width());
  GroupTiles tiles{k, kb, piece, row, keyBlock, range, first};
  tiledScores(tiles);
  buildValues(k, piece, row, keyBlock, [&](ValueRange sums, ValueSums careful, ValueSums whole) {
    return kb.loop(first, range.end, k.width(), sums, [&](Value column, ValueRange sums) {
      Value state = tiles.loadState(column), end = kb.min(kb.add(column, k.width()), range.end);
      Value begin = kb.max(column, range.begin);
      if (k.dropout) // hides pairs of whole tiles too
        state = kb.min(state, kb.integer(Some));
      state = kb.select(arith::AndIOp::create(kb.b, kb.loc, hasFinite, tiles.isState(state, Some)), kb.integer(All), state);
      SmallVector<Type> types(sums.getTypes());
      auto some = [&] { return careful(sums, begin, end); };
      auto all = [&] { return whole(sums, begin, end); };
      auto none = [&] { return SmallVector<Value>(sums); };
      return kb.ifElse(tiles.isState(state, Some), types, some, [&] {
        return kb.ifElse(tiles.isState(state, All), types, all, none);
      });
    });
  });
}

Value cpu::buildSkipsBlock(AttendKernel &k, Value keyBlock) {
  KernelBuilder &kb = k.kb;
  Value offset = kb.sub(k.nk, k.nq);
  TilePredicate::Interval positions{kb.add(k.rowIndex(kb.integer(0)), offset),
                                    kb.add(k.rowIndex(kb.add(k.rowCount, -1)), offset)};
  return k.predicate.decide(kb, positions, {keyBlock, kb.add(keyBlock, k.blockKeys - 1)}).isEmpty;
}
