//===- ExpandScan.cpp - Scans become vector code --------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A worker runs its tasks in order, each as one thread, in its scratch memory.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Scan/ExpandScan.h"
#include "compiler/Target/Kernel/Scan/ScanKernel.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::kernel;

/// Returns a pointer to the buffer at byte `offset` of the worker's scratch memory.
static Value placeOf(KernelBuilder &kb, func::FuncOp function, int64_t offset) {
  return kb.at(kb.b.getI8Type(), function.getArgument(2), offset);
}

LogicalResult cpu::expandScan(xft::ScanOp op, KernelBuilder &kb) {
  auto function = op->getParentOfType<func::FuncOp>();
  TaskThreads threads(kb);
  ScanKernel k(op, kb, threads, [&](int64_t offset) { return placeOf(kb, function, offset); });
  View o = View::of(kb, op.getO());
  kb.loop(function.getArgument(0), function.getArgument(1), 1, [&](Value tile) { buildScanTask(k, o, tile); });
  op.erase();
  return success();
}

LogicalResult cpu::expandScanVjp(xft::ScanVjpOp op, KernelBuilder &kb) {
  auto function = op->getParentOfType<func::FuncOp>();
  TaskThreads threads(kb);
  ScanKernel k(op, kb, threads, [&](int64_t offset) { return placeOf(kb, function, offset); });
  kb.loop(function.getArgument(0), function.getArgument(1), 1, [&](Value tile) { buildScanVjpTask(k, op, tile); });
  op.erase();
  return success();
}
