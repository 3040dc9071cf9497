//===- AttendWarpgroup.cpp - What warpgroups copy for attention -----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/NVGPU/Attend/AttendWarpgroup.h"
#include "compiler/Target/NVGPU/Tiling/AttentionWarpgroups.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::nvgpu;

static constexpr auto slt = arith::CmpIPredicate::slt;

//===----------------------------------------------------------------------===//
// Kernel
//===----------------------------------------------------------------------===//

AttendWarpgroupBuffers::AttendWarpgroupBuffers(AttendKernel &k) {
  xft::WarpgroupsAttr schedule = k.op.getWarpgroups();
  int64_t stages = schedule.getStages(), pieces = k.op.getPieces().size();
  int64_t rows = k.tile.getQueries(), keys = k.tile.getKeys(), columns = k.columns(), valueColumns = k.valueColumns();
  hasOwnOutput = nvgpu::hasOwnOutput({k.tile, schedule}, k.depth(), k.valueDepth(), pieces, PairWork::of(k.op));
  query = allocateSwizzled(k.block, rows, hasOwnOutput ? columns : std::max(columns, valueColumns), 1);
  output = hasOwnOutput ? allocateSwizzled(k.block, rows, valueColumns, 1) : query;
  query.columns = columns;
  output.columns = valueColumns;
  SwizzledMatrix streamed[] = {allocateSwizzled(k.block, keys, columns, stages),
                               allocateSwizzled(k.block, keys, valueColumns, stages)};
  ring.emplace(k.block, stages, streamed);
  tasks.emplace(k.block, /*stages=*/1, ArrayRef(query));
  taskMemory = k.block.shared(2 * taskBytes(pieces));
  if (k.pairs.predicate) {
    records = BlockRecords{k.block.shared(stages * blockRecordBytes)};
    predicateMasks = k.block.shared(rows * pairMaskBytes);
  }
  if (k.pairs.dropout)
    dropoutMasks = k.block.shared(rows * pairMaskBytes);
  queue.emplace(k.op->getParentOfType<func::FuncOp>(), k.block);
}

AttendWarpgroupKernel::AttendWarpgroupKernel(xft::AttendOp op, KernelBuilder &kb)
    : AttendKernel(op, kb, (op.getWarpgroups().getConsumers() + 1) * threadsOfWarpgroup), groups(kb, product.element),
      maps(op->getParentOfType<func::FuncOp>(), kb), buffers(*this) {}

static Value addI32(KernelBuilder &kb, Value x, Value y) { return arith::AddIOp::create(kb.b, kb.loc, x, y); }

/// A consumer warpgroup has two named barriers. Returns the id of one of them: `first` plus the index of the warpgroup.
/// `first` is 1 for the barrier that passes turns, and 1 + consumers() for the barrier of the warpgroup's own warps.
/// The id after all of these is the barrier of all consumers.
static Value barrierOf(AttendWarpgroupKernel &k, int64_t first) {
  return addI32(k.kb, k.group.index, i32(k.kb, first));
}

void AttendWarpgroupKernel::synchronizeWarpgroup() {
  synchronizeNamed(kb, barrierOf(*this, 1 + consumers()), threadsOfWarpgroup);
}

void AttendWarpgroupKernel::synchronizeConsumers() {
  synchronizeNamed(kb, i32(kb, 1 + 2 * consumers()), consumers() * threadsOfWarpgroup);
}

void AttendWarpgroupKernel::waitForTurn() {
  if (takesTurns())
    synchronizeNamed(kb, barrierOf(*this, 1), 2 * threadsOfWarpgroup);
}

void AttendWarpgroupKernel::passTurn() {
  if (!takesTurns())
    return;
  Value isLast = kb.compare(arith::CmpIPredicate::eq, group.index, i32(kb, consumers() - 1));
  Value next = kb.select(isLast, i32(kb, 0), addI32(kb, group.index, i32(kb, 1)));
  arriveNamed(kb, addI32(kb, next, i32(kb, 1)), 2 * threadsOfWarpgroup);
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
                {piece.getKeys(), k.tile.getKeys()},
                k.b,
                isKeys ? k.heads.key : k.heads.value,
                k.nk,
                rowAt,
                keys.start,
                rank};
  k.buffers.ring->waitEmpty(part, place);
  copyRankRows(kb, k.maps, rows, to, k.buffers.ring->expect(part, place));
}

//===----------------------------------------------------------------------===//
// Tasks
//===----------------------------------------------------------------------===//

SeenRange nvgpu::findRange(AttendWarpgroupKernel &k, PieceAttr piece) {
  SeenRange range = buildSeenRange(k, piece);
  return {hasLowerBound(piece) ? range.begin : k.kb.integer(0), range.end};
}

/// Returns a pointer to the record of the task of parity `parity` (the number of the task modulo 2). A record holds b,
/// h, r and the number of the row block, then the begin and the end of each piece's range of ranks, all as i32.
static Value recordAt(AttendWarpgroupKernel &k, Value parity) {
  KernelBuilder &kb = k.kb;
  Value number = arith::ExtUIOp::create(kb.b, kb.loc, kb.i64(), parity);
  return kb.at(kb.b.getI8Type(), k.buffers.taskMemory, kb.mul(number, taskBytes(k.op.getPieces().size())));
}

/// Describes `count` rows of `operand` (q or o) for TMA. rowAt(n) returns the index of the n-th row in the operand.
static RankRows rowsOf(AttendWarpgroupKernel &k, Value operand, int64_t count, function_ref<Value(int64_t)> rowAt) {
  return {operand, {k.op.getQueries(), count}, k.b, k.h, k.nq, rowAt};
}

/// Returns the index in q of row `n` (i64) of the task's row block. The index may lie after the last row of q.
static Value rowAt(AttendWarpgroupKernel &k, Value n) {
  KernelBuilder &kb = k.kb;
  return kb.sub(k.rows.map.at(kb, kb.add(k.rows.first, n)), kb.sub(k.nk, k.nq));
}

void nvgpu::publishTask(AttendWarpgroupKernel &k, const TaskRecord &record, Value parity) {
  KernelBuilder &kb = k.kb;
  Value pointer = recordAt(k, parity);
  const AttendKernel::Place &place = record.place;
  storeNumbers(kb, {place.b, place.h, place.r, place.number}, pointer);
  for (auto [n, range] : llvm::enumerate(record.ranges))
    storeNumbers(kb, {range.begin, range.end}, kb.at(kb.b.getI8Type(), pointer, 16 + 8 * n));
  PipelineState task{i32(kb, 0), parity};
  if (!k.copiesByTma())
    return k.buffers.tasks->fillAlone(AttendWarpgroupKernel::Queries, task);
  Value barrier = k.buffers.tasks->expect(AttendWarpgroupKernel::Queries, task);
  auto row = [&](int64_t n) { return rowAt(k, kb.integer(n)); };
  copyRankRows(kb, k.maps, rowsOf(k, k.op.getQ(), k.tile.getQueries(), row), k.buffers.query, barrier);
}

AttendKernel::Place nvgpu::readPlace(AttendWarpgroupKernel &k, Value parity) {
  SmallVector<Value> numbers = loadNumbers(k.kb, 4, recordAt(k, parity));
  return {numbers[0], numbers[1], numbers[2], numbers[3]};
}

SeenRange nvgpu::readRange(AttendWarpgroupKernel &k, Value parity, Value number) {
  KernelBuilder &kb = k.kb;
  Value offset = kb.add(kb.mul(number, 8), 16);
  SmallVector<Value> numbers = loadNumbers(kb, 2, kb.at(kb.b.getI8Type(), recordAt(k, parity), offset));
  bool isZero = llvm::none_of(k.op.getPieces().getAsRange<PieceAttr>(), hasLowerBound);
  return {isZero ? kb.integer(0) : numbers[0], numbers[1]};
}

//===----------------------------------------------------------------------===//
// Queries and outputs
//===----------------------------------------------------------------------===//

void nvgpu::copyWarpgroupQueries(AttendWarpgroupKernel &k) {
  k.synchronizeWarpgroup(); // the previous task has read its rows
  copyWarpgroupRows(k.block, k.q.element, k.buffers.query, k.group.row, k.depth(),
                    [&](Value inBlock) { return atRow(k, k.q, k.rowOf(inBlock)); });
  fenceShared(k.kb);
  k.synchronizeWarpgroup();
}

/// Stores `packed`, a warp's packed tile, to its 16 rows of the output's boxes, 16 columns at a time. An instruction
/// stores four 8 x 8 matrices: rows 0 - 7 and 8 - 15 of the first 8 columns, then of the other 8. Lane l passes the
/// address of row l mod 16, at the first 8 columns if l < 16, else at the other 8.
static void stageOutput(AttendWarpgroupKernel &k, ArrayRef<Value> packed) {
  KernelBuilder &kb = k.kb;
  // Opaque, because addresses would else be kept in registers from the first task on.
  Value thisLane = toI32(kb, forget(kb, k.block.lane)), warp = forget(kb, k.block.warp);
  auto lane = [&](int64_t mask) -> Value { return arith::AndIOp::create(kb.b, kb.loc, thisLane, i32(kb, mask)); };
  Value row = addI32(kb, toI32(kb, kb.mul(warp, WarpProduct::tileRows)), lane(15));
  Value later = arith::ShRUIOp::create(kb.b, kb.loc, lane(16), i32(kb, 4));
  Value place = arith::XOrIOp::create(kb.b, kb.loc, later, lane(7)); // of the first chunk, in the 128-byte swizzle
  Value offset = addI32(kb, arith::MulIOp::create(kb.b, kb.loc, row, i32(kb, SwizzledMatrix::rowBytes)),
                        arith::MulIOp::create(kb.b, kb.loc, place, i32(kb, 16)));
  Value first = addI32(kb, k.buffers.output.address, offset);
  for (size_t n = 0; n < packed.size(); n += 4) { // 16 columns: chunks n / 2 and n / 2 + 1
    int64_t chunk = n / 2, box = chunk / 8;
    Value swizzled = arith::XOrIOp::create(kb.b, kb.loc, first, i32(kb, chunk % 8 * 16));
    storeMatrices(kb, addI32(kb, swizzled, i32(kb, box * k.buffers.output.boxBytes())), packed.slice(n, 4));
  }
}

/// Copies the warpgroup's rows of o from the output's boxes to memory, by loads and stores instead of TMA.
static void copyOutput(AttendWarpgroupKernel &k) {
  KernelBuilder &kb = k.kb;
  k.synchronizeWarpgroup();
  forChunks(k.block, k.valueDepth(), [&](Value row, Value chunk) {
    Value inBlock = kb.add(arith::ExtUIOp::create(kb.b, kb.loc, kb.i64(), k.group.row), row);
    kb.ifThen(kb.compare(slt, inBlock, k.rows.count), [&] {
      Value values = kb.load(chunkType(kb), k.buffers.output.chunk(kb, toI32(kb, inBlock), toI32(kb, chunk)), 16);
      kb.store(values, kb.at(k.operands.o.element, atRow(k, k.operands.o, k.rowOf(inBlock)), kb.mul(chunk, 8)), 16);
    });
  });
}

void nvgpu::storeWarpgroupOutput(AttendWarpgroupKernel &k, ArrayRef<Value> packed) {
  KernelBuilder &kb = k.kb;
  if (!k.buffers.hasOwnOutput || !k.copiesByTma())
    k.synchronizeWarpgroup(); // Q, or the previous task's rows of o, have been read
  if (k.copiesByTma())
    awaitOutput(k);
  stageOutput(k, packed);
  if (!k.copiesByTma())
    return copyOutput(k);
  fenceShared(kb);
  k.block.synchronizeWarp();
  k.block.onFirstLane([&] {
    Value firstRow = kb.mul(k.block.warp, WarpProduct::tileRows);
    Value bytes = toI32(kb, kb.mul(firstRow, SwizzledMatrix::rowBytes));
    auto row = [&](int64_t n) { return rowAt(k, kb.add(firstRow, n)); };
    storeRankRows(kb, k.maps, rowsOf(k, k.op.getO(), WarpProduct::tileRows, row), k.buffers.output.offset(kb, bytes));
    commitTmaStores(kb);
  });
}

void nvgpu::awaitOutput(AttendWarpgroupKernel &k) {
  k.block.onFirstLane([&] { awaitTmaReads(k.kb); });
  k.block.synchronizeWarp();
}
