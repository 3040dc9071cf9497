//===- AttendWarpgroup.cpp - What warpgroups copy for attention -----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/NVGPU/Attend/AttendWarpgroup.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::nvgpu;

static constexpr auto slt = arith::CmpIPredicate::slt;

//===----------------------------------------------------------------------===//
// Kernel
//===----------------------------------------------------------------------===//

AttendWarpgroupKernel::AttendWarpgroupKernel(xft::AttendOp op, KernelBuilder &kb)
    : AttendKernel(op, kb, (op.getWarpgroups().getConsumers() + 1) * threadsOfWarpgroup),
      consumers(op.getWarpgroups().getConsumers()), isCareful(op.getSchedule().getRecheck()),
      groups(kb, product.element), maps(op->getParentOfType<func::FuncOp>(), kb) {
  int64_t stages = op.getWarpgroups().getStages();
  queryBoxes = allocateSwizzled(block, blockRows, std::max(columns, valueColumns), 1); // o is staged there, too
  queryBoxes.columns = columns;
  SwizzledMatrix streamed[] = {allocateSwizzled(block, blockKeys, columns, stages),
                               allocateSwizzled(block, blockKeys, valueColumns, stages)};
  ring.emplace(block, stages, streamed);
}

static Value addI32(KernelBuilder &kb, Value x, Value y) { return arith::AddIOp::create(kb.b, kb.loc, x, y); }

/// Returns the id of a named barrier of this warpgroup: `first` plus the warpgroup's index. Ids 1 and 2 are the
/// barriers for turns. Then follow one barrier for each consumer warpgroup, and one for all consumer warpgroups
/// together.
static Value barrierOf(AttendWarpgroupKernel &k, int64_t first) { return addI32(k.kb, k.group, i32(k.kb, first)); }

void AttendWarpgroupKernel::synchronizeWarpgroup() { synchronizeNamed(kb, barrierOf(*this, 3), threadsOfWarpgroup); }

void AttendWarpgroupKernel::synchronizeConsumers() {
  synchronizeNamed(kb, i32(kb, 3 + consumers), consumers * threadsOfWarpgroup);
}

void AttendWarpgroupKernel::waitForTurn() {
  if (takesTurns())
    synchronizeNamed(kb, barrierOf(*this, 1), 2 * threadsOfWarpgroup);
}

void AttendWarpgroupKernel::passTurn() {
  if (takesTurns())
    arriveNamed(kb, arith::SubIOp::create(kb.b, kb.loc, i32(kb, 2), group), 2 * threadsOfWarpgroup);
}

//===----------------------------------------------------------------------===//
// Keys and values
//===----------------------------------------------------------------------===//

void nvgpu::copyRanks(AttendWarpgroupKernel &k, PieceAttr piece, AttendWarpgroupKernel::Part part, Value rank,
                      const PipelineState &place, const SwizzledMatrix &to) {
  KernelBuilder &kb = k.kb;
  bool isKeys = part == AttendWarpgroupKernel::Keys;
  ResidueMap keys = ResidueMap::of(kb, piece.getKeys(), k.r);
  auto rowAt = [&](int64_t n) { return keys.at(kb, kb.add(rank, n)); };
  RankRows rows{isKeys ? k.op.getKeys()[0] : k.op.getValues()[0],
                {piece.getKeys(), k.blockKeys},
                k.b,
                isKeys ? k.keyHead : k.valueHead,
                k.nk,
                rowAt,
                keys.start,
                rank};
  k.ring->waitEmpty(part, place);
  copyRankRows(kb, k.maps, rows, to, k.ring->expect(part, place));
}

//===----------------------------------------------------------------------===//
// Queries and outputs
//===----------------------------------------------------------------------===//

void nvgpu::copyWarpgroupQueries(AttendWarpgroupKernel &k) {
  k.synchronizeWarpgroup(); // the previous task has read its rows
  copyWarpgroupRows(k.block, k.q.element, k.queryBoxes, k.groupRow, k.depth,
                    [&](Value inBlock) { return atRow(k, k.q, k.rowOf(inBlock)); });
  fenceShared(k.kb);
  k.synchronizeWarpgroup();
}

void nvgpu::storeWarpgroupOutput(AttendWarpgroupKernel &k, ArrayRef<Value> tile) {
  KernelBuilder &kb = k.kb;
  SwizzledMatrix boxes = k.queryBoxes;
  boxes.columns = k.valueColumns;
  SmallVector<Value> packed = k.groups.pack(tile);
  // Opaque, because the addresses of all elements would else be kept in registers from the first task on.
  Value inBlock = forget(kb, kb.add(kb.mul(k.block.warp, WarpProduct::tileRows), k.product.row(0)));
  k.synchronizeWarpgroup();                    // Q has been read
  for (size_t n = 0; n < packed.size(); ++n) { // 2 columns of atom n / 2
    Value row = addI32(kb, toI32(kb, inBlock), i32(kb, 8 * (n % 2)));
    Value chunk = boxes.chunk(kb, row, i32(kb, n / 2));
    kb.store(packed[n], kb.at(k.o.element, chunk, k.product.column()), 4);
  }
  k.synchronizeWarpgroup();
  forChunks(k.block, k.valueDepth, [&](Value row, Value chunk) {
    Value inBlock = kb.add(arith::ExtUIOp::create(kb.b, kb.loc, kb.i64(), k.groupRow), row);
    kb.ifThen(kb.compare(slt, inBlock, k.rowCount), [&] {
      Value values = kb.load(chunkType(kb), boxes.chunk(kb, toI32(kb, inBlock), toI32(kb, chunk)), 16);
      kb.store(values, kb.at(k.o.element, atRow(k, k.o, k.rowOf(inBlock)), kb.mul(chunk, 8)), 16);
    });
  });
}
