//===- AttendVjpWarpgroupPairs.cpp - Gradients where two blocks meet ------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/NVGPU/AttendVjp/AttendVjpWarpgroup.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::nvgpu;

using Kernel = AttendVjpWarpgroupKernel;

static constexpr auto sle = arith::CmpIPredicate::sle;

/// Starts the product of the warpgroup's resident rows and all rows of part `part` of the stage at `place`. The stage
/// must be full. The product is S for part Scores, and dP for part Cotangents.
static TileSums startProduct(Kernel &k, Kernel::Part part, const PipelineState &place) {
  k.groups.fence({}, {});
  TileSums sums =
      k.groups.multiply({}, k.streamed(), k.buffers.resident[part], k.group.row, k.buffers.ring->at(part, place.stage),
                        /*isTransposed=*/true);
  k.groups.commit();
  return sums;
}

/// Starts gradient += left b, where `left` is P or dS in registers, and b is the matrix `part` of the stage at `place`.
static void startGradient(Kernel &k, TileSums &gradient, TileSums &left, Kernel::Part part,
                          const PipelineState &place) {
  k.groups.fence(gradient, left);
  int64_t columns = part == Kernel::Scores ? k.columns() : k.valueColumns();
  gradient = k.groups.multiply(gradient, columns, left, k.buffers.ring->at(part, place.stage), /*isTransposed=*/false);
  k.groups.commit();
}

/// Sets the probabilities of invisible pairs to 0, unless `isWhole` (i1). distanceAndCount(n) returns two i32 for
/// element n of the tile. The pair of the element is visible if distance < count, compared as unsigned integers.
static TileSums hidePairs(Kernel &k, ArrayRef<Value> probabilities, Value isWhole,
                          function_ref<std::pair<Value, Value>(size_t n)> distanceAndCount) {
  KernelBuilder &kb = k.kb;
  auto hide = [&] {
    SmallVector<Value> visible;
    for (auto [n, p] : llvm::enumerate(probabilities)) {
      auto [distance, count] = distanceAndCount(n);
      visible.push_back(kb.select(kb.compare(arith::CmpIPredicate::ult, distance, count), p, kb.real(k.real, 0)));
    }
    return visible;
  };
  SmallVector<Type> types(probabilities.size(), k.real);
  return kb.ifElse(isWhole, types, [&] { return SmallVector<Value>(probabilities); }, hide);
}

namespace {
/// The values that loops carry from one streamed block to the next (startWarpgroupSums).
struct CarriedSums {
  TileSums inFlight; ///< dQ or dK
  TileSums dV;       ///< side of keys
  SmallVector<Value> left;

  static CarriedSums of(Kernel &k, ValueRange sums) {
    size_t first = k.columns() / WarpProduct::atomColumns * 4, left = k.streamed() / 4;
    return {TileSums(sums.take_front(first)), TileSums(sums.drop_front(first).drop_back(left)),
            SmallVector<Value>(sums.take_back(left))};
  }
  SmallVector<Value> flat() const {
    SmallVector<Value> all(inFlight);
    all.append(dV);
    all.append(left);
    return all;
  }
};
} // namespace

/// Releases part Scores of the stage before `behind`, a position in the pipeline.
static void releaseScores(Kernel &k, const PipelineState &behind) {
  if (k.hasKeys())
    k.block.synchronizeWarp(); // all lanes have read numbers of its rows
  k.buffers.ring->release(Kernel::Scores, behind.previous(k.kb, k.buffers.ring->stages));
}

/// Waits for the last product of the previous streamed block and for `scores` (S), but not for dP. Returns S.
static TileSums awaitScores(Kernel &k, const StreamedBlock &block, CarriedSums &carried, ArrayRef<Value> scores) {
  // The left operand must keep its registers until here.
  SmallVector<Value> all(carried.inFlight);
  all.append(carried.left);
  llvm::append_range(all, scores);
  all = k.groups.wait(1, all);
  carried.inFlight = TileSums(ArrayRef(all).take_front(carried.inFlight.size()));
  k.kb.ifThen(block.isLater, [&] { releaseScores(k, block.place); });
  return TileSums(ArrayRef(all).take_back(scores.size()));
}

/// Waits until part Scores of the stage at `place` is full. Does nothing with a predicate, because the record of the
/// stage's block has then been read already.
static void awaitBlock(Kernel &k, const PipelineState &place) {
  if (!k.pairs.predicate)
    k.buffers.ring->waitFull(Kernel::Scores, place);
}

static Value subI32(KernelBuilder &kb, Value x, Value y) { return arith::SubIOp::create(kb.b, kb.loc, x, y); }

//===----------------------------------------------------------------------===//
// Side of rows
//===----------------------------------------------------------------------===//

/// Returns the probabilities P of the visible pairs. If scores are a function s' of <q, k>, multiplies P by the
/// derivative of s'.
static TileSums findRowWeights(Kernel &k, const LaneShifts &rows, const StreamedBlock &block, TileSums scores) {
  KernelBuilder &kb = k.kb;
  const SeenKeys &seen = rows.seen;
  Value keyBlock = block.first;
  TileSums probabilities, slopes;
  if (k.pairs.region) {
    DerivedScores derived = deriveScores(k, block, scores);
    scores = derived.scores;
    slopes = derived.slopes;
  }
  for (auto [n, score] : llvm::enumerate(scores))
    probabilities.push_back(k.exp2(kb.fma(score, k.scale, rows.shift[WarpProduct::halfOf(n)])));
  Value isWhole = arith::AndIOp::create(kb.b, kb.loc, kb.compare(sle, seen.commonBegin, keyBlock),
                                        kb.compare(sle, kb.add(keyBlock, k.tile.getKeys()), seen.commonEnd));
  Value origin = kb.add(keyBlock, k.product.column());
  probabilities = hidePairs(k, probabilities, isWhole, [&](size_t n) -> std::pair<Value, Value> {
    Value lower = seen.lower[WarpProduct::halfOf(n)], upper = seen.upper[WarpProduct::halfOf(n)];
    return {subI32(kb, i32(kb, WarpProduct::columnOf(n)), toI32(kb, kb.sub(lower, origin))),
            toI32(kb, kb.sub(upper, lower))};
  });
  probabilities = hideUnlisted(k, block, probabilities);
  return k.pairs.region ? weightSlopes(k, probabilities, slopes) : probabilities;
}

static SmallVector<Value> addKeys(Kernel &k, const LaneShifts &rows, const StreamedBlock &block, ValueRange sums) {
  KernelBuilder &kb = k.kb;
  const PipelineState &place = block.place;
  CarriedSums carried = CarriedSums::of(k, sums);
  awaitBlock(k, place);
  TileSums scores = startProduct(k, Kernel::Scores, place);
  k.buffers.ring->waitFull(Kernel::Cotangents, place);
  TileSums slopes = startProduct(k, Kernel::Cotangents, place);
  findMasks(k, block);
  TileSums weights = findRowWeights(k, rows, block, awaitScores(k, block, carried, scores));
  // The part is known to be full, but this wait is a loop, across which ptxas moves nothing: else it would move the
  // wait for dP above the exponentials.
  k.buffers.ring->waitFull(Kernel::Cotangents, place);
  slopes = k.groups.wait(0, slopes);
  k.buffers.ring->release(Kernel::Cotangents, place);
  if (k.pairs.dropout)
    slopes = dropPairs(k, slopes, keptPairs(k, k.buffers.dropoutMasks, slopes.size()));
  for (auto [n, slope] : llvm::enumerate(slopes))
    slope = kb.mulf(weights[n], kb.subf(slope, rows.delta[WarpProduct::halfOf(n)]));
  TileSums left = k.groups.pack(slopes);
  startGradient(k, carried.inFlight, left, Kernel::Scores, place);
  carried.left = left;
  return carried.flat();
}

//===----------------------------------------------------------------------===//
// Side of keys
//===----------------------------------------------------------------------===//

namespace {
/// Scalars of the streamed rows (RowNumbers). A streamed row is a column of the tile. A lane loads the scalars of its
/// columns.
struct ColumnNumbers {
  Kernel &k;
  Value stage;

  /// Loads scalar `array` at the columns of elements n and n + 1, for an even n.
  std::array<Value, 2> pair(RowNumbers::Array array, size_t n) const {
    KernelBuilder &kb = k.kb;
    bool isFloat = array == RowNumbers::Shift || array == RowNumbers::Delta;
    Type type = isFloat ? k.real : kb.b.getI32Type();
    Value pointer = k.buffers.numbers.at(kb, stage, array, kb.add(k.product.column(), WarpProduct::columnOf(n)));
    Value both = kb.load(kb.vector(type, 2), pointer, 8);
    auto part = [&](int64_t e) -> Value { return LLVM::ExtractElementOp::create(kb.b, kb.loc, both, i32(kb, e)); };
    return {part(0), part(1)};
  }
};
} // namespace

/// Loads scalar `array` at the column of each element of a tile.
static TileSums loadColumns(const ColumnNumbers &numbers, RowNumbers::Array array) {
  TileSums columns;
  for (int64_t atom = 0; atom < numbers.k.streamed() / WarpProduct::atomColumns; ++atom) {
    auto [even, odd] = numbers.pair(array, 4 * atom);
    columns.append({even, odd, even, odd});
  }
  return columns;
}

/// Returns whether all streamed rows see all keys of the resident block (i1).
static Value isWholeBlock(const ColumnNumbers &numbers) {
  Kernel &k = numbers.k;
  KernelBuilder &kb = k.kb;
  Value isPart = i32(kb, 0);
  for (int64_t warp = 0; warp < k.buffers.numbers.warps(); ++warp) {
    Value flag = kb.load(kb.b.getI32Type(), k.buffers.numbers.flag(kb, numbers.stage, kb.integer(warp)));
    isPart = arith::OrIOp::create(kb.b, kb.loc, isPart, flag);
  }
  return kb.compare(arith::CmpIPredicate::eq, isPart, i32(kb, 0));
}

static TileSums findKeyProbabilities(Kernel &k, const ColumnNumbers &numbers, Value isWhole, ArrayRef<Value> shifts,
                                     ArrayRef<Value> scores) {
  KernelBuilder &kb = k.kb;
  TileSums probabilities;
  Value lowest = kb.real(k.real, -std::numeric_limits<double>::infinity());
  for (auto [score, shift] : llvm::zip(scores, shifts)) {
    Value p = k.exp2(kb.fma(score, k.scale, shift));
    if (k.pairs.region) { // rows that do not exist have some score
      Value isNone = arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::OEQ, shift, lowest);
      p = kb.select(isNone, kb.real(k.real, 0), p);
    }
    probabilities.push_back(p);
  }
  Value rows[2], firsts[2], counts[2];
  Value inGroup = toI32(kb, kb.mul(kb.floorMod(k.block.warp, warpsOfWarpgroup), WarpProduct::tileRows));
  Value firstRow = arith::AddIOp::create(kb.b, kb.loc, k.group.row, inGroup);
  for (int64_t half : {0, 1})
    rows[half] = arith::AddIOp::create(kb.b, kb.loc, firstRow, toI32(kb, k.product.row(half)));
  return hidePairs(k, probabilities, isWhole, [&](size_t n) -> std::pair<Value, Value> {
    if (n % 4 == 0) {
      llvm::copy(numbers.pair(RowNumbers::First, n), firsts);
      llvm::copy(numbers.pair(RowNumbers::Count, n), counts);
    }
    return {subI32(kb, rows[WarpProduct::halfOf(n)], firsts[n % 2]), counts[n % 2]};
  });
}

static SmallVector<Value> addQueries(Kernel &k, const StreamedBlock &block, ValueRange sums) {
  KernelBuilder &kb = k.kb;
  const PipelineState &place = block.place;
  CarriedSums carried = CarriedSums::of(k, sums);
  ColumnNumbers numbers{k, k.buffers.numbers.stage(kb, place.stage)};
  awaitBlock(k, place);
  // Loads of shared memory take long where products read it, too: they start before S is waited for, if registers of
  // the thread are left.
  bool isEarly = k.hasSpareRegisters();
  TileSums shifts;
  if (isEarly)
    shifts = loadColumns(numbers, RowNumbers::Shift);
  Value isWhole = isWholeBlock(numbers);
  TileSums scores = startProduct(k, Kernel::Scores, place);
  k.buffers.ring->waitFull(Kernel::Cotangents, place);
  TileSums slopes = startProduct(k, Kernel::Cotangents, place);
  findMasks(k, block);
  scores = awaitScores(k, block, carried, scores);
  if (!isEarly)
    shifts = loadColumns(numbers, RowNumbers::Shift);
  TileSums derivatives;
  if (k.pairs.region) {
    DerivedScores derived = deriveScores(k, block, scores);
    scores = derived.scores;
    derivatives = derived.slopes;
  }
  TileSums probabilities = hideUnlisted(k, block, findKeyProbabilities(k, numbers, isWhole, shifts, scores));
  TileSums deltas;
  if (isEarly)
    deltas = loadColumns(numbers, RowNumbers::Delta);
  TileSums kept = k.pairs.dropout
                      ? dropPairs(k, probabilities, keptPairs(k, k.buffers.dropoutMasks, probabilities.size()))
                      : probabilities;
  TileSums left = k.groups.pack(kept);
  if (k.pairs.region)
    probabilities = weightSlopes(k, probabilities, derivatives);
  startGradient(k, carried.dV, left, Kernel::Cotangents, place);
  slopes = k.groups.wait(1, slopes);
  if (!isEarly)
    deltas = loadColumns(numbers, RowNumbers::Delta);
  if (k.pairs.dropout)
    slopes = dropPairs(k, slopes, keptPairs(k, k.buffers.dropoutMasks, slopes.size()));
  for (auto [n, slope] : llvm::enumerate(slopes))
    slope = kb.mulf(probabilities[n], kb.subf(slope, deltas[n]));
  TileSums leftOfKeys = k.groups.pack(slopes);
  startGradient(k, carried.inFlight, leftOfKeys, Kernel::Scores, place);
  carried.left = leftOfKeys;
  carried.dV = k.groups.wait(1, carried.dV);
  k.buffers.ring->release(Kernel::Cotangents, place);
  return carried.flat();
}

//===----------------------------------------------------------------------===//
// Both sides
//===----------------------------------------------------------------------===//

SmallVector<Value> nvgpu::startWarpgroupSums(AttendVjpWarpgroupKernel &k) {
  int64_t columns = k.columns() + (k.hasKeys() ? k.valueColumns() : 0);
  SmallVector<Value> sums(columns / WarpProduct::atomColumns * 4, k.kb.real(k.real, 0));
  sums.append(k.streamed() / 4, i32(k.kb, 0));
  return sums;
}

SmallVector<Value> nvgpu::addWarpgroupPairs(AttendVjpWarpgroupKernel &k, const LaneShifts *rows,
                                            const StreamedBlock &block, ValueRange sums) {
  return rows ? addKeys(k, *rows, block, sums) : addQueries(k, block, sums);
}

SmallVector<Value> nvgpu::endWarpgroupPairs(AttendVjpWarpgroupKernel &k, Value hasBlocks, const PipelineState &behind,
                                            ValueRange sums) {
  SmallVector<Value> all = k.groups.wait(0, SmallVector<Value>(sums));
  k.kb.ifThen(hasBlocks, [&] { releaseScores(k, behind); });
  return all;
}

ValueRange nvgpu::gradientsOf(AttendVjpWarpgroupKernel &k, ValueRange sums) { return sums.drop_back(k.streamed() / 4); }
