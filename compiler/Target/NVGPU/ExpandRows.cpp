//===- ExpandRows.cpp - Kernels over rows become code of warps ------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block is one warp and runs a tile: its rows in order, 32 columns at a time. Nothing but reductions crosses lanes,
// and single elements, which all lanes read and the first one writes.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/Kernel/Combine.h"
#include "compiler/Target/NVGPU/ExpandCols.h"
#include "compiler/Target/NVGPU/ExpandKernels.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::nvgpu;

static void startAccumulators(ThreadBlock &block, RowSpace &space) {
  for (auto cols : space.op.getBody().front().getOps<xft::ColsOp>())
    for (auto [n, memref] : llvm::enumerate(cols.getAccs())) {
      const RowAccess &row = space.accumulators[memref];
      Value identity = combinerIdentity(block.kb, cols.getCombiner(cols.getNumResults() + n), row.stored);
      forColumns(block, space.tileColumns, [&](Value column) { row.storeElement(block.kb, identity, column); });
    }
}

static SmallVector<Value> expandPhase(ThreadBlock &block, RowSpace &space, xft::ColsOp cols, Value row,
                                      const IRMapping &scalars) {
  SmallVector<RowAccess> operands;
  for (Value memref : llvm::concat<Value>(cols.getIns(), cols.getOuts()))
    operands.push_back(space.access(memref, row));
  for (Value memref : cols.getAccs())
    operands.push_back(space.accumulators[memref]);
  SmallVector<Value> results = expandCols(block, cols, operands, space.tileColumns, scalars);
  block.synchronizeWarp(); // single elements may be read by other lanes than wrote them
  return results;
}

LogicalResult nvgpu::expandRows(xft::RowsOp op, KernelBuilder &kb) {
  ThreadBlock block(op->getParentOfType<func::FuncOp>(), kb, ThreadBlock::warpSize);
  RowSpace space(op, kb);
  LogicalResult result = success();
  auto phase = [&](xft::ColsOp cols, Value row, const IRMapping &scalars) {
    return expandPhase(block, space, cols, row, scalars);
  };
  auto once = [&](function_ref<void()> store) {
    block.onFirstLane(store);
    block.synchronizeWarp();
  };
  block.forTiles([&](Value tile) {
    space.locate(tile);
    startAccumulators(block, space);
    kb.loop(space.firstRow, space.lastRow, 1, [&](Value row) { result = space.buildRow(row, phase, once); });
  });
  block.finish();
  op.erase();
  return result;
}
