//===- AttendWarpgroupSoftmax.cpp - Products and softmax of a warpgroup ---===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/GPU/Attend/NonFiniteTiles.h"
#include "compiler/Target/NVGPU/Attend/AttendWarpgroup.h"
#include "compiler/Target/NVGPU/Tiling/AttentionWarpgroups.h"

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
// A tile of scores
//===----------------------------------------------------------------------===//

static Value lowest(Kernel &k) { return k.kb.real(k.real, -std::numeric_limits<double>::infinity()); }

namespace {
/// The intervals of SeenKeys as 32-bit values, in the form that the loop over blocks of keys uses.
struct GroupBounds {
  /// Visible ranks of the lane's two rows, relative to the lane's column. Without a lower bound, `first` is null and
  /// `count` is their end.
  Value first[2], count[2];
  Value commonBegin, commonEnd; ///< all rows of the warp see a block that begins in this range
  Value firstBlock, end;

  GroupBounds(Kernel &k, const SeenKeys &seen);
};
} // namespace

static bool hasLowerBound(Kernel &k) {
  return llvm::any_of(k.op.getPieces().getAsRange<PieceAttr>(), nvgpu::hasLowerBound);
}

GroupBounds::GroupBounds(Kernel &k, const SeenKeys &seen) {
  KernelBuilder &kb = k.kb;
  for (int64_t half : {0, 1}) {
    if (!hasLowerBound(k)) {
      count[half] = toI32(kb, kb.sub(seen.upper[half], k.product.column()));
      continue;
    }
    first[half] = toI32(kb, kb.sub(seen.lower[half], k.product.column()));
    count[half] = toI32(kb, kb.sub(seen.upper[half], seen.lower[half]));
  }
  commonBegin = toI32(kb, seen.commonBegin);
  commonEnd = toI32(kb, kb.sub(seen.commonEnd, kb.integer(k.blockKeys - 1)));
  firstBlock = toI32(kb, k.firstBlock(seen.begin));
  end = toI32(kb, seen.end);
}

/// Sets the scores of pairs that the lane's rows do not see to -inf. Does nothing for blocks of keys that all rows of
/// the warp see entirely.
static TileSums maskScores(Kernel &k, const GroupBounds &bounds, Value keyBlock, ArrayRef<Value> scores) {
  KernelBuilder &kb = k.kb;
  Value isWhole = kb.compare(slt, keyBlock, bounds.commonEnd);
  if (bounds.first[0])
    isWhole = arith::AndIOp::create(kb.b, kb.loc, isWhole,
                                    kb.compare(arith::CmpIPredicate::sle, bounds.commonBegin, keyBlock));
  auto mask = [&] {
    auto sub = [&](Value x, Value y) -> Value { return arith::SubIOp::create(kb.b, kb.loc, x, y); };
    Value origin[2]; // of distances from the first key, or else the end of columns
    for (int64_t half : {0, 1})
      origin[half] = bounds.first[half] ? sub(keyBlock, bounds.first[half]) : sub(bounds.count[half], keyBlock);
    SmallVector<Value> masked;
    for (auto [n, score] : llvm::enumerate(scores)) {
      size_t half = WarpProduct::halfOf(n);
      Value column = i32(kb, WarpProduct::columnOf(n)), isVisible = kb.compare(slt, column, origin[half]);
      if (bounds.first[half]) {
        Value distance = arith::AddIOp::create(kb.b, kb.loc, origin[half], column);
        isVisible = kb.compare(arith::CmpIPredicate::ult, distance, bounds.count[half]);
      }
      masked.push_back(kb.select(isVisible, score, lowest(k)));
    }
    return masked;
  };
  SmallVector<Type> types(scores.size(), k.real);
  return kb.ifElse(isWhole, types, [&] { return SmallVector<Value>(scores); }, mask);
}

/// Returns 2^((score - reference) scale - bias), computed as 2^(score scale + (shift - bias)), where shift = -reference
/// scale. If the shift is large, its rounding error would be visible in the result: the recheck kernel then subtracts
/// before it scales.
static Value exponential(Kernel &k, Value score, Value reference, Value shift, int64_t bias) {
  KernelBuilder &kb = k.kb;
  auto lower = [&](Value x) { return bias ? kb.subf(x, kb.real(k.real, bias)) : x; };
  Value exponent = kb.fma(score, k.scale, lower(shift));
  if (k.isCareful)
    exponent = kb.select(isLarge(kb, shift), lower(kb.mulf(kb.subf(score, reference), k.scale)), exponent);
  return k.exp2(exponent);
}

/// Returns the score that a row's exponentials are taken relative to, where it was `before` up to this block. It
/// follows the maximum only when that is 2^headroom times as probable, so that most blocks do not rescale o
/// (FlashAttention-4, section 3.2).
static Value referenceOf(Kernel &k, Value before, Value largest) {
  KernelBuilder &kb = k.kb;
  Value margin = kb.real(k.real, k.headroom / (k.scoreScale * M_LOG2E)); // finite: from -inf, any number is far
  Value isFar = arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::OGT, largest, kb.addf(before, margin));
  return kb.select(isFar, largest, before);
}

namespace {
/// The factors of the output in the lane's two rows, and whether one of the warp's is not 1 or a sum is NaN (i1).
struct Rescaling {
  Value factors[2], isNeeded;
};
} // namespace

/// Turns a tile of scores into unnormalised probabilities and updates the rows' references and sums. Returns the
/// factors by which the accumulated output must be rescaled.
static Rescaling takeScores(Kernel &k, RowStates &rows, TileSums &scores) {
  KernelBuilder &kb = k.kb;
  auto larger = [&](Value x, Value y) { return k.larger(x, y); };
  Rescaling result;
  Value references[2], shifts[2];
  for (int64_t half : {0, 1}) {
    Value most[2]; // even and odd elements apart: dependency chains half as long
    for (size_t n = 0; n < scores.size(); ++n)
      if (WarpProduct::halfOf(n) == half)
        most[n % 2] = most[n % 2] ? larger(most[n % 2], scores[n]) : scores[n];
    Value largest = referenceOf(k, rows.largest[half], k.product.combineRow(larger(most[0], most[1]), larger));
    Value isEmpty = arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::OEQ, largest, lowest(k));
    references[half] = kb.select(isEmpty, kb.real(k.real, 0), largest);
    shifts[half] = kb.mulf(kb.subf(kb.real(k.real, 0), references[half]), k.scale);
    result.factors[half] = exponential(k, rows.largest[half], references[half], shifts[half], /*bias=*/0);
    Value differs =
        arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::UNE, result.factors[half], kb.real(k.real, 1));
    result.isNeeded = half == 0 ? differs : Value(arith::OrIOp::create(kb.b, kb.loc, result.isNeeded, differs));
    rows.largest[half] = largest;
  }
  for (int64_t half : {0, 1}) {
    Value sums[2];
    for (size_t n = 0; n < scores.size(); ++n) {
      if (WarpProduct::halfOf(n) != half)
        continue;
      scores[n] = exponential(k, scores[n], references[half], shifts[half], k.bias);
      sums[n % 2] = sums[n % 2] ? kb.addf(sums[n % 2], scores[n]) : scores[n];
    }
    Value sum = kb.addf(sums[0], sums[1]);
    // Asks for the exponentials as well: ptxas would else move them behind the wait for o.
    Value isNan = arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::UNO, sum, sum);
    result.isNeeded = arith::OrIOp::create(kb.b, kb.loc, result.isNeeded, isNan);
    rows.sum[half] = kb.fma(rows.sum[half], result.factors[half], sum);
  }
  result.isNeeded = anyInWarp(kb, result.isNeeded);
  return result;
}

/// Multiplies the output by the factors.
static void rescale(Kernel &k, TileSums &output, const Rescaling &by) {
  KernelBuilder &kb = k.kb;
  auto multiply = [&] {
    SmallVector<Value> scaled;
    for (auto [n, value] : llvm::enumerate(output))
      scaled.push_back(kb.mulf(value, by.factors[WarpProduct::halfOf(n)]));
    return scaled;
  };
  auto keep = [&] { return SmallVector<Value>(output); };
  output = kb.ifElse(by.isNeeded, SmallVector<Type>(output.size(), k.real), multiply, keep);
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

namespace {
/// The state between two blocks of keys. The product P V of the previous block is not started yet: `left` is its P,
/// `values` the stage of its V.
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
  TileSums scores = k.groups.multiply({}, k.blockKeys, k.queryBoxes, k.groupRow, k.ring->at(Kernel::Keys, place.stage),
                                      /*isTransposed=*/true);
  k.groups.commit();
  return scores;
}

/// Starts o += P V of the previous block. If `accumulates` (i1) is not null and false, o = P V.
static void startOutput(Kernel &k, Carried &c, Value accumulates) {
  k.ring->waitFull(Kernel::Values, c.values);
  SwizzledMatrix values = k.ring->at(Kernel::Values, c.values.stage);
  if (k.isCareful)
    clearNonFinite(k, values);
  k.groups.fence(c.rows.output, c.left);
  c.rows.output = k.groups.multiply(c.rows.output, k.valueColumns, c.left, values, /*isTransposed=*/false, accumulates);
  k.groups.commit();
}

static void finishOutput(Kernel &k, Carried &c) {
  c.rows.output = k.groups.wait(0, c.rows.output);
  k.ring->release(Kernel::Values, c.values);
}

/// Returns sums that no product has begun yet: their first one does not read them.
static TileSums undefinedSums(Kernel &k, size_t count) {
  return TileSums(count, LLVM::UndefOp::create(k.kb.b, k.kb.loc, k.real));
}

/// Finds the masks of a block's pairs, while its products are in flight.
static void findMasks(Kernel &k, const SeenKeys &seen, const ListedBlock &block) {
  KernelBuilder &kb = k.kb;
  if (k.predicate)
    kb.ifElse(
        block.isFull, {}, [] { return SmallVector<Value>(); },
        [&] {
          findPredicateMask(k, block.number);
          return SmallVector<Value>();
        });
  if (k.dropout)
    findDropoutMask(k, seen, block.number);
}

/// Turns products into scores: through the score region, and -inf for the pairs that rows do not see.
static TileSums finishScores(Kernel &k, const SeenKeys &seen, const GroupBounds &bounds, const ListedBlock &block,
                             ArrayRef<Value> products) {
  KernelBuilder &kb = k.kb;
  TileSums scores = modifyScores(k, seen, block.number, products);
  if (k.predicate) {
    SmallVector<Type> types(scores.size(), k.real);
    scores = kb.ifElse(
        block.isFull, types, [&] { return scores; },
        [&] { return applyMasks(k, k.predicateMasks, scores, -std::numeric_limits<double>::infinity()); });
  }
  return maskScores(k, bounds, block.number, scores);
}

/// Returns the weights of a block as a left operand. Those that dropout takes are 0, though they count in sums.
static SmallVector<Value> packWeights(Kernel &k, ArrayRef<Value> weights) {
  return k.groups.pack(k.dropout ? applyMasks(k, k.dropoutMasks, weights, 0) : TileSums(weights));
}

/// Computes the first block of keys: `block`, or with a predicate the listed one, which replaces it.
static Carried buildFirst(Kernel &k, const SeenKeys &seen, const GroupBounds &bounds, ListedBlock &block,
                          const WarpgroupStates &states, bool isOnly) {
  k.ring->waitFull(Kernel::Keys, states.place);
  if (k.predicate)
    block = k.records->read(k.block, states.place);
  k.waitForTurn();
  TileSums scores = startScores(k, states.place);
  k.passTurn();
  findMasks(k, seen, block);
  scores = k.groups.wait(0, scores);
  k.ring->release(Kernel::Keys, states.place);
  Carried c{states.place.next(k.kb, k.ring->stages), states.place, states.rows, {}};
  scores = finishScores(k, seen, bounds, block, scores);
  Rescaling rescaling = takeScores(k, c.rows, scores);
  if (isOnly)
    c.rows.output = undefinedSums(k, c.rows.output.size());
  else
    rescale(k, c.rows.output, rescaling);
  c.left = packWeights(k, scores);
  return c;
}

/// Computes a later block, which `block` names as that of buildFirst.
static Carried buildNext(Kernel &k, const SeenKeys &seen, const GroupBounds &bounds, ListedBlock &block, Carried c,
                         Value accumulates) {
  k.ring->waitFull(Kernel::Keys, c.keys);
  if (k.predicate)
    block = k.records->read(k.block, c.keys);
  k.waitForTurn();
  TileSums scores = startScores(k, c.keys);
  startOutput(k, c, accumulates);
  k.passTurn();
  findMasks(k, seen, block);
  scores = k.groups.wait(1, scores);
  k.ring->release(Kernel::Keys, c.keys);
  scores = finishScores(k, seen, bounds, block, scores);
  Rescaling rescaling = takeScores(k, c.rows, scores);
  // V is known to be full, but this wait is a loop, across which ptxas moves nothing: else it would move the wait for o
  // above the exponentials.
  k.ring->waitFull(Kernel::Values, c.values);
  finishOutput(k, c);
  c.left = packWeights(k, scores);
  rescale(k, c.rows.output, rescaling);
  c.values = c.keys;
  c.keys = c.keys.next(k.kb, k.ring->stages);
  return c;
}

namespace {
/// The states behind a loop over the later blocks, and whether it had any (i1; null if nobody asks).
struct LaterBlocks {
  Carried carried;
  Value exist;
};
} // namespace

/// Computes all blocks of keys from the second one on. `isOnly` is that of buildWarpgroupBlocks.
static LaterBlocks buildLater(Kernel &k, const SeenKeys &seen, const GroupBounds &bounds, const Carried &start,
                              bool isOnly) {
  KernelBuilder &kb = k.kb;
  size_t leftCount = start.left.size();
  Value second = arith::AddIOp::create(kb.b, kb.loc, bounds.firstBlock, i32(kb, k.blockKeys));
  auto unlessFirst = [&](arith::CmpIPredicate predicate, Value x) {
    return isOnly ? kb.compare(predicate, second, x) : Value();
  };
  auto loop = scf::ForOp::create(kb.b, kb.loc, second, bounds.end, i32(kb, k.blockKeys), start.flat(),
                                 [&](OpBuilder &, Location, Value keyBlock, ValueRange carried) {
                                   OpBuilder::InsertionGuard guard(kb.b);
                                   kb.b.setInsertionPointToEnd(keyBlock.getParentBlock());
                                   Value accumulates = unlessFirst(arith::CmpIPredicate::ne, keyBlock);
                                   ListedBlock block{keyBlock, Value(), Value()};
                                   Carried next =
                                       buildNext(k, seen, bounds, block, Carried::of(carried, leftCount), accumulates);
                                   scf::YieldOp::create(kb.b, kb.loc, next.flat());
                                 });
  return {Carried::of(loop.getResults(), leftCount), unlessFirst(slt, bounds.end)};
}

/// Computes all listed blocks behind `first` (buildLater).
static LaterBlocks buildListed(Kernel &k, const SeenKeys &seen, const GroupBounds &bounds, const Carried &start,
                               const ListedBlock &first, bool isOnly) {
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
    SmallVector<Value> next = buildNext(k, seen, bounds, block, carried, isOnly ? Value(state.back()) : Value()).flat();
    next.append({block.isLast, kb.constant(kb.b.getBoolAttr(true))});
    scf::YieldOp::create(kb.b, kb.loc, next);
  };
  SmallVector<Type> types(ValueRange(before).getTypes());
  auto loop = scf::WhileOp::create(kb.b, kb.loc, types, before, condition, body);
  ValueRange results = loop.getResults();
  return {Carried::of(results.drop_back(2), leftCount), isOnly ? Value(results.back()) : Value()};
}

WarpgroupStates nvgpu::buildWarpgroupBlocks(AttendWarpgroupKernel &k, const SeenKeys &seen,
                                            const WarpgroupStates &states, bool isOnly,
                                            function_ref<void()> readQueries) {
  KernelBuilder &kb = k.kb;
  SmallVector<Value> before = states.flat();
  SmallVector<Type> types(ValueRange(before).getTypes());
  auto work = [&] {
    GroupBounds bounds(k, seen);
    ListedBlock first{bounds.firstBlock, Value(), Value()};
    Carried start = buildFirst(k, seen, bounds, first, states, isOnly);
    LaterBlocks later =
        k.predicate ? buildListed(k, seen, bounds, start, first, isOnly) : buildLater(k, seen, bounds, start, isOnly);
    readQueries();
    Carried last = later.carried;
    startOutput(k, last, later.exist);
    finishOutput(k, last);
    return WarpgroupStates{last.keys, last.rows}.flat();
  };
  return WarpgroupStates::of(kb.ifElse(kb.compare(slt, seen.begin, seen.end), types, work, [&] {
    readQueries();
    return before;
  }));
}
