//===- Scratch.cpp - Buffers of a kernel in scratch memory ----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/Kernel/Code/Scratch.h"

using namespace mlir;
using namespace mlir::xf::kernel;

static int64_t bytesOf(Type element, int64_t count) {
  return llvm::alignTo(count * element.getIntOrFloatBitWidth() / 8, KernelBuilder::cacheLine);
}

Scratch Scratch::ofKernel(KernelBuilder &kb, Operation *op) {
  return Scratch(kb, op->getParentOfType<func::FuncOp>().getArgument(2));
}

ScratchBuffer Scratch::take(Type element, int64_t count, int64_t pitch) {
  int64_t size = bytesOf(element, count);
  if (size == 0)
    return {};
  bool fits = used + size <= room;
  int64_t &end = fits ? used : overflowUsed;
  Value pointer = kb ? kb->at(kb->b.getI8Type(), fits ? base : overflow, end) : Value();
  end += size;
  return {pointer, element, pitch, size};
}

ScratchBuffer Scratch::share(const ScratchBuffer &owner, Type element, int64_t count, int64_t pitch) const {
  assert(bytesOf(element, count) <= owner.bytes && "expected a buffer that fits the memory it shares");
  return count == 0 ? ScratchBuffer() : ScratchBuffer{owner.pointer, element, pitch, owner.bytes};
}
