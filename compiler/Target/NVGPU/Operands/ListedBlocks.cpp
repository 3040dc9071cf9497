//===- ListedBlocks.cpp - Blocks that a predicate leaves ------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/NVGPU/Operands/ListedBlocks.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::nvgpu;

static constexpr auto slt = arith::CmpIPredicate::slt;

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

void nvgpu::storeNumbers(KernelBuilder &kb, ValueRange numbers, Value pointer) {
  Value all = LLVM::UndefOp::create(kb.b, kb.loc, kb.vector(kb.b.getI32Type(), numbers.size()));
  for (auto [n, number] : llvm::enumerate(numbers))
    all = LLVM::InsertElementOp::create(kb.b, kb.loc, all, toI32(kb, number), i32(kb, n));
  kb.store(all, pointer, 4 * numbers.size());
}

SmallVector<Value> nvgpu::loadNumbers(KernelBuilder &kb, int64_t count, Value pointer) {
  SmallVector<Value> numbers;
  Value all = kb.load(kb.vector(kb.b.getI32Type(), count), pointer, 4 * count);
  for (int64_t n = 0; n < count; ++n) {
    Value number = LLVM::ExtractElementOp::create(kb.b, kb.loc, all, i32(kb, n));
    numbers.push_back(arith::ExtSIOp::create(kb.b, kb.loc, kb.i64(), number));
  }
  return numbers;
}

static Value recordAt(KernelBuilder &kb, Value records, const PipelineState &place) {
  Value stage = arith::ExtUIOp::create(kb.b, kb.loc, kb.i64(), place.stage);
  return kb.at(kb.b.getI8Type(), records, kb.mul(stage, blockRecordBytes));
}

void BlockRecords::publish(KernelBuilder &kb, const ListedBlock &block, const PipelineState &place) const {
  auto wide = [&](Value x) -> Value { return arith::ExtUIOp::create(kb.b, kb.loc, kb.i64(), x); };
  storeNumbers(kb, {wide(block.number), kb.add(wide(block.isFull), kb.mul(wide(block.isLast), 2))},
               recordAt(kb, pointer, place));
}

ListedBlock BlockRecords::read(ThreadBlock &block, const PipelineState &place) const {
  KernelBuilder &kb = block.kb;
  SmallVector<Value> numbers = loadNumbers(kb, 2, recordAt(kb, pointer, place));
  block.synchronizeWarp();
  Value flags = toI32(kb, numbers[1]);
  auto isSet = [&](int64_t flag) {
    Value bit = arith::AndIOp::create(kb.b, kb.loc, flags, i32(kb, flag));
    return kb.compare(arith::CmpIPredicate::ne, bit, i32(kb, 0));
  };
  return {toI32(kb, numbers[0]), isSet(1), isSet(2)};
}

//===----------------------------------------------------------------------===//
// Walks
//===----------------------------------------------------------------------===//

namespace {
/// The state of a walk between two steps. The predicate is decided for 32 blocks at once, by one lane each. A block is
/// copied only when the next one has been found, because its record says whether it is the last.
struct Walk {
  Value next;  ///< number of the first block that is not decided
  Value begin; ///< number of the block that bit 0 stands for
  /// bits of the blocks that are left (i32): the predicate holds for some of their pairs, or for all
  Value some, full;
  Value held, isFull; ///< the block found but not copied, and whether the predicate holds for all its pairs
  Value isSubstitute; ///< whether `held` is copied only if no block is found (i1)
  PipelineState place;

  SmallVector<Value> flat() const {
    return {next, begin, some, full, held, isFull, isSubstitute, place.stage, place.parity};
  }
  static Walk of(ValueRange v) { return {v[0], v[1], v[2], v[3], v[4], v[5], v[6], {v[7], v[8]}}; }
};

/// Builds the walk of a producer warp.
struct Walker {
  ThreadBlock &block;
  KernelBuilder &kb;
  int64_t stages;
  const BlockNumbers &range;
  function_ref<BlockDecision(Value number)> decide;
  function_ref<void(Value number, const ListedBlock &record, const PipelineState &place)> copy;

  Value yes() const { return kb.constant(kb.b.getBoolAttr(true)); }
  Value no() const { return kb.constant(kb.b.getBoolAttr(false)); }
  Value both(Value x, Value y) const { return arith::AndIOp::create(kb.b, kb.loc, x, y); }
  Value negate(Value x) const { return arith::XOrIOp::create(kb.b, kb.loc, x, yes()); }

  void decideBlocks(Walk &walk) const;
  void takeBlock(Value isFound, Walk &walk) const;
  SmallVector<Value> step(ValueRange state) const;
};
} // namespace

/// Decides the predicate for the next 32 blocks, by one lane each.
void Walker::decideBlocks(Walk &walk) const {
  Value number = kb.add(walk.next, kb.mul(block.lane, range.step));
  SmallVector<Type> types(2, no().getType());
  auto ask = [&]() -> SmallVector<Value> {
    BlockDecision decision = decide(number);
    return {kb.select(decision.isEmpty, no(), yes()), decision.isFull};
  };
  auto found =
      kb.ifElse(kb.compare(slt, number, range.end), types, ask, [&]() -> SmallVector<Value> { return {no(), no()}; });
  walk.some = block.ballot(found[0]);
  walk.full = block.ballot(found[1]);
  walk.begin = walk.next;
  walk.next = kb.add(walk.next, ThreadBlock::warpSize * range.step);
}

/// Copies the held block, unless it is a substitute and a block has been found (`isFound`, i1). Then holds the first of
/// the blocks that are left.
void Walker::takeBlock(Value isFound, Walk &walk) const {
  Value isCopied = negate(both(isFound, walk.isSubstitute));
  kb.ifThen(isCopied, [&] { copy(walk.held, {toI32(kb, walk.held), walk.isFull, negate(isFound)}, walk.place); });
  PipelineState next = walk.place.next(kb, stages);
  walk.place = {kb.select(isCopied, next.stage, walk.place.stage), kb.select(isCopied, next.parity, walk.place.parity)};
  Value number = LLVM::CountTrailingZerosOp::create(kb.b, kb.loc, walk.some.getType(), walk.some, false);
  Value bits = arith::ShRUIOp::create(kb.b, kb.loc, walk.full, both(number, i32(kb, ThreadBlock::warpSize - 1)));
  walk.isFull = kb.compare(arith::CmpIPredicate::ne, both(bits, i32(kb, 1)), i32(kb, 0));
  walk.held = kb.add(walk.begin, kb.mul(arith::ExtUIOp::create(kb.b, kb.loc, kb.i64(), number), range.step));
  walk.isSubstitute = no();
  walk.some = both(walk.some, arith::SubIOp::create(kb.b, kb.loc, walk.some, i32(kb, 1))); // without its lowest bit
}

SmallVector<Value> Walker::step(ValueRange state) const {
  Walk walk = Walk::of(state);
  Value none = i32(kb, 0), isFound = kb.compare(arith::CmpIPredicate::ne, walk.some, none);
  Value isUndecided =
      both(kb.compare(arith::CmpIPredicate::eq, walk.some, none), kb.compare(slt, walk.next, range.end));
  auto decideMore = [&, walk]() mutable {
    decideBlocks(walk);
    return walk.flat();
  };
  auto take = [&, walk]() mutable {
    takeBlock(isFound, walk);
    return walk.flat();
  };
  SmallVector<Value> next = kb.ifElse(isUndecided, SmallVector<Type>(state.getTypes()), decideMore, take);
  next.push_back(arith::OrIOp::create(kb.b, kb.loc, isFound, isUndecided));
  return next;
}

PipelineState
nvgpu::walkListed(ThreadBlock &block, int64_t stages, const BlockNumbers &range, const PipelineState &place,
                  function_ref<BlockDecision(Value number)> decide,
                  function_ref<void(Value number, const ListedBlock &record, const PipelineState &place)> copy) {
  KernelBuilder &kb = block.kb;
  Walker walker{block, kb, stages, range, decide, copy};
  Value none = i32(kb, 0);
  Walk start{range.begin, range.begin, none, none, range.begin, walker.no(), walker.yes(), place};
  auto work = [&] {
    PipelineState behind =
        Walk::of(kb.repeat(start.flat(), [&](ValueRange state) { return walker.step(state); })).place;
    return SmallVector<Value>{behind.stage, behind.parity};
  };
  SmallVector<Type> types(2, kb.b.getI32Type());
  SmallVector<Value> behind = kb.ifElse(kb.compare(slt, range.begin, range.end), types, work,
                                        [&] { return SmallVector<Value>{place.stage, place.parity}; });
  return {behind[0], behind[1]};
}
