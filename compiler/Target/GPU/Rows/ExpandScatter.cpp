//===- ExpandScatter.cpp - Scatter-add of rows ----------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expands a scatter-add to rows of a table.
//
// Before:
//   xft.rows outer(%places) .. { %id = xft.element_load %ids  %row = xft.row %table[%id]
//                                xft.cols ins(%row, %x) outs(%row) { add } }
// After: a row block is a range of rows of %table. Each warp owns a part of it, so sums have the order of the places
// without atomics. A warp inspects the indices of 32 places at a time.
//   scf.for %base = 0 to %places step 32 {
//     %mine = ballot(number of place %base + lane is one of this warp's)
//     scf.while %mine != 0 { the body for the first of them } }
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/GPU/Rows/ExpandScatter.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::gpu;

xft::RowOp xf::gpu::writtenRowOf(xft::RowsOp op) {
  Block &body = op.getBody().front();
  auto phases = llvm::to_vector(body.getOps<xft::ColsOp>());
  bool isOnePhase = phases.size() == 1 && phases.front() == &body.back() && op.getOuter().size() == 1;
  if (!isOnePhase || phases.front().getOuts().size() != 1)
    return nullptr;
  return phases.front().getOuts().front().getDefiningOp<xft::RowOp>();
}

/// Builds a loop over the set bits of `bits` (i32), lowest first. Calls body(number) in the loop with the index of the
/// bit (i64).
static void forBits(KernelBuilder &kb, Value bits, function_ref<void(Value number)> body) {
  Type i32 = kb.b.getI32Type();
  Value zero = kb.integerOf(i32, 0), one = kb.integerOf(i32, 1);
  auto loop = scf::WhileOp::create(
      kb.b, kb.loc, i32, bits,
      [&](OpBuilder &b, Location loc, ValueRange state) {
        Value isLeft = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, state[0], zero);
        scf::ConditionOp::create(b, loc, isLeft, state);
      },
      [](OpBuilder &, Location, ValueRange) {});
  OpBuilder::InsertionGuard guard(kb.b);
  Block *block = loop.getAfterBody();
  kb.b.setInsertionPointToEnd(block);
  Value left = block->getArgument(0);
  body(arith::ExtUIOp::create(kb.b, kb.loc, kb.i64(), math::CountTrailingZerosOp::create(kb.b, kb.loc, left)));
  Value rest = arith::AndIOp::create(kb.b, kb.loc, left, arith::SubIOp::create(kb.b, kb.loc, left, one));
  scf::YieldOp::create(kb.b, kb.loc, rest);
}

LogicalResult xf::gpu::expandScatter(ThreadBlock &block, RowSpace &space, xft::RowOp written,
                                     function_ref<LogicalResult(Value row)> body) {
  KernelBuilder &kb = block.kb;
  Value rows = space.views[written.getSource()].sizes.front(), places = space.outer.back();
  Value perBlock = kb.div(kb.add(rows, kb.add(space.rowBlocks, -1)), space.rowBlocks);
  Value perWarp = kb.ceilDiv(perBlock, block.warps());
  Value firstOfBlock = kb.mul(space.rowBlock, perBlock), first = kb.add(firstOfBlock, kb.mul(block.warp, perWarp));
  Value last = kb.min(kb.add(first, perWarp), kb.add(firstOfBlock, perBlock));
  LogicalResult result = success();
  kb.loop(kb.integer(0), places, ThreadBlock::warpSize, [&](Value base) {
    Value place = kb.add(base, block.lane);
    FailureOr<Value> number = space.buildIndex(written, kb.min(place, kb.add(places, -1)));
    if (failed(number)) {
      result = failure();
      return;
    }
    Value isMine = kb.compare(arith::CmpIPredicate::slt, place, places);
    isMine = arith::AndIOp::create(kb.b, kb.loc, isMine, kb.compare(arith::CmpIPredicate::sge, *number, first));
    isMine = arith::AndIOp::create(kb.b, kb.loc, isMine, kb.compare(arith::CmpIPredicate::slt, *number, last));
    forBits(kb, block.ballot(isMine), [&](Value n) {
      if (failed(body(kb.add(base, n))))
        result = failure();
    });
  });
  return result;
}
