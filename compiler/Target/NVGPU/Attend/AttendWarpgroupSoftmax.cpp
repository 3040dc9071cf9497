//===- AttendWarpgroupSoftmax.cpp - Softmax of a tile of scores ----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computes the softmax of a key block. If all rows of the warp see the whole key block, the code has no branches. At
// the edges of a pattern, other code computes 32 columns at a time: columns that no row sees cost nothing, and columns
// that all rows see get no mask. Terms of masked pairs are 0, so leaving them out gives the same bits.
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
static constexpr auto sle = arith::CmpIPredicate::sle;

static Value lowest(Kernel &k) { return k.kb.real(k.real, -std::numeric_limits<double>::infinity()); }

//===----------------------------------------------------------------------===//
// Columns that rows see
//===----------------------------------------------------------------------===//

static bool isBoundedBelow(Kernel &k) { return llvm::any_of(k.op.getPieces().getAsRange<PieceAttr>(), hasLowerBound); }

static Value sub(Kernel &k, Value x, Value y) { return arith::SubIOp::create(k.kb.b, k.kb.loc, x, y); }

GroupBounds::GroupBounds(AttendWarpgroupKernel &k, const SeenKeys &seen) {
  KernelBuilder &kb = k.kb;
  for (int64_t half : {0, 1}) {
    if (isBoundedBelow(k))
      begin[half] = toI32(kb, kb.sub(seen.lower[half], k.product.column()));
    end[half] = toI32(kb, kb.sub(seen.upper[half], k.product.column()));
  }
  commonBegin = toI32(kb, seen.commonBegin);
  commonEnd = toI32(kb, seen.commonEnd);
  firstBlock = toI32(kb, k.firstBlock(seen.begin));
  lastEnd = toI32(kb, seen.end);
}

namespace {
/// The columns of a key block that rows of the warp see (i32). Lower bounds are null if no piece has lower bounds.
struct BlockEdges {
  Value begin[2], end[2];       ///< columns that the lane's two rows see, relative to the lane's column
  Value seenBegin, seenEnd;     ///< hull of the columns that rows of the warp see
  Value commonBegin, commonEnd; ///< columns that all rows of the warp see

  BlockEdges(Kernel &k, const GroupBounds &bounds, Value keyBlock);
};

/// Columns [first, end) of a tile.
struct Columns {
  int64_t first, end;

  size_t firstElement() const { return first / WarpProduct::atomColumns * 4; }
  size_t elements() const { return (end - first) / WarpProduct::atomColumns * 4; }
};
} // namespace

BlockEdges::BlockEdges(Kernel &k, const GroupBounds &bounds, Value keyBlock) {
  KernelBuilder &kb = k.kb;
  for (int64_t half : {0, 1})
    end[half] = sub(k, bounds.end[half], keyBlock);
  seenEnd = k.block.greatestOfWarp(arith::MaxSIOp::create(kb.b, kb.loc, end[0], end[1])); // in lanes of column 0
  commonEnd = sub(k, bounds.commonEnd, keyBlock);
  if (!bounds.begin[0])
    return;
  for (int64_t half : {0, 1})
    begin[half] = sub(k, bounds.begin[half], keyBlock);
  Value least = k.block.leastOfWarp(arith::MinSIOp::create(kb.b, kb.loc, begin[0], begin[1])); // in lanes of the last
  seenBegin = arith::AddIOp::create(kb.b, kb.loc, least, i32(kb, WarpProduct::atomColumns - 2));
  commonBegin = sub(k, bounds.commonBegin, keyBlock);
}

/// Returns whether all rows of the warp see the whole key block that begins at rank `keyBlock` (i1).
static Value isWhole(Kernel &k, const GroupBounds &bounds, Value keyBlock) {
  KernelBuilder &kb = k.kb;
  Value last = arith::AddIOp::create(kb.b, kb.loc, bounds.commonEnd, i32(kb, -k.tile.getKeys()));
  Value ends = kb.compare(sle, keyBlock, last);
  if (!bounds.begin[0])
    return ends;
  return arith::AndIOp::create(kb.b, kb.loc, ends, kb.compare(sle, bounds.commonBegin, keyBlock));
}

/// Returns whether some row of the warp sees some of the columns (i1).
static Value isSeen(Kernel &k, const BlockEdges &edges, const Columns &columns) {
  KernelBuilder &kb = k.kb;
  Value begins = kb.compare(slt, i32(kb, columns.first), edges.seenEnd);
  if (!edges.seenBegin)
    return begins;
  return arith::AndIOp::create(kb.b, kb.loc, begins, kb.compare(slt, edges.seenBegin, i32(kb, columns.end)));
}

/// Sets the scores of pairs that the lane's rows do not see to -inf. `scores` is the part of a tile at `columns`. Lower
/// and upper bounds have separate code, because few columns are cut by both.
static void maskColumns(Kernel &k, const BlockEdges &edges, const Columns &columns, MutableArrayRef<Value> scores) {
  KernelBuilder &kb = k.kb;
  auto maskIf = [&](Value isCut, arith::CmpIPredicate sees, const Value(&bounds)[2]) {
    auto mask = [&] {
      SmallVector<Value> masked;
      for (auto [n, score] : llvm::enumerate(scores)) {
        Value column = i32(kb, columns.first + WarpProduct::columnOf(n));
        masked.push_back(kb.select(kb.compare(sees, column, bounds[WarpProduct::halfOf(n)]), score, lowest(k)));
      }
      return masked;
    };
    SmallVector<Type> types(scores.size(), k.real);
    llvm::copy(kb.ifElse(isCut, types, mask, [&] { return SmallVector<Value>(scores); }), scores.begin());
  };
  maskIf(kb.compare(slt, edges.commonEnd, i32(kb, columns.end)), slt, edges.end);
  if (edges.begin[0])
    maskIf(kb.compare(slt, i32(kb, columns.first), edges.commonBegin), arith::CmpIPredicate::sge, edges.begin);
}

//===----------------------------------------------------------------------===//
// Numbers of columns
//===----------------------------------------------------------------------===//

/// Partial sums or maxima of the lane's two rows: one of even and one of odd columns for each row. With two, chains of
/// dependent instructions are half as long as with one. Element n of a tile belongs to chain n mod 4.
using Chains = std::array<Value, 4>;

/// Calls body(columns, part of the tile, chains) for all columns of a tile. If `edges` is not null, calls it only for
/// columns that some row of the warp sees, 32 at a time. The elements of the columns without a call become `unseen`, or
/// stay as they are if `unseen` is null.
static void forColumns(Kernel &k, const BlockEdges *edges, TileSums &tile, Chains &chains, Value unseen,
                       function_ref<void(const Columns &, MutableArrayRef<Value>, Chains &)> body) {
  KernelBuilder &kb = k.kb;
  if (!edges)
    return body({0, k.tile.getKeys()}, tile, chains);
  constexpr int64_t step = 32;
  for (int64_t first = 0; first < k.tile.getKeys(); first += step) {
    Columns columns{first, std::min(first + step, k.tile.getKeys())};
    auto part = MutableArrayRef<Value>(tile).slice(columns.firstElement(), columns.elements());
    auto join = [](ArrayRef<Value> chains, ArrayRef<Value> part) {
      SmallVector<Value> all(chains);
      all.append(part.begin(), part.end());
      return all;
    };
    auto work = [&] {
      SmallVector<Value> elements(part);
      Chains next = chains;
      body(columns, elements, next);
      return join(next, elements);
    };
    auto skip = [&] {
      if (!unseen)
        return join(chains, part);
      // Opaque, because constants would else be moved to registers where columns are seen, too.
      return join(chains, SmallVector<Value>(part.size(), forget(kb, unseen)));
    };
    SmallVector<Type> types(part.size() + chains.size(), k.real);
    SmallVector<Value> results = kb.ifElse(isSeen(k, *edges, columns), types, work, skip);
    std::copy_n(results.begin(), chains.size(), chains.begin());
    llvm::copy(ArrayRef(results).drop_front(chains.size()), part.begin());
  }
}

/// Returns 2^((score - reference) scale - bias). Computes it as 2^(score scale + (shift - bias)), where shift =
/// -reference scale. If the shift is large (isLarge), its rounding error shows in the result. The recheck kernel then
/// subtracts the reference before scaling.
static Value exponential(Kernel &k, Value score, Value reference, Value shift, int64_t bias) {
  KernelBuilder &kb = k.kb;
  auto lower = [&](Value x) { return bias ? kb.subf(x, kb.real(k.real, bias)) : x; };
  Value exponent = kb.fma(score, k.scale, lower(shift));
  if (k.isCareful())
    exponent = kb.select(isLarge(kb, shift), lower(kb.mulf(kb.subf(score, reference), k.scale)), exponent);
  return k.exp2(exponent);
}

/// Returns whether the reference of a row's exponentials moves from the score `before` to the new maximum `largest`
/// (i1). It moves only if `largest` is 2^headroom times as probable, so that most key blocks do not rescale o
/// (FlashAttention-4, section 3.2).
static Value isFar(Kernel &k, Value before, Value largest) {
  KernelBuilder &kb = k.kb;
  Value margin = kb.real(k.real, k.headroom() / (k.scoreScale() * M_LOG2E)); // finite: from -inf, any number is far
  return arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::OGT, largest, kb.addf(before, margin));
}

namespace {
/// The result of one step of the online softmax: the states after a tile of scores, the factors by which o is rescaled,
/// and the weights.
struct SoftmaxStep {
  Value largest[2], sum[2]; ///< as in RowStates
  Rescaling rescaling;
  TileSums weights;

  SmallVector<Value> flat() const {
    SmallVector<Value> values = {largest[0], largest[1], sum[0], sum[1]};
    values.append({rescaling.factors[0], rescaling.factors[1], rescaling.isNeeded});
    values.append(weights);
    return values;
  }
  static SoftmaxStep of(ValueRange v) {
    return {{v[0], v[1]}, {v[2], v[3]}, {{v[4], v[5]}, v[6]}, TileSums(v.drop_front(7))};
  }
};
} // namespace

/// If `edges` is not null, sets the scores of pairs outside of the rows' columns to -inf. Returns the largest score of
/// each of the lane's two rows.
static std::array<Value, 2> findLargest(Kernel &k, const BlockEdges *edges, TileSums &scores) {
  auto larger = [&](Value x, Value y) { return k.larger(x, y); };
  Chains most;
  most.fill(edges ? lowest(k) : Value());
  forColumns(k, edges, scores, most, Value(), [&](const Columns &columns, MutableArrayRef<Value> part, Chains &most) {
    if (edges)
      maskColumns(k, *edges, columns, part);
    for (auto [n, score] : llvm::enumerate(part))
      most[n % 4] = most[n % 4] ? larger(most[n % 4], score) : score;
  });
  return {k.product.combineRow(larger(most[0], most[1]), larger),
          k.product.combineRow(larger(most[2], most[3]), larger)};
}

/// Turns `scores` into weights relative to the references of the lane's rows, in place. Returns the sums of the
/// weights.
static std::array<Value, 2> findWeights(Kernel &k, const BlockEdges *edges, const Value (&references)[2],
                                        const Value (&shifts)[2], TileSums &scores) {
  KernelBuilder &kb = k.kb;
  Value zero = kb.real(k.real, 0);
  Chains sums;
  sums.fill(edges ? zero : Value());
  forColumns(k, edges, scores, sums, zero, [&](const Columns &, MutableArrayRef<Value> part, Chains &sums) {
    for (int64_t half : {0, 1})
      for (auto [n, score] : llvm::enumerate(part)) {
        if (WarpProduct::halfOf(n) != half)
          continue;
        score = exponential(k, score, references[half], shifts[half], k.bias());
        sums[n % 4] = sums[n % 4] ? kb.addf(sums[n % 4], score) : score;
      }
  });
  return {kb.addf(sums[0], sums[1]), kb.addf(sums[2], sums[3])};
}

static SoftmaxStep stepOnTile(Kernel &k, const BlockEdges *edges, const RowStates &rows, TileSums scores) {
  KernelBuilder &kb = k.kb;
  SoftmaxStep result;
  auto &[factors, isNeeded] = result.rescaling;
  std::array<Value, 2> largest = findLargest(k, edges, scores);
  Value references[2], shifts[2];
  for (int64_t half : {0, 1}) {
    Value before = rows.largest[half], follows = isFar(k, before, largest[half]);
    result.largest[half] = kb.select(follows, largest[half], before);
    Value isEmpty = arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::OEQ, result.largest[half], lowest(k));
    references[half] = kb.select(isEmpty, kb.real(k.real, 0), result.largest[half]);
    shifts[half] = kb.mulf(kb.subf(kb.real(k.real, 0), references[half]), k.scale);
    // Exactly 1 otherwise: 2^(before scale + shift) is not, where that product has been rounded.
    factors[half] =
        kb.select(follows, exponential(k, before, references[half], shifts[half], /*bias=*/0), kb.real(k.real, 1));
    Value differs = arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::UNE, factors[half], kb.real(k.real, 1));
    isNeeded = half == 0 ? differs : Value(arith::OrIOp::create(kb.b, kb.loc, isNeeded, differs));
  }
  std::array<Value, 2> sums = findWeights(k, edges, references, shifts, scores);
  for (int64_t half : {0, 1}) {
    // Asks for the exponentials as well: ptxas would else move them behind the wait for o.
    Value isNan = arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::UNO, sums[half], sums[half]);
    isNeeded = arith::OrIOp::create(kb.b, kb.loc, isNeeded, isNan);
    result.sum[half] = kb.fma(rows.sum[half], factors[half], sums[half]);
  }
  isNeeded = anyInWarp(kb, isNeeded);
  result.weights = scores;
  return result;
}

/// Returns the scores of the key block at rank `keyBlock`, with -inf for pairs that the lane's rows do not see.
static TileSums maskTile(Kernel &k, const GroupBounds &bounds, Value keyBlock, ArrayRef<Value> scores) {
  KernelBuilder &kb = k.kb;
  auto mask = [&] {
    TileSums masked(scores);
    maskColumns(k, BlockEdges(k, bounds, keyBlock), {0, k.tile.getKeys()}, masked);
    return masked;
  };
  SmallVector<Type> types(scores.size(), k.real);
  return kb.ifElse(isWhole(k, bounds, keyBlock), types, [&] { return TileSums(scores); }, mask);
}

/// Takes the softmax step with the scores of a key block. Key blocks at the edges of a pattern have separate code, with
/// two exceptions: kernels whose only edge is the end of keys, and the recheck kernel, which seldom computes anything.
/// These use the registers for larger key blocks instead.
static SoftmaxStep stepOnBlock(Kernel &k, const GroupBounds &bounds, Value keyBlock, const RowStates &rows,
                               ArrayRef<Value> scores) {
  KernelBuilder &kb = k.kb;
  if (k.isCareful() || llvm::none_of(k.op.getPieces().getAsRange<PieceAttr>(), hasBound))
    return stepOnTile(k, nullptr, rows, maskTile(k, bounds, keyBlock, scores));
  SmallVector<Type> types(7 + scores.size(), k.real);
  types[6] = kb.b.getI1Type();
  auto whole = [&] { return stepOnTile(k, nullptr, rows, TileSums(scores)).flat(); };
  auto atEdge = [&] { // opaque, because LLVM would else have differences from the block step along with the loop
    BlockEdges edges(k, bounds, forget(kb, keyBlock));
    return stepOnTile(k, &edges, rows, TileSums(scores)).flat();
  };
  return SoftmaxStep::of(kb.ifElse(isWhole(k, bounds, keyBlock), types, whole, atEdge));
}

Rescaling nvgpu::updateSoftmax(AttendWarpgroupKernel &k, const GroupBounds &bounds, Value keyBlock, RowStates &rows,
                               TileSums &scores) {
  SoftmaxStep step = stepOnBlock(k, bounds, keyBlock, rows, scores);
  for (int64_t half : {0, 1}) {
    rows.largest[half] = step.largest[half];
    rows.sum[half] = step.sum[half];
  }
  scores = step.weights;
  return step.rescaling;
}

void nvgpu::rescale(AttendWarpgroupKernel &k, TileSums &output, const Rescaling &by) {
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
