//===- AttendVjpRows.cpp - Gradients of rows, streamed keys ---------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/GPU/AttendVjp/AttendVjpWarps.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::gpu;

/// Loads m, log l and delta of the lane's rows. Rows that saw no key in the forward pass get an empty range of keys.
static void loadRowNumbers(AttendVjpWarpKernel &k, LaneNumbers &lane) {
  KernelBuilder &kb = k.kb;
  Value lowest = kb.real(k.real, -std::numeric_limits<double>::infinity());
  for (int64_t half : {0, 1}) {
    std::tie(lane.largest[half], lane.logSum[half]) = loadLse(k, k.rows.lane[half]);
    lane.delta[half] = kb.load(k.real, atRow(k, k.operands.delta, k.rows.lane[half]));
    Value sawNone = arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::OEQ, lane.largest[half], lowest);
    lane.seen.upper[half] = kb.select(sawNone, lane.seen.lower[half], lane.seen.upper[half]);
  }
}

static SmallVector<Value> addKeyBlock(AttendVjpWarpKernel &k, const VjpStage &stage, const LaneNumbers &lane,
                                      ArrayRef<Value> sums, Value isCareful) {
  KernelBuilder &kb = k.kb;
  if (!k.operands.dCaptures.empty()) {
    addCaptures(k, buildPairs(k, stage, &lane));
    return {};
  }
  auto isZero = [&](Value x) -> Value {
    return arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::OEQ, x, kb.real(k.real, 0));
  };
  TileSums gradients = buildPairs(k, stage, &lane).gradients;
  return addProduct(k, sums, {gradients, stage.matrices.ofScores, k.streamed()}, isCareful, isZero);
}

SmallVector<Value> xf::gpu::addKeyBlocks(AttendVjpWarpKernel &k, const LaneNumbers &lane, ArrayRef<Value> zeros,
                                         Value isCareful) {
  KernelBuilder &kb = k.kb;
  const SeenKeys &seen = lane.seen;
  WarpKeys all{kb.integer(0), k.tile.getKeys()};
  SmallVector<Type> types(zeros.size(), k.real);
  auto find = [&](Value from) { return findKeyBlock(k, all, seen, from); };
  auto fetch = [&](ArrayRef<Value> found, Value stage) {
    auto keyAt = [&](Value rank) { return k.keys.map.at(kb, rank); };
    VjpMatrices to = k.stageAt(stage).matrices;
    KeyBlock keys{keyAt, found[0], seen.begin, seen.end};
    k.copyKeys(k.operands.k, k.keys.heads.key, keys, to.ofScores, k.depth());
    k.copyKeys(k.operands.v, k.keys.heads.value, keys, to.ofCotangents, k.valueDepth());
  };
  auto compute = [&](ArrayRef<Value> found, Value stage, ValueRange carried) {
    VjpStage block = k.stageAt(stage);
    k.keys.first = found[0];
    return kb.ifElse(
        found[1], types, [&] { return addKeyBlock(k, block, lane, SmallVector<Value>(carried), isCareful); },
        [&] { return SmallVector<Value>(carried); });
  };
  return streamBlocks(k.block, k.buffers.stages, {firstKeyBlock(k, seen), seen.end, k.tile.getKeys()}, zeros,
                      {find, fetch, compute});
}

LaneNumbers xf::gpu::startRows(AttendVjpWarpKernel &k) {
  KernelBuilder &kb = k.kb;
  k.findLaneRows();
  if (k.pairs.predicate)
    k.pairs.predicate.startTask(k);
  k.keys.map = ResidueMap::of(kb, k.piece().getKeys(), k.r);
  LaneNumbers lane{buildSeen(k, k.piece()), {}, {}, {}};
  loadRowNumbers(k, lane);
  k.block.awaitCopies();
  k.block.synchronize(); // the matrices of the previous task have been read
  k.copyQueries(k.q, k.buffers.resident.ofScores, k.depth(), /*isOnce=*/true);
  k.copyQueries(k.operands.dOut, k.buffers.resident.ofCotangents, k.valueDepth(), /*isOnce=*/true);
  return lane;
}

void xf::gpu::buildRowsTask(AttendVjpWarpKernel &k) {
  KernelBuilder &kb = k.kb;
  LaneNumbers lane = startRows(k);
  size_t size = k.columns() / WarpProduct::atomColumns * 4;
  SmallVector<Value> sums =
      attempt(k, size, [&](ArrayRef<Value> zeros, Value isCareful) { return addKeyBlocks(k, lane, zeros, isCareful); });
  double scale = k.op.getScale();
  Value assigns = kb.constant(kb.b.getBoolAttr(k.op.getAssigns()));
  for (int64_t half : {0, 1})
    kb.ifThen(k.rows.exists[half], [&] {
      storeRow(k, k.operands.dQ, atRow(k, k.operands.dQ, k.rows.lane[half]), {sums, half, scale}, k.depth(), assigns);
    });
}
