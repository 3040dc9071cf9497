//===- LineRequests.cpp - Lines asked for while other work goes on --------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/LineRequests.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

static constexpr int64_t fractionBits = 16;

LineRequests LineRequests::start(KernelBuilder &kb, const LineStream &lines, Value count, Value turns) {
  return {lines, kb.integer(0), kb.div(kb.mul(count, int64_t(1) << fractionBits), turns)};
}

Value LineRequests::ask(KernelBuilder &kb, Value position) const {
  Value line = arith::ShRUIOp::create(kb.b, kb.loc, position, kb.integer(fractionBits));
  Value row = kb.mul(kb.floorDiv(line, lines.perRow), lines.stride);
  Value offset = kb.add(row, kb.mul(kb.floorMod(line, lines.perRow), KernelBuilder::cacheLine));
  kb.prefetch(kb.at(kb.b.getI8Type(), lines.pointer, offset), lines.forWriting);
  return kb.add(position, step);
}

SmallVector<Value> cpu::positionsOf(ArrayRef<LineRequests> requests) {
  return llvm::map_to_vector(requests, [](const LineRequests &stream) { return stream.position; });
}

void cpu::resume(MutableArrayRef<LineRequests> requests, ValueRange positions) {
  for (auto [stream, position] : llvm::zip_equal(requests, positions))
    stream.position = position;
}
