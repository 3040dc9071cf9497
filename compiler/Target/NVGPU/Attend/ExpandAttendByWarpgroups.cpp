//===- ExpandAttendByWarpgroups.cpp - Attention by warpgroups: tasks ------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/GPU/Attend/NonFiniteTiles.h"
#include "compiler/Target/NVGPU/Attend/AttendWarpgroup.h"
#include "compiler/Target/NVGPU/ExpandKernels.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::nvgpu;

using Kernel = AttendWarpgroupKernel;

static constexpr auto slt = arith::CmpIPredicate::slt;

namespace {
/// The state that a loop over tasks carries: the position `place` in the ring of keys and values, and the number
/// `count` of the thread block's tasks so far (i32).
struct Walk {
  PipelineState place;
  Value count;

  SmallVector<Value> flat() const { return {place.stage, place.parity, count}; }
  static Walk of(ValueRange values) { return {{values[0], values[1]}, values[2]}; }
  Value parity(KernelBuilder &kb) const { return TileQueue::parity(kb, count); }
};
} // namespace

/// Builds the loop of the recheck kernel over the thread block's flagged tiles. A tile is flagged if its results are
/// non-finite. body(tile, walk) returns the next position in the ring.
static void forFlagged(Kernel &k, function_ref<PipelineState(Value tile, const Walk &walk)> body) {
  KernelBuilder &kb = k.kb;
  SmallVector<Value> start(3, i32(kb, 0));
  k.block.forTiles(start, [&](Value tile, ValueRange carried) {
    auto skip = [&] { return SmallVector<Value>(carried); };
    auto work = [&] {
      Walk walk = Walk::of(carried);
      PipelineState place = body(tile, walk);
      return Walk{place, arith::AddIOp::create(kb.b, kb.loc, walk.count, i32(kb, 1))}.flat();
    };
    Value isLeft = isNonFinite(k, k.op.getFlags(), tile, k.consumers() * warpsOfWarpgroup);
    return kb.ifElse(isLeft, carried.getTypes(), work, skip);
  });
}

/// Builds the loop over the thread block's tiles, for a producer if `isProducer`, else for a consumer. body(tile, walk)
/// returns the next position in the ring.
static void forTasks(Kernel &k, bool isProducer, function_ref<PipelineState(Value tile, const Walk &walk)> body) {
  KernelBuilder &kb = k.kb;
  if (k.isCareful())
    return forFlagged(k, body);
  SmallVector<Value> start(2, i32(kb, 0));
  auto work = [&](Value tile, Value n, ValueRange carried) {
    PipelineState place = body(tile, {{carried[0], carried[1]}, n});
    return SmallVector<Value>{place.stage, place.parity};
  };
  isProducer ? k.buffers.queue->forFetched(start, work) : k.buffers.queue->forRead(start, work);
}

/// Calls `body` if the task has rows, else `otherwise`. A task has no rows if its residue has fewer row blocks than the
/// grid. Returns the next position in the ring, which is `place` for a task without rows.
static PipelineState ifRows(Kernel &k, const PipelineState &place, function_ref<PipelineState()> body,
                            function_ref<void()> otherwise) {
  KernelBuilder &kb = k.kb;
  if (k.op.getResidues() == 1)
    return body();
  auto work = [&] {
    PipelineState next = body();
    return SmallVector<Value>{next.stage, next.parity};
  };
  auto none = [&] {
    otherwise();
    return SmallVector<Value>{place.stage, place.parity};
  };
  SmallVector<Type> types(2, kb.b.getI32Type());
  SmallVector<Value> next = kb.ifElse(kb.compare(slt, kb.integer(0), k.rows.count), types, work, none);
  return {next[0], next[1]};
}

//===----------------------------------------------------------------------===//
// Copying
//===----------------------------------------------------------------------===//

/// Copies the key block that begins at rank `rank`, keys and values, to the stage at `place`. With a predicate, `block`
/// is the record of the key block.
static void copyBlock(Kernel &k, PieceAttr piece, Value rank, const ListedBlock &block, const PipelineState &place) {
  SwizzledMatrix to[] = {k.buffers.ring->at(Kernel::Keys, place.stage),
                         k.buffers.ring->at(Kernel::Values, place.stage)};
  onElectedLane(k.kb, [&] {
    if (k.pairs.predicate) {
      k.buffers.ring->waitEmpty(Kernel::Keys, place);
      k.buffers.records->publish(k.kb, block, place);
    }
    for (auto part : {Kernel::Keys, Kernel::Values})
      copyRanks(k, piece, part, rank, place, to[part]);
  });
}

/// Copies those key blocks of a range of ranks in which the predicate holds for some pair of the task. If there are
/// none, copies the first key block of the range.
static PipelineState copyListedBlocks(Kernel &k, PieceAttr piece, const SeenRange &range, const PipelineState &place) {
  KernelBuilder &kb = k.kb;
  auto decide = [&](Value rank) -> BlockDecision {
    Value last = kb.add(kb.min(kb.add(rank, k.tile.getKeys()), k.nk), -1);
    Value firstRow = k.positionOf(k.rowOf(kb.integer(0))),
          lastRow = k.positionOf(k.rowOf(kb.integer(k.tile.getQueries() - 1)));
    auto decision = k.pairs.predicate.decide(k, {firstRow, lastRow}, {rank, last});
    return {decision.isEmpty, decision.isFull};
  };
  auto copy = [&](Value rank, const ListedBlock &block, const PipelineState &at) {
    copyBlock(k, piece, rank, block, at);
  };
  BlockNumbers blocks{k.firstBlock(range.begin), range.end, k.tile.getKeys()};
  return walkListed(k.block, k.buffers.ring->stages, blocks, place, decide, copy);
}

/// Copies the visible key blocks (keys and values) of the task that `record` describes to the pipeline's stages, from
/// `place` on. Returns the next pipeline state.
static PipelineState copyBlocks(Kernel &k, const TaskRecord &record, PipelineState place) {
  KernelBuilder &kb = k.kb;
  if (k.pairs.predicate)
    return copyListedBlocks(k, cast<PieceAttr>(k.op.getPieces()[0]), record.ranges[0], place);
  for (auto [piece, seen] : llvm::zip(k.op.getPieces().getAsRange<PieceAttr>(), record.ranges)) {
    SmallVector<Value> state = {place.stage, place.parity};
    state = kb.loop(k.firstBlock(seen.begin), seen.end, k.tile.getKeys(), state, [&](Value rank, ValueRange carried) {
      PipelineState at{carried[0], carried[1]};
      copyBlock(k, piece, rank, {}, at);
      PipelineState following = at.next(kb, k.buffers.ring->stages);
      return SmallVector<Value>{following.stage, following.parity};
    });
    place = {state[0], state[1]};
  }
  return place;
}

static PipelineState copyTask(Kernel &k, Value tile, const Walk &walk) {
  KernelBuilder &kb = k.kb;
  TaskRecord record{k.placeOf(tile), {}};
  k.locate(record.place);
  if (k.pairs.predicate)
    k.pairs.predicate.startTask(k);
  for (auto piece : k.op.getPieces().getAsRange<PieceAttr>())
    record.ranges.push_back(findRange(k, piece));
  k.buffers.tasks->waitEmpty(Kernel::Queries, {i32(kb, 0), walk.parity(kb)});
  onElectedLane(kb, [&] { publishTask(k, record, walk.parity(kb)); });
  return ifRows(k, walk.place, [&] { return copyBlocks(k, record, walk.place); }, [] {});
}

static void buildCopying(Kernel &k) {
  KernelBuilder &kb = k.kb;
  auto copy = [&](Value tile, const Walk &walk) { return copyTask(k, tile, walk); };
  kb.ifThen(kb.compare(arith::CmpIPredicate::eq, k.block.warp, kb.integer(0)),
            [&] { forTasks(k, /*isProducer=*/true, copy); });
}

//===----------------------------------------------------------------------===//
// Computing
//===----------------------------------------------------------------------===//

/// Returns the initial states of the rows. Divides a saved m by the scale, because m in this kernel is a score that is
/// not yet scaled.
static RowStates startRows(Kernel &k) {
  RowStates rows = buildStart(k);
  if (k.op.getResume())
    for (Value &largest : rows.largest)
      largest = k.kb.mulf(largest, k.kb.real(k.real, 1 / k.scoreScale()));
  return rows;
}

/// Stores `output`, the unrounded o that the gradient needs, two columns at a time.
static void storeUnrounded(Kernel &k, ArrayRef<Value> output) {
  KernelBuilder &kb = k.kb;
  View to = View::of(kb, k.op.getKept()[2]);
  Type pair = kb.vector(k.real, 2);
  for (int64_t half : {0, 1})
    kb.ifThen(k.rows.exists[half], [&] {
      Value row = atRow(k, to, k.rows.lane[half]);
      for (int64_t column = 0; column < k.valueDepth(); column += WarpProduct::atomColumns) {
        Value stored = LLVM::UndefOp::create(kb.b, kb.loc, pair);
        for (int64_t e : {0, 1})
          stored = LLVM::InsertElementOp::create(kb.b, kb.loc, stored, output[column / 2 + 2 * half + e], i32(kb, e));
        kb.store(stored, kb.at(k.real, row, kb.add(k.product.column(), column)), 8);
      }
    });
}

static void markNonFinite(Kernel &k, Value tile, Value condition) {
  markNonFinite(k, k.op.getFlags(), tile, k.consumers() * warpsOfWarpgroup, condition);
}

/// Returns whether the lane's rows must be computed again (i1), because l or o is non-finite, or m is too large for
/// this kernel's exponents (isLarge). `outputs` is o, or the packed o, which has half as many registers.
static Value isNonFinite(Kernel &k, const RowStates &rows, ArrayRef<Value> outputs) {
  KernelBuilder &kb = k.kb;
  SmallVector<Value> sums(ArrayRef<Value>(rows.sum));
  Value found;
  if (isa<IntegerType>(outputs.front().getType())) {
    found = arith::OrIOp::create(kb.b, kb.loc, isInfinite(kb, sums), k.groups.isNonFinite(outputs));
  } else {
    llvm::append_range(sums, outputs);
    found = isInfinite(kb, sums);
  }
  for (Value largest : rows.largest)
    found = arith::OrIOp::create(kb.b, kb.loc, found, isLarge(kb, kb.mulf(largest, k.scale)));
  return found;
}

/// Stores the results of the task's rows. Calls mark(condition), where `condition` (i1) says whether these rows must be
/// computed again.
static void finishRows(Kernel &k, RowStates rows, function_ref<void(Value)> mark) {
  KernelBuilder &kb = k.kb;
  auto add = [&](Value x, Value y) { return kb.addf(x, y); };
  Value zero = kb.real(k.real, 0), scale = kb.real(k.real, k.scoreScale());
  SmallVector<Value> sums, factors;
  RowStates found = rows;
  for (int64_t half : {0, 1}) {
    sums.push_back(k.product.combineRow(rows.sum[half], add));
    rows.largest[half] = kb.mulf(rows.largest[half], scale);
    Value isEmpty = arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::OEQ, sums[half], zero);
    Value inverse =
        NVVM::RcpApproxFtzF32Op::create(kb.b, kb.loc, k.real, sums[half]); // to 1 ulp; o is rounded to 16 bits
    if (k.pairs.dropout)
      inverse = kb.mulf(inverse, kb.real(k.real, k.pairs.dropout.getFactor()));
    factors.push_back(kb.select(isEmpty, zero, inverse));
  }
  if (k.op.getSave()) {
    mark(isNonFinite(k, found, rows.output));
    return saveStates(k, rows, sums);
  }
  for (auto [n, value] : llvm::enumerate(rows.output))
    value = kb.mulf(value, factors[WarpProduct::halfOf(n)]);
  SmallVector<Value> packed = k.groups.pack(rows.output);
  mark(isNonFinite(k, found, packed));
  for (int64_t half : {0, 1})
    storeLse(k, half, rows.largest[half], kb.mulf(sums[half], kb.real(k.real, std::exp2(k.bias()))));
  if (k.op.getKept().size() > 2)
    storeUnrounded(k, rows.output);
  storeWarpgroupOutput(k, packed);
}

/// Computes all key blocks that the rows of the task see. Calls readQueries() after the last product that reads Q.
static WarpgroupStates computeBlocks(Kernel &k, const Walk &walk, function_ref<void()> readQueries) {
  KernelBuilder &kb = k.kb;
  WarpgroupStates states{walk.place, startRows(k)};
  auto seenKeys = [&](Value number) {
    SeenRange range = readRange(k, walk.parity(kb), number);
    return buildSeenKeys(k, number, [&](PieceAttr piece) { return buildSeen(k, piece, range); });
  };
  size_t pieces = k.op.getPieces().size();
  bool resumes = k.op.getResume();
  Value hasSums = kb.constant(kb.b.getBoolAttr(resumes));
  if (pieces == 1) {
    SeenKeys seen = seenKeys(kb.integer(0));
    return buildWarpgroupBlocks(k, seen, states, resumes ? Value() : hasSums, readQueries);
  }
  if (pieces > 1) {
    TileSums zeros = states.rows.output;
    if (!resumes)
      states.rows.output = undefinedSums(k, zeros.size());
    SmallVector<Value> before = states.flat();
    before.push_back(hasSums);
    SmallVector<Value> after =
        kb.loop(kb.integer(0), kb.integer(pieces), 1, before, [&](Value number, ValueRange carried) {
          SeenKeys seen = seenKeys(number);
          WarpgroupStates now = WarpgroupStates::of(carried.drop_back());
          SmallVector<Value> next = buildWarpgroupBlocks(k, seen, now, carried.back(), [] {}).flat();
          next.push_back(arith::OrIOp::create(kb.b, kb.loc, carried.back(), kb.compare(slt, seen.begin, seen.end)));
          return next;
        });
    states = WarpgroupStates::of(ValueRange(after).drop_back());
    if (!resumes)
      states.rows.output = kb.ifElse(
          after.back(), SmallVector<Type>(zeros.size(), k.real), [&] { return states.rows.output; },
          [&] { return zeros; });
  }
  readQueries();
  return states;
}

static PipelineState computeRows(Kernel &k, const Walk &walk) {
  KernelBuilder &kb = k.kb;
  auto release = [&] { k.buffers.tasks->release(Kernel::Queries, {i32(kb, 0), walk.parity(kb)}); };
  bool storesToQueries = !k.buffers.hasOwnOutput && !k.op.getSave();
  k.findLaneRows();
  if (k.pairs.predicate)
    k.pairs.predicate.startTask(k);
  if (!k.copiesByTma())
    copyWarpgroupQueries(k);
  WarpgroupStates states = computeBlocks(k, walk, [&] {
    if (!storesToQueries)
      release();
  });
  // The task's place is read again, and quotients of sizes are computed again: no register of the loop is left for
  // them. Constants take none.
  auto forgetVariable = [&](Value x) { return matchPattern(x, m_Constant()) ? x : forget(kb, x); };
  for (View *view : {&k.q, &k.operands.k, &k.operands.v})
    for (Value &size : view->sizes)
      size = forgetVariable(size);
  k.nq = forgetVariable(k.nq);
  k.nk = forgetVariable(k.nk);
  k.locate(readPlace(k, walk.parity(kb)));
  k.findLaneRows();
  if (k.isCareful() && k.pairs.predicate)
    k.pairs.predicate.startTask(k);
  if (k.isCareful())
    addNonFinite(k, states.rows);
  Value tile = k.isCareful() ? Value() : k.buffers.queue->readAgain(walk.count);
  finishRows(k, states.rows, [&](Value condition) {
    if (tile)
      markNonFinite(k, tile, anyInWarp(kb, condition));
  });
  if (storesToQueries) {
    if (k.copiesByTma())
      awaitOutput(k);
    release();
  }
  return states.place;
}

static PipelineState computeTask(Kernel &k, Value tile, const Walk &walk) {
  PipelineState task{i32(k.kb, 0), walk.parity(k.kb)};
  k.buffers.tasks->waitFull(Kernel::Queries, task);
  k.locate(readPlace(k, walk.parity(k.kb)));
  auto withoutRows = [&] {
    if (!k.isCareful()) // the recheck kernel reads the flags of all tiles
      markNonFinite(k, tile, k.kb.constant(k.kb.b.getBoolAttr(false)));
    k.buffers.tasks->release(Kernel::Queries, task);
  };
  return ifRows(k, walk.place, [&] { return computeRows(k, walk); }, withoutRows);
}

static void buildComputing(Kernel &k) {
  KernelBuilder &kb = k.kb;
  k.group.index = toI32(kb, kb.floorDiv(k.block.warp, warpsOfWarpgroup));
  k.group.row = arith::MulIOp::create(kb.b, kb.loc, k.group.index, i32(kb, groupRows));
  k.scale = kb.real(k.real, k.scoreScale() * M_LOG2E);
  k.readPairs(k.op, k.op.getScore()); // no register of a thread that copies is left for them
  if (k.takesTurns())                 // consumer warpgroup 0 has the first turn
    kb.ifThen(kb.compare(arith::CmpIPredicate::eq, k.group.index, i32(kb, k.consumers() - 1)), [&] { k.passTurn(); });
  forTasks(k, /*isProducer=*/false, [&](Value tile, const Walk &walk) { return computeTask(k, tile, walk); });
  if (k.copiesByTma() && !k.op.getSave())
    awaitOutput(k); // a block's shared memory must outlive its copies
}

/// Returns the number of registers of a thread that copies. With 40, a thread that multiplies has 232. More are needed
/// if a task has the rows or keys of a residue, because finding them takes divisions. A predicate needs most, to decide
/// about blocks.
static int64_t copyingRegisters(xft::AttendOp op) {
  if (op.getTiles())
    return 72;
  auto isStrided = [](Attribute piece) { return cast<PieceAttr>(piece).getResidues() > 1; };
  return op.getResidues() > 1 || llvm::any_of(op.getPieces(), isStrided) ? 56 : 40;
}

static void buildBlock(Kernel &k) {
  KernelBuilder &kb = k.kb;
  kb.ifThen(kb.compare(arith::CmpIPredicate::eq, k.block.thread, kb.integer(0)), [&] {
    int64_t warps = k.consumers() * warpsOfWarpgroup;
    for (auto part : {Kernel::Keys, Kernel::Values})
      k.buffers.ring->init(part, /*fullArrivals=*/1, warps);
    k.buffers.tasks->init(Kernel::Queries, /*fullArrivals=*/1, warps);
    if (!k.isCareful())
      k.buffers.queue->init(warps);
    fenceBarriers(kb);
  });
  auto copy = [&] {
    k.readPairs(k.op, k.op.getScore());
    buildCopying(k);
  };
  buildRoles(k.block, k.consumers(), copyingRegisters(k.op), copy, [&] { buildComputing(k); });
}

LogicalResult nvgpu::expandAttendByWarpgroups(xft::AttendOp op, KernelBuilder &kb) {
  if (!op.getScore().empty() && failed(checkLaneRegion(op.getScore().front())))
    return failure();
  Kernel k(op, kb);
  auto isFlagged = [&](Value tile) { return isNonFinite(k, op.getFlags(), tile, k.consumers() * warpsOfWarpgroup); };
  if (k.isCareful())
    kb.ifThen(k.block.anyTile(isFlagged), [&] { buildBlock(k); });
  else
    buildBlock(k);
  k.block.finish();
  op.erase();
  return success();
}
