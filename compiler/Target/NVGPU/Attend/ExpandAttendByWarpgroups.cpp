//===- ExpandAttendByWarpgroups.cpp - Attention by warpgroups: tasks ------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/GPU/Attend/NonFiniteTiles.h"
#include "compiler/Target/NVGPU/Attend/AttendWarpgroup.h"
#include "compiler/Target/NVGPU/ExpandKernels.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::nvgpu;

using Kernel = AttendWarpgroupKernel;

static constexpr auto slt = arith::CmpIPredicate::slt;

/// Walks the tiles of the block, as a producer or as a consumer. For a tile that has rows, body(tile, pipeline state)
/// returns the next pipeline state. For any other tile, calls withoutRows(tile). The recheck kernel skips tiles that
/// are not flagged.
static void forTasks(Kernel &k, function_ref<PipelineState(Value tile, const PipelineState &place)> body,
                     function_ref<void(Value tile)> withoutRows) {
  KernelBuilder &kb = k.kb;
  SmallVector<Value> start(2, i32(kb, 0));
  k.block.forTiles(start, [&](Value tile, ValueRange carried) {
    auto skip = [&] { return SmallVector<Value>(carried); };
    auto work = [&] {
      k.locate(k.placeOf(tile));
      auto task = [&] {
        PipelineState place = body(tile, {carried[0], carried[1]});
        return SmallVector<Value>{place.stage, place.parity};
      };
      auto noTask = [&] {
        withoutRows(tile);
        return SmallVector<Value>(carried);
      };
      return kb.ifElse(kb.compare(slt, kb.integer(0), k.rowCount), carried.getTypes(), task, noTask);
    };
    if (!k.isCareful)
      return work();
    Value isLeft = isNonFinite(k, k.op.getFlags(), tile, k.consumers * warpsOfWarpgroup);
    return kb.ifElse(isLeft, carried.getTypes(), work, skip);
  });
}

//===----------------------------------------------------------------------===//
// Copying
//===----------------------------------------------------------------------===//

/// Copies the visible blocks of keys and values of a task to the pipeline's stages; returns the next pipeline state.
static PipelineState copyTask(Kernel &k, PipelineState place) {
  KernelBuilder &kb = k.kb;
  for (auto piece : k.op.getPieces().getAsRange<PieceAttr>()) {
    SeenRange seen = buildSeenRange(k, piece);
    SmallVector<Value> state = {place.stage, place.parity};
    state = kb.loop(k.firstBlock(seen.begin), seen.end, k.blockKeys, state, [&](Value rank, ValueRange carried) {
      PipelineState at{carried[0], carried[1]};
      SwizzledMatrix to[] = {k.ring->at(Kernel::Keys, at.stage), k.ring->at(Kernel::Values, at.stage)};
      onElectedLane(kb, [&] {
        for (auto part : {Kernel::Keys, Kernel::Values})
          copyRanks(k, piece, part, rank, at, to[part]);
      });
      PipelineState following = at.next(kb, k.ring->stages);
      return SmallVector<Value>{following.stage, following.parity};
    });
    place = {state[0], state[1]};
  }
  return place;
}

static void buildCopying(Kernel &k) {
  KernelBuilder &kb = k.kb;
  auto copy = [&](Value, const PipelineState &place) { return copyTask(k, place); };
  kb.ifThen(kb.compare(arith::CmpIPredicate::eq, k.block.warp, kb.integer(0)),
            [&] { forTasks(k, copy, /*withoutRows=*/[](Value) {}); });
}

//===----------------------------------------------------------------------===//
// Computing
//===----------------------------------------------------------------------===//

/// Returns the initial states of the rows. A saved m is divided by the scale, because this kernel keeps maxima of
/// unscaled scores.
static RowStates startRows(Kernel &k) {
  RowStates rows = buildStart(k);
  if (k.op.getResume())
    for (Value &largest : rows.largest)
      largest = k.kb.mulf(largest, k.kb.real(k.real, 1 / k.op.getScale()));
  return rows;
}

/// Stores the unrounded o that the gradient needs, two columns at a time.
static void storeUnrounded(Kernel &k, ArrayRef<Value> output) {
  KernelBuilder &kb = k.kb;
  View to = View::of(kb, k.op.getKept()[2]);
  Type pair = kb.vector(k.real, 2);
  for (int64_t half : {0, 1})
    kb.ifThen(k.rowExists[half], [&] {
      Value row = atRow(k, to, k.row[half]);
      for (int64_t column = 0; column < k.valueDepth; column += WarpProduct::atomColumns) {
        Value stored = LLVM::UndefOp::create(kb.b, kb.loc, pair);
        for (int64_t e : {0, 1})
          stored = LLVM::InsertElementOp::create(kb.b, kb.loc, stored, output[column / 2 + 2 * half + e], i32(kb, e));
        kb.store(stored, kb.at(k.real, row, kb.add(k.product.column(), column)), 8);
      }
    });
}

static void finishRows(Kernel &k, RowStates rows) {
  KernelBuilder &kb = k.kb;
  auto add = [&](Value x, Value y) { return kb.addf(x, y); };
  Value zero = kb.real(k.real, 0), scale = kb.real(k.real, k.op.getScale());
  SmallVector<Value> sums, factors;
  for (int64_t half : {0, 1}) {
    sums.push_back(k.product.combineRow(rows.sum[half], add));
    rows.largest[half] = kb.mulf(rows.largest[half], scale);
    Value isEmpty = arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::OEQ, sums[half], zero);
    factors.push_back(kb.select(isEmpty, zero, kb.divf(kb.real(k.real, 1), sums[half])));
  }
  if (k.op.getSave())
    return saveStates(k, rows, sums);
  for (int64_t half : {0, 1})
    storeLse(k, half, rows.largest[half], sums[half]);
  for (auto [n, value] : llvm::enumerate(rows.output))
    value = kb.mulf(value, factors[WarpProduct::halfOf(n)]);
  if (k.op.getKept().size() > 2)
    storeUnrounded(k, rows.output);
  storeWarpgroupOutput(k, rows.output);
}

static void markNonFinite(Kernel &k, Value tile, Value condition) {
  markNonFinite(k, k.op.getFlags(), tile, k.consumers * warpsOfWarpgroup, condition);
}

/// Returns whether the lane's rows must be computed again (i1): l or o is non-finite, or m is too large for this
/// kernel's exponents (isLarge).
static Value isNonFinite(Kernel &k, const RowStates &rows) {
  KernelBuilder &kb = k.kb;
  Value found = isInfinite(kb, ArrayRef(rows.flat()).drop_front(2));
  for (Value largest : rows.largest)
    found = arith::OrIOp::create(kb.b, kb.loc, found, isLarge(kb, kb.mulf(largest, k.scale)));
  return found;
}

static PipelineState computeTask(Kernel &k, Value tile, PipelineState place) {
  KernelBuilder &kb = k.kb;
  k.findLaneRows();
  copyWarpgroupQueries(k);
  WarpgroupStates states{place, startRows(k)};
  size_t pieces = k.op.getPieces().size();
  if (pieces == 1)
    states = buildWarpgroupBlocks(k, buildSeenKeys(k, kb.integer(0)), states);
  else if (pieces > 1)
    states = WarpgroupStates::of(
        kb.loop(kb.integer(0), kb.integer(pieces), 1, states.flat(), [&](Value number, ValueRange carried) {
          return buildWarpgroupBlocks(k, buildSeenKeys(k, number), WarpgroupStates::of(carried)).flat();
        }));
  // Opaque copies make ptxas recompute the task's rows, sizes, and quotients by sizes, instead of keeping them in
  // registers, of which the loop has none left.
  tile = forget(kb, tile);
  for (View *view : {&k.q, &k.k, &k.v})
    for (Value &size : view->sizes)
      size = forget(kb, size);
  k.nq = forget(kb, k.nq);
  k.nk = forget(kb, k.nk);
  k.locate(k.placeOf(tile));
  k.findLaneRows();
  if (k.isCareful)
    addNonFinite(k, states.rows);
  else
    markNonFinite(k, tile, anyInWarp(kb, isNonFinite(k, states.rows)));
  finishRows(k, states.rows);
  return states.place;
}

static void buildComputing(Kernel &k) {
  KernelBuilder &kb = k.kb;
  k.group = toI32(kb, kb.floorDiv(k.block.warp, warpsOfWarpgroup));
  k.groupRow = arith::MulIOp::create(kb.b, kb.loc, k.group, i32(kb, groupRows));
  k.scale = kb.real(k.real, k.op.getScale() * M_LOG2E);
  if (k.takesTurns()) // consumer warpgroup 0 has the first turn
    kb.ifThen(kb.compare(arith::CmpIPredicate::eq, k.group, i32(kb, 1)), [&] { k.passTurn(); });
  auto compute = [&](Value tile, const PipelineState &place) { return computeTask(k, tile, place); };
  forTasks(k, compute, [&](Value tile) { // the recheck kernel reads the flags of all tiles
    if (!k.isCareful)
      markNonFinite(k, tile, kb.constant(kb.b.getBoolAttr(false)));
  });
}

LogicalResult nvgpu::expandAttendByWarpgroups(xft::AttendOp op, KernelBuilder &kb) {
  if (!op.getScore().empty() && failed(checkLaneRegion(op.getScore().front())))
    return failure();
  Kernel k(op, kb);
  kb.ifThen(kb.compare(arith::CmpIPredicate::eq, k.block.thread, kb.integer(0)), [&] {
    for (auto part : {Kernel::Keys, Kernel::Values})
      k.ring->init(part, /*fullArrivals=*/1, k.consumers * warpsOfWarpgroup);
    fenceBarriers(kb);
  });
  buildRoles(k.block, k.consumers, /*copyingRegisters=*/40, [&] { buildCopying(k); }, [&] { buildComputing(k); });
  k.block.finish();
  op.erase();
  return success();
}
