//===- AttendWarpgroupPairs.cpp - What single pairs are asked -------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Applies a score region to the fragment of a tile that products leave in registers, because there is no shared memory
// for a tile of scores. Registers cannot be indexed at run time, so the code of the region is repeated, for two
// neighbouring columns at a time. What does not depend on the key is computed once for all keys.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/Kernel/Code/VectorConvert.h"
#include "compiler/Target/NVGPU/Attend/AttendWarpgroup.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::nvgpu;

using Kernel = AttendWarpgroupKernel;

namespace {
/// The keys of a lane's columns in a key block.
class ColumnKeys {
public:
  ColumnKeys(Kernel &k, const SeenKeys &seen, Value keyBlock) : k(k), seen(seen), step(k.keyStep()) {
    // Opaque, because the lane's columns would else be added up before the loop, and stay in as many registers.
    rank = forget(k.kb, k.kb.add(arith::ExtSIOp::create(k.kb.b, k.kb.loc, k.kb.i64(), keyBlock), k.product.column()));
    first = k.keyAt(seen, rank);
  }

  /// Returns the keys of the lane's columns `column` and `column` + 1.
  LaneValue pairAt(int64_t column) {
    KernelBuilder &kb = k.kb;
    if (step > 0)
      return LaneValue::index(kb.add(first, step * column), step, 0, pairIndexLimit);
    Value keys[] = {k.keyAt(seen, kb.add(rank, column)), k.keyAt(seen, kb.add(rank, column + 1))};
    return LaneValue::indices(pairOf(toI32(kb, keys[0]), toI32(kb, keys[1])), 0, pairIndexLimit);
  }

  Value pairOf(Value x, Value y) {
    return vector::FromElementsOp::create(k.kb.b, k.kb.loc, k.kb.vector(x.getType(), 2), ValueRange{x, y});
  }

private:
  Kernel &k;
  const SeenKeys &seen;
  int64_t step; ///< distance between the keys of consecutive ranks, or 0 if it varies
  Value rank, first;
};
} // namespace

TileSums nvgpu::modifyScores(Kernel &k, const SeenKeys &seen, Value keyBlock, ArrayRef<Value> products) {
  if (!k.pairs.region)
    return TileSums(products);
  KernelBuilder &kb = k.kb;
  ColumnKeys keys(k, seen, keyBlock);
  Value scale = kb.real(k.real, k.op.getScale()), positions[2];
  for (int64_t half : {0, 1})
    positions[half] = k.positionOf(k.rows.lane[half]);
  TileSums scores;
  for (size_t n = 0; n < products.size(); n += 2) {
    constexpr int64_t together = 2;
    Value pair = keys.pairOf(kb.mulf(products[n], scale), kb.mulf(products[n + 1], scale));
    k.lanes = together;
    LaneValue modified = k.pairs.region.evaluate(k, positions[WarpProduct::halfOf(n)],
                                                 keys.pairAt(WarpProduct::columnOf(n)), pair, pairIndexLimit)[0];
    k.lanes = 1;
    Value both = asRegister(kb, modified, together);
    for (int64_t e = 0; e < together; ++e)
      scores.push_back(vector::ExtractOp::create(kb.b, kb.loc, both, ArrayRef<int64_t>{e}));
  }
  return scores;
}

/// Returns the score of the lane's row `half` and the key at `rank`, before the score region.
static Value scoreOf(Kernel &k, const SeenKeys &seen, int64_t half, Value rank) {
  KernelBuilder &kb = k.kb;
  Value row = atRow(k, k.q, k.rows.lane[half]), key = k.operands.k.at(kb, {k.b, k.heads.key, k.keyAt(seen, rank)});
  SmallVector<Value> zero = {kb.real(k.real, 0)};
  Value sum = kb.loop(kb.integer(0), kb.integer(k.depth()), 1, zero, [&](Value n, ValueRange sums) {
    auto element = [&](const View &view, Value from) {
      return loadScalar(kb, view.element, kb.at(view.element, from, n));
    };
    return SmallVector<Value>{kb.fma(element(k.q, row), element(k.operands.k, key), sums[0])};
  })[0];
  return kb.mulf(sum, kb.real(k.real, k.op.getScale()));
}

Value nvgpu::hasPair(Kernel &k, const SeenKeys &seen, int64_t half, Value rank) {
  KernelBuilder &kb = k.kb;
  Value has = kb.constant(kb.b.getBoolAttr(true)), key = k.keyAt(seen, rank),
        position = k.positionOf(k.rows.lane[half]);
  auto require = [&](Value lanes) { has = arith::AndIOp::create(kb.b, kb.loc, has, scalarOf(kb, lanes)); };
  if (k.pairs.predicate)
    require(k.pairs.predicate.evaluate(k, position, k.limitRank(rank), pairIndexLimit));
  if (k.pairs.dropout)
    require(k.pairs.dropout.keeps(k, k.rows.lane[half], kb.broadcast(key, 1)));
  if (!k.pairs.region)
    return has;
  Value score = kb.broadcast(scoreOf(k, seen, half, rank), 1);
  LaneValue modified =
      k.pairs.region.evaluate(k, position, LaneValue::index(key, 1, 0, pairIndexLimit), score, pairIndexLimit)[0];
  Value hidden = kb.real(k.real, -std::numeric_limits<double>::infinity());
  require(arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::UNE, scalarOf(kb, asRegister(kb, modified, 1)),
                                hidden));
  return has;
}
