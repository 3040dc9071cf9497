//===- ExpandColumnSums.cpp - Rows that are only added up -----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sums the columns of a matrix.
//
// Before:
//   xft.rows .. { xft.cols ins(%x) accs(%sum) combine(add) { .. } }
// After: a lane keeps the sums of its columns (16 bytes of a row) in registers. Warp w of W adds rows w, w + W, ..,
// with several loads in flight. Then the warps' sums are added in the order of warps, through shared memory.
//   scf.for %base = 0 to %columns step 32 x 4 {
//     %own = scf.for %row = %first + %warp to .. step 4 W iter_args(identity) { 4 x load; 4 x (region, add) }
//     shared[warp][column] = %own; barrier; sum[column] = the warps' in order; barrier }
// The order in which a column is summed depends only on the tile, not on the alignment of rows.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/GPU/Rows/ExpandColumnSums.h"
#include "compiler/Target/GPU/Rows/ExpandCols.h"
#include "compiler/Target/Kernel/Rows/Combine.h"
#include "compiler/Target/Kernel/Rows/VectorRegion.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::gpu;

xft::ColsOp xf::gpu::columnSumsOf(xft::RowsOp op) {
  Block &body = op.getBody().front();
  auto cols = dyn_cast<xft::ColsOp>(body.front());
  bool addsOnly = cols && llvm::hasSingleElement(body) && !cols.getNumResults() && cols.getOuts().empty();
  return addsOnly && !cols.getAccs().empty() ? cols : nullptr;
}

namespace {
class ColumnSums {
public:
  ColumnSums(ThreadBlock &block, RowSpace &space, xft::ColsOp op)
      : block(block), space(space), kb(block.kb), op(op), body(op.getBody().front()) {
    for (Value memref : op.getIns())
      ins.push_back(space.firstRowOf(memref));
    width = registerWidth(ins);
    shared = block.shared(op.getAccs().size() * block.threads * width * slotBytes);
  }
  void expand();

private:
  Value alignedColumns();
  SmallVector<Value> addRows(Value column, Value isMine, int64_t lanes);
  SmallVector<Value> addRowsAtOnce(ArrayRef<Value> rows, Value column, int64_t lanes, ValueRange sums);
  void combineWarps(ArrayRef<Value> sums, Value base, Value end, int64_t lanes);
  /// Computes and stores the sums of the columns [first, end). A thread has `lanes` columns at a time.
  void expandColumns(Value first, Value end, int64_t lanes);
  Type sumType(unsigned n) { return space.accumulators[op.getAccs()[n]].stored; }

  ThreadBlock &block;
  RowSpace &space;
  KernelBuilder &kb;
  xft::ColsOp op;
  Block &body;
  SmallVector<RowAccess> ins;
  static constexpr int64_t slotBytes = 8;
  int64_t width;
  Value shared; ///< [accumulator][warp][column]
};
} // namespace

/// Returns the number of leading columns that aligned registers cover in all rows, or 0 if rows are not aligned.
Value ColumnSums::alignedColumns() {
  Value apart = kb.integer(0);
  for (auto [memref, row] : llvm::zip_equal(op.getIns(), ins)) {
    if (row.kind != RowAccess::Contiguous)
      continue;
    Value address = LLVM::PtrToIntOp::create(kb.b, kb.loc, kb.i64(), row.pointer);
    Value stride = kb.mul(space.views[memref].strides[space.outer.size() - 1], elementBytes(row));
    Value rest = kb.floorMod(arith::OrIOp::create(kb.b, kb.loc, address, stride), registerAlignment(row, width));
    apart = arith::OrIOp::create(kb.b, kb.loc, apart, rest);
  }
  Value whole = kb.mul(kb.floorDiv(space.tileColumns.count, width), width);
  return kb.select(kb.compare(arith::CmpIPredicate::eq, apart, kb.integer(0)), whole, kb.integer(0));
}

SmallVector<Value> ColumnSums::addRowsAtOnce(ArrayRef<Value> rows, Value column, int64_t lanes, ValueRange sums) {
  SmallVector<SmallVector<Value>> arguments;
  for (Value row : rows) {
    arguments.push_back({columnNumbers(kb, body, kb.add(space.tileColumns.first, column), lanes)});
    for (Value memref : op.getIns()) {
      RowAccess access = space.access(memref, row);
      access.alignment = lanes > 1 ? registerAlignment(access, lanes) : 0;
      bool isSingle = access.kind == RowAccess::Single;
      arguments.back().push_back(isSingle ? access.loadSingle(kb, lanes) : access.load(kb, column, lanes));
    }
  }
  SmallVector<Value> next(sums);
  for (ArrayRef<Value> elements : arguments) {
    SmallVector<Value> terms = vectorize(body, elements, lanes, kb);
    for (auto [n, sum] : llvm::enumerate(next))
      sum = combine(kb, op.getCombiner(n), sum, terms[n]);
  }
  return next;
}

/// Returns the sums of this warp's rows over `lanes` columns from `column` on, one vector for each accumulator. A lane
/// whose `isMine` (i1) is false gets the combiner's identity.
SmallVector<Value> ColumnSums::addRows(Value column, Value isMine, int64_t lanes) {
  int64_t copies = registersAtOnce(body, ins, lanes), warps = block.warps();
  Value end = kb.select(isMine, space.lastRow, kb.integer(0));
  SmallVector<Value> state = {kb.add(space.firstRow, block.warp)};
  for (size_t n = 0; n < op.getAccs().size(); ++n)
    state.push_back(combinerIdentity(kb, op.getCombiner(n), kb.vector(sumType(n), lanes)));
  auto loop = [&](int64_t count) {
    Value last = kb.add(end, -warps * (count - 1));
    state = kb.loop(state.front(), last, warps * count, state, [&](Value row, ValueRange carried) {
      SmallVector<Value> rows;
      for (int64_t copy = 0; copy < count; ++copy)
        rows.push_back(kb.add(row, copy * warps));
      SmallVector<Value> next = {kb.add(row, warps * count)};
      llvm::append_range(next, addRowsAtOnce(rows, column, lanes, carried.drop_front()));
      return next;
    });
  };
  if (copies > 1)
    loop(copies);
  loop(1);
  return SmallVector<Value>(ArrayRef(state).drop_front());
}

/// Adds the sums of all warps for the columns [base, base + 32 lanes) that are less than `end`, where `lanes` is the
/// number of columns of a lane. Stores them to the accumulators, one thread for each column. Contains barriers.
void ColumnSums::combineWarps(ArrayRef<Value> sums, Value base, Value end, int64_t lanes) {
  int64_t columns = ThreadBlock::warpSize * lanes, warps = block.warps();
  assert(columns <= block.threads && "expected a thread for each column");
  auto at = [&](unsigned n, Value warp, Value column) {
    Value sums = kb.at(kb.b.getI8Type(), shared, n * warps * columns * slotBytes);
    return kb.at(sumType(n), sums, kb.add(kb.mul(warp, columns), column));
  };
  for (auto [n, sum] : llvm::enumerate(sums))
    kb.store(sum, at(n, block.warp, kb.mul(block.lane, lanes)), lanes > 1 ? 16 : 0);
  block.synchronize();
  Value column = kb.add(base, block.thread);
  Value isMine = arith::AndIOp::create(kb.b, kb.loc, kb.compare(arith::CmpIPredicate::slt, column, end),
                                       kb.compare(arith::CmpIPredicate::slt, block.thread, kb.integer(columns)));
  kb.ifThen(isMine, [&] {
    for (unsigned n = 0; n < sums.size(); ++n) {
      Value sum = kb.load(sumType(n), at(n, kb.integer(0), block.thread));
      for (int64_t warp = 1; warp < warps; ++warp)
        sum = combine(kb, op.getCombiner(n), sum, kb.load(sumType(n), at(n, kb.integer(warp), block.thread)));
      space.accumulators[op.getAccs()[n]].storeElement(kb, sum, column);
    }
  });
  block.synchronize();
}

void ColumnSums::expandColumns(Value first, Value end, int64_t lanes) {
  kb.loop(first, end, ThreadBlock::warpSize * lanes, [&](Value base) {
    Value column = kb.add(base, kb.mul(block.lane, lanes));
    Value isMine = kb.compare(arith::CmpIPredicate::slt, column, end);
    combineWarps(addRows(column, isMine, lanes), base, end, lanes);
  });
}

void ColumnSums::expand() {
  Value aligned = kb.integer(0);
  if (width > 1) {
    aligned = alignedColumns();
    expandColumns(kb.integer(0), aligned, width);
  }
  expandColumns(aligned, space.tileColumns.count, 1);
}

void xf::gpu::expandColumnSums(ThreadBlock &block, RowSpace &space, xft::ColsOp op) {
  ColumnSums(block, space, op).expand();
}
