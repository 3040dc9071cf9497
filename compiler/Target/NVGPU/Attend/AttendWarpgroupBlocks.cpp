//===- AttendWarpgroupBlocks.cpp - Products with blocks of keys -------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/NVGPU/Attend/AttendWarpgroup.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::nvgpu;

using Kernel = AttendWarpgroupKernel;

static constexpr auto slt = arith::CmpIPredicate::slt;

SmallVector<Value> WarpgroupStates::flat() const {
  SmallVector<Value> values = {place.stage, place.parity};
  values.append(rows.flat());
  return values;
}

WarpgroupStates WarpgroupStates::of(ValueRange values) {
  return {{values[0], values[1]}, RowStates::of(values.drop_front(2))};
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

namespace {
/// The state between two key blocks. The product P V of the previous block is not started yet: `left` is its P, and
/// `values` the stage of its V. `keys` is the stage of the next block's K.
struct Carried {
  PipelineState keys, values;
  RowStates rows;
  SmallVector<Value> left;

  SmallVector<Value> flat() const {
    SmallVector<Value> all = {keys.stage, keys.parity, values.stage, values.parity};
    all.append(rows.flat());
    all.append(left);
    return all;
  }
  static Carried of(ValueRange values, size_t leftCount) {
    return {{values[0], values[1]},
            {values[2], values[3]},
            RowStates::of(values.drop_front(4).drop_back(leftCount)),
            SmallVector<Value>(values.take_back(leftCount))};
  }
};
} // namespace

static TileSums startScores(Kernel &k, const PipelineState &place) {
  k.groups.fence({}, {});
  TileSums scores = k.groups.multiply({}, k.tile.getKeys(), k.buffers.query, k.group.row,
                                      k.buffers.ring->at(Kernel::Keys, place.stage),
                                      /*isTransposed=*/true);
  k.groups.commit();
  return scores;
}

/// Starts o += P V of the previous key block. If `accumulates` (i1) is given and false, starts o = P V.
static void startOutput(Kernel &k, Carried &c, Value accumulates) {
  k.buffers.ring->waitFull(Kernel::Values, c.values);
  SwizzledMatrix values = k.buffers.ring->at(Kernel::Values, c.values.stage);
  if (k.isCareful())
    clearNonFinite(k, values);
  k.groups.fence(c.rows.output, c.left);
  c.rows.output =
      k.groups.multiply(c.rows.output, k.valueColumns(), c.left, values, /*isTransposed=*/false, accumulates);
  k.groups.commit();
}

static void finishOutput(Kernel &k, Carried &c) {
  c.rows.output = k.groups.wait(0, c.rows.output);
  k.buffers.ring->release(Kernel::Values, c.values);
}

TileSums nvgpu::undefinedSums(AttendWarpgroupKernel &k, size_t count) {
  return TileSums(count, LLVM::UndefOp::create(k.kb.b, k.kb.loc, k.real));
}

/// Finds the masks of key block `block` by the predicate and by dropout, while its products are in flight.
static void findMasks(Kernel &k, const SeenKeys &seen, const ListedBlock &block) {
  KernelBuilder &kb = k.kb;
  if (k.pairs.predicate)
    kb.ifElse(
        block.isFull, {}, [] { return SmallVector<Value>(); },
        [&] {
          findPredicateMask(k, block.number);
          return SmallVector<Value>();
        });
  if (k.pairs.dropout)
    findDropoutMask(k, seen, block.number);
}

/// Turns the products of key block `block` into scores by the score region. Pairs that the predicate excludes get -inf.
static TileSums finishScores(Kernel &k, const SeenKeys &seen, const ListedBlock &block, ArrayRef<Value> products) {
  TileSums scores = modifyScores(k, seen, block.number, products);
  if (!k.pairs.predicate)
    return scores;
  SmallVector<Type> types(scores.size(), k.real);
  return k.kb.ifElse(
      block.isFull, types, [&] { return scores; },
      [&] { return applyMasks(k, k.buffers.predicateMasks, scores, -std::numeric_limits<double>::infinity()); });
}

/// Returns the weights of a key block as a left operand, with 0 for dropped pairs. (The sums l of rows include dropped
/// pairs.)
static SmallVector<Value> packWeights(Kernel &k, ArrayRef<Value> weights) {
  return k.groups.pack(k.pairs.dropout ? applyMasks(k, k.buffers.dropoutMasks, weights, 0) : TileSums(weights));
}

/// Computes the first key block, `block`. With a predicate, first reads `block` from the record of the stage. `hasSums`
/// is as in buildWarpgroupBlocks.
static Carried buildFirst(Kernel &k, const SeenKeys &seen, const GroupBounds &bounds, ListedBlock &block,
                          const WarpgroupStates &states, Value hasSums) {
  k.buffers.ring->waitFull(Kernel::Keys, states.place);
  if (k.pairs.predicate)
    block = k.buffers.records->read(k.block, states.place);
  k.waitForTurn();
  TileSums scores = startScores(k, states.place);
  k.passTurn();
  findMasks(k, seen, block);
  scores = k.groups.wait(0, scores);
  k.buffers.ring->release(Kernel::Keys, states.place);
  Carried c{states.place.next(k.kb, k.buffers.ring->stages), states.place, states.rows, {}};
  scores = finishScores(k, seen, block, scores);
  Rescaling rescaling = updateSoftmax(k, bounds, block.number, c.rows, scores);
  if (hasSums)
    rescaling.isNeeded = arith::AndIOp::create(k.kb.b, k.kb.loc, rescaling.isNeeded, hasSums);
  if (hasSums && matchPattern(hasSums, m_Zero()))
    c.rows.output = undefinedSums(k, c.rows.output.size());
  else
    rescale(k, c.rows.output, rescaling);
  c.left = packWeights(k, scores);
  return c;
}

/// Computes a later key block, and the product P V of the key block before it. `block` is as in buildFirst, and
/// `accumulates` as in startOutput.
static Carried buildNext(Kernel &k, const SeenKeys &seen, const GroupBounds &bounds, ListedBlock &block, Carried c,
                         Value accumulates) {
  k.buffers.ring->waitFull(Kernel::Keys, c.keys);
  if (k.pairs.predicate)
    block = k.buffers.records->read(k.block, c.keys);
  k.waitForTurn();
  TileSums scores = startScores(k, c.keys);
  startOutput(k, c, accumulates);
  k.passTurn();
  findMasks(k, seen, block);
  scores = k.groups.wait(1, scores);
  k.buffers.ring->release(Kernel::Keys, c.keys);
  scores = finishScores(k, seen, block, scores);
  Rescaling rescaling = updateSoftmax(k, bounds, block.number, c.rows, scores);
  // V is known to be full, but this wait is a loop, across which ptxas moves nothing: else it would move the wait for o
  // above the exponentials.
  k.buffers.ring->waitFull(Kernel::Values, c.values);
  finishOutput(k, c);
  c.left = packWeights(k, scores);
  rescale(k, c.rows.output, rescaling);
  c.values = c.keys;
  c.keys = c.keys.next(k.kb, k.buffers.ring->stages);
  return c;
}

namespace {
/// The states after a loop over the later key blocks. The last product is not started yet. `accumulates` (i1) says
/// whether it adds to sums. Null stands for true.
struct LaterBlocks {
  Carried carried;
  Value accumulates;
};
} // namespace

/// Returns whether the product of a key block adds to sums instead of overwriting them (i1). It does if there were sums
/// before (`hasSums` of buildWarpgroupBlocks), or if the key block is not the first one (`isLater`). Returns null,
/// which stands for true, if `hasSums` is null.
static Value accumulates(Kernel &k, Value hasSums, Value isLater) {
  return hasSums ? Value(arith::OrIOp::create(k.kb.b, k.kb.loc, hasSums, isLater)) : Value();
}

/// Computes all key blocks from the second one on. `hasSums` is as in buildWarpgroupBlocks.
static LaterBlocks buildLater(Kernel &k, const SeenKeys &seen, const GroupBounds &bounds, const Carried &start,
                              Value hasSums) {
  KernelBuilder &kb = k.kb;
  size_t leftCount = start.left.size();
  Value second = arith::AddIOp::create(kb.b, kb.loc, bounds.firstBlock, i32(kb, k.tile.getKeys()));
  auto loop = scf::ForOp::create(kb.b, kb.loc, second, bounds.lastEnd, i32(kb, k.tile.getKeys()), start.flat(),
                                 [&](OpBuilder &, Location, Value keyBlock, ValueRange carried) {
                                   OpBuilder::InsertionGuard guard(kb.b);
                                   kb.b.setInsertionPointToEnd(keyBlock.getParentBlock());
                                   Value isLater = kb.compare(arith::CmpIPredicate::ne, second, keyBlock);
                                   ListedBlock block{keyBlock, Value(), Value()};
                                   Carried next = buildNext(k, seen, bounds, block, Carried::of(carried, leftCount),
                                                            accumulates(k, hasSums, isLater));
                                   scf::YieldOp::create(kb.b, kb.loc, next.flat());
                                 });
  return {Carried::of(loop.getResults(), leftCount), accumulates(k, hasSums, kb.compare(slt, second, bounds.lastEnd))};
}

/// Computes all listed key blocks after `first`. Replaces buildLater if there is a predicate.
static LaterBlocks buildListed(Kernel &k, const SeenKeys &seen, const GroupBounds &bounds, const Carried &start,
                               const ListedBlock &first, Value hasSums) {
  KernelBuilder &kb = k.kb;
  size_t leftCount = start.left.size();
  SmallVector<Value> before = start.flat();
  before.append({first.isLast, kb.constant(kb.b.getBoolAttr(false))}); // and whether there was a later one
  auto condition = [&](OpBuilder &b, Location loc, ValueRange state) {
    Value yes = arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
    Value isLeft = arith::XOrIOp::create(b, loc, state[state.size() - 2], yes);
    scf::ConditionOp::create(b, loc, isLeft, state);
  };
  auto body = [&](OpBuilder &, Location, ValueRange state) {
    OpBuilder::InsertionGuard guard(kb.b);
    kb.b.setInsertionPointToEnd(state.front().getParentBlock());
    ListedBlock block;
    Carried carried = Carried::of(state.drop_back(2), leftCount);
    SmallVector<Value> next = buildNext(k, seen, bounds, block, carried, accumulates(k, hasSums, state.back())).flat();
    next.append({block.isLast, kb.constant(kb.b.getBoolAttr(true))});
    scf::YieldOp::create(kb.b, kb.loc, next);
  };
  SmallVector<Type> types(ValueRange(before).getTypes());
  auto loop = scf::WhileOp::create(kb.b, kb.loc, types, before, condition, body);
  ValueRange results = loop.getResults();
  return {Carried::of(results.drop_back(2), leftCount), accumulates(k, hasSums, results.back())};
}

WarpgroupStates nvgpu::buildWarpgroupBlocks(AttendWarpgroupKernel &k, const SeenKeys &seen,
                                            const WarpgroupStates &states, Value hasSums,
                                            function_ref<void()> readQueries) {
  KernelBuilder &kb = k.kb;
  SmallVector<Value> before = states.flat();
  SmallVector<Type> types(ValueRange(before).getTypes());
  auto work = [&] {
    GroupBounds bounds(k, seen);
    ListedBlock first{bounds.firstBlock, Value(), Value()};
    Carried start = buildFirst(k, seen, bounds, first, states, hasSums);
    LaterBlocks later = k.pairs.predicate ? buildListed(k, seen, bounds, start, first, hasSums)
                                          : buildLater(k, seen, bounds, start, hasSums);
    readQueries();
    Carried last = later.carried;
    startOutput(k, last, later.accumulates);
    finishOutput(k, last);
    return WarpgroupStates{last.keys, last.rows}.flat();
  };
  return WarpgroupStates::of(kb.ifElse(kb.compare(slt, seen.begin, seen.end), types, work, [&] {
    readQueries();
    return before;
  }));
}
