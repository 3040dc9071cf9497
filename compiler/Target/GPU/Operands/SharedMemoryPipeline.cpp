//===- SharedMemoryPipeline.cpp - Buffering in shared memory --------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/GPU/Operands/SharedMemoryPipeline.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::gpu;

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static constexpr int64_t alignment = ThreadBlock::copyBytes;

int64_t Stages::add(int64_t size) {
  int64_t place = bytes;
  bytes += llvm::alignTo(size, alignment);
  return place;
}

void Stages::allocate(int64_t most) {
  int64_t left = machineOf(block.kb).sharedBytes - static_cast<int64_t>(llvm::alignTo(block.sharedBytes, alignment));
  stages = std::clamp<int64_t>(left / bytes, 1, most);
  memory = block.shared(stages * bytes, alignment);
}

Value Stages::at(Value stage, int64_t place) const {
  Type byte = block.kb.b.getI8Type();
  return block.kb.at(byte, block.kb.at(byte, memory, stage), place);
}

Value Stages::next(Value stage) const {
  KernelBuilder &kb = block.kb;
  if (stages == 1)
    return stage;
  Value last = kb.integer((stages - 1) * bytes);
  if (stages == 2)
    return kb.sub(last, stage);
  Value isLast = kb.compare(arith::CmpIPredicate::eq, stage, last);
  return kb.select(isLast, kb.integer(0), kb.add(stage, bytes));
}

Value Stages::previous(Value stage) const {
  KernelBuilder &kb = block.kb;
  if (stages == 1)
    return stage;
  Value last = kb.integer((stages - 1) * bytes);
  if (stages == 2)
    return kb.sub(last, stage);
  Value isFirst = kb.compare(arith::CmpIPredicate::eq, stage, kb.integer(0));
  return kb.select(isFirst, last, kb.add(stage, -bytes));
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

namespace {
class Passage {
public:
  Passage(ThreadBlock &block, const Stages &stages, const BlockPositions &positions, const StreamedBlocks &streamed)
      : block(block), kb(block.kb), stages(stages), positions(positions), streamed(streamed),
        ahead(std::max<int64_t>(stages.count() - 1, 1)) {}

  SmallVector<Value> run(ValueRange state);

private:
  Value exists(ArrayRef<Value> found) { return kb.compare(arith::CmpIPredicate::slt, found.front(), positions.end); }
  FoundBlock fetchFrom(Value from, Value stage);
  SmallVector<Value> pass(ValueRange state);

  ThreadBlock &block;
  KernelBuilder &kb;
  const Stages &stages;
  const BlockPositions &positions;
  const StreamedBlocks &streamed;
  int64_t ahead;    ///< number of matrix blocks in `state`: the current one and those in flight
  size_t known = 0; ///< number of values of a FoundBlock
};
} // namespace

/// Finds the next matrix block from position `from` on, and fetches it to the stage `stage`. Always commits a group of
/// copies, which is empty if there is no block. So the number of groups in flight tells which block has arrived.
FoundBlock Passage::fetchFrom(Value from, Value stage) {
  FoundBlock found = streamed.find(from);
  kb.ifThen(exists(found), [&] { streamed.fetch(found, stage); });
  block.groupCopies();
  return found;
}

/// Computes with the current matrix block, which has arrived, and starts the copies of the block `ahead` blocks after
/// it. `state` holds the stage of the current block, then the current block and the `ahead` - 1 blocks after it, then
/// the caller's state. Returns the next state, followed by whether it has a current block (i1).
SmallVector<Value> Passage::pass(ValueRange state) {
  Value stage = state.front();
  SmallVector<Value> found(state.slice(1, ahead * known));
  ArrayRef<Value> current = ArrayRef(found).take_front(known);
  ValueRange carried = state.drop_front(1 + ahead * known);
  Value behind = kb.add(found[(ahead - 1) * known], positions.step);
  block.awaitCopies(ahead - 1);
  if (streamed.settle)
    streamed.settle(current, stage);
  SmallVector<Value> results;
  FoundBlock last;
  if (stages.count() == 1) {
    block.synchronize();
    results = streamed.compute(current, stage, carried);
    last = fetchFrom(behind, stage);
  } else {
    last = fetchFrom(behind, stages.previous(stage));
    results = streamed.compute(current, stage, carried);
  }
  SmallVector<Value> next = {stages.next(stage)};
  next.append(found.begin() + known, found.end());
  next.append(last);
  Value goesOn = exists(ArrayRef(next).drop_front(1));
  next.append(results);
  next.push_back(goesOn);
  return next;
}

SmallVector<Value> Passage::run(ValueRange state) {
  Value stage = kb.integer(0), number = positions.first;
  SmallVector<Value> start = {stage};
  for (int64_t n = 0; n < ahead; ++n) {
    FoundBlock found = fetchFrom(number, stage);
    number = kb.add(found.front(), positions.step);
    stage = stages.next(stage);
    known = found.size();
    start.append(found);
  }
  start.append(state.begin(), state.end());
  auto all = [&] {
    SmallVector<Value> results = kb.repeat(start, [&](ValueRange state) { return pass(state); });
    return SmallVector<Value>(ArrayRef(results).take_back(state.size()));
  };
  return kb.ifElse(exists(ArrayRef(start).drop_front(1)), state.getTypes(), all,
                   [&] { return SmallVector<Value>(state); });
}

SmallVector<Value> xf::gpu::streamBlocks(ThreadBlock &block, const Stages &stages, const BlockPositions &positions,
                                         ValueRange state, const StreamedBlocks &streamed) {
  return Passage(block, stages, positions, streamed).run(state);
}
