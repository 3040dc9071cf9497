//===- ExpandAttendVjpByWarpgroups.cpp - Gradients by warpgroups: tasks ---===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/GPU/Attend/NonFiniteTiles.h"
#include "compiler/Target/NVGPU/AttendVjp/AttendVjpWarpgroup.h"
#include "compiler/Target/NVGPU/ExpandKernels.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::nvgpu;

using Kernel = AttendVjpWarpgroupKernel;

static constexpr auto slt = arith::CmpIPredicate::slt;

/// Whether a warp fetches tiles for the thread block, or reads the tiles that another warp has fetched (TileQueue).
enum class Turn { Fetches, Reads };

/// Builds the loop over the thread block's tiles whose resident block has rows or keys. body(n, place) returns the
/// pipeline state after the thread block's n-th tile (TileQueue).
static void forTasks(Kernel &k, Turn turn, function_ref<PipelineState(Value n, const PipelineState &place)> body) {
  KernelBuilder &kb = k.kb;
  SmallVector<Value> start(2, i32(kb, 0));
  auto task = [&](Value tile, Value n, ValueRange carried) {
    auto work = [&] {
      PipelineState place = body(n, {carried[0], carried[1]});
      return SmallVector<Value>{place.stage, place.parity};
    };
    return kb.ifElse(k.locate(tile), carried.getTypes(), work, [&] { return SmallVector<Value>(carried); });
  };
  turn == Turn::Fetches ? k.buffers.queue->forFetched(start, task) : k.buffers.queue->forRead(start, task);
}

//===----------------------------------------------------------------------===//
// Copying
//===----------------------------------------------------------------------===//

/// Builds the loops of one warp of the producer warpgroup: calls `body` for each streamed block of each task.
static void forCopies(Kernel &k, Turn turn, function_ref<void(const StreamedBlock &block)> body) {
  forTasks(k, turn, [&](Value n, const PipelineState &start) -> PipelineState {
    auto step = [&](const StreamedBlock &block, ValueRange) {
      body(block);
      return SmallVector<Value>();
    };
    auto end = [](Value, const PipelineState &, ValueRange) { return SmallVector<Value>(); };
    auto next = k.forStreamed({Role::Copies, n, std::nullopt}, {start.stage, start.parity}, step, end);
    return {next[0], next[1]};
  });
}

static void copyMatrices(Kernel &k) {
  forCopies(k, Turn::Fetches, [&](const StreamedBlock &block) {
    const PipelineState &place = block.place;
    SwizzledMatrix to[] = {k.buffers.ring->at(Kernel::Scores, place.stage),
                           k.buffers.ring->at(Kernel::Cotangents, place.stage)};
    onElectedLane(k.kb, [&] {
      if (k.pairs.predicate) {
        k.buffers.ring->waitEmpty(Kernel::Scores, place);
        k.buffers.records->publish(k.kb, block.listed, place);
      }
      for (auto part : {Kernel::Scores, Kernel::Cotangents})
        copyStreamed(k, part, block.first, place, to[part]);
    });
  });
}

static void writeNumbers(Kernel &k) {
  Value warp = k.kb.add(k.block.warp, -1);
  forCopies(k, Turn::Reads, [&](const StreamedBlock &block) {
    PieceBounds bounds = PieceBounds::of(k, k.piece());
    writeNumbers(k, bounds, warp, block.place);
    k.block.synchronizeWarp();
    k.buffers.ring->fill(Kernel::Scores, block.place);
  });
}

static void buildCopying(Kernel &k) {
  KernelBuilder &kb = k.kb;
  Value warp = k.block.warp;
  k.readPairs(k.op, k.op.getDerivative());
  kb.ifThen(kb.compare(arith::CmpIPredicate::eq, warp, kb.integer(0)), [&] { copyMatrices(k); });
  if (k.hasKeys())
    kb.ifThen(kb.compare(arith::CmpIPredicate::ult, kb.add(warp, -1), kb.integer(k.buffers.numbers.warps())),
              [&] { writeNumbers(k); });
}

//===----------------------------------------------------------------------===//
// Computing: start and finish
//===----------------------------------------------------------------------===//

/// Copies the warpgroup's rows of the resident block (Q and dO, or K and V) to shared memory. Contains barriers of the
/// warpgroup.
static void copyResident(Kernel &k) {
  KernelBuilder &kb = k.kb;
  k.synchronizeWarpgroup(); // the previous task has read its rows
  auto keyAt = [&](Value inBlock) {
    return k.keys.map.at(kb, kb.min(kb.add(k.keys.first, inBlock), kb.add(k.keys.end, -1)));
  };
  for (auto part : {Kernel::Scores, Kernel::Cotangents}) {
    bool ofScores = part == Kernel::Scores;
    const View &query = ofScores ? k.q : k.operands.dOut, &key = ofScores ? k.operands.k : k.operands.v;
    auto addressOf = [&](Value inBlock) {
      return k.hasKeys() ? key.at(kb, {k.b, k.keys.group, keyAt(inBlock)}) : atRow(k, query, k.rowOf(inBlock));
    };
    copyWarpgroupRows(k.block, k.q.element, k.buffers.resident[part], k.group.row,
                      ofScores ? k.depth() : k.valueDepth(), addressOf);
  }
  fenceShared(kb);
  k.synchronizeWarpgroup();
}

/// Returns the visible keys, shifts and deltas of the lane's rows.
static LaneShifts findRowNumbers(Kernel &k) {
  KernelBuilder &kb = k.kb;
  Value lowest = kb.real(k.real, -std::numeric_limits<double>::infinity());
  k.findLaneRows();
  LaneShifts rows{buildSeen(k, k.piece()), {}, {}};
  for (int64_t half : {0, 1}) {
    auto [shift, sawNone] = loadShift(k, k.rows.lane[half]);
    rows.shift[half] = kb.select(sawNone, lowest, shift); // P = 2^shift = 0
    rows.delta[half] = kb.load(k.real, atRow(k, k.operands.delta, k.rows.lane[half]));
  }
  return rows;
}

namespace {
/// One of the lane's two rows of a gradient.
struct GradientRow {
  Value exists, pointer;
};
} // namespace

/// Returns the lane's first column in a tile, as WarpProduct::column does. If registers are scarce, computes the column
/// again, so that no register holds it throughout the task.
static Value columnOfLane(Kernel &k) {
  return k.hasSpareRegisters() ? k.product.column() : k.kb.mul(k.kb.floorMod(readLane(k.kb), 4), 2);
}

/// Stores the lane's elements of one row of a gradient. The gradient has the type of its sums. `half` selects one of
/// the lane's two rows. Unless the op assigns, adds the elements to what the row holds.
static void storeRow(Kernel &k, Value pointer, ArrayRef<Value> sums, int64_t half, int64_t depth) {
  KernelBuilder &kb = k.kb;
  Type pair = kb.vector(k.real, 2);
  for (int64_t column = 0; column < depth; column += WarpProduct::atomColumns) {
    Value address = kb.at(k.real, pointer, kb.add(columnOfLane(k), column)), both;
    if (!k.op.getAssigns())
      both = kb.load(pair, address, 8);
    Value stored = LLVM::UndefOp::create(kb.b, kb.loc, pair);
    for (int64_t e : {0, 1}) {
      Value sum = sums[column / 2 + 2 * half + e];
      if (both)
        sum = kb.addf(LLVM::ExtractElementOp::create(kb.b, kb.loc, both, i32(kb, e)), sum);
      stored = LLVM::InsertElementOp::create(kb.b, kb.loc, stored, sum, i32(kb, e));
    }
    kb.store(stored, address, 8);
  }
}

/// Transposes four registers of each of four adjacent lanes: register n of lane l (modulo 4) goes to register l of lane
/// n. Called by all lanes of a warp.
static void transposeQuads(Kernel &k, MutableArrayRef<Value> registers) {
  KernelBuilder &kb = k.kb;
  for (int64_t mask : {1, 2}) {
    Value bit = arith::AndIOp::create(kb.b, kb.loc, toI32(kb, k.block.lane), i32(kb, mask));
    Value isLater = kb.compare(arith::CmpIPredicate::ne, bit, i32(kb, 0));
    for (int64_t n = 0; n < 4; ++n) {
      if (n & mask)
        continue;
      Value &lower = registers[n], &upper = registers[n | mask];
      Value received = k.block.exchange(kb.select(isLater, lower, upper), mask);
      lower = kb.select(isLater, received, lower);
      upper = kb.select(isLater, upper, received);
    }
  }
}

/// The columns that four lanes exchange, 8 for each lane, so that a lane stores 16 bytes at once.
static constexpr int64_t quadColumns = 4 * WarpProduct::atomColumns;

/// Stores the lane's elements of one row of a gradient of 16-bit floats. `packed` holds pairs of columns. In whole
/// groups of quadColumns columns, transposeQuads has given the lane four pairs of one atom, which it stores at once.
static void storePackedRow(Kernel &k, const View &view, Value pointer, ArrayRef<Value> packed, int64_t depth) {
  KernelBuilder &kb = k.kb;
  for (int64_t column = 0, exchanged = depth / quadColumns * quadColumns; column < depth;) {
    bool isChunk = column < exchanged;
    int64_t step = isChunk ? quadColumns : WarpProduct::atomColumns;
    ArrayRef<Value> pairs = packed.slice(column / WarpProduct::atomColumns, step / WarpProduct::atomColumns);
    Value stored = LLVM::UndefOp::create(kb.b, kb.loc, kb.vector(kb.b.getI32Type(), pairs.size()));
    for (auto [n, pair] : llvm::enumerate(pairs))
      stored = LLVM::InsertElementOp::create(kb.b, kb.loc, stored, pair, i32(kb, n));
    Value ofLane = kb.mul(k.product.column(), isChunk ? 4 : 1);
    kb.store(stored, kb.at(view.element, pointer, kb.add(ofLane, column)), isChunk ? 16 : 4);
    column += step;
  }
}

/// Stores the lane's elements of the gradient `view` to its two rows, `rows`. The elements are `sums`, multiplied by
/// `factor`. Called by all lanes of a warp.
static void storeGradient(Kernel &k, const View &view, ArrayRef<Value> sums, int64_t depth, double factor,
                          ArrayRef<GradientRow> rows) {
  KernelBuilder &kb = k.kb;
  TileSums scaled;
  for (Value sum : sums)
    scaled.push_back(kb.mulf(sum, kb.real(k.real, factor)));
  if (view.element == k.real) {
    for (auto [half, row] : llvm::enumerate(rows))
      kb.ifThen(row.exists, [&] { storeRow(k, row.pointer, scaled, half, depth); });
    return;
  }
  SmallVector<Value> packed = k.groups.pack(scaled); // of each atom: a pair of the upper row, one of the lower row
  for (auto [half, row] : llvm::enumerate(rows)) {
    SmallVector<Value> ofRow;
    for (size_t n = half; n < packed.size(); n += 2)
      ofRow.push_back(packed[n]);
    for (int64_t column = 0; column + quadColumns <= depth; column += quadColumns)
      transposeQuads(k, MutableArrayRef(ofRow).slice(column / WarpProduct::atomColumns, 4));
    kb.ifThen(row.exists, [&] { storePackedRow(k, view, row.pointer, ofRow, depth); });
  }
}

static void storeGradients(Kernel &k, ArrayRef<Value> sums) {
  KernelBuilder &kb = k.kb;
  double scale = k.op.getScale();
  size_t split = k.columns() / WarpProduct::atomColumns * 4;
  SmallVector<GradientRow> rows[2]; // of dQ, or of dK and dV
  for (int64_t half : {0, 1}) {
    if (!k.hasKeys()) {
      rows[0].push_back({k.rows.exists[half], atRow(k, k.operands.dQ, k.rows.lane[half])});
      continue;
    }
    Value inBlock = kb.add(kb.mul(k.block.warp, WarpProduct::tileRows), k.product.row(half));
    Value rank = kb.add(k.keys.first, inBlock), exists = kb.compare(slt, rank, k.keys.end);
    SmallVector<Value> row = {k.b, k.keys.group, k.keys.map.at(kb, rank)};
    rows[0].push_back({exists, k.operands.dK.at(kb, row)});
    rows[1].push_back({exists, k.operands.dV.at(kb, row)});
  }
  storeGradient(k, k.hasKeys() ? k.operands.dK : k.operands.dQ, sums.take_front(split), k.depth(), scale, rows[0]);
  if (k.hasKeys())
    storeGradient(k, k.operands.dV, sums.drop_front(split), k.valueDepth(), 1, rows[1]);
}

/// Returns whether `isNonFinite` holds in some consumer warp of the thread block (i1, the same in all consumer warps).
/// Contains barriers of the consumers.
static Value isSomeNonFinite(Kernel &k, Value isNonFinite) {
  KernelBuilder &kb = k.kb;
  Type type = kb.b.getI32Type();
  int64_t warps = k.consumers() * warpsOfWarpgroup;
  auto synchronize = [&] { synchronizeNamed(kb, i32(kb, 1), k.consumers() * threadsOfWarpgroup); };
  k.block.onFirstLane([&] {
    kb.store(arith::ExtUIOp::create(kb.b, kb.loc, type, isNonFinite), kb.at(type, k.buffers.flags, k.block.warp));
  });
  synchronize();
  Value flag = kb.load(type, kb.at(type, k.buffers.flags, kb.floorMod(k.block.lane, warps)));
  synchronize();
  return anyInWarp(kb, kb.compare(arith::CmpIPredicate::ne, flag, i32(kb, 0)));
}

/// Stores the warp's sums of a task to the gradients. If they are non-finite, flags the tile for the recheck kernel
/// instead. The recheck kernel stores (or adds) the whole tile. So if the op adds to gradients, no warp may store a
/// part of a flagged tile before.
static void finishTask(Kernel &k, Value tile, ArrayRef<Value> sums) {
  KernelBuilder &kb = k.kb;
  Value isNonFinite = anyInWarp(kb, isInfinite(kb, sums));
  if (!k.op.getAssigns())
    isNonFinite = isSomeNonFinite(k, isNonFinite);
  markNonFinite(k, k.op.getFlags(), tile, k.consumers() * warpsOfWarpgroup, isNonFinite);
  kb.ifElse(
      isNonFinite, {}, [] { return SmallVector<Value>(); },
      [&] {
        storeGradients(k, sums);
        return SmallVector<Value>();
      });
}

//===----------------------------------------------------------------------===//
// Computing
//===----------------------------------------------------------------------===//

static PipelineState computeTask(Kernel &k, Value n, const PipelineState &place) {
  KernelBuilder &kb = k.kb;
  copyResident(k);
  std::optional<LaneShifts> rows;
  StreamedWalk walk{Role::Computes, n, std::nullopt};
  if (!k.hasKeys()) {
    rows = findRowNumbers(k);
    walk.seen = SeenRange{rows->seen.begin, rows->seen.end};
  }
  SmallVector<Value> state = {place.stage, place.parity};
  state.append(startWarpgroupSums(k));
  auto step = [&](const StreamedBlock &block, ValueRange sums) {
    return addWarpgroupPairs(k, rows ? &*rows : nullptr, block, sums);
  };
  auto end = [&](Value hasBlocks, const PipelineState &behind, ValueRange sums) {
    return endWarpgroupPairs(k, hasBlocks, behind, sums);
  };
  state = k.forStreamed(walk, state, step, end);
  // Quotients of sizes are computed again: no register of the loop is left for them.
  for (View *view : {&k.q, &k.operands.k, &k.operands.v})
    for (Value &size : view->sizes)
      size = forget(kb, size);
  k.nq = forget(kb, k.nq);
  k.nk = forget(kb, k.nk);
  k.locateAgain(n);
  if (!k.hasKeys())
    k.findLaneRows();
  finishTask(k, k.buffers.queue->readAgain(n), SmallVector<Value>(gradientsOf(k, ValueRange(state).drop_front(2))));
  return {state[0], state[1]};
}

static void buildComputing(Kernel &k) {
  KernelBuilder &kb = k.kb;
  k.group.index = toI32(kb, kb.floorDiv(k.block.warp, warpsOfWarpgroup));
  k.group.row = arith::MulIOp::create(kb.b, kb.loc, k.group.index, i32(kb, groupRows));
  k.scale = kb.real(k.real, (k.pairs.region ? 1 : k.op.getScale()) * M_LOG2E);
  k.readPairs(k.op, k.op.getDerivative()); // no register of a thread that copies is left for them
  forTasks(k, Turn::Reads, [&](Value n, const PipelineState &place) { return computeTask(k, n, place); });
}

/// Returns the number of registers of a thread that copies. Warps that compute bounds of rows need more, and a
/// predicate needs more to decide about blocks.
static int64_t copyingRegisters(Kernel &k) {
  if (k.pairs.predicate)
    return k.hasKeys() ? 88 : 72;
  return k.hasKeys() ? 56 : 40;
}

LogicalResult nvgpu::expandAttendVjpByWarpgroups(xft::AttendVjpSide op, KernelBuilder &kb) {
  if (!op.getDerivative().empty() && failed(checkLaneRegion(op.getDerivative().front())))
    return failure();
  Kernel k(op, kb);
  kb.ifThen(kb.compare(arith::CmpIPredicate::eq, k.block.thread, kb.integer(0)), [&] {
    int64_t warps = k.consumers() * warpsOfWarpgroup, numberWarps = k.hasKeys() ? k.buffers.numbers.warps() : 0;
    k.buffers.ring->init(Kernel::Scores, /*fullArrivals=*/1 + numberWarps, warps);
    k.buffers.ring->init(Kernel::Cotangents, /*fullArrivals=*/1, warps);
    k.buffers.queue->init(warps + numberWarps);
    fenceBarriers(kb);
  });
  buildRoles(k.block, k.consumers(), copyingRegisters(k), [&] { buildCopying(k); }, [&] { buildComputing(k); });
  k.block.finish();
  op.erase();
  return success();
}
