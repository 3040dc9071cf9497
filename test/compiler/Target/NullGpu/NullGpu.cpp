//===- NullGpu.cpp - A GPU that nobody has, as a machine ------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NullGpu.h"

using namespace mlir;
using namespace mlir::xf;
using kernel::KernelBuilder;

/// Builds a call of llvm.null.NAME.
static Operation *call(KernelBuilder &kb, StringRef name, TypeRange results, ValueRange operands) {
  return LLVM::CallIntrinsicOp::create(kb.b, kb.loc, results, kb.b.getStringAttr("llvm.null." + name), operands, {});
}

/// Builds a call that returns an i32.
static Value number(KernelBuilder &kb, StringRef name, ValueRange operands = {}) {
  return call(kb, name, kb.b.getI32Type(), operands)->getResult(0);
}

namespace {
struct NullInstructions final : xf::gpu::GpuInstructions {
  Value threadNumber(KernelBuilder &kb) const override { return number(kb, "thread"); }
  Value blockNumber(KernelBuilder &kb) const override { return number(kb, "block"); }
  Value blockCount(KernelBuilder &kb) const override { return number(kb, "blocks"); }
  void synchronize(KernelBuilder &kb) const override { call(kb, "barrier", {}, {}); }
  void synchronizeWarp(KernelBuilder &kb) const override { call(kb, "warp.barrier", {}, {}); }
  Value any(KernelBuilder &kb, Value condition) const override {
    return call(kb, "any", kb.b.getI1Type(), condition)->getResult(0);
  }
  Value ballot(KernelBuilder &kb, Value condition) const override { return number(kb, "ballot", condition); }
  Value matchLanes(KernelBuilder &kb, Value x) const override { return number(kb, "match", x); }
  Value leastOfWarp(KernelBuilder &kb, Value x) const override { return number(kb, "least", x); }
  Value greatestOfWarp(KernelBuilder &kb, Value x) const override { return number(kb, "greatest", x); }
  Value exchange(KernelBuilder &kb, Value x, Value mask) const override { return number(kb, "exchange", {x, mask}); }
  Value fromLane(KernelBuilder &kb, Value x, Value lane) const override { return number(kb, "from.lane", {x, lane}); }

  void startCopy(KernelBuilder &kb, Value to, Value from, Value bytes) const override {
    call(kb, "copy", {}, {to, from, bytes});
  }
  void groupCopies(KernelBuilder &kb) const override { call(kb, "group", {}, {}); }
  void awaitCopies(KernelBuilder &kb, int64_t pending) const override { call(kb, "await", {}, kb.integer(pending)); }

  SmallVector<Value> loadMatrices(KernelBuilder &kb, Value address, bool) const override {
    SmallVector<Value> registers;
    for (int64_t n = 0; n < 4; ++n)
      registers.push_back(number(kb, "load.matrix", {address, kb.integer(n)}));
    return registers;
  }
  void multiply(KernelBuilder &kb, MutableArrayRef<Value> sums, ArrayRef<Value> left, ArrayRef<Value> right, Factor,
                int64_t) const override {
    for (Value &sum : sums)
      sum = call(kb, "multiply", sum.getType(), {sum, left.front(), right.front()})->getResult(0);
  }
  Value roundToTF32(KernelBuilder &kb, Value x) const override { return number(kb, "round", x); }
};
} // namespace

null::NullGpu::NullGpu() {
  cpu = "null";
  sharedBytes = processorSharedBytes = 64 << 10;
  processors = 1;
}

const xf::gpu::GpuInstructions &null::NullGpu::instructions() const {
  static const NullInstructions all;
  return all;
}
