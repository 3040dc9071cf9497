//===- BlockThreads.cpp - A block that runs a task step by step -----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/GPU/Scan/BlockThreads.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::gpu;

BlockThreads::BlockThreads(ThreadBlock &block, Type real, ScanFactors factors)
    : TaskThreads(block.kb), block(block), real(real), factors(factors),
      partials(block.shared(block.threads * real.getIntOrFloatBitWidth() / 8)) {}

void BlockThreads::onFirst(Value number, function_ref<void()> body) {
  kb.ifThen(kb.compare(arith::CmpIPredicate::eq, number, kb.integer(0)), body);
}

void BlockThreads::share(Value first, int64_t others, int64_t end, int64_t step, Body body) {
  if (end == others * step) // one iteration each
    return body(kb.mul(first, step));
  kb.loop(kb.mul(first, step), kb.integer(end), others * step, body);
}

void BlockThreads::overThreads(int64_t end, int64_t step, Body body) {
  share(block.thread, block.threads, end, step, body);
}

void BlockThreads::overWarps(int64_t end, int64_t step, Body body) { share(block.warp, warps(), end, step, body); }

void BlockThreads::overLanes(int64_t end, int64_t step, Body body) {
  share(block.lane, ThreadBlock::warpSize, end, step, body);
}

Value BlockThreads::reduce(Value first, int64_t others, int64_t end, Value init,
                           function_ref<Value(Value, Value)> add) {
  return kb.loop(first, kb.integer(end), others, init,
                 [&](Value index, ValueRange sum) { return SmallVector<Value>{add(index, sum[0])}; })[0];
}

Value BlockThreads::combineLanes(Value x, Combine combine) {
  for (int64_t mask = ThreadBlock::warpSize / 2; mask > 0; mask /= 2)
    x = combine(x, block.exchange(x, mask));
  return x;
}

Value BlockThreads::combineLowerLanes(Value x, Combine combine) {
  for (int64_t distance = 1; distance < ThreadBlock::warpSize; distance *= 2) {
    Value lower = kb.max(kb.add(block.lane, -distance), kb.integer(0));
    Value hasLower = kb.compare(arith::CmpIPredicate::sge, block.lane, kb.integer(distance));
    x = kb.select(hasLower, combine(block.fromLane(x, lower), x), x);
  }
  return x;
}

Value BlockThreads::combineWarps(Value x, Combine combine) {
  auto place = [&](Value warp) {
    return kb.at(real, partials, kb.add(kb.mul(warp, ThreadBlock::warpSize), block.lane));
  };
  kb.store(x, place(block.warp));
  synchronize();
  Value total = kb.load(x.getType(), place(kb.integer(0)));
  for (int64_t warp = 1; warp < warps(); ++warp)
    total = combine(total, kb.load(x.getType(), place(kb.integer(warp))));
  synchronize(); // partials have been read and may be overwritten
  return total;
}

Value BlockThreads::reduceOverLanes(int64_t end, int64_t step, Value init, function_ref<Value(Value, Value)> add,
                                    Combine combine) {
  return combineLanes(reduce(kb.mul(block.lane, step), ThreadBlock::warpSize * step, end, init, add), combine);
}

Value BlockThreads::reduceOverWarps(int64_t count, Value init, function_ref<Value(Value, Value)> add, Combine combine) {
  return combineWarps(reduce(block.warp, warps(), count, init, add), combine);
}

Value BlockThreads::sumOverThreads(int64_t count, Type real, function_ref<Value(Value, Value)> add) {
  auto plus = [&](Value x, Value y) { return kb.addf(x, y); };
  Value own = reduce(block.thread, block.threads, count, kb.real(real, 0), add);
  return combineWarps(combineLanes(own, plus), plus);
}
