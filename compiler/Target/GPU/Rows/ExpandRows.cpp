//===- ExpandRows.cpp - Kernels over rows become code of warps ------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expands an `xft.rows`. A thread block of several warps runs a tile. One warp computes a short row; all threads of the
// thread block compute a long row. If rows are only reduced and very short, a warp computes several rows at a time.
// Threads exchange only reductions, and single elements, which the first thread writes and all threads read.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/GPU/ExpandKernels.h"
#include "compiler/Target/GPU/Rows/ExpandCols.h"
#include "compiler/Target/GPU/Rows/ExpandColumnSums.h"
#include "compiler/Target/GPU/Rows/ExpandRowOrder.h"
#include "compiler/Target/GPU/Rows/ExpandScatter.h"
#include "compiler/Target/Kernel/Rows/Combine.h"
#include "dialects/xft/IR/XftRowsTile.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::gpu;

/// In a kernel that onlyReduces(), a row of at most `longestShortRow` columns is very short. `lanesOfShortRow` lanes
/// compute such a row. Each of them has up to four registers of 8 columns.
static constexpr int64_t longestShortRow = 256, lanesOfShortRow = 8;

namespace {
class RowsExpander {
public:
  RowsExpander(xft::RowsOp op, KernelBuilder &kb)
      : op(op), kb(kb), block(op->getParentOfType<func::FuncOp>(), kb, xft::rowWarps * ThreadBlock::warpSize),
        space(op, kb), team(block, mostReductions()) {}
  LogicalResult expand();

private:
  auto phases() { return op.getBody().front().getOps<xft::ColsOp>(); }
  unsigned mostReductions();
  bool hasAccumulators();
  bool dependsOnOrder();
  bool readsElements();
  bool onlyReduces();
  void chooseTeam();
  LogicalResult expandShortRows(RowSpace::Phase phase);
  void startAccumulators();
  SmallVector<Value> expandPhase(xft::ColsOp cols, Value row, const IRMapping &scalars);

  xft::RowsOp op;
  KernelBuilder &kb;
  ThreadBlock block;
  RowSpace space;
  RowThreads team;
};
} // namespace

unsigned RowsExpander::mostReductions() {
  unsigned most = 0;
  for (xft::ColsOp cols : phases())
    most = std::max(most, cols.getNumResults());
  return most;
}

bool RowsExpander::hasAccumulators() {
  return llvm::any_of(phases(), [](xft::ColsOp cols) { return !cols.getAccs().empty(); });
}

/// Returns whether a thread may read what another thread of its team has written. If so, phases must end with a
/// barrier.
bool RowsExpander::dependsOnOrder() {
  Block &body = op.getBody().front();
  return llvm::range_size(phases()) > 1 || mostReductions() || writtenRowOf(op) ||
         !body.getOps<xft::ElementStoreOp>().empty();
}

/// Returns whether the kernel loads single elements at a column. All threads read such an element, and a phase may
/// overwrite it.
bool RowsExpander::readsElements() {
  auto loads = op.getBody().front().getOps<xft::ElementLoadOp>();
  return llvm::any_of(loads, [](xft::ElementLoadOp load) { return static_cast<bool>(load.getColumn()); });
}

/// Returns whether the kernel has one phase and stores only elements that a row has once, such as results of
/// reductions. A row of such a kernel may be computed twice.
bool RowsExpander::onlyReduces() {
  Block &body = op.getBody().front();
  auto hasColumn = [](auto access) { return bool(access.getColumn()); };
  return llvm::hasSingleElement(phases()) && (*phases().begin()).getOuts().empty() && !hasAccumulators() &&
         body.getOps<xft::RowOp>().empty() && llvm::none_of(body.getOps<xft::ElementLoadOp>(), hasColumn) &&
         llvm::none_of(body.getOps<xft::ElementStoreOp>(), hasColumn);
}

/// Expands a kernel that onlyReduces(), with four rows in a warp. If there are fewer rows, the other lanes compute the
/// last row again, because all lanes of a warp must take part in the reductions.
LogicalResult RowsExpander::expandShortRows(RowSpace::Phase phase) {
  LogicalResult result = success();
  team.chooseLanes(lanesOfShortRow);
  kb.loop(space.firstRow, space.lastRow, block.threads / lanesOfShortRow, [&](Value first) {
    Value row = kb.add(first, team.number), exists = kb.compare(arith::CmpIPredicate::slt, row, space.lastRow);
    auto once = [&](function_ref<void()> store) { kb.ifThen(exists, [&] { team.onFirst(store); }); };
    result = space.buildRow(kb.min(row, kb.add(space.lastRow, -1)), phase, once);
  });
  return result;
}

/// Chooses whether one warp or the whole thread block computes a row. The thread block computes rows of more than
/// longestWarpRow columns. In tiles with fewer rows than warps, it also computes rows of more than longestLoneRow
/// columns. Kernels with accumulators always use the thread block: accumulators belong to the tile, so all threads must
/// be at the same row.
void RowsExpander::chooseTeam() {
  Value hasFewRows = kb.compare(arith::CmpIPredicate::slt, space.rowsPerTile(), kb.integer(block.warps()));
  Value most = kb.select(hasFewRows, kb.integer(xft::longestLoneRow), kb.integer(xft::longestWarpRow));
  Value isLong = kb.compare(arith::CmpIPredicate::sgt, space.tileColumns.count, most);
  team.choose(hasAccumulators() ? kb.constant(kb.b.getBoolAttr(true)) : isLong);
}

void RowsExpander::startAccumulators() {
  for (xft::ColsOp cols : phases())
    for (auto [n, memref] : llvm::enumerate(cols.getAccs())) {
      const RowAccess &row = space.accumulators[memref];
      Value identity = combinerIdentity(kb, cols.getCombiner(cols.getNumResults() + n), row.stored);
      forColumns(team, space.tileColumns, [&](Value column) { row.storeElement(kb, identity, column); });
    }
  if (hasAccumulators())
    team.synchronize();
}

SmallVector<Value> RowsExpander::expandPhase(xft::ColsOp cols, Value row, const IRMapping &scalars) {
  SmallVector<RowAccess> operands;
  for (Value memref : llvm::concat<Value>(cols.getIns(), cols.getOuts()))
    operands.push_back(space.access(memref, row));
  for (Value memref : cols.getAccs())
    operands.push_back(space.accumulators[memref]);
  if (readsElements() && !cols.getOuts().empty())
    team.synchronize();
  SmallVector<Value> results = expandCols(team, cols, operands, space.tileColumns, scalars);
  if (dependsOnOrder() || hasAccumulators())
    team.synchronize();
  return results;
}

LogicalResult RowsExpander::expand() {
  LogicalResult result = success(), shortResult = success();
  auto phase = [&](xft::ColsOp cols, Value row, const IRMapping &scalars) { return expandPhase(cols, row, scalars); };
  auto once = [&](function_ref<void()> store) {
    team.onFirst(store);
    team.synchronize();
  };
  block.forTiles([&](Value tile) {
    space.locate(tile);
    if (expandRowOrder(block, space))
      return;
    if (xft::ColsOp sums = columnSumsOf(op))
      return expandColumnSums(block, space, sums);
    if (xft::RowOp written = writtenRowOf(op)) {
      team.choose(kb.constant(kb.b.getBoolAttr(false)));
      result = expandScatter(block, space, written, [&](Value row) { return space.buildRow(row, phase, once); });
      return;
    }
    auto expandTeamRows = [&] {
      chooseTeam();
      startAccumulators();
      kb.loop(kb.add(space.firstRow, team.number), space.lastRow, team.teams,
              [&](Value row) { result = space.buildRow(row, phase, once); });
      return SmallVector<Value>();
    };
    if (!onlyReduces()) {
      expandTeamRows();
      return;
    }
    auto expandShort = [&] {
      shortResult = expandShortRows(phase);
      return SmallVector<Value>();
    };
    Value isShort = kb.compare(arith::CmpIPredicate::sle, space.tileColumns.count, kb.integer(longestShortRow));
    Value isFull =
        kb.compare(arith::CmpIPredicate::sle, kb.integer(block.threads / lanesOfShortRow), space.rowsPerTile());
    kb.ifElse(arith::AndIOp::create(kb.b, kb.loc, isShort, isFull), {}, expandShort, expandTeamRows);
  });
  block.finish();
  op.erase();
  return success(succeeded(result) && succeeded(shortResult));
}

LogicalResult xf::gpu::expandRows(xft::RowsOp op, KernelBuilder &kb) { return RowsExpander(op, kb).expand(); }
