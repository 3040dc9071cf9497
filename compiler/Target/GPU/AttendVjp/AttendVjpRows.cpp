//===- AttendVjpRows.cpp - Gradients of rows, streamed keys ---------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/GPU/AttendVjp/AttendVjpKernel.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::gpu;

/// Loads m, log l and delta of the lane's rows. Rows that saw no key in the forward pass get an empty range of keys.
static void loadRowNumbers(AttendVjpKernel &k) {
  KernelBuilder &kb = k.kb;
  Value lowest = kb.real(k.real, -std::numeric_limits<double>::infinity());
  for (int64_t half : {0, 1}) {
    std::tie(k.rowLargest[half], k.rowLogSum[half]) = loadLse(k, k.row[half]);
    k.rowDelta[half] = kb.load(k.real, atRow(k, k.delta, k.row[half]));
    Value sawNone = arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::OEQ, k.rowLargest[half], lowest);
    k.seen->upper[half] = kb.select(sawNone, k.seen->lower[half], k.seen->upper[half]);
  }
}

static SmallVector<Value> addKeyBlock(AttendVjpKernel &k, ArrayRef<Value> sums, Value isCareful) {
  KernelBuilder &kb = k.kb;
  if (!k.dCaptures.empty()) {
    addCaptures(k, buildPairs(k));
    return {};
  }
  auto isZero = [&](Value x) -> Value {
    return arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::OEQ, x, kb.real(k.real, 0));
  };
  return addProduct(k, sums, buildPairs(k).gradients, k.key, isCareful, isZero);
}

SmallVector<Value> xf::gpu::addKeyBlocks(AttendVjpKernel &k, ArrayRef<Value> zeros, Value isCareful) {
  KernelBuilder &kb = k.kb;
  const SeenKeys &seen = *k.seen;
  SmallVector<Type> types(zeros.size(), k.real);
  auto find = [&](Value from) { return findKeyBlock(k, seen, from); };
  auto fetch = [&](ArrayRef<Value> found, Value stage) {
    auto keyAt = [&](Value rank) { return k.keys.at(kb, rank); };
    k.enter(stage);
    KeyBlock keys{keyAt, found[0], seen.begin, seen.end};
    k.copyKeys(k.k, k.keyHead, keys, k.key, k.depth);
    k.copyKeys(k.v, k.valueHead, keys, k.value, k.valueDepth);
  };
  auto compute = [&](ArrayRef<Value> found, Value stage, ValueRange carried) {
    k.enter(stage);
    k.firstKey = found[0];
    return kb.ifElse(
        found[1], types, [&] { return addKeyBlock(k, SmallVector<Value>(carried), isCareful); },
        [&] { return SmallVector<Value>(carried); });
  };
  return streamBlocks(k.block, k.stages, {firstKeyBlock(k, seen), seen.end, k.blockKeys}, zeros,
                      {find, fetch, compute});
}

void xf::gpu::startRows(AttendVjpKernel &k) {
  KernelBuilder &kb = k.kb;
  k.findLaneRows();
  if (k.predicate)
    k.predicate.startTask(k);
  k.keys = ResidueMap::of(kb, k.piece.getKeys(), k.r);
  k.seen = buildSeen(k, k.piece);
  loadRowNumbers(k);
  k.block.awaitCopies();
  k.block.synchronize(); // the matrices of the previous task have been read
  k.copyQueries(k.q, k.query, k.depth, /*isOnce=*/true);
  k.copyQueries(k.dOut, k.cotangent, k.valueDepth, /*isOnce=*/true);
}

void xf::gpu::buildRowsTask(AttendVjpKernel &k) {
  KernelBuilder &kb = k.kb;
  startRows(k);
  size_t size = k.columns / WarpProduct::atomColumns * 4;
  SmallVector<Value> sums =
      attempt(k, size, [&](ArrayRef<Value> zeros, Value isCareful) { return addKeyBlocks(k, zeros, isCareful); });
  double scale = k.op.getScale();
  Value assigns = kb.constant(kb.b.getBoolAttr(k.op.getAssigns()));
  for (int64_t half : {0, 1})
    kb.ifThen(k.rowExists[half],
              [&] { storeRow(k, k.dQ, atRow(k, k.dQ, k.row[half]), {sums, half, scale}, k.depth, assigns); });
}
