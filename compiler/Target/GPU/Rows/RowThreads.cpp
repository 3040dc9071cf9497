//===- RowThreads.cpp - The threads that share a row ----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/GPU/Rows/RowThreads.h"
#include "compiler/Target/Kernel/Rows/Combine.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::gpu;

static constexpr int64_t slotBytes = 8;

RowThreads::RowThreads(ThreadBlock &block, unsigned reductions) : block(block) {
  if (reductions)
    partials = block.shared(reductions * block.warps() * slotBytes);
}

void RowThreads::choose(Value isBlock) {
  KernelBuilder &kb = block.kb;
  this->isBlock = isBlock;
  lanes = ThreadBlock::warpSize;
  auto pick = [&](Value ofBlock, Value ofWarp) { return kb.select(isBlock, ofBlock, ofWarp); };
  thread = pick(block.thread, block.lane);
  threads = pick(kb.integer(block.threads), kb.integer(ThreadBlock::warpSize));
  number = pick(kb.integer(0), block.warp);
  teams = pick(kb.integer(1), kb.integer(block.warps()));
}

void RowThreads::chooseLanes(int64_t count) {
  KernelBuilder &kb = block.kb;
  isBlock = nullptr;
  lanes = count;
  int64_t inWarp = ThreadBlock::warpSize / count;
  thread = kb.floorMod(block.lane, count);
  threads = kb.integer(count);
  number = kb.add(kb.mul(block.warp, inWarp), kb.floorDiv(block.lane, count));
  teams = kb.integer(block.warps() * inWarp);
}

Value RowThreads::slot(unsigned reduction, Value warp) {
  KernelBuilder &kb = block.kb;
  Value first = kb.integer(reduction * block.warps());
  return kb.at(kb.b.getI8Type(), partials, kb.mul(kb.add(first, warp), slotBytes));
}

SmallVector<Value> RowThreads::combine(ArrayRef<xft::Combiner> combiners, ValueRange own) {
  if (combiners.empty())
    return {};
  KernelBuilder &kb = block.kb;
  SmallVector<Value> ofWarp(own);
  for (auto [combiner, partial] : llvm::zip_equal(combiners, ofWarp))
    for (int64_t mask = lanes / 2; mask > 0; mask /= 2)
      partial = kernel::combine(kb, combiner, partial, block.exchange(partial, mask));
  if (!isBlock)
    return ofWarp;
  auto ofBlock = [&]() -> SmallVector<Value> {
    block.onFirstLane([&] {
      for (auto [n, partial] : llvm::enumerate(ofWarp))
        kb.store(partial, slot(n, block.warp));
    });
    block.synchronize();
    SmallVector<Value> results;
    for (auto [n, partial] : llvm::enumerate(ofWarp)) {
      Value result = kb.load(partial.getType(), slot(n, kb.integer(0)));
      for (int64_t warp = 1; warp < block.warps(); ++warp)
        result = kernel::combine(kb, combiners[n], result, kb.load(partial.getType(), slot(n, kb.integer(warp))));
      results.push_back(result);
    }
    return results;
  };
  return kb.ifElse(isBlock, own.getTypes(), ofBlock, [&] { return ofWarp; });
}

void RowThreads::onFirst(function_ref<void()> body) {
  block.kb.ifThen(block.kb.compare(arith::CmpIPredicate::eq, thread, block.kb.integer(0)), body);
}

void RowThreads::synchronize() {
  if (!isBlock)
    return block.synchronizeWarp();
  block.kb.ifElse(
      isBlock, {},
      [&]() -> SmallVector<Value> {
        block.synchronize();
        return {};
      },
      [&]() -> SmallVector<Value> {
        block.synchronizeWarp();
        return {};
      });
}
