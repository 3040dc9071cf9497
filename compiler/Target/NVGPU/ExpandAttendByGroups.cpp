//===- ExpandAttendByGroups.cpp - Attention by warpgroups: tasks -------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/NVGPU/AttendGroup.h"
#include "compiler/Target/NVGPU/ExpandKernels.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::nvgpu;

static constexpr auto slt = arith::CmpIPredicate::slt;

/// Registers of a thread: a block of so many groups starts with an equal share of 64 K, in units of 8, of which the
/// copying group hands back what computing groups then take.
static std::pair<int64_t, int64_t> registersOf(int64_t consumers) {
  constexpr int64_t all = 65536, unit = 8;
  int64_t share = all / ((consumers + 1) * threadsOfGroup) / unit * unit;
  int64_t copying = consumers <= 2 ? 40 : 32;
  int64_t computing = std::min<int64_t>(((consumers + 1) * share - copying) / consumers / unit * unit, 240);
  return {copying, computing};
}

/// Walks the block's tasks in one role: body(tile, place in the ring) for those that have rows, and that nobody has
/// computed rightly.
static void forTasks(AttendGroupKernel &k, function_ref<RingPlace(Value tile, const RingPlace &place)> body) {
  KernelBuilder &kb = k.kb;
  SmallVector<Value> start(2, i32(kb, 0));
  k.block.forTiles(start, [&](Value tile, ValueRange carried) {
    auto skip = [&] { return SmallVector<Value>(carried); };
    auto work = [&] {
      k.locate(tile);
      auto task = [&] {
        RingPlace place = body(tile, {carried[0], carried[1]});
        return SmallVector<Value>{place.stage, place.parity};
      };
      return kb.ifElse(kb.compare(slt, kb.integer(0), k.rowCount), carried.getTypes(), task, skip);
    };
    return k.isCareful ? kb.ifElse(isSuspect(k, tile), carried.getTypes(), work, skip) : work();
  });
}

//===----------------------------------------------------------------------===//
// Copying
//===----------------------------------------------------------------------===//

/// All blocks of keys of a task.
static RingPlace copyTask(AttendGroupKernel &k, RingPlace place) {
  KernelBuilder &kb = k.kb;
  for (auto piece : k.op.getPieces().getAsRange<PieceAttr>()) {
    SeenRange seen = buildSeenRange(k, piece);
    SmallVector<Value> state = {place.stage, place.parity};
    state = kb.loop(k.firstBlock(seen.begin), seen.end, k.blockKeys, state, [&](Value rank, ValueRange carried) {
      RingPlace at{carried[0], carried[1]};
      BoxMatrix to[] = {k.ring->at(KeyStages::Keys, at.stage), k.ring->at(KeyStages::Values, at.stage)};
      onElectedLane(kb, [&] {
        for (auto matrix : {KeyStages::Keys, KeyStages::Values}) {
          k.ring->waitEmpty(matrix, at);
          copyRanks(k, piece, matrix, rank, to[matrix], k.ring->expect(matrix, at));
        }
      });
      RingPlace following = at.next(kb, k.ring->stages);
      return SmallVector<Value>{following.stage, following.parity};
    });
    place = {state[0], state[1]};
  }
  return place;
}

static void buildCopying(AttendGroupKernel &k, int64_t registers) {
  KernelBuilder &kb = k.kb;
  setRegisters(kb, registers, /*isIncrease=*/false);
  kb.ifThen(kb.compare(arith::CmpIPredicate::eq, k.block.warp, kb.integer(0)),
            [&] { forTasks(k, [&](Value, const RingPlace &place) { return copyTask(k, place); }); });
}

//===----------------------------------------------------------------------===//
// Computing
//===----------------------------------------------------------------------===//

/// m is in units of unscaled scores here.
static RowStates startRows(AttendGroupKernel &k) {
  RowStates rows = buildStart(k);
  if (k.op.getResume())
    for (Value &largest : rows.largest)
      largest = k.kb.mulf(largest, k.kb.real(k.real, 1 / k.op.getScale().convertToDouble()));
  return rows;
}

static void finishRows(AttendGroupKernel &k, RowStates rows) {
  KernelBuilder &kb = k.kb;
  auto add = [&](Value x, Value y) { return kb.addf(x, y); };
  Value zero = kb.real(k.real, 0), scale = kb.real(k.real, k.op.getScale().convertToDouble());
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
    if (k.op.getLse())
      storeLse(k, half, rows.largest[half], sums[half]);
  for (auto [n, value] : llvm::enumerate(rows.output))
    value = kb.mulf(value, factors[n % 4 / 2]);
  storeGroupOutput(k, rows.output);
}

static RingPlace computeTask(AttendGroupKernel &k, Value tile, RingPlace place) {
  KernelBuilder &kb = k.kb;
  k.findLaneRows();
  copyGroupQueries(k);
  GroupStates states{place, startRows(k)};
  size_t pieces = k.op.getPieces().size();
  if (pieces == 1)
    states = buildGroupBlocks(k, buildSeenKeys(k, kb.integer(0)), states);
  else if (pieces > 1)
    states = GroupStates::of(
        kb.loop(kb.integer(0), kb.integer(pieces), 1, states.flat(), [&](Value number, ValueRange carried) {
          return buildGroupBlocks(k, buildSeenKeys(k, number), GroupStates::of(carried)).flat();
        }));
  // Found again rather than kept in registers, of which the loop has none left; sizes, too, and what is divided by them.
  tile = forget(kb, tile);
  for (View *view : {&k.q, &k.k, &k.v})
    for (Value &size : view->sizes)
      size = forget(kb, size);
  k.nq = forget(kb, k.nq);
  k.nk = forget(kb, k.nk);
  k.locate(tile);
  k.findLaneRows();
  if (k.isCareful)
    addSpecialValues(k, states.rows);
  else
    noteSuspect(k, tile, states.rows);
  finishRows(k, states.rows);
  return states.place;
}

static void buildComputing(AttendGroupKernel &k, int64_t registers) {
  KernelBuilder &kb = k.kb;
  setRegisters(kb, registers, /*isIncrease=*/true);
  k.block.warp = kb.sub(k.block.warp, kb.integer(warpsOfGroup));
  k.group = toI32(kb, kb.floorDiv(k.block.warp, warpsOfGroup));
  k.groupRow = arith::MulIOp::create(kb.b, kb.loc, k.group, i32(kb, groupRows));
  k.scale = kb.real(k.real, k.op.getScale().convertToDouble() * M_LOG2E);
  if (k.takesTurns()) // the first turn is that of group 0
    kb.ifThen(kb.compare(arith::CmpIPredicate::eq, k.group, i32(kb, 1)), [&] { k.passTurn(); });
  forTasks(k, [&](Value tile, const RingPlace &place) { return computeTask(k, tile, place); });
}

LogicalResult nvgpu::expandAttendByGroups(xft::AttendOp op, KernelBuilder &kb) {
  AttendGroupKernel k(op, kb);
  auto [copying, computing] = registersOf(k.consumers);
  kb.ifThen(kb.compare(arith::CmpIPredicate::eq, k.block.thread, kb.integer(0)), [&] {
    k.ring->init(k.consumers * warpsOfGroup);
    fenceBarriers(kb);
  });
  k.block.synchronize();
  Value isCopying = kb.compare(slt, k.block.warp, kb.integer(warpsOfGroup));
  auto copy = [&, count = copying] {
    buildCopying(k, count);
    return SmallVector<Value>();
  };
  auto compute = [&, count = computing] {
    buildComputing(k, count);
    return SmallVector<Value>();
  };
  kb.ifElse(isCopying, {}, copy, compute);
  k.block.finish();
  op.erase();
  return success();
}
