//===- AttendSeen.cpp - Which keys the rows of a block see ----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/GPU/Attend/AttendRows.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::gpu;

static constexpr auto slt = arith::CmpIPredicate::slt;

SmallVector<Value> SeenKeys::flat() const {
  return {lower[0], lower[1],    upper[0],  upper[1], begin,  end,  warpBegin,
          warpEnd,  commonBegin, commonEnd, start,    period, width};
}

SeenKeys SeenKeys::of(ValueRange v) {
  return {{v[0], v[1]}, {v[2], v[3]}, v[4], v[5], v[6], v[7], v[8], v[9], v[10], v[11], v[12]};
}

namespace {
/// The hull and the intersection of intervals of ranks; empty intervals do not extend the hull.
struct Ranges {
  Value begin, end, commonBegin, commonEnd;
};
} // namespace

static Ranges start(KernelBuilder &kb) {
  Value none = kb.integer(std::numeric_limits<int64_t>::max()), zero = kb.integer(0);
  return {none, zero, zero, none};
}

static void include(KernelBuilder &kb, Ranges &ranges, Value lower, Value upper) {
  Value isSeen = kb.compare(slt, lower, upper), none = kb.integer(std::numeric_limits<int64_t>::max());
  ranges.begin = kb.min(ranges.begin, kb.select(isSeen, lower, none));
  ranges.end = kb.max(ranges.end, kb.select(isSeen, upper, kb.integer(0)));
  ranges.commonBegin = kb.max(ranges.commonBegin, lower);
  ranges.commonEnd = kb.min(ranges.commonEnd, upper);
}

static void joinLanes(ThreadBlock &block, Ranges &ranges) {
  KernelBuilder &kb = block.kb;
  for (int64_t mask = ThreadBlock::warpSize / 2; mask > 0; mask /= 2) {
    ranges.begin = kb.min(ranges.begin, block.exchange(ranges.begin, mask));
    ranges.end = kb.max(ranges.end, block.exchange(ranges.end, mask));
    ranges.commonBegin = kb.max(ranges.commonBegin, block.exchange(ranges.commonBegin, mask));
    ranges.commonEnd = kb.min(ranges.commonEnd, block.exchange(ranges.commonEnd, mask));
  }
}

SeenRange xf::gpu::buildSeenRange(AttendRows &k, PieceAttr piece) {
  KernelBuilder &kb = k.kb;
  PieceBounds bounds = PieceBounds::of(k, piece);
  ResidueMap keys = ResidueMap::of(kb, piece.getKeys(), k.r);
  Ranges ranges = start(kb);
  for (int64_t n = 0; n < k.blockRows; n += ThreadBlock::warpSize) { // every warp visits all rows of the block
    auto [lower, upper] = bounds.interval(keys, k.rowOf(kb.add(k.block.lane, n)));
    include(kb, ranges, lower, upper);
  }
  joinLanes(k.block, ranges);
  return {ranges.begin, ranges.end};
}

SeenKeys xf::gpu::buildSeen(AttendRows &k, PieceAttr piece) {
  KernelBuilder &kb = k.kb;
  PieceBounds bounds = PieceBounds::of(k, piece);
  ResidueMap keys = ResidueMap::of(kb, piece.getKeys(), k.r);
  SeenKeys seen;
  SeenRange ofBlock = buildSeenRange(k, piece);
  Ranges ofWarp = start(kb);
  for (int64_t half : {0, 1}) {
    std::tie(seen.lower[half], seen.upper[half]) = bounds.interval(keys, k.row[half]);
    include(kb, ofWarp, seen.lower[half], seen.upper[half]);
  }
  joinLanes(k.block, ofWarp);
  seen.begin = ofBlock.begin;
  seen.end = ofBlock.end;
  seen.warpBegin = ofWarp.begin;
  seen.warpEnd = ofWarp.end;
  seen.commonBegin = ofWarp.commonBegin;
  seen.commonEnd = ofWarp.commonEnd;
  seen.start = keys.start;
  seen.period = kb.integer(piece.getKeys().getPeriod());
  seen.width = kb.integer(piece.getKeys().getWidth());
  return seen;
}

Value xf::gpu::firstKeyBlock(AttendRows &k, const SeenKeys &seen) {
  KernelBuilder &kb = k.kb;
  return kb.mul(kb.div(kb.min(seen.begin, seen.end), kb.integer(k.blockKeys)), k.blockKeys);
}

/// Returns whether the warp's rows may see one of the keys of ranks [keyBlock, keyBlock + blockKeys).
static Value warpSees(AttendRows &k, const SeenKeys &seen, Value keyBlock) {
  KernelBuilder &kb = k.kb;
  Value end = kb.add(keyBlock, k.blockKeys), no = kb.constant(kb.b.getBoolAttr(false));
  Value sees = arith::AndIOp::create(kb.b, kb.loc, kb.compare(slt, keyBlock, seen.warpEnd),
                                     kb.compare(slt, seen.warpBegin, end));
  if (!k.predicate)
    return sees;
  auto decide = [&]() -> SmallVector<Value> { // evaluated for keys that exist only
    Value first = k.rowOf(kb.mul(k.block.warp, WarpProduct::tileRows));
    Value last = k.rowOf(kb.add(kb.mul(k.block.warp, WarpProduct::tileRows), WarpProduct::tileRows - 1));
    auto decision =
        k.predicate.decide(k, {k.positionOf(first), k.positionOf(last)}, {keyBlock, kb.add(kb.min(end, k.nk), -1)});
    return {kb.select(decision.isEmpty, no, kb.constant(kb.b.getBoolAttr(true)))};
  };
  return kb.ifElse(sees, no.getType(), decide, [&] { return SmallVector<Value>{no}; })[0];
}

FoundBlock xf::gpu::findKeyBlock(AttendRows &k, const SeenKeys &seen, Value from) {
  KernelBuilder &kb = k.kb;
  Value no = kb.constant(kb.b.getBoolAttr(false));
  SmallVector<Value> before = {kb.add(from, -k.blockKeys), no};
  return kb.repeat(before, [&](ValueRange state) -> SmallVector<Value> {
    Value keyBlock = kb.add(state[0], k.blockKeys), sees = warpSees(k, seen, keyBlock);
    Value isInside = kb.compare(slt, keyBlock, seen.end);
    return {keyBlock, sees, kb.select(k.block.any(sees), no, isInside)};
  });
}

Value LaneColumns::has(KernelBuilder &kb, size_t n) const {
  size_t half = n % 4 / 2;
  Value column = kb.integerOf(kb.b.getI32Type(), n / 4 * WarpProduct::atomColumns + n % 2);
  return arith::AndIOp::create(kb.b, kb.loc, kb.compare(arith::CmpIPredicate::sle, begin[half], column),
                               kb.compare(slt, column, end[half]));
}

LaneColumns xf::gpu::visibleColumns(AttendRows &k, const SeenKeys &seen, Value keyBlock) {
  KernelBuilder &kb = k.kb;
  auto narrow = [&](Value x) -> Value { return arith::TruncIOp::create(kb.b, kb.loc, kb.b.getI32Type(), x); };
  auto column = [&](Value rank) -> Value {
    Value within = kb.clamp(kb.sub(rank, keyBlock), kb.integer(0), kb.integer(k.blockKeys));
    return arith::SubIOp::create(kb.b, kb.loc, narrow(within), narrow(k.product.column()));
  };
  LaneColumns visible;
  for (int64_t half : {0, 1}) {
    visible.begin[half] = column(seen.lower[half]);
    visible.end[half] = column(seen.upper[half]);
  }
  return visible;
}
