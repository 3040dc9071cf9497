//===- ExpandScan.cpp - Scans become code of blocks -----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block of `warps` warps runs a task, step by step (Target/Kernel/ScanKernel.h), with barriers between steps. A chunk
// has as many rows as a warp has lanes. Where heads are few, a task has some of a head's value columns: it computes all
// features, but its part of the states alone.
//
// The task's buffers lie in shared memory as far as that goes, in the order of XftScanScratch.h; the others in its part
// of `scratch`. With m = 64 and heads of 64 all of it is shared; with m = 256 on sm_80 the state of a scan is global, which
// is read and written chunk by chunk.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/Kernel/ScanKernel.h"
#include "compiler/Target/NVGPU/BlockThreads.h"
#include "compiler/Target/NVGPU/ExpandKernels.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::nvgpu;

static constexpr int64_t warps = 8;

/// body(kernel, tile) for the tasks of the block.
template <typename OpTy>
static void forTasks(OpTy op, KernelBuilder &kb, function_ref<void(ScanKernel &k, Value tile)> body) {
  ThreadBlock block(op->template getParentOfType<func::FuncOp>(), kb, warps * ThreadBlock::warpSize);
  xft::ScanSizes sizes(op);
  BlockThreads threads(block, sizes.real);
  xft::ScanScratch layout(sizes, kb.machine.sharedBytes);
  Value shared = block.shared(layout.bytes, 64);
  block.forTiles([&](Value tile) {
    Value global = op.getScratch() ? View::of(kb, op.getScratch()).at(kb, {tile}) : Value();
    ScanKernel k(op, kb, threads, [&](int64_t offset) {
      bool isShared = offset < xft::ScanScratch::globalOffset;
      return kb.at(kb.b.getI8Type(), isShared ? shared : global,
                   isShared ? offset : offset - xft::ScanScratch::globalOffset);
    });
    body(k, tile);
  });
  block.finish();
  op.erase();
}

LogicalResult nvgpu::expandScan(xft::ScanOp op, KernelBuilder &kb) {
  forTasks(op, kb, [&](ScanKernel &k, Value tile) { buildScanTask(k, View::of(kb, op.getO()), tile); });
  return success();
}

LogicalResult nvgpu::expandScanVjp(xft::ScanVjpOp op, KernelBuilder &kb) {
  forTasks(op, kb, [&](ScanKernel &k, Value tile) { buildScanVjpTask(k, op, tile); });
  return success();
}
