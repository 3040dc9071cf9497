//===- AttendKeys.cpp - The keys of a piece, block by block ---------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/GPU/Attend/AttendWarps.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::gpu;

bool AttendKernel::hasOneKeyMap() {
  auto mapOf = [](Attribute piece) { return cast<PieceAttr>(piece).getKeys(); };
  return llvm::all_of(op.getPieces(), [&](Attribute piece) { return mapOf(piece) == mapOf(op.getPieces()[0]); });
}

int64_t AttendKernel::keyStep() {
  auto map = op.getPieces().empty() ? IndexMapAttr() : cast<PieceAttr>(op.getPieces()[0]).getKeys();
  if (!map || !hasOneKeyMap())
    return 0;
  return map.getPeriod() == map.getWidth() ? 1 : map.getWidth() == 1 ? map.getPeriod() : 0;
}

Value AttendKernel::keyAt(const SeenKeys &seen, Value rank) {
  if (hasOneKeyMap())
    return ResidueMap::of(kb, cast<PieceAttr>(op.getPieces()[0]).getKeys(), r).at(kb, rank);
  Value window = kb.add(seen.start, kb.mul(kb.div(rank, seen.width), seen.period));
  return kb.add(window, kb.rem(rank, seen.width));
}

//===----------------------------------------------------------------------===//
// Visible keys
//===----------------------------------------------------------------------===//

SeenKeys xf::gpu::buildSeenKeys(AttendWarpKernel &k, Value number) {
  SeenKeys seen = buildSeenKeys(k, number, [&](PieceAttr piece) { return buildSeen(k, piece); });
  if (k.slice.begin)
    for (auto [begin, end] : {std::pair(&seen.begin, &seen.end), std::pair(&seen.warpBegin, &seen.warpEnd)}) {
      *begin = k.kb.max(*begin, k.slice.begin);
      *end = k.kb.min(*end, k.slice.end);
    }
  return seen;
}

SeenKeys xf::gpu::buildSeenKeys(AttendKernel &k, Value number, function_ref<SeenKeys(PieceAttr piece)> seenOf) {
  KernelBuilder &kb = k.kb;
  auto pieces = k.op.getPieces().getAsRange<PieceAttr>();
  SmallVector<PieceAttr> list(pieces.begin(), pieces.end());
  SmallVector<Type> types(13, kb.i64());
  std::function<SmallVector<Value>(size_t)> from = [&](size_t n) -> SmallVector<Value> {
    if (n + 1 == list.size())
      return seenOf(list[n]).flat();
    Value isThis = kb.compare(arith::CmpIPredicate::eq, number, kb.integer(n));
    return kb.ifElse(isThis, types, [&] { return seenOf(list[n]).flat(); }, [&] { return from(n + 1); });
  };
  return SeenKeys::of(from(0));
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// Return the matrices K and V of a key block. They lie in the stage that begins at byte `stage`.
static SharedMatrix keyIn(AttendWarpKernel &k, Value stage) {
  return k.inStage(k.buffers.stages, stage, k.buffers.keyPlace, k.columns());
}
static SharedMatrix valueIn(AttendWarpKernel &k, Value stage) {
  return k.inStage(k.buffers.stages, stage, k.buffers.valuePlace, k.valueColumns());
}

RowStates xf::gpu::buildKeyBlocks(AttendWarpKernel &k, const SeenKeys &seen, RowStates states, Value isCareful) {
  KernelBuilder &kb = k.kb;
  SmallVector<Value> before = states.flat();
  SmallVector<Type> types(before.size(), k.real);
  bool dividesRanks = !k.hasOneKeyMap(); // each address takes a division: rolled copies
  int64_t step = k.keyStep();
  auto find = [&](Value from) { return findKeyBlock(k, k.keys, seen, from); };
  auto fetch = [&](ArrayRef<Value> found, Value stage) {
    auto keyAt = [&](Value rank) { return k.keyAt(seen, rank); };
    KeyBlock keys{keyAt, found[0], seen.begin, seen.end, dividesRanks, step};
    k.copyKeys(k.operands.k, k.heads.key, keys, keyIn(k, stage), k.depth());
    k.copyKeys(k.operands.v, k.heads.value, keys, valueIn(k, stage), k.valueDepth());
  };
  auto compute = [&](ArrayRef<Value> found, Value stage, ValueRange carried) {
    KeyMatrices block{keyIn(k, stage), valueIn(k, stage)};
    for (SharedMatrix *matrix : {&block.key, &block.value})
      matrix->pointer = matrix->at(kb, k.keys.first, kb.integer(0));
    Value first = kb.add(found[0], k.keys.first);
    return kb.ifElse(
        found[1], types, [&] { return addValues(k, block, seen, first, RowStates::of(carried), isCareful).flat(); },
        [&] { return SmallVector<Value>(carried); });
  };
  return RowStates::of(streamBlocks(k.block, k.buffers.stages, {firstKeyBlock(k, seen), seen.end, k.tile.getKeys()},
                                    before, {find, fetch, compute}));
}
