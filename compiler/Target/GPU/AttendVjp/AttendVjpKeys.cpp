//===- AttendVjpKeys.cpp - Gradients of keys, streamed rows ---------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/GPU/AttendVjp/AttendVjpWarps.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::gpu;

static constexpr auto slt = arith::CmpIPredicate::slt;

static Value both(KernelBuilder &kb, Value x, Value y) { return arith::AndIOp::create(kb.b, kb.loc, x, y); }

namespace {
/// The row for which this thread loads scalars (m, log l, delta, visible keys). Thread n has row n of the streamed row
/// block.
struct PassingRow {
  Value n, row;
  Value exists;
  Value lower, upper; ///< visible ranks of keys; empty if the row does not exist
};
} // namespace

/// Makes row block `number` the task's block of rows (findRows). Returns this thread's row of the block.
static PassingRow findRow(AttendVjpWarpKernel &k, PieceBounds &bounds, Value number) {
  KernelBuilder &kb = k.kb;
  k.findRows(k.piece().getQueries(), number);
  PassingRow found;
  found.n = k.block.thread;
  found.row = k.rowOf(kb.min(found.n, kb.integer(k.tile.getQueries() - 1)));
  found.exists = kb.compare(slt, found.n, kb.min(k.rows.count, kb.integer(k.tile.getQueries())));
  std::tie(found.lower, found.upper) = bounds.interval(k.keys.map, found.row);
  found.upper = kb.select(found.exists, found.upper, found.lower);
  return found;
}

/// Returns whether this thread's row of row block `number` may see a key of the task's key block (i1). `isInside` (i1)
/// says whether row block `number` exists. If it does not, the result is false.
static Value mayMeet(AttendVjpWarpKernel &k, PieceBounds &bounds, Value number, Value isInside) {
  KernelBuilder &kb = k.kb;
  PassingRow found = findRow(k, bounds, number);
  Value meets = both(kb, kb.compare(slt, found.lower, k.keys.end), kb.compare(slt, k.keys.first, found.upper));
  meets = both(kb, both(kb, meets, kb.compare(slt, found.lower, found.upper)), isInside);
  if (!k.pairs.predicate)
    return meets;
  Value no = kb.constant(kb.b.getBoolAttr(false));
  auto decide = [&]() -> SmallVector<Value> { // evaluated for blocks that exist only
    Value first = k.positionOf(k.rowOf(kb.integer(0))),
          last = k.positionOf(k.rowOf(kb.integer(k.tile.getQueries() - 1)));
    Value isEmpty = k.pairs.predicate.decide(k, {first, last}, {k.keys.first, kb.add(k.keys.end, -1)}).isEmpty;
    return {kb.select(isEmpty, no, meets)};
  };
  return kb.ifElse(isInside, no.getType(), decide, [&] { return SmallVector<Value>{no}; })[0];
}

/// Finds the first row block, at index `from` or later, with a row that may see a key of the task's key block. Returns
/// the index of the block, which is `end` or more if there is none. After it, returns m, log l and delta of this
/// thread's row of the block. The loads of these scalars are in flight until storeNumbers uses them. Contains a
/// barrier.
static FoundBlock findRowBlock(AttendVjpWarpKernel &k, PieceBounds &bounds, Value from, Value end) {
  KernelBuilder &kb = k.kb;
  SmallVector<Value> before = {kb.add(from, -1)};
  Value number = kb.repeat(before, [&](ValueRange state) -> SmallVector<Value> {
    Value number = kb.add(state[0], 1), isInside = kb.compare(slt, number, end);
    Value some = k.block.any(mayMeet(k, bounds, number, isInside));
    return {number, kb.select(some, kb.constant(kb.b.getBoolAttr(false)), isInside)};
  })[0];
  PassingRow found = findRow(k, bounds, number);
  auto load = [&]() -> SmallVector<Value> {
    auto [largest, logSum] = loadLse(k, found.row);
    return {largest, logSum, kb.load(k.real, atRow(k, k.operands.delta, found.row))};
  };
  auto zeros = [&] { return SmallVector<Value>(3, kb.real(k.real, 0)); };
  Value isInside = both(kb, found.exists, kb.compare(slt, number, end));
  FoundBlock block = {number};
  block.append(kb.ifElse(isInside, SmallVector<Type>(3, k.real), load, zeros));
  return block;
}

/// Writes the scalars of a row block to `numbers`, the arrays of a stage: visible keys, row of q, m, log l and delta.
/// Each thread writes those of one row. `block` is a result of findRowBlock.
static void storeNumbers(AttendVjpWarpKernel &k, const StreamedNumbers &numbers, PieceBounds &bounds,
                         ArrayRef<Value> block) {
  KernelBuilder &kb = k.kb;
  PassingRow found = findRow(k, bounds, block[0]);
  Value lowest = kb.real(k.real, -std::numeric_limits<double>::infinity());
  Value sawNone = arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::OEQ, block[1], lowest);
  Value upper = kb.select(sawNone, found.lower, found.upper);
  kb.ifThen(kb.compare(slt, found.n, kb.integer(k.tile.getQueries())), [&] {
    Type i32 = kb.b.getI32Type();
    for (auto [array, rank] : {std::pair(numbers.lowers, found.lower), {numbers.uppers, upper}}) {
      Value within = kb.clamp(kb.sub(rank, k.keys.first), kb.integer(0), kb.integer(k.tile.getKeys()));
      kb.store(arith::TruncIOp::create(kb.b, kb.loc, i32, within), kb.at(i32, array, found.n));
    }
    kb.store(found.row, kb.at(kb.i64(), numbers.rows, found.n));
    for (auto [array, number] :
         {std::pair(numbers.largest, block[1]), {numbers.logSums, block[2]}, {numbers.deltas, block[3]}})
      kb.store(number, kb.at(k.real, array, found.n));
  });
}

static SmallVector<Value> addRowBlock(AttendVjpWarpKernel &k, const VjpStage &stage, ArrayRef<Value> before,
                                      Value isCareful) {
  KernelBuilder &kb = k.kb;
  const auto &[query, cotangent] = stage.matrices;
  PairTiles pairs = buildPairs(k, stage, /*lane=*/nullptr);
  size_t split = k.columns() / WarpProduct::atomColumns * 4;
  auto isZero = [&](Value x) -> Value {
    return arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::OEQ, x, kb.real(k.real, 0));
  };
  auto isMasked = [&](Value x) { return k.isMasked(x); };
  TileProduct ofKeys{pairs.gradients, query, k.streamed()}, ofValues{pairs.probabilities, cotangent, k.streamed()};
  SmallVector<Value> sums = addProduct(k, before.take_front(split), ofKeys, isCareful, isZero);
  sums.append(addProduct(k, before.drop_front(split), ofValues, isCareful, isMasked));
  return sums;
}

std::pair<Value, Value> AttendVjpKernel::streamedBlocks() {
  auto join = [&](Value &lower, Value &upper) {
    for (int64_t mask = ThreadBlock::warpSize / 2; mask > 0; mask /= 2) {
      lower = kb.min(lower, block.exchange(lower, mask));
      upper = kb.max(upper, block.exchange(upper, mask));
    }
  };
  Value first = kb.add(keys.first, block.lane);
  auto [begin, end] = buildQueryRange(*this, piece(), first, keys.end, ThreadBlock::warpSize, join);
  return {kb.floorDiv(begin, tile.getQueries()), kb.ceilDiv(end, tile.getQueries())};
}

static SmallVector<Value> addRowBlocks(AttendVjpWarpKernel &k, ArrayRef<Value> zeros, Value isCareful) {
  KernelBuilder &kb = k.kb;
  PieceBounds bounds = PieceBounds::of(k, k.piece());
  auto [first, end] = k.streamedBlocks();
  auto find = [&, end = end](Value from) { return findRowBlock(k, bounds, from, end); };
  auto fetch = [&](ArrayRef<Value> found, Value stage) {
    VjpMatrices to = k.stageAt(stage).matrices;
    k.findRows(k.piece().getQueries(), found[0]);
    k.copyQueries(k.q, to.ofScores, k.depth(), /*isOnce=*/false);
    k.copyQueries(k.operands.dOut, to.ofCotangents, k.valueDepth(), /*isOnce=*/false);
  };
  auto settle = [&](ArrayRef<Value> found, Value stage) { storeNumbers(k, k.stageAt(stage).numbers, bounds, found); };
  auto compute = [&](ArrayRef<Value>, Value stage, ValueRange carried) {
    return addRowBlock(k, k.stageAt(stage), SmallVector<Value>(carried), isCareful);
  };
  return streamBlocks(k.block, k.buffers.stages, {kb.min(first, end), end, 1}, zeros, {find, fetch, compute, settle});
}

/// Returns whether the gradients of query head `h` overwrite a head of `view` (dK or dV), instead of being added to it
/// (i1). They do if the op assigns, and `h` is the first of the query heads that share this head of `view`.
static Value isFirstHead(AttendVjpWarpKernel &k, const View &view) {
  KernelBuilder &kb = k.kb;
  if (!k.op.getAssigns())
    return kb.constant(kb.b.getBoolAttr(false));
  Value sharing = kb.div(k.q.sizes[1], view.sizes[1]);
  return kb.compare(arith::CmpIPredicate::eq, kb.rem(k.h, sharing), kb.integer(0));
}

void xf::gpu::buildKeysHead(AttendVjpWarpKernel &k) {
  KernelBuilder &kb = k.kb;
  k.locateKeyHeads();
  if (k.pairs.predicate)
    k.pairs.predicate.startTask(k);
  k.block.awaitCopies();
  k.block.synchronize(); // the matrices of the previous head have been read
  auto keyAt = [&](Value rank) { return k.keys.map.at(kb, rank); };
  KeyBlock keys{keyAt, k.keys.first, k.keys.first, k.keys.end, /*isOnce=*/true};
  k.copyKeys(k.operands.k, k.keys.heads.key, keys, k.buffers.resident.ofScores, k.depth());
  k.copyKeys(k.operands.v, k.keys.heads.value, keys, k.buffers.resident.ofCotangents, k.valueDepth());
  size_t split = k.columns() / WarpProduct::atomColumns * 4, rest = k.valueColumns() / WarpProduct::atomColumns * 4;
  SmallVector<Value> sums = attempt(
      k, split + rest, [&](ArrayRef<Value> zeros, Value isCareful) { return addRowBlocks(k, zeros, isCareful); });
  double scale = k.op.getScale();
  Value firstOfKeys = isFirstHead(k, k.operands.dK), firstOfValues = isFirstHead(k, k.operands.dV);
  // Opaque: derived values are recomputed, not kept in registers.
  Value firstKey = k.block.fromLane(k.keys.first, kb.integer(0));
  for (int64_t half : {0, 1}) {
    Value inBlock = kb.add(kb.mul(k.block.warp, WarpProduct::tileRows), k.product.row(half));
    Value rank = kb.add(firstKey, inBlock);
    kb.ifThen(kb.compare(slt, rank, k.keys.end), [&] {
      Value key = k.keys.map.at(kb, rank);
      storeRow(k, k.operands.dK, k.operands.dK.at(kb, {k.b, headOf(k, k.operands.dK, k.h), key}),
               {ArrayRef(sums).take_front(split), half, scale}, k.depth(), firstOfKeys);
      storeRow(k, k.operands.dV, k.operands.dV.at(kb, {k.b, headOf(k, k.operands.dV, k.h), key}),
               {ArrayRef(sums).drop_front(split), half, 1}, k.valueDepth(), firstOfValues);
    });
  }
}
