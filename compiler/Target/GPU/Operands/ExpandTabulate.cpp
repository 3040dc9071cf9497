//===- ExpandTabulate.cpp - Numbers of rows and keys, and lists, by warps -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds the code of `xft.tabulate` and `xft.sort_lists`. A thread block is one warp. A tile of `xft.tabulate` is a
// group of rows or keys. A tile of `xft.sort_lists` is a list. The warp computes 32 elements of the tile at a time.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/GPU/ExpandKernels.h"
#include "compiler/Target/GPU/Machine/ThreadBlock.h"
#include "compiler/Target/Kernel/Attend/TabulateCode.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::gpu;

static constexpr auto slt = arith::CmpIPredicate::slt;

LogicalResult xf::gpu::expandTabulate(xft::TabulateOp op, KernelBuilder &kb) {
  ThreadBlock block(op->getParentOfType<func::FuncOp>(), kb, ThreadBlock::warpSize);
  TabulateCode code(op, kb);
  int64_t group = op.getGroup();
  block.forTiles([&](Value tile) {
    Value g = kb.rem(tile, code.groups()), b = kb.div(tile, code.groups()), start = kb.mul(g, group);
    auto range = kb.loop(kb.add(start, block.lane), kb.add(start, group), ThreadBlock::warpSize, code.noRange(),
                         [&](Value n, ValueRange range) { return code.buildValue(b, n, range); });
    for (int64_t mask = ThreadBlock::warpSize / 2; mask > 0; mask /= 2)
      range = {kb.min(range[0], block.exchange(range[0], mask)), kb.max(range[1], block.exchange(range[1], mask))};
    block.onFirstLane([&] { code.storeRange(b, g, range); });
  });
  block.finish();
  op.erase();
  return success();
}

//===----------------------------------------------------------------------===//
// Lists
//===----------------------------------------------------------------------===//

namespace {
/// A list of `count` numbers in memory, which one warp sorts.
struct List {
  ThreadBlock &block;
  Type element;
  Value numbers, count;

  Value slot(Value n) const { return block.kb.at(element, numbers, n); }
};
} // namespace

/// Copies `from` to the list. Returns whether the list is unsorted (i1, the same in all lanes): some number is less
/// than the number before it.
static Value buildCopy(const List &list, Value from) {
  KernelBuilder &kb = list.block.kb;
  Value zero = kb.integerOf(kb.b.getI32Type(), 0), one = kb.integerOf(kb.b.getI32Type(), 1);
  Value falls = kb.loop(list.block.lane, list.count, ThreadBlock::warpSize, zero, [&](Value n, ValueRange falls) {
    Value x = kb.load(list.element, kb.at(list.element, from, n));
    Value before = kb.load(list.element, kb.at(list.element, from, kb.max(kb.add(n, -1), kb.integer(0))));
    kb.store(x, list.slot(n));
    return SmallVector<Value>{kb.select(kb.compare(slt, x, before), one, falls[0])};
  })[0];
  for (int64_t mask = ThreadBlock::warpSize / 2; mask > 0; mask /= 2)
    falls = arith::OrIOp::create(kb.b, kb.loc, falls, list.block.exchange(falls, mask));
  return kb.compare(arith::CmpIPredicate::ne, falls, zero);
}

/// Exchanges numbers n and n + distance of the list if they are out of order, for every n with (n & bit) == phase.
static void buildMergeStep(const List &list, Value bit, Value phase, Value distance) {
  KernelBuilder &kb = list.block.kb;
  kb.loop(list.block.lane, kb.sub(list.count, distance), ThreadBlock::warpSize, [&](Value n) {
    Value masked = arith::AndIOp::create(kb.b, kb.loc, n, bit);
    kb.ifThen(kb.compare(arith::CmpIPredicate::eq, masked, phase), [&] {
      Value lower = list.slot(n), upper = list.slot(kb.add(n, distance));
      Value x = kb.load(list.element, lower), y = kb.load(list.element, upper);
      kb.store(kb.min(x, y), lower);
      kb.store(kb.max(x, y), upper);
    });
  });
  list.block.synchronizeWarp();
}

/// Sorts a list of any length by merge exchange (Batcher; Knuth, The Art of Computer Programming 3, algorithm 5.2.2M).
/// No two pairs of a step share a number, so lanes exchange pairs in parallel.
static void buildMergeExchange(const List &list) {
  KernelBuilder &kb = list.block.kb;
  auto shifted = [&](Value x, Value by) -> Value { return arith::ShRUIOp::create(kb.b, kb.loc, x, by); };
  Value zeros = LLVM::CountLeadingZerosOp::create(kb.b, kb.loc, kb.i64(), kb.add(list.count, -1), false);
  Value rounds = kb.sub(kb.integer(64), zeros);
  Value whole = arith::ShLIOp::create(kb.b, kb.loc, kb.integer(1), rounds); // the power of two from count on
  kb.loop(kb.integer(0), rounds, 1, [&](Value round) {
    Value bit = shifted(whole, kb.add(round, 1));
    kb.loop(kb.integer(0), kb.add(round, 1), 1, [&](Value step) {
      Value isFirst = kb.compare(arith::CmpIPredicate::eq, step, kb.integer(0));
      Value later = kb.sub(shifted(whole, step), bit);
      buildMergeStep(list, bit, kb.select(isFirst, kb.integer(0), bit), kb.select(isFirst, bit, later));
    });
  });
}

LogicalResult xf::gpu::expandSortLists(xft::SortListsOp op, KernelBuilder &kb) {
  ThreadBlock block(op->getParentOfType<func::FuncOp>(), kb, ThreadBlock::warpSize);
  View offsets = View::of(kb, op.getOffsets()), columns = View::of(kb, op.getColumns()), to = View::of(kb, op.getTo());
  block.forTiles([&](Value number) {
    auto [begin, end] = buildListBounds(kb, offsets, number, columns.sizes[0]);
    List list{block, columns.element, to.at(kb, begin), kb.sub(end, begin)};
    Value falls = buildCopy(list, columns.at(kb, begin));
    block.synchronizeWarp();
    kb.ifThen(falls, [&] { buildMergeExchange(list); });
  });
  block.finish();
  op.erase();
  return success();
}
