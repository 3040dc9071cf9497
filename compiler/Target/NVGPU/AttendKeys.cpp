//===- AttendKeys.cpp - The keys of a piece, block by block ---------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/NVGPU/AttendKernel.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::nvgpu;

static constexpr auto slt = arith::CmpIPredicate::slt;

SmallVector<Value> SeenKeys::flat() const {
  return {lower[0], lower[1],    upper[0],  upper[1], begin,  end,  warpBegin,
          warpEnd,  commonBegin, commonEnd, start,    period, width};
}

SeenKeys SeenKeys::of(ValueRange v) {
  return {{v[0], v[1]}, {v[2], v[3]}, v[4], v[5], v[6], v[7], v[8], v[9], v[10], v[11], v[12]};
}

Value AttendKernel::keyAt(const SeenKeys &seen, Value rank) {
  if (op.getPieces().size() == 1)
    return ResidueMap::of(kb, cast<PieceAttr>(op.getPieces()[0]).getKeys(), r).at(kb, rank);
  Value window = kb.add(seen.start, kb.mul(kb.div(rank, seen.width), seen.period));
  return kb.add(window, kb.rem(rank, seen.width));
}

//===----------------------------------------------------------------------===//
// What is seen
//===----------------------------------------------------------------------===//

namespace {
/// Intervals joined, and what they have in common; empty ones are not joined.
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

static SeenKeys buildSeen(AttendKernel &k, PieceAttr piece) {
  KernelBuilder &kb = k.kb;
  PieceBounds bounds = PieceBounds::of(k, piece);
  ResidueMap keys = ResidueMap::of(kb, piece.getKeys(), k.r);
  SeenKeys seen;
  Ranges ofWarp = start(kb), ofBlock = start(kb);
  for (int64_t half : {0, 1}) {
    std::tie(seen.lower[half], seen.upper[half]) = bounds.interval(keys, k.row[half]);
    include(kb, ofWarp, seen.lower[half], seen.upper[half]);
  }
  for (int64_t n = 0; n < k.blockRows; n += ThreadBlock::warpSize) { // every warp looks at all rows of the block
    auto [lower, upper] = bounds.interval(keys, k.rowOf(kb.add(k.block.lane, n)));
    include(kb, ofBlock, lower, upper);
  }
  joinLanes(k.block, ofWarp);
  joinLanes(k.block, ofBlock);
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

SeenKeys nvgpu::buildSeenKeys(AttendKernel &k, Value number) {
  KernelBuilder &kb = k.kb;
  auto pieces = k.op.getPieces().getAsRange<PieceAttr>();
  SmallVector<PieceAttr> list(pieces.begin(), pieces.end());
  SmallVector<Type> types(13, kb.i64());
  std::function<SmallVector<Value>(size_t)> from = [&](size_t n) -> SmallVector<Value> {
    if (n + 1 == list.size())
      return buildSeen(k, list[n]).flat();
    Value isThis = kb.compare(arith::CmpIPredicate::eq, number, kb.integer(n));
    return kb.ifElse(isThis, types, [&] { return buildSeen(k, list[n]).flat(); }, [&] { return from(n + 1); });
  };
  return SeenKeys::of(from(0));
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

static void copyRows(AttendKernel &k, const SeenKeys &seen, Value keyBlock, const View &view, Value head,
                     const SharedMatrix &to, int64_t depth, int64_t columns) {
  KernelBuilder &kb = k.kb;
  auto rank = [&](Value n) { return kb.add(keyBlock, n); };
  auto address = [&](Value n) { return view.at(kb, {k.b, head, k.keyAt(seen, rank(n))}); };
  auto exists = [&](Value n) -> Value { // others are not observable
    return arith::AndIOp::create(kb.b, kb.loc, kb.compare(arith::CmpIPredicate::sge, rank(n), seen.begin),
                                 kb.compare(slt, rank(n), seen.end));
  };
  Value width = kb.integer(depth);
  copyTile(k.block, to, k.blockKeys, columns,
           {address, exists, width, Value(),
            isAligned(kb, view.element, view.at(kb, {k.b, head}), {view.strides[2]}, width)});
}

/// Whether the warp's rows may see a key of the block.
static Value warpSees(AttendKernel &k, const SeenKeys &seen, Value keyBlock) {
  KernelBuilder &kb = k.kb;
  Value end = kb.add(keyBlock, k.blockKeys);
  Value sees = arith::AndIOp::create(kb.b, kb.loc, kb.compare(slt, keyBlock, seen.warpEnd),
                                     kb.compare(slt, seen.warpBegin, end));
  if (!k.predicate)
    return sees;
  Value first = k.rowOf(kb.mul(k.block.warp, WarpProduct::tileRows));
  Value last = k.rowOf(kb.add(kb.mul(k.block.warp, WarpProduct::tileRows), WarpProduct::tileRows - 1));
  auto decision =
      k.predicate.decide(k, {k.positionOf(first), k.positionOf(last)}, {keyBlock, kb.add(kb.min(end, k.nk), -1)});
  Value isEmpty = decision.isEmpty, no = kb.constant(kb.b.getBoolAttr(false));
  return kb.select(isEmpty, no, sees);
}

RowStates nvgpu::buildKeyBlocks(AttendKernel &k, const SeenKeys &seen, RowStates states, Value isCareful) {
  KernelBuilder &kb = k.kb;
  SmallVector<Value> before = states.flat();
  SmallVector<Type> types(before.size(), k.real);
  Value first = kb.mul(kb.div(seen.begin, kb.integer(k.blockKeys)), k.blockKeys);
  return RowStates::of(kb.loop(first, seen.end, k.blockKeys, before, [&](Value keyBlock, ValueRange carried) {
    Value sees = warpSees(k, seen, keyBlock);
    Value someSees = k.block.any(sees); // by now the block before has been read
    auto skip = [&] { return SmallVector<Value>(carried); };
    auto work = [&]() -> SmallVector<Value> {
      copyRows(k, seen, keyBlock, k.k, k.keyHead, k.key, k.depth, k.columns);
      copyRows(k, seen, keyBlock, k.v, k.valueHead, k.value, k.valueDepth, k.valueColumns);
      k.block.synchronize();
      auto add = [&] { return addValues(k, seen, keyBlock, RowStates::of(carried), isCareful).flat(); };
      return kb.ifElse(sees, types, add, skip);
    };
    return kb.ifElse(someSees, types, work, skip);
  }));
}
