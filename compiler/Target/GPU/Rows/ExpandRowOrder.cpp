//===- ExpandRowOrder.cpp - Rows whose columns depend on others -----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expands cumulative sums, sorts, and sums of selected rows. All threads of a thread block work on neighbouring columns
// of one row. Where a column needs sums over the columns before it, lanes add them by shuffles, and then the sums of
// warps are added in order.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/GPU/Rows/ExpandRowOrder.h"
#include "compiler/Target/Kernel/Rows/CumulativeSums.h"
#include "compiler/Target/Kernel/Rows/SortRow.h"
#include "compiler/Target/Kernel/Rows/SumRow.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::gpu;

namespace {
/// Sums over the threads of a thread block.
class ThreadSums {
public:
  explicit ThreadSums(ThreadBlock &block) : block(block), partials(block.shared(block.warps() * bytes)) {}

  using Add = function_ref<Value(Value, Value)>;
  /// Returns the sum of `x` over the threads up to and including this one, and the sum over all threads. `add` adds two
  /// values. Acts as a barrier of the thread block.
  std::pair<Value, Value> of(Value x, Add add);

private:
  static constexpr int64_t bytes = 8; // of a number, at most

  ThreadBlock &block;
  Value partials; ///< [warp]
};
} // namespace

std::pair<Value, Value> ThreadSums::of(Value x, Add add) {
  KernelBuilder &kb = block.kb;
  auto slot = [&](int64_t warp) { return kb.at(kb.b.getI8Type(), partials, warp * bytes); };
  for (int64_t distance = 1; distance < ThreadBlock::warpSize; distance *= 2) {
    Value lower = block.fromLane(x, kb.max(kb.add(block.lane, -distance), kb.integer(0)));
    Value hasLower = kb.compare(arith::CmpIPredicate::sge, block.lane, kb.integer(distance));
    x = kb.select(hasLower, add(lower, x), x);
  }
  block.synchronize(); // all have read the partial sums of the last call
  kb.ifThen(kb.compare(arith::CmpIPredicate::eq, block.lane, kb.integer(ThreadBlock::warpSize - 1)),
            [&] { kb.store(x, kb.at(kb.b.getI8Type(), partials, kb.mul(block.warp, bytes))); });
  block.synchronize();
  Value total;
  for (int64_t warp = 0; warp < block.warps(); ++warp) {
    Value partial = kb.load(x.getType(), slot(warp));
    if (total) { // those before this warp, which has its own sum already
      Value isNext = kb.compare(arith::CmpIPredicate::eq, block.warp, kb.integer(warp));
      x = kb.select(isNext, add(total, x), x);
    }
    total = total ? add(total, partial) : partial;
  }
  return {x, total};
}

//===----------------------------------------------------------------------===//
// Sums so far
//===----------------------------------------------------------------------===//

static void expandCumsum(ThreadBlock &block, RowSpace &space, xft::CumsumOp op) {
  KernelBuilder &kb = block.kb;
  ThreadSums threads(block);
  CumulativeSums sums(kb, op, space.columns);
  auto add = [&](Value x, Value y) { return sums.add(x, y); };
  kb.loop(space.firstRow, space.lastRow, 1, [&](Value row) {
    RowAccess from = space.access(op.getX(), row), to = space.access(op.getY(), row);
    kb.loop(kb.integer(0), space.columns, block.threads, sums.zero(1), [&](Value base, ValueRange before) {
      Value number = kb.add(base, block.thread), exists = kb.compare(arith::CmpIPredicate::slt, number, space.columns);
      Value column = sums.column(kb.min(number, kb.add(space.columns, -1)));
      auto at = [&](const RowAccess &row) {
        return kb.at(memoryType(row.stored), row.pointer, kb.mul(column, row.stride));
      };
      Value x = kb.select(exists, sums.load(at(from), 1), sums.zero(1));
      auto [sum, total] = threads.of(x, add);
      kb.ifThen(exists, [&, sum = sum] { sums.store(add(before[0], sum), at(to)); });
      return SmallVector<Value>{add(before[0], total)};
    });
  });
}

//===----------------------------------------------------------------------===//
// Columns in order
//===----------------------------------------------------------------------===//

namespace {
class BlockSortThreads : public SortThreads {
public:
  static constexpr int64_t digitBits = 4;

  explicit BlockSortThreads(ThreadBlock &block)
      : SortThreads(block.kb, block.shared((block.threads << digitBits) * counterBytes), digitBits, block.threads),
        block(block), sums(block) {}

  int64_t count() const override { return block.threads; }
  Value number() override { return block.thread; }
  void synchronize() override { block.synchronize(); }
  std::pair<Value, Value> sumsOf(Value x) override {
    return sums.of(x, [&](Value x, Value y) { return kb.add(x, y); });
  }
  Value collect(const Candidates &from) override;

private:
  static constexpr int64_t counterBytes = 8;

  ThreadBlock &block;
  ThreadSums sums;
};
} // namespace

Value BlockSortThreads::collect(const Candidates &from) {
  Type memory = kb.b.getIntegerType(from.x.stored.getIntOrFloatBitWidth());
  Value own = kb.add(from.base, block.thread), exists = kb.compare(arith::CmpIPredicate::slt, own, from.columns);
  Value column = kb.min(own, kb.add(from.columns, -1));
  Value key = from.keysOf(kb.load(memory, kb.at(memory, from.x.pointer, column)));
  Value isBelow = kb.compare(arith::CmpIPredicate::ult, key, from.limit);
  Value isKept = arith::AndIOp::create(kb.b, kb.loc, exists, isBelow);
  auto [place, total] = sumsOf(arith::ExtUIOp::create(kb.b, kb.loc, kb.i64(), isKept));
  kb.ifThen(isKept, [&, place = place] { from.append(column, key, kb.add(kb.add(from.count, place), -1)); });
  return kb.add(from.count, total);
}

static void expandSortRow(ThreadBlock &block, RowSpace &space, xft::SortRowOp op) {
  BlockSortThreads threads(block);
  block.kb.loop(space.firstRow, space.lastRow, 1, [&](Value row) { buildSortRow(threads, space, op, row); });
}

static void expandSumRow(ThreadBlock &block, RowSpace &space, xft::SumRowOp op) {
  block.kb.loop(space.firstRow, space.lastRow, 1,
                [&](Value row) { buildSumRow(block.kb, space, op, row, block.thread, block.threads); });
}

bool xf::gpu::expandRowOrder(ThreadBlock &block, RowSpace &space) {
  if (auto cumsum = xft::onlyOpOf<xft::CumsumOp>(space.op))
    return expandCumsum(block, space, cumsum), true;
  if (auto sort = xft::onlyOpOf<xft::SortRowOp>(space.op))
    return expandSortRow(block, space, sort), true;
  if (auto sum = xft::onlyOpOf<xft::SumRowOp>(space.op))
    return expandSumRow(block, space, sum), true;
  return false;
}
