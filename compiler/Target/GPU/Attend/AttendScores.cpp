//===- AttendScores.cpp - Scores of a warp's rows and a block of keys -----===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computes a tile of scores. Code for single pairs (score region, predicate of a pattern, dropout) is emitted once, in
// a loop over a lane's elements. The loop reads and writes the tile in shared memory. It needs no barrier, because a
// lane reads only what it wrote.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/GPU/Attend/AttendWarps.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::gpu;

static Value both(KernelBuilder &kb, Value x, Value y) { return arith::AndIOp::create(kb.b, kb.loc, x, y); }

static TileSums buildProducts(AttendWarpKernel &k, const SharedMatrix &key) {
  KernelBuilder &kb = k.kb;
  TileSums sums = k.product.zeros(k.keys.count);
  Value row = k.warpRow(), zero = kb.integer(0);
  auto step = [&](MutableArrayRef<Value> sums, Value term) {
    k.product.multiply(sums, k.product.loadLeft(k.buffers.query, row, term), key, /*isTransposed=*/true, term);
  };
  constexpr int64_t unrolled = 8;
  if (k.columns() / k.product.terms() <= unrolled) {
    for (int64_t term = 0; term < k.columns(); term += k.product.terms())
      step(sums, kb.integer(term));
  } else {
    sums = kb.loop(zero, kb.integer(k.columns()), k.product.terms(), sums, [&](Value term, ValueRange carried) {
      SmallVector<Value> next(carried);
      step(next, term);
      return next;
    });
  }
  Value scale = kb.real(k.real, k.op.getScale());
  for (Value &s : sums)
    s = kb.mulf(s, scale);
  return sums;
}

/// Returns the index in q of the row to which `element` belongs.
static Value rowOf(AttendWarpKernel &k, const TileElement &element) {
  return k.kb.select(element.isUpper, k.rows.lane[0], k.rows.lane[1]);
}

/// Applies the score region to a tile of scores and sets pairs that the predicate excludes to `masked`. Pairs outside
/// the visible intervals of keys are left to the caller.
static TileSums modify(AttendWarpKernel &k, const SeenKeys &seen, Value keyBlock, TileSums scores, Value masked) {
  KernelBuilder &kb = k.kb;
  if (k.pairs.region)
    scores = forElements(k, k.buffers.scores, scores, [&](const TileElement &element, Value score) {
      return k.pairs.region.forEachLimit(kb, k.real, [&](int64_t limit) -> SmallVector<Value> {
        LaneValue key = LaneValue::index(k.keyAt(seen, kb.add(keyBlock, element.column)), 1, 0, limit);
        LaneValue modified =
            k.pairs.region.evaluate(k, k.positionOf(rowOf(k, element)), key, kb.broadcast(score, 1), limit)[0];
        return {scalarOf(kb, asRegister(kb, modified, 1))};
      })[0];
    });
  if (k.pairs.predicate)
    scores = forElements(k, k.buffers.scores, scores, [&](const TileElement &element, Value score) {
      Value isVisible =
          k.pairs.predicate.forEachVersion(kb, kb.b.getI1Type(), [&](int64_t limit) -> SmallVector<Value> {
            Value rank = k.limitRank(kb.add(keyBlock, element.column));
            return {scalarOf(kb, k.pairs.predicate.evaluate(k, k.positionOf(rowOf(k, element)), rank, limit))};
          })[0];
      return kb.select(isVisible, score, masked);
    });
  return scores;
}

TileSums xf::gpu::buildScores(AttendWarpKernel &k, const SharedMatrix &key, const SeenKeys &seen, Value keyBlock) {
  KernelBuilder &kb = k.kb;
  Value masked = kb.real(k.real, k.isLinear() ? -0.0 : -std::numeric_limits<double>::infinity());
  TileSums scores = modify(k, seen, keyBlock, buildProducts(k, key), masked);
  Value isWhole = both(kb, kb.compare(arith::CmpIPredicate::sle, seen.commonBegin, keyBlock),
                       kb.compare(arith::CmpIPredicate::sle, kb.add(keyBlock, k.keys.count), seen.commonEnd));
  SmallVector<Type> types(scores.size(), k.real);
  auto mask = [&] {
    LaneColumns visible = visibleColumns(k, seen, keyBlock, k.keys.count);
    SmallVector<Value> visibleScores;
    for (auto [n, score] : llvm::enumerate(scores))
      visibleScores.push_back(kb.select(visible.has(kb, n), score, masked));
    return visibleScores;
  };
  return kb.ifElse(isWhole, types, [&] { return scores; }, mask);
}

TileSums xf::gpu::dropPairs(AttendWarpKernel &k, const SeenKeys &seen, Value keyBlock, TileSums probabilities) {
  KernelBuilder &kb = k.kb;
  return forElements(k, k.buffers.scores, probabilities, [&](const TileElement &element, Value p) {
    Value keys = kb.broadcast(k.keyAt(seen, kb.add(keyBlock, element.column)), 1);
    return kb.select(scalarOf(kb, k.pairs.dropout.keeps(k, rowOf(k, element), keys)), p, kb.real(k.real, -0.0));
  });
}
