//===- AttendVjpWarpgroup.cpp - What warpgroups copy for gradients --------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/NVGPU/AttendVjp/AttendVjpWarpgroup.h"
#include "compiler/Target/GPU/Attend/NonFiniteTiles.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::nvgpu;

static constexpr auto slt = arith::CmpIPredicate::slt;
static constexpr auto sle = arith::CmpIPredicate::sle;

//===----------------------------------------------------------------------===//
// Numbers of rows
//===----------------------------------------------------------------------===//

Value RowNumbers::stage(KernelBuilder &kb, Value stage) const {
  Value offset = arith::ExtUIOp::create(kb.b, kb.loc, kb.i64(), stage);
  return kb.at(kb.b.getI8Type(), pointer, kb.mul(offset, bytes()));
}

Value RowNumbers::at(KernelBuilder &kb, Value stagePointer, Array array, Value row) const {
  return kb.at(kb.b.getI32Type(), stagePointer, kb.add(row, array * rows));
}

Value RowNumbers::flag(KernelBuilder &kb, Value stagePointer, Value warp) const {
  return kb.at(kb.b.getI8Type(), stagePointer, kb.add(kb.mul(warp, flagBytes), arrays * rows * 4));
}

std::pair<Value, Value> nvgpu::loadShift(AttendVjpWarpgroupKernel &k, Value row) {
  KernelBuilder &kb = k.kb;
  auto [m, logSum] = loadLse(k, row);
  Value log2e = kb.real(k.real, -M_LOG2E), shift = kb.fma(m, log2e, kb.mulf(logSum, log2e));
  Value lowest = kb.real(k.real, -std::numeric_limits<double>::infinity());
  Value sawNone = arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::OEQ, m, lowest);
  return {kb.select(isLarge(kb, shift), kb.real(k.real, std::numeric_limits<double>::quiet_NaN()), shift), sawNone};
}

void nvgpu::writeNumbers(AttendVjpWarpgroupKernel &k, PieceBounds &bounds, Value warp, const PipelineState &place) {
  KernelBuilder &kb = k.kb;
  Value n = kb.add(kb.mul(warp, ThreadBlock::warpSize), k.block.lane), row = k.rowOf(n);
  auto [lower, upper] = bounds.interval(k.keys.map, row);
  Value lowest = kb.real(k.real, -std::numeric_limits<double>::infinity());
  Value shift, sawNone;
  std::tie(shift, sawNone) = loadShift(k, row);
  Value delta = kb.load(k.real, atRow(k, k.operands.delta, row));
  Value exists = kb.compare(slt, n, k.rows.count);
  Value yes = kb.constant(kb.b.getBoolAttr(true)), no = kb.constant(kb.b.getBoolAttr(false));
  Value sees = kb.select(sawNone, no, exists);
  shift = kb.select(sees, shift, lowest); // P = 2^shift = 0
  delta = kb.select(sees, delta, kb.real(k.real, 0));
  k.buffers.ring->waitEmpty(AttendVjpWarpgroupKernel::Scores, place); // the loads above are on their way
  Value stage = k.buffers.numbers.stage(kb, place.stage);
  Value first = toI32(kb, kb.sub(lower, k.keys.first)), count = toI32(kb, kb.sub(upper, lower));
  kb.ifThen(kb.compare(slt, n, kb.integer(k.buffers.numbers.rows)), [&] {
    for (auto [array, number] : {std::pair(RowNumbers::Shift, shift),
                                 {RowNumbers::Delta, delta},
                                 {RowNumbers::First, first},
                                 {RowNumbers::Count, count}})
      kb.store(number, k.buffers.numbers.at(kb, stage, array, n));
  });
  Value seesAll =
      arith::AndIOp::create(kb.b, kb.loc, kb.compare(sle, lower, k.keys.first), kb.compare(sle, k.keys.end, upper));
  Value seesPart = kb.select(kb.select(sees, seesAll, yes), no, yes);
  Value isPart = arith::ExtUIOp::create(kb.b, kb.loc, kb.b.getI32Type(), anyInWarp(kb, seesPart));
  k.block.onFirstLane([&] { kb.store(isPart, k.buffers.numbers.flag(kb, stage, warp)); });
}

//===----------------------------------------------------------------------===//
// Kernel
//===----------------------------------------------------------------------===//

AttendVjpWarpgroupBuffers::AttendVjpWarpgroupBuffers(AttendVjpKernel &k) {
  ThreadBlock &block = k.block;
  xft::WarpgroupsAttr schedule = k.op.getWarpgroups();
  int64_t stages = schedule.getStages(), rows = k.resident();
  SmallVector<SwizzledMatrix> passes;
  for (auto part : {AttendVjpWarpgroupKernel::Scores, AttendVjpWarpgroupKernel::Cotangents}) {
    int64_t width = part == AttendVjpWarpgroupKernel::Scores ? k.columns() : k.valueColumns();
    resident[part] = allocateSwizzled(block, rows, width, 1);
    passes.push_back(allocateSwizzled(block, k.streamed(), width, stages));
  }
  numbers.rows = k.streamed();
  if (k.hasKeys())
    numbers.pointer = block.shared(stages * numbers.bytes());
  flags = block.shared(schedule.getConsumers() * warpsOfWarpgroup * 4);
  if (k.pairs.predicate) {
    records = BlockRecords{block.shared(blockRecordsBytes(stages))};
    predicateMasks = block.shared(rows * vjpMaskBytes);
  }
  if (k.pairs.dropout)
    dropoutMasks = block.shared(rows * vjpMaskBytes);
  ring.emplace(block, stages, passes);
  queue.emplace(k.op->getParentOfType<func::FuncOp>(), block);
}

AttendVjpWarpgroupKernel::AttendVjpWarpgroupKernel(xft::AttendVjpSide op, KernelBuilder &kb)
    : AttendVjpKernel(op, kb, (op.getWarpgroups().getConsumers() + 1) * threadsOfWarpgroup),
      groups(kb, product.element), maps(op->getParentOfType<func::FuncOp>(), kb), buffers(*this) {}

bool AttendVjpWarpgroupKernel::hasSpareRegisters() {
  constexpr int64_t busy = 200;
  int64_t sums = (columns() + (hasKeys() ? valueColumns() : 0)) / 2, scores = streamed() / 2;
  return !pairs.predicate && sums + 2 * scores + scores / 2 + /*shifts, of the side of keys*/ scores / 2 <= busy;
}

void AttendVjpWarpgroupKernel::synchronizeWarpgroup() {
  constexpr int64_t firstOfGroups = 2; // named barrier 1 is that of all consumer warpgroups
  Value id = arith::AddIOp::create(kb.b, kb.loc, group.index, i32(kb, firstOfGroups));
  synchronizeNamed(kb, id, threadsOfWarpgroup);
}

Value AttendVjpWarpgroupKernel::locate(Value tile) {
  if (hasKeys()) {
    locateKeys(tile);
    return kb.compare(slt, keys.first, keys.end);
  }
  locateRows(tile);
  keys.map = ResidueMap::of(kb, piece().getKeys(), r);
  return kb.compare(slt, kb.integer(0), rows.count);
}

//===----------------------------------------------------------------------===//
// Streamed blocks
//===----------------------------------------------------------------------===//

/// Builds a loop over [0, count) with an i32 index, which takes half as many registers as the i64 index of
/// KernelBuilder::loop. body(index, state) returns the next state.
static SmallVector<Value> loopShort(KernelBuilder &kb, Value count, ValueRange state, KernelBuilder::LoopBody body) {
  auto loop = scf::ForOp::create(kb.b, kb.loc, i32(kb, 0), toI32(kb, count), i32(kb, 1), state,
                                 [&](OpBuilder &, Location, Value index, ValueRange carried) {
                                   OpBuilder::InsertionGuard guard(kb.b);
                                   kb.b.setInsertionPointToEnd(index.getParentBlock());
                                   SmallVector<Value> next = body(index, carried);
                                   scf::YieldOp::create(kb.b, kb.loc, next);
                                 });
  return SmallVector<Value>(loop.getResults());
}

/// Builds a loop over the numbers from `count` - 1 down to 0, where `count` is an i64. body(number, state) gets the
/// number as an i64 and returns the next state. From step to step, the loop keeps its number as an i32.
static SmallVector<Value> loopDown(KernelBuilder &kb, Value count, ValueRange state, KernelBuilder::LoopBody body) {
  auto loop = [&] {
    SmallVector<Value> start = {toI32(kb, count)};
    llvm::append_range(start, state);
    SmallVector<Value> last = kb.repeat(start, [&](ValueRange carried) {
      Value number = arith::SubIOp::create(kb.b, kb.loc, carried[0], i32(kb, 1));
      SmallVector<Value> next = {number};
      next.append(body(arith::ExtUIOp::create(kb.b, kb.loc, kb.i64(), number), carried.drop_front()));
      next.push_back(kb.compare(arith::CmpIPredicate::ne, number, i32(kb, 0)));
      return next;
    });
    last.erase(last.begin());
    return last;
  };
  return kb.ifElse(kb.compare(slt, kb.integer(0), count), state.getTypes(), loop,
                   [&] { return SmallVector<Value>(state); });
}

BlockDecision AttendVjpWarpgroupKernel::decideBlock(Value number) {
  if (hasKeys())
    findRows(piece().getQueries(), number);
  Value firstRow = positionOf(rowOf(kb.integer(0))), lastRow = positionOf(rowOf(kb.integer(tile.getQueries() - 1)));
  Value first = keys.first, last = keys.end;
  if (!hasKeys()) {
    first = number;
    last = kb.min(kb.add(number, tile.getKeys()), nk);
  }
  auto decision = pairs.predicate.decide(*this, {firstRow, lastRow}, {first, kb.add(last, -1)});
  return {decision.isEmpty, decision.isFull};
}

SmallVector<Value> AttendVjpWarpgroupKernel::forListed(Role role, const BlockNumbers &range, ValueRange placeAndSums,
                                                       StreamedBody body) {
  PipelineState start{placeAndSums[0], placeAndSums[1]};
  auto visit = [&](Value number, const ListedBlock &record, const PipelineState &place, Value isLater,
                   ValueRange sums) {
    if (hasKeys())
      findRows(piece().getQueries(), number);
    return body({number, place, isLater, record}, sums);
  };
  if (role == Role::Copies) {
    PipelineState behind = walkListed(
        block, buffers.ring->stages, range, start, [&](Value number) { return decideBlock(number); },
        [&](Value number, const ListedBlock &record, const PipelineState &place) {
          visit(number, record, place, Value(), {});
        });
    return {behind.stage, behind.parity};
  }
  Value yes = kb.constant(kb.b.getBoolAttr(true)), no = kb.constant(kb.b.getBoolAttr(false));
  auto step = [&](ValueRange state) {
    PipelineState place{state[0], state[1]}, next = place.next(kb, buffers.ring->stages);
    buffers.ring->waitFull(Scores, place);
    ListedBlock record = buffers.records->read(block, place);
    Value number = arith::ExtSIOp::create(kb.b, kb.loc, kb.i64(), record.number);
    SmallVector<Value> sums = visit(number, record, place, state.back(), state.drop_front(2).drop_back());
    sums.insert(sums.begin(), {next.stage, next.parity});
    sums.append({yes, kb.select(record.isLast, no, yes)});
    return sums;
  };
  auto walk = [&] {
    SmallVector<Value> before(placeAndSums);
    before.push_back(no);
    SmallVector<Value> behind = kb.repeat(before, step);
    behind.pop_back();
    return behind;
  };
  return kb.ifElse(kb.compare(slt, range.begin, range.end), placeAndSums.getTypes(), walk,
                   [&] { return SmallVector<Value>(placeAndSums); });
}

SmallVector<Value> AttendVjpWarpgroupKernel::forStreamed(const StreamedWalk &walk, ValueRange placeAndSums,
                                                         StreamedBody body, WalkEnd end) {
  auto step = [&](Value first, Value isLater, ValueRange carried) {
    StreamedBlock streamed{first, {carried[0], carried[1]}, isLater, {}};
    SmallVector<Value> sums = body(streamed, carried.drop_front(2));
    PipelineState next = streamed.place.next(kb, buffers.ring->stages);
    sums.insert(sums.begin(), {next.stage, next.parity});
    return sums;
  };
  auto finish = [&](Value hasBlocks, ValueRange carried) {
    SmallVector<Value> sums = end(hasBlocks, {carried[0], carried[1]}, carried.drop_front(2));
    sums.insert(sums.begin(), {carried[0], carried[1]});
    return sums;
  };
  if (!hasKeys()) {
    SeenRange range = walk.seen ? *walk.seen : buildSeenRange(*this, piece());
    Value first = kb.mul(kb.div(range.begin, kb.integer(tile.getKeys())), tile.getKeys());
    if (pairs.predicate) {
      if (walk.role == Role::Copies)
        pairs.predicate.startTask(*this);
      return finish(kb.compare(slt, first, range.end),
                    forListed(walk.role, {first, range.end, tile.getKeys()}, placeAndSums, body));
    }
    auto carried = kb.loop(first, range.end, tile.getKeys(), placeAndSums, [&](Value block, ValueRange carried) {
      return step(block, kb.compare(slt, first, block), carried);
    });
    return finish(kb.compare(slt, first, range.end), carried);
  }
  auto headsOfWalks = [&] {
    auto [first, last] = headsOfGroup();
    return std::pair(first, kb.ceilDiv(kb.max(kb.sub(last, first), kb.integer(0)), op.getHeadStep()));
  };
  return loopDown(kb, headsOfWalks().second, placeAndSums, [&](Value left, ValueRange carried) {
    locateAgain(walk.n);
    auto [firstHead, heads] = headsOfWalks();
    Value number = kb.sub(kb.add(heads, -1), left);
    h = kb.add(firstHead, kb.mul(number, op.getHeadStep()));
    auto [begin, end] = streamedBlocks();
    ResidueMap rows = ResidueMap::of(kb, piece().getQueries(), r);
    Value count = kb.sub(rows.rank(kb, nk), rows.rank(kb, kb.sub(nk, nq)));
    Value last = kb.min(end, kb.ceilDiv(count, tile.getQueries()));
    if (pairs.predicate) {
      if (walk.role == Role::Copies)
        pairs.predicate.startTask(*this);
      return finish(kb.compare(slt, begin, last), forListed(walk.role, {begin, last, 1}, carried, body));
    }
    Value first = begin, blocks = kb.max(kb.sub(last, first), kb.integer(0));
    auto walked = loopShort(kb, blocks, carried, [&](Value number, ValueRange carried) {
      findRows(piece().getQueries(), kb.add(first, arith::ExtUIOp::create(kb.b, kb.loc, kb.i64(), number)));
      return step({}, kb.compare(arith::CmpIPredicate::ne, number, i32(kb, 0)), carried);
    });
    return finish(kb.compare(slt, kb.integer(0), blocks), walked);
  });
}

void AttendVjpWarpgroupKernel::locateAgain(Value n) { locate(forget(kb, buffers.queue->readAgain(n))); }

void nvgpu::copyStreamed(AttendVjpWarpgroupKernel &k, AttendVjpWarpgroupKernel::Part part, Value streamed,
                         const PipelineState &place, const SwizzledMatrix &to) {
  KernelBuilder &kb = k.kb;
  bool ofScores = part == AttendVjpWarpgroupKernel::Scores;
  k.buffers.ring->waitEmpty(part, place);
  Value barrier = k.buffers.ring->expect(part, place);
  auto rowAt = [&](int64_t n) {
    return k.hasKeys() ? kb.sub(k.rows.map.at(kb, kb.add(k.rows.first, n)), kb.sub(k.nk, k.nq))
                       : k.keys.map.at(kb, kb.add(streamed, n));
  };
  RankRows queries{
      ofScores ? k.op.getQ() : k.op.getDO(), {k.piece().getQueries(), k.tile.getQueries()}, k.b, k.h, k.nq, rowAt};
  RankRows keys{ofScores ? k.op.getK() : k.op.getV(),
                {k.piece().getKeys(), k.tile.getKeys()},
                k.b,
                ofScores ? k.keys.heads.key : k.keys.heads.value,
                k.nk,
                rowAt,
                k.keys.map.start,
                streamed};
  copyRankRows(kb, k.maps, k.hasKeys() ? queries : keys, to, barrier);
}
