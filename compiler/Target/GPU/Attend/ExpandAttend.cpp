//===- ExpandAttend.cpp - Attention kernels become code of warps ----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds the code of `xft.attend` if each warp works on its own: the loop over tasks, with the steps that AttendWarps.h
// lists.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/GPU/Attend/AttendWarps.h"
#include "compiler/Target/GPU/Attend/TileOrder.h"
#include "compiler/Target/GPU/ExpandKernels.h"
#include "dialects/xf/IR/XfOps.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::gpu;

static constexpr auto slt = arith::CmpIPredicate::slt;

AttendOperands::AttendOperands(xft::AttendOp op, KernelBuilder &kb)
    : k(View::of(kb, op.getKeys()[0])), v(View::of(kb, op.getValues()[0])), o(View::of(kb, op.getO())),
      sizes{cast<MemRefType>(op.getQ().getType()).getDimSize(3), cast<MemRefType>(op.getO().getType()).getDimSize(3)} {}

AttendKernel::AttendKernel(xft::AttendOp op, KernelBuilder &kb, int64_t threads)
    : AttendRows(op->getParentOfType<func::FuncOp>(), AttendTask(kb, op), op.getTile(), threads), op(op),
      operands(op, kb) {
  nk = arith::IndexCastOp::create(kb.b, kb.loc, kb.i64(), op.getNk());
  readPairs(op, op.getScore());
}

AttendWarpKernel::AttendWarpKernel(xft::AttendOp op, KernelBuilder &kb, int64_t threads)
    : AttendKernel(op, kb, threads), keys{kb.integer(0), tile.getKeys()}, buffers(block) {}

void AttendWarpKernel::shareMatrices(int64_t mostStages) {
  buffers.query = share(tile.getQueries(), columns());
  buffers.scores = shareTiles(block.warps(), keys.count);
  buffers.keyPlace = buffers.stages.add(matrixBytes(tile.getKeys(), columns()));
  buffers.valuePlace = buffers.stages.add(matrixBytes(tile.getKeys(), valueColumns()));
  buffers.stages.allocate(mostStages);
}

AttendKernel::Place AttendKernel::placeOf(Value tile) {
  Value blocks = arith::IndexCastOp::create(kb.b, kb.loc, kb.i64(), op.getBlocks());
  int64_t first = op.getFirstHead(), step = op.getHeadStep();
  Value members = divideShort(kb, kb.add(q.sizes[1], step - 1 - first), kb.integer(step));
  Value sharing = divideShort(kb, kb.add(divideShort(kb, q.sizes[1], operands.k.sizes[1]), step - 1), kb.integer(step));
  int64_t rowBytes = (depth() + valueDepth()) * product.element.getIntOrFloatBitWidth() / 8;
  TileGrid grid{kb.mul(q.sizes[0], members), op.getResidues(), blocks, sectionHeads(kb, nk, rowBytes, sharing)};
  TilePlace place = gpu::placeOf(kb, grid, tile);
  Coordinates heads{kb, place.head};
  Value member = heads.next(members);
  return {heads.rest, kb.add(kb.mul(member, step), first), place.residue, kb.sub(kb.add(blocks, -1), place.block)};
}

void AttendKernel::locate(const Place &place) {
  b = place.b;
  h = place.h;
  r = place.r;
  locateKeys();
  findRows(op.getQueries(), place.number);
}

void AttendKernel::locateKeys() { heads = {headOf(*this, operands.k, h), headOf(*this, operands.v, h)}; }

/// Computes the task's rows over all pieces of the op, from the initial states. Returns the final states.
static RowStates buildPieces(AttendWarpKernel &k, Value isCareful) {
  KernelBuilder &kb = k.kb;
  RowStates states = buildStart(k);
  size_t pieces = k.op.getPieces().size();
  if (pieces == 0)
    return states;
  if (pieces == 1)
    return buildKeyBlocks(k, buildSeenKeys(k, kb.integer(0)), states, isCareful);
  return RowStates::of(
      kb.loop(kb.integer(0), kb.integer(pieces), 1, states.flat(), [&](Value number, ValueRange carried) {
        return buildKeyBlocks(k, buildSeenKeys(k, number), RowStates::of(carried), isCareful).flat();
      }));
}

RowStates xf::gpu::buildAttempts(AttendWarpKernel &k) {
  KernelBuilder &kb = k.kb;
  SmallVector<Value> state = buildStart(k).flat();
  state.push_back(kb.constant(kb.b.getBoolAttr(true)));
  SmallVector<Type> types(ValueRange(state).getTypes());
  state = kb.loop(kb.integer(0), kb.integer(2), 1, state, [&](Value attempt, ValueRange carried) {
    auto work = [&] {
      Value isCareful = kb.compare(arith::CmpIPredicate::eq, attempt, kb.integer(1));
      RowStates states = buildPieces(k, isCareful);
      SmallVector<Value> next = states.flat();
      next.push_back(buildNeedsCare(k, states));
      return next;
    };
    return kb.ifElse(carried.back(), types, work, [&] { return SmallVector<Value>(carried); });
  });
  return RowStates::of(ValueRange(state).drop_back());
}

static void buildTask(AttendWarpKernel &k) {
  k.findLaneRows();
  if (k.pairs.predicate)
    k.pairs.predicate.startTask(k);
  k.block.awaitCopies();
  k.block.synchronize(); // the previous task has read its matrices
  k.copyQueries(k.q, k.buffers.query, k.depth(), /*isOnce=*/true);
  buildFinish(k, buildAttempts(k));
}

LogicalResult xf::gpu::expandAttend(xft::AttendOp op, KernelBuilder &kb) {
  if (isa<xft::RegisterTilesAttr>(op.getSchedule()))
    return op.emitError("expected tiles of warps or warpgroups on GPUs, got ") << op.getSchedule();
  if (!op.getScore().empty() && failed(checkLaneRegion(op.getScore().front())))
    return failure();
  AttendWarpKernel k(op, kb, op.getTile().getQueries() / WarpProduct::tileRows * ThreadBlock::warpSize);
  k.shareMatrices();
  k.block.forTiles([&](Value tile) {
    k.locate(k.placeOf(tile));
    kb.ifThen(kb.compare(slt, kb.integer(0), k.rows.count), [&] { buildTask(k); });
  });
  k.block.finish();
  op.erase();
  return success();
}
