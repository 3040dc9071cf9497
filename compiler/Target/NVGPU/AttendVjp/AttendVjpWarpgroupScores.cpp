//===- AttendVjpWarpgroupScores.cpp - Derivatives of scores ---------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Applies the derivative region to the fragment of a tile in registers, as the forward kernel applies the score region
// (AttendWarpgroupPairs.cpp). If keys are resident, neighbouring columns are two queries of one key. A region is
// evaluated for one query at a time, so each element then has its own code.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/NVGPU/AttendVjp/AttendVjpWarpgroup.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::nvgpu;

using Kernel = AttendVjpWarpgroupKernel;

/// Returns the distance between the indices of consecutive ranks of `map`, or 0 if it varies.
static int64_t stepOf(IndexMapAttr map) {
  return map.getPeriod() == map.getWidth() ? 1 : map.getWidth() == 1 ? map.getPeriod() : 0;
}

namespace {
/// The indices of the lane's columns, which are queries or keys. The first column has rank `rank`.
struct ColumnIndices {
  KernelBuilder &kb;
  const ResidueMap &map;
  int64_t step;
  Value rank, first;

  ColumnIndices(KernelBuilder &kb, const ResidueMap &map, IndexMapAttr attribute, Value firstRank)
      : kb(kb), map(map), step(stepOf(attribute)), rank(forget(kb, firstRank)), first(map.at(kb, rank)) {}

  Value at(int64_t column) const { return step > 0 ? kb.add(first, step * column) : map.at(kb, kb.add(rank, column)); }
};
} // namespace

/// Appends the modified scores of the elements with `products`, and their derivatives, to `all`. The elements are pairs
/// of the query at `position` and the keys `key`.
static void append(Kernel &k, DerivedScores &all, Value position, const LaneValue &key, ArrayRef<Value> products) {
  KernelBuilder &kb = k.kb;
  auto count = static_cast<int64_t>(products.size());
  SmallVector<Value> scaled;
  for (Value product : products)
    scaled.push_back(kb.mulf(product, kb.real(k.real, k.op.getScale())));
  k.lanes = count;
  Value together = vector::FromElementsOp::create(kb.b, kb.loc, kb.vector(k.real, count), scaled);
  SmallVector<LaneValue> results = k.pairs.region.evaluate(k, position, key, together, pairIndexLimit);
  k.lanes = 1;
  Value scores = asRegister(kb, results[0], count), slopes = asRegister(kb, results[1], count);
  for (int64_t e = 0; e < count; ++e) {
    all.scores.push_back(vector::ExtractOp::create(kb.b, kb.loc, scores, ArrayRef<int64_t>{e}));
    all.slopes.push_back(vector::ExtractOp::create(kb.b, kb.loc, slopes, ArrayRef<int64_t>{e}));
  }
}

/// Returns the modified scores of `products` and their derivatives on the side of rows, for two neighbouring keys of a
/// row at a time. The streamed key block begins at rank `keyBlock`.
static DerivedScores deriveRows(Kernel &k, Value keyBlock, ArrayRef<Value> products) {
  KernelBuilder &kb = k.kb;
  ColumnIndices keys(kb, k.keys.map, k.piece().getKeys(), kb.add(keyBlock, k.product.column()));
  DerivedScores all;
  for (size_t n = 0; n < products.size(); n += 2) {
    int64_t column = WarpProduct::columnOf(n);
    Value two[] = {toI32(kb, keys.at(column)), toI32(kb, keys.at(column + 1))};
    LaneValue key =
        keys.step > 0
            ? LaneValue::index(keys.at(column), keys.step, 0, pairIndexLimit)
            : LaneValue::indices(vector::FromElementsOp::create(kb.b, kb.loc, kb.vector(kb.b.getI32Type(), 2), two), 0,
                                 pairIndexLimit);
    append(k, all, k.positionOf(k.rows.lane[WarpProduct::halfOf(n)]), key, products.slice(n, 2));
  }
  return all;
}

/// Returns modified scores and their derivatives on the side of keys, for one query of a key at a time.
static DerivedScores deriveKeys(Kernel &k, ArrayRef<Value> products) {
  KernelBuilder &kb = k.kb;
  ColumnIndices positions(kb, k.rows.map, k.piece().getQueries(), kb.add(k.rows.first, k.product.column()));
  std::optional<LaneValue> keys[2];
  Value firstRow = kb.mul(k.block.warp, WarpProduct::tileRows);
  for (int64_t half : {0, 1}) {
    Value rank = kb.add(k.keys.first, kb.add(firstRow, k.product.row(half)));
    keys[half] = LaneValue::indices(kb.broadcast(toI32(kb, k.keys.map.at(kb, rank)), 1), 0, pairIndexLimit);
  }
  DerivedScores all;
  for (size_t n = 0; n < products.size(); ++n)
    append(k, all, positions.at(WarpProduct::columnOf(n)), *keys[WarpProduct::halfOf(n)], products.slice(n, 1));
  return all;
}

DerivedScores nvgpu::deriveScores(Kernel &k, const StreamedBlock &block, ArrayRef<Value> products) {
  return k.hasKeys() ? deriveKeys(k, products) : deriveRows(k, block.first, products);
}

TileSums nvgpu::weightSlopes(Kernel &k, ArrayRef<Value> probabilities, ArrayRef<Value> slopes) {
  KernelBuilder &kb = k.kb;
  Value zero = kb.real(k.real, 0);
  TileSums weighted;
  for (auto [p, slope] : llvm::zip(probabilities, slopes)) {
    Value isNone = arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::OEQ, p, zero);
    weighted.push_back(kb.select(isNone, zero, kb.mulf(p, slope)));
  }
  return weighted;
}
