//===- AttendKeys.cpp - The keys of a piece, block by block ---------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/NVGPU/AttendKernel.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::nvgpu;

Value AttendKernel::keyAt(const SeenKeys &seen, Value rank) {
  if (op.getPieces().size() == 1)
    return ResidueMap::of(kb, cast<PieceAttr>(op.getPieces()[0]).getKeys(), r).at(kb, rank);
  Value window = kb.add(seen.start, kb.mul(kb.div(rank, seen.width), seen.period));
  return kb.add(window, kb.rem(rank, seen.width));
}

//===----------------------------------------------------------------------===//
// What is seen
//===----------------------------------------------------------------------===//

SeenKeys nvgpu::buildSeenKeys(AttendKernel &k, Value number) {
  KernelBuilder &kb = k.kb;
  auto pieces = k.op.getPieces().getAsRange<PieceAttr>();
  SmallVector<PieceAttr> list(pieces.begin(), pieces.end());
  SmallVector<Type> types(13, kb.i64());
  std::function<SmallVector<Value>(size_t)> from = [&](size_t n) -> SmallVector<Value> {
    if (n + 1 == list.size())
      return buildSeen(k, list[n]).flat();
    Value isThis = kb.compare(arith::CmpIPredicate::eq, number, kb.integer(n));
    return kb.ifElse(isThis, types, [&] { return buildSeen(k, list[n]).flat(); }, [&] { return from(n + 1); });
  };
  return SeenKeys::of(from(0));
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

RowStates nvgpu::buildKeyBlocks(AttendKernel &k, const SeenKeys &seen, RowStates states, Value isCareful) {
  KernelBuilder &kb = k.kb;
  SmallVector<Value> before = states.flat();
  SmallVector<Type> types(before.size(), k.real);
  Value first = kb.mul(kb.div(seen.begin, kb.integer(k.blockKeys)), k.blockKeys);
  return RowStates::of(kb.loop(first, seen.end, k.blockKeys, before, [&](Value keyBlock, ValueRange carried) {
    Value sees = warpSees(k, seen, keyBlock);
    Value someSees = k.block.any(sees); // by now the block before has been read
    auto skip = [&] { return SmallVector<Value>(carried); };
    auto work = [&]() -> SmallVector<Value> {
      auto keyAt = [&](Value rank) { return k.keyAt(seen, rank); };
      k.copyKeys(k.k, k.keyHead, keyAt, keyBlock, seen.begin, seen.end, k.blockKeys, k.key, k.depth);
      k.copyKeys(k.v, k.valueHead, keyAt, keyBlock, seen.begin, seen.end, k.blockKeys, k.value, k.valueDepth);
      k.block.synchronize();
      auto add = [&] { return addValues(k, seen, keyBlock, RowStates::of(carried), isCareful).flat(); };
      return kb.ifElse(sees, types, add, skip);
    };
    return kb.ifElse(someSees, types, work, skip);
  }));
}
