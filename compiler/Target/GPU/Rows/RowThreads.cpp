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
  auto pick = [&](Value ofBlock, Value ofWarp) { return kb.select(isBlock, ofBlock, ofWarp); };
  thread = pick(block.thread, block.lane);
  threads = pick(kb.integer(block.threads), kb.integer(ThreadBlock::warpSize));
  number = pick(kb.integer(0), block.warp);
  teams = pick(kb.integer(1), kb.integer(block.warps()));
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
    for (int64_t mask = ThreadBlock::warpSize / 2; mask > 0; mask /= 2)
      partial = kernel::combine(kb, combiner, partial, block.exchange(partial, mask));
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
