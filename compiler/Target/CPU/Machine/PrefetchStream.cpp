//===- PrefetchStream.cpp - Software prefetch in loops --------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Machine/PrefetchStream.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

static constexpr int64_t fractionBits = 16;

void cpu::prefetchToFirstLevel(KernelBuilder &kb, Value pointer) {
  LLVM::Prefetch::create(kb.b, kb.loc, pointer, /*rw=*/0, /*hint=*/3, /*cache=*/1);
}

void cpu::keepOrder(KernelBuilder &kb) {
  LLVM::FenceOp::create(kb.b, kb.loc, LLVM::AtomicOrdering::acq_rel, "singlethread");
}

PrefetchStream PrefetchStream::start(KernelBuilder &kb, const CacheLines &lines, Value count, Value turns) {
  return {lines, kb.integer(0), kb.div(kb.mul(count, int64_t(1) << fractionBits), turns)};
}

Value PrefetchStream::prefetch(KernelBuilder &kb, Value position) const {
  Value line = arith::ShRUIOp::create(kb.b, kb.loc, position, kb.integer(fractionBits));
  Value row = kb.mul(kb.floorDiv(line, lines.perRow), lines.stride);
  Value offset = kb.add(row, kb.mul(kb.floorMod(line, lines.perRow), KernelBuilder::cacheLine));
  kb.prefetch(kb.at(kb.b.getI8Type(), lines.pointer, offset), lines.forWriting);
  return kb.add(position, step);
}

SmallVector<Value> cpu::positionsOf(ArrayRef<PrefetchStream> prefetches) {
  return llvm::map_to_vector(prefetches, [](const PrefetchStream &stream) { return stream.position; });
}

void cpu::resume(MutableArrayRef<PrefetchStream> prefetches, ValueRange positions) {
  for (auto [stream, position] : llvm::zip_equal(prefetches, positions))
    stream.position = position;
}
