//===- AttendSeen.cpp - Which keys the rows of a block see ----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/GPU/Attend/AttendRows.h"
#include "mlir/IR/Matchers.h"

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

//===----------------------------------------------------------------------===//
// Intervals of several rows
//===----------------------------------------------------------------------===//

namespace {
/// The smallest interval of ranks that contains several intervals. Empty intervals do not count.
struct Hull {
  Value begin, end;
};
/// The intersection of several intervals of ranks.
struct Common {
  Value begin, end;
};
/// An interval of ranks that a row sees.
using RowInterval = std::pair<Value, Value>;
} // namespace

static Value none(KernelBuilder &kb) { return kb.integer(std::numeric_limits<int64_t>::max()); }

static Hull hullOf(KernelBuilder &kb, ArrayRef<RowInterval> rows) {
  Hull hull{none(kb), kb.integer(0)};
  for (auto [lower, upper] : rows) {
    Value isSeen = kb.compare(slt, lower, upper);
    hull.begin = kb.min(hull.begin, kb.select(isSeen, lower, none(kb)));
    hull.end = kb.max(hull.end, kb.select(isSeen, upper, kb.integer(0)));
  }
  return hull;
}

static Common commonOf(KernelBuilder &kb, ArrayRef<RowInterval> rows) {
  Common common{kb.integer(0), none(kb)};
  for (auto [lower, upper] : rows) {
    common.begin = kb.max(common.begin, lower);
    common.end = kb.min(common.end, upper);
  }
  return common;
}

static bool isConstant(Value x) { return matchPattern(x, m_Constant()); }

/// Returns the least `x` (i64) among the lanes of a warp, or the greatest if `isGreatest`. Compares 32 bits: a larger x
/// counts as the largest i32. So a result that is the largest i32 may stand for a larger number.
static Value combineLanes(ThreadBlock &block, Value x, bool isGreatest) {
  KernelBuilder &kb = block.kb;
  if (isConstant(x))
    return x;
  Value limited = kb.min(x, kb.integer(std::numeric_limits<int32_t>::max()));
  Value narrow = arith::TruncIOp::create(kb.b, kb.loc, kb.b.getI32Type(), limited);
  Value found = isGreatest ? block.greatestOfWarp(narrow) : block.leastOfWarp(narrow);
  return arith::ExtSIOp::create(kb.b, kb.loc, kb.i64(), found);
}

/// Returns x. If x is the largest i32, which may stand for a larger number, returns `otherwise`.
static Value unlessLimited(KernelBuilder &kb, Value x, Value otherwise) {
  if (isConstant(x))
    return x;
  Value most = kb.integer(std::numeric_limits<int32_t>::max());
  return kb.select(kb.compare(arith::CmpIPredicate::eq, x, most), otherwise, x);
}

/// Returns the hull over all lanes of a warp. `hull` is the hull of one lane. If ranks exceed 32 bits, the result may
/// be larger than the true hull.
static Hull joinLanes(AttendRows &k, const Hull &hull) {
  Value end = combineLanes(k.block, hull.end, /*isGreatest=*/true);
  return {combineLanes(k.block, hull.begin, /*isGreatest=*/false), unlessLimited(k.kb, end, k.nk)};
}

/// Returns the intersection over all lanes of a warp. `common` is the intersection of one lane. If ranks exceed 32
/// bits, the result may be smaller than the true intersection.
static Common joinLanes(AttendRows &k, const Common &common) {
  Value begin = combineLanes(k.block, common.begin, /*isGreatest=*/true);
  return {unlessLimited(k.kb, begin, none(k.kb)), combineLanes(k.block, common.end, /*isGreatest=*/false)};
}

SeenRange xf::gpu::buildSeenRange(AttendRows &k, PieceAttr piece) {
  KernelBuilder &kb = k.kb;
  PieceBounds bounds = PieceBounds::of(k, piece);
  ResidueMap keys = ResidueMap::of(kb, piece.getKeys(), k.r);
  SmallVector<RowInterval> rows;
  for (int64_t n = 0; n < k.tile.getQueries(); n += ThreadBlock::warpSize) // every warp visits all rows of the block
    rows.push_back(bounds.interval(keys, k.rowOf(kb.add(k.block.lane, n))));
  Hull hull = joinLanes(k, hullOf(kb, rows));
  return {hull.begin, hull.end};
}

//===----------------------------------------------------------------------===//
// Keys that rows see
//===----------------------------------------------------------------------===//

/// For each of the lane's two rows, returns the interval of ranks of keys of `piece` that the row sees.
static std::array<RowInterval, 2> laneIntervals(AttendRows &k, PieceAttr piece, const ResidueMap &keys) {
  PieceBounds bounds = PieceBounds::of(k, piece);
  return {bounds.interval(keys, k.rows.lane[0]), bounds.interval(keys, k.rows.lane[1])};
}

static SeenKeys seenOf(AttendRows &k, PieceAttr piece, const ResidueMap &keys, const SeenRange &ofBlock,
                       ArrayRef<RowInterval> rows, const Hull &ofWarp) {
  KernelBuilder &kb = k.kb;
  Common common = joinLanes(k, commonOf(kb, rows));
  return {{rows[0].first, rows[1].first},
          {rows[0].second, rows[1].second},
          ofBlock.begin,
          ofBlock.end,
          ofWarp.begin,
          ofWarp.end,
          common.begin,
          common.end,
          keys.start,
          kb.integer(piece.getKeys().getPeriod()),
          kb.integer(piece.getKeys().getWidth())};
}

SeenKeys xf::gpu::buildSeen(AttendRows &k, PieceAttr piece) {
  ResidueMap keys = ResidueMap::of(k.kb, piece.getKeys(), k.r);
  auto rows = laneIntervals(k, piece, keys);
  return seenOf(k, piece, keys, buildSeenRange(k, piece), rows, joinLanes(k, hullOf(k.kb, rows)));
}

SeenKeys xf::gpu::buildSeen(AttendRows &k, PieceAttr piece, const SeenRange &ofBlock) {
  ResidueMap keys = ResidueMap::of(k.kb, piece.getKeys(), k.r);
  return seenOf(k, piece, keys, ofBlock, laneIntervals(k, piece, keys), {ofBlock.begin, ofBlock.end});
}

//===----------------------------------------------------------------------===//
// Blocks of keys
//===----------------------------------------------------------------------===//

Value xf::gpu::firstKeyBlock(AttendRows &k, const SeenKeys &seen) {
  KernelBuilder &kb = k.kb;
  return kb.mul(kb.div(kb.min(seen.begin, seen.end), kb.integer(k.tile.getKeys())), k.tile.getKeys());
}

/// Returns whether the warp's rows may see one of the warp's keys, `ofWarp`, in the key block that begins at rank
/// `keyBlock` (i1).
static Value warpSees(AttendRows &k, const WarpKeys &ofWarp, const SeenKeys &seen, Value keyBlock) {
  KernelBuilder &kb = k.kb;
  keyBlock = kb.add(keyBlock, ofWarp.first);
  Value end = kb.add(keyBlock, ofWarp.count), no = kb.constant(kb.b.getBoolAttr(false));
  Value sees = arith::AndIOp::create(kb.b, kb.loc, kb.compare(slt, keyBlock, seen.warpEnd),
                                     kb.compare(slt, seen.warpBegin, end));
  if (!k.pairs.predicate)
    return sees;
  auto decide = [&]() -> SmallVector<Value> { // evaluated for keys that exist only
    Value first = k.rowOf(k.warpRow()), last = k.rowOf(kb.add(k.warpRow(), WarpProduct::tileRows - 1));
    auto decision = k.pairs.predicate.decide(k, {k.positionOf(first), k.positionOf(last)},
                                             {keyBlock, kb.add(kb.min(end, k.nk), -1)});
    return {kb.select(decision.isEmpty, no, kb.constant(kb.b.getBoolAttr(true)))};
  };
  return kb.ifElse(sees, no.getType(), decide, [&] { return SmallVector<Value>{no}; })[0];
}

FoundBlock xf::gpu::findKeyBlock(AttendRows &k, const WarpKeys &ofWarp, const SeenKeys &seen, Value from) {
  KernelBuilder &kb = k.kb;
  Value no = kb.constant(kb.b.getBoolAttr(false));
  SmallVector<Value> before = {kb.add(from, -k.tile.getKeys()), no};
  return kb.repeat(before, [&](ValueRange state) -> SmallVector<Value> {
    Value keyBlock = kb.add(state[0], k.tile.getKeys()), sees = warpSees(k, ofWarp, seen, keyBlock);
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

LaneColumns xf::gpu::visibleColumns(AttendRows &k, const SeenKeys &seen, Value keyBlock, int64_t count) {
  KernelBuilder &kb = k.kb;
  auto narrow = [&](Value x) -> Value { return arith::TruncIOp::create(kb.b, kb.loc, kb.b.getI32Type(), x); };
  auto column = [&](Value rank) -> Value {
    Value within = kb.clamp(kb.sub(rank, keyBlock), kb.integer(0), kb.integer(count));
    return arith::SubIOp::create(kb.b, kb.loc, narrow(within), narrow(k.product.column()));
  };
  LaneColumns visible;
  for (int64_t half : {0, 1}) {
    visible.begin[half] = column(seen.lower[half]);
    visible.end[half] = column(seen.upper[half]);
  }
  return visible;
}
