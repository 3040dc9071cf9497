//===- AttendDropout.cpp - Which probabilities attention keeps ------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011) on a register of counters. Four
// consecutive keys share a counter: where keys follow each other, a register of counters serves four registers of keys.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/AttendDropout.h"
#include <cmath>

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

namespace {
/// Registers of i32.
struct Words {
  KernelBuilder &kb;
  int64_t lanes;

  VectorType type() { return kb.vector(kb.b.getI32Type(), lanes); }
  Value constant(uint32_t value) { return kb.integerOf(type(), static_cast<int32_t>(value)); }
  Value splat(Value scalar) { return kb.broadcast(scalar, lanes); }
  Value low(Value i64) { return arith::TruncIOp::create(kb.b, kb.loc, kb.b.getI32Type(), i64); }
  Value add(Value x, Value y) { return arith::AddIOp::create(kb.b, kb.loc, x, y); }
  Value exclusiveOr(Value x, Value y) { return arith::XOrIOp::create(kb.b, kb.loc, x, y); }

  std::array<Value, 4> philox(std::array<Value, 4> counter, std::array<Value, 2> key) {
    for (int round = 0; round < 10; ++round) {
      auto left = arith::MulUIExtendedOp::create(kb.b, kb.loc, constant(0xD2511F53), counter[0]);
      auto right = arith::MulUIExtendedOp::create(kb.b, kb.loc, constant(0xCD9E8D57), counter[2]);
      counter = {exclusiveOr(exclusiveOr(right.getHigh(), counter[1]), key[0]), right.getLow(),
                 exclusiveOr(exclusiveOr(left.getHigh(), counter[3]), key[1]), left.getLow()};
      key = {add(key[0], constant(0x9E3779B9)), add(key[1], constant(0xBB67AE85))};
    }
    return counter;
  }
};
} // namespace

AttendDropout::AttendDropout(KernelBuilder &kb, Value seed, double rate, KeyOrder order) : rate(rate), order(order) {
  View view = View::of(kb, seed);
  auto word = [&](int64_t n) -> Value {
    Value wide = kb.load(kb.i64(), view.at(kb, kb.integer(n)));
    return arith::TruncIOp::create(kb.b, kb.loc, kb.b.getI32Type(), wide);
  };
  first = word(0);
  second = word(1);
}

/// Lanes whose word is at least rate 2^32.
Value AttendDropout::keeps(KernelBuilder &kb, Value words) const {
  double limit = std::ceil(std::ldexp(rate, 32));
  if (limit >= 0x1p32)
    return kb.integerOf(kb.vector(kb.b.getI1Type(), cast<VectorType>(words.getType()).getNumElements()), 0);
  Value least = kb.integerOf(words.getType(), static_cast<int32_t>(static_cast<uint32_t>(limit)));
  return kb.compare(arith::CmpIPredicate::uge, words, least);
}

void AttendDropout::build(AttendTask &task, const KeyMap &map, Value row, Value keyBlock, Value begin, Value end,
                          Value keys, Value kept) const {
  KernelBuilder &kb = task.kb;
  int64_t lanes = task.lanes, chunk = 4 * lanes;
  Words w{kb, lanes};
  VectorType bits = kb.vector(task.integer, lanes);
  auto store = [&](Value keep, Value n, Value column) {
    Value line = kb.at(task.integer, kept, kb.mul(n, task.blockKeys));
    kb.store(arith::ExtSIOp::create(kb.b, kb.loc, bits, keep), kb.at(task.integer, line, column));
  };
  auto draw = [&](Value n, Value blocks) {
    Value one = task.rowIndex(kb.add(row, n));
    return w.philox({blocks, w.splat(w.low(one)), w.splat(w.low(task.h)), w.splat(w.low(task.b))},
                    {w.splat(first), w.splat(second)});
  };
  /// Columns [column, column + 4 lanes): word 0 of all lanes, word 1 of all lanes, .. become words 0 to 3 of each lane.
  auto consecutive = [&](Value n, Value column) {
    Value block = w.splat(w.low(kb.floorDiv(kb.add(keyBlock, column), 4)));
    std::array<Value, 4> words = draw(n, w.add(block, kb.iota(lanes)));
    auto interleave = [&](Value x, Value y) -> Value { return vector::InterleaveOp::create(kb.b, kb.loc, x, y); };
    Value all = interleave(interleave(words[0], words[2]), interleave(words[1], words[3]));
    for (int64_t part = 0; part < 4; ++part) {
      auto numbers = llvm::to_vector(llvm::seq<int64_t>(part * lanes, (part + 1) * lanes));
      Value some = vector::ShuffleOp::create(kb.b, kb.loc, all, all, numbers);
      store(keeps(kb, some), n, kb.add(column, part * lanes));
    }
  };
  auto scattered = [&](Value n, Value column) {
    Value wide = kb.load(kb.vector(kb.i64(), lanes), kb.at(kb.i64(), keys, column));
    Value key = arith::TruncIOp::create(kb.b, kb.loc, w.type(), wide);
    Value block = arith::ShRSIOp::create(kb.b, kb.loc, wide, kb.integerOf(wide.getType(), 2));
    std::array<Value, 4> words = draw(n, arith::TruncIOp::create(kb.b, kb.loc, w.type(), block));
    Value number = arith::AndIOp::create(kb.b, kb.loc, key, w.constant(3)), word = words[0];
    for (uint32_t which = 1; which < 4; ++which)
      word = kb.select(kb.compare(arith::CmpIPredicate::eq, number, w.constant(which)), words[which], word);
    store(keeps(kb, word), n, column);
  };
  auto fill = [&](bool isConsecutive) {
    int64_t step = isConsecutive ? chunk : lanes;
    Value from = kb.mul(kb.floorDiv(begin, step), step);
    kb.loop(kb.integer(0), kb.integer(task.tileRows), 1, [&](Value n) {
      kb.loop(from, end, step, [&](Value column) { isConsecutive ? consecutive(n, column) : scattered(n, column); });
    });
    return SmallVector<Value>();
  };
  if (order != KeyOrder::Either) {
    fill(order == KeyOrder::Consecutive);
    return;
  }
  Value isConsecutive = kb.compare(arith::CmpIPredicate::eq, map.period, map.width);
  kb.ifElse(isConsecutive, {}, [&] { return fill(true); }, [&] { return fill(false); });
}
