//===- AttendVjpPairs.cpp - P and dS where two blocks meet ----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/GPU/AttendVjp/AttendVjpWarps.h"
#include "compiler/Target/Kernel/Code/VectorConvert.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::gpu;

static constexpr auto slt = arith::CmpIPredicate::slt;
static constexpr auto sle = arith::CmpIPredicate::sle;

/// Returns scale left right^T, for the warp's 16 rows of `left` and all rows of `right`. Both matrices have `columns`
/// columns.
static TileSums multiply(AttendVjpWarpKernel &k, const SharedMatrix &left, const SharedMatrix &right, int64_t columns,
                         double scale) {
  KernelBuilder &kb = k.kb;
  Value row = kb.mul(k.block.warp, WarpProduct::tileRows), zero = kb.integer(0);
  TileSums sums = kb.loop(zero, kb.integer(columns), k.product.terms(), k.product.zeros(k.streamed()),
                          [&](Value term, ValueRange carried) {
                            SmallVector<Value> next(carried);
                            k.product.multiply(next, k.product.loadLeft(left, row, term), right,
                                               /*isTransposed=*/true, term);
                            return next;
                          });
  if (scale != 1)
    for (Value &s : sums)
      s = kb.mulf(s, kb.real(k.real, scale));
  return sums;
}

std::pair<Value, Value> xf::gpu::loadLse(AttendVjpKernel &k, Value row) {
  KernelBuilder &kb = k.kb;
  auto part = [&](int64_t number) {
    return kb.load(k.real, k.operands.lse.at(kb, {kb.integer(number), k.b, k.h, row}));
  };
  return {part(0), part(1)};
}

/// Returns the index in q of the row to which `element` belongs, and the rank of its key.
static std::pair<Value, Value> pairOf(AttendVjpWarpKernel &k, const VjpStage &stage, const TileElement &element) {
  KernelBuilder &kb = k.kb;
  if (!k.hasKeys())
    return {kb.select(element.isUpper, k.rows.lane[0], k.rows.lane[1]), kb.add(k.keys.first, element.column)};
  Value inBlock = kb.add(kb.mul(k.block.warp, WarpProduct::tileRows), element.row);
  return {kb.load(kb.i64(), kb.at(kb.i64(), stage.numbers.rows, element.column)), kb.add(k.keys.first, inBlock)};
}

/// Applies the score region to a tile of products scale <q, k>: returns the scores s, and stores ds/d<q,k> to `factors`
/// in shared memory.
static TileSums modify(AttendVjpWarpKernel &k, const VjpStage &stage, ArrayRef<Value> products) {
  KernelBuilder &kb = k.kb;
  return forElements(k, k.buffers.scores, products, [&](const TileElement &element, Value product) {
    auto [row, rank] = pairOf(k, stage, element);
    Value position = k.positionOf(row), key = k.keys.map.at(kb, rank);
    SmallVector<Value> both =
        k.pairs.region.forEachLimit(kb, {k.real, k.real}, [&](int64_t limit) -> SmallVector<Value> {
          SmallVector<LaneValue> results =
              k.pairs.region.evaluate(k, position, LaneValue::index(key, 1, 0, limit), kb.broadcast(product, 1), limit);
          return {scalarOf(kb, asRegister(kb, results[0], 1)), scalarOf(kb, asRegister(kb, results[1], 1))};
        });
    kb.store(both[1], k.buffers.factors.at(kb, element.row, element.column));
    return both[0];
  });
}

namespace {
/// Whether a pair is visible (i1), and m, log l and delta of its row.
struct PairNumbers {
  Value isVisible, largest, logSum, delta;
};
} // namespace

/// Returns the numbers of the pair at element n of the lane's tile, on the side of rows. There, m, log l and delta are
/// in registers.
static PairNumbers numbersOfLane(KernelBuilder &kb, const LaneNumbers &lane, const LaneColumns &visible, size_t n) {
  int64_t half = n % 4 / 2;
  return {visible.has(kb, n), lane.largest[half], lane.logSum[half], lane.delta[half]};
}

/// Returns the numbers of the pair at element n of the lane's tile, on the side of keys. There, they are in shared
/// memory.
static PairNumbers numbersOfColumn(AttendVjpWarpKernel &k, const StreamedNumbers &numbers, size_t n) {
  KernelBuilder &kb = k.kb;
  int64_t half = n % 4 / 2;
  Value column = kb.add(k.product.column(), n / 4 * WarpProduct::atomColumns + n % 2);
  auto numberOf = [&](Type type, Value array) { return kb.load(type, kb.at(type, array, column)); };
  Type i32 = kb.b.getI32Type();
  Value inBlock = kb.add(kb.mul(k.block.warp, WarpProduct::tileRows), k.product.row(half));
  Value key = arith::TruncIOp::create(kb.b, kb.loc, i32, inBlock);
  Value isVisible = arith::AndIOp::create(kb.b, kb.loc, kb.compare(sle, numberOf(i32, numbers.lowers), key),
                                          kb.compare(slt, key, numberOf(i32, numbers.uppers)));
  return {isVisible, numberOf(k.real, numbers.largest), numberOf(k.real, numbers.logSums),
          numberOf(k.real, numbers.deltas)};
}

/// Sets the probabilities of pairs that the predicate masks to -0.
static TileSums hidePairs(AttendVjpWarpKernel &k, const VjpStage &stage, ArrayRef<Value> probabilities) {
  KernelBuilder &kb = k.kb;
  return forElements(k, k.buffers.scores, probabilities, [&](const TileElement &element, Value p) {
    auto [row, key] = pairOf(k, stage, element);
    Value position = k.positionOf(row), rank = k.limitRank(key);
    Value isVisible = k.pairs.predicate.forEachVersion(kb, kb.b.getI1Type(), [&](int64_t limit) -> SmallVector<Value> {
      return {scalarOf(kb, k.pairs.predicate.evaluate(k, position, rank, limit))};
    })[0];
    return kb.select(isVisible, p, kb.real(k.real, -0.0));
  });
}

/// Returns the dropout factor of each pair: 1 / (1 - rate), or 0 if the pair is dropped.
static TileSums drawFactors(AttendVjpWarpKernel &k, const VjpStage &stage) {
  KernelBuilder &kb = k.kb;
  TileSums ones(k.streamed() / WarpProduct::atomColumns * 4, kb.real(k.real, k.pairs.dropout.getFactor()));
  return forElements(k, k.buffers.scores, ones, [&](const TileElement &element, Value factor) {
    auto [row, rank] = pairOf(k, stage, element);
    Value isKept = scalarOf(kb, k.pairs.dropout.keeps(k, row, kb.broadcast(k.keys.map.at(kb, rank), 1)));
    return kb.select(isKept, factor, kb.real(k.real, 0));
  });
}

PairTiles xf::gpu::buildPairs(AttendVjpWarpKernel &k, const VjpStage &stage, const LaneNumbers *lane) {
  KernelBuilder &kb = k.kb;
  const VjpMatrices &left = k.buffers.resident, &right = stage.matrices;
  TileSums scores = multiply(k, left.ofScores, right.ofScores, k.columns(), k.op.getScale()), slopes;
  PairTiles pairs;
  pairs.products = scores;
  bool hasSlopes = k.pairs.region && k.operands.dCaptures.empty();
  if (k.pairs.region) {
    scores = modify(k, stage, scores);
    slopes = loadTile(k, k.buffers.factors, scores.size());
  }
  Value masked = kb.real(k.real, -0.0), zero = kb.real(k.real, 0);
  Value lowest = kb.real(k.real, -std::numeric_limits<double>::infinity());
  SmallVector<Value> deltas;
  LaneColumns visible = lane ? visibleColumns(k, lane->seen, k.keys.first, k.tile.getKeys()) : LaneColumns();
  for (auto [n, s] : llvm::enumerate(scores)) {
    PairNumbers numbers = lane ? numbersOfLane(kb, *lane, visible, n) : numbersOfColumn(k, stage.numbers, n);
    deltas.push_back(numbers.delta);
    Value p = k.isLinear() ? s : k.exp2(k.toLog2(kb.subf(kb.subf(s, numbers.largest), numbers.logSum)));
    if (k.pairs.region && !k.isLinear()) { // a score of -inf masks the pair
      Value isLowest = arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::OEQ, s, lowest);
      p = kb.select(isLowest, masked, p);
    }
    pairs.probabilities.push_back(kb.select(numbers.isVisible, p, masked));
  }
  if (k.pairs.predicate)
    pairs.probabilities = hidePairs(k, stage, pairs.probabilities);
  TileSums products = multiply(k, left.ofCotangents, right.ofCotangents, k.valueColumns(), 1), kept;
  if (k.pairs.dropout)
    kept = drawFactors(k, stage);
  for (auto [n, dp] : llvm::enumerate(products)) {
    Value p = pairs.probabilities[n], isMasked = k.isMasked(p), weight = p;
    if (k.pairs.dropout) {
      Value isDropped = arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::OEQ, kept[n], zero);
      dp = kb.select(isDropped, zero, kb.mulf(dp, kept[n]));
      Value dropped = kb.select(isDropped, masked, kb.mulf(p, kept[n]));
      pairs.probabilities[n] = kb.select(isMasked, masked, dropped);
    }
    Value ds = k.isLinear() ? dp : kb.mulf(weight, kb.subf(dp, deltas[n]));
    if (hasSlopes)
      ds = kb.mulf(ds, slopes[n]);
    pairs.gradients.push_back(kb.select(isMasked, zero, ds));
  }
  return pairs;
}
