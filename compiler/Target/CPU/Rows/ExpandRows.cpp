//===- ExpandRows.cpp - Kernels over rows become vector code --------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before:
//   xft.rows outer(%n) columns(%d) blocks(%blocks) { ^bb0(%row: i64): .. xft.cols .. arith .. xft.cols .. }
// After:
//   scf.for %tile = %begin to %end {
//     coordinates of the tile by division; a pointer per operand; accumulators start at their identity
//     scf.for %i = first row to last row { each operand's row: pointer + %i * stride; the phases (ExpandCols.cpp),
//     scalar ops as they are } }
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Rows/ExpandRows.h"
#include "compiler/Target/CPU/Machine/NonTemporalStores.h"
#include "compiler/Target/CPU/Rows/ExpandCols.h"
#include "compiler/Target/CPU/Rows/ExpandRowOrder.h"
#include "compiler/Target/CPU/Rows/ExpandTransposed.h"
#include "compiler/Target/Kernel/Rows/Combine.h"
#include "compiler/Target/Kernel/Rows/RowSpace.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

namespace {
class RowsExpander {
public:
  RowsExpander(xft::RowsOp op, KernelBuilder &kb) : op(op), kb(kb), space(op, kb) {}
  LogicalResult expand();

private:
  void startAccumulators();
  void expandTransposedTile(xft::ColsOp phase);
  Value nextRow(xft::ColsOp cols, Value memref, Value row);
  SmallVector<Value> expandPhase(xft::ColsOp cols, Value row, const IRMapping &scalars);

  xft::RowsOp op;
  KernelBuilder &kb;
  RowSpace space;
  std::optional<NonTemporalStores> streamed;
};
} // namespace

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

void RowsExpander::startAccumulators() {
  for (auto cols : op.getBody().front().getOps<xft::ColsOp>())
    for (auto [n, memref] : llvm::enumerate(cols.getAccs())) {
      Type type = space.views[memref].element;
      Value identity = combinerIdentity(kb, cols.getCombiner(cols.getNumResults() + n), type);
      fillColumns(kb, space.accumulators[memref], space.tileColumns, identity);
    }
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// Returns a pointer to the row of `memref` after `row`, to prefetch this next row. Returns null if the row is not
/// prefetched. Only the last of several phases prefetches, and only if results may be stored past the caches. The last
/// phase finds its own rows in the first-level cache, so memory would be idle without the prefetches.
Value RowsExpander::nextRow(xft::ColsOp cols, Value memref, Value row) {
  auto phases = llvm::to_vector(op.getBody().getOps<xft::ColsOp>());
  bool isKernelOperand = space.views.count(memref); // not a row chosen by its number
  if (!streamed->isLarge() || phases.size() < 2 || cols != phases.back() || !isKernelOperand ||
      RowAccess::kindOf(cast<MemRefType>(memref.getType())) != RowAccess::Contiguous)
    return nullptr;
  return space.access(memref, kb.min(kb.add(row, 1), kb.add(space.outer.back(), -1))).pointer;
}

SmallVector<Value> RowsExpander::expandPhase(xft::ColsOp cols, Value row, const IRMapping &scalars) {
  SmallVector<RowAccess> operands;
  for (Value memref : llvm::concat<Value>(cols.getIns(), cols.getOuts())) {
    operands.push_back(space.access(memref, row));
    operands.back().streams = streamed->contains(memref);
    operands.back().next = nextRow(cols, memref, row);
  }
  for (Value memref : cols.getAccs())
    operands.push_back(space.accumulators[memref]);
  return expandCols(kb, cols, operands, space.tileColumns, scalars, streamed->isLarge());
}

void RowsExpander::expandTransposedTile(xft::ColsOp phase) {
  SmallVector<RowAccess> operands;
  SmallVector<Value> rowStrides;
  for (Value memref : llvm::concat<Value>(phase.getIns(), phase.getOuts())) {
    operands.push_back(space.firstRowOf(memref));
    rowStrides.push_back(space.views[memref].strides[space.outer.size() - 1]);
  }
  expandTransposed(kb, phase, {operands, rowStrides, space.firstRow, space.lastRow, space.tileColumns});
}

LogicalResult RowsExpander::expand() {
  if (!transposedPhase(op))
    streamed.emplace(kb, op, space.views, space.countElements());
  auto kernel = op->getParentOfType<func::FuncOp>();
  LogicalResult result = success();
  auto phase = [&](xft::ColsOp cols, Value row, const IRMapping &scalars) { return expandPhase(cols, row, scalars); };
  kb.loop(kernel.getArgument(0), kernel.getArgument(1), 1, [&](Value tile) {
    space.locate(tile);
    if (expandRowOrder(kb, space))
      return;
    if (xft::ColsOp transposed = transposedPhase(op))
      return expandTransposedTile(transposed);
    startAccumulators();
    kb.loop(space.firstRow, space.lastRow, 1,
            [&](Value row) { result = space.buildRow(row, phase, [](function_ref<void()> store) { store(); }); });
  });
  if (streamed)
    streamed->finish(kb);
  op.erase();
  return result;
}

LogicalResult cpu::expandRows(xft::RowsOp op, KernelBuilder &kb) { return RowsExpander(op, kb).expand(); }
