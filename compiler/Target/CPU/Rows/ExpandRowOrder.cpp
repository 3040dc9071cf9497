//===- ExpandRowOrder.cpp - Rows whose columns depend on others -----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expands ops whose result depends on the order of a row: cumulative sums, sorts and sums of rows. Each addition of a
// cumulative sum waits for the one before it, so several rows are added up at a time. If neighbouring rows are
// contiguous, as in sums along another axis than the last one, a register holds elements of neighbouring rows.
// Otherwise the elements are added one by one.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Rows/ExpandRowOrder.h"
#include "compiler/Target/Kernel/Rows/CumulativeSums.h"
#include "compiler/Target/Kernel/Rows/SortRow.h"
#include "compiler/Target/Kernel/Rows/SumRow.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

static constexpr int64_t sumsAtOnce = 4;

/// Returns whether the rows of `memref` are adjacent in memory: whether the stride is 1 along its last dimension but
/// one, and not 1 along the columns.
static bool isAcross(Value memref) {
  SmallVector<int64_t> strides;
  int64_t offset;
  return succeeded(cast<MemRefType>(memref.getType()).getStridesAndOffset(strides, offset)) && strides.back() != 1 &&
         strides.end()[-2] == 1;
}

/// Computes the cumulative sums of the rows of a tile from `first` on, as long as `registers` * `lanes` rows are left.
/// Each lane of the registers has a row. Returns the first row that is left.
static Value expandSums(KernelBuilder &kb, RowSpace &space, xft::CumsumOp op, Value first, int64_t registers,
                        int64_t lanes) {
  CumulativeSums sums(kb, op, space.columns);
  int64_t rows = registers * lanes;
  Value last = kb.sub(space.lastRow, kb.floorMod(kb.max(kb.sub(space.lastRow, first), kb.integer(0)), rows));
  kb.loop(first, last, rows, [&](Value row) {
    SmallVector<RowAccess> from, to;
    for (int64_t n = 0; n < registers; ++n) {
      from.push_back(space.access(op.getX(), kb.add(row, n * lanes)));
      to.push_back(space.access(op.getY(), kb.add(row, n * lanes)));
    }
    SmallVector<Value> state(registers, sums.zero(lanes));
    kb.loop(kb.integer(0), space.columns, 1, state, [&](Value number, ValueRange before) {
      SmallVector<Value> after;
      auto at = [&](const RowAccess &row) {
        return kb.at(memoryType(row.stored), row.pointer, kb.mul(sums.column(number), row.stride));
      };
      for (auto [n, sum] : llvm::enumerate(before))
        after.push_back(sums.add(sum, sums.load(at(from[n]), lanes)));
      for (auto [n, sum] : llvm::enumerate(after))
        sums.store(sum, at(to[n]));
      return after;
    });
  });
  return last;
}

static void expandCumsum(KernelBuilder &kb, RowSpace &space, xft::CumsumOp op) {
  int64_t lanes = kb.machine.lanes(CumulativeSums(kb, op, space.columns).type());
  Value row = space.firstRow;
  if (isAcross(op.getX()) && isAcross(op.getY()))
    row = expandSums(kb, space, op, row, sumsAtOnce, lanes);
  row = expandSums(kb, space, op, row, sumsAtOnce, /*lanes=*/1);
  expandSums(kb, space, op, row, /*registers=*/1, /*lanes=*/1);
}

static void expandSortRow(KernelBuilder &kb, RowSpace &space, xft::SortRowOp op) {
  constexpr int64_t digit = 8, candidates = 16;
  SortThreads threads(kb, kb.stack(kb.i64(), int64_t(1) << digit), digit, candidates);
  kb.loop(space.firstRow, space.lastRow, 1, [&](Value row) { buildSortRow(threads, space, op, row); });
}

static void expandSumRow(KernelBuilder &kb, RowSpace &space, xft::SumRowOp op) {
  kb.loop(space.firstRow, space.lastRow, 1,
          [&](Value row) { buildSumRow(kb, space, op, row, kb.integer(0), /*threads=*/1); });
}

bool cpu::expandRowOrder(KernelBuilder &kb, RowSpace &space) {
  if (auto cumsum = xft::onlyOpOf<xft::CumsumOp>(space.op))
    return expandCumsum(kb, space, cumsum), true;
  if (auto sort = xft::onlyOpOf<xft::SortRowOp>(space.op))
    return expandSortRow(kb, space, sort), true;
  if (auto sum = xft::onlyOpOf<xft::SumRowOp>(space.op))
    return expandSumRow(kb, space, sum), true;
  return false;
}
