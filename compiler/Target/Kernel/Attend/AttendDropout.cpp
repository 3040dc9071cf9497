//===- AttendDropout.cpp - The dropout mask of attention ------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computes Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011) on registers of
// counters.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/Kernel/Attend/AttendDropout.h"
#include <cmath>

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::kernel;

namespace {
/// Arithmetic on registers of i32.
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

AttendDropout::AttendDropout(KernelBuilder &kb, Value seed, double rate) : rate(rate) {
  View view = View::of(kb, seed);
  auto word = [&](int64_t n) -> Value {
    Value wide = kb.load(kb.i64(), view.at(kb, kb.integer(n)));
    return arith::TruncIOp::create(kb.b, kb.loc, kb.b.getI32Type(), wide);
  };
  first = word(0);
  second = word(1);
}

std::array<Value, 4> AttendDropout::draw(AttendTask &task, Value row, Value blocks) const {
  Words w{task.kb, task.lanes};
  return w.philox({blocks, w.splat(w.low(row)), w.splat(w.low(task.h)), w.splat(w.low(task.b))},
                  {w.splat(first), w.splat(second)});
}

/// Returns the lanes (i1) of kept pairs: those whose word is at least rate 2^32. Words are unsigned integers.
Value AttendDropout::isKept(KernelBuilder &kb, Value words) const {
  double limit = std::ceil(std::ldexp(rate, 32));
  if (limit >= 0x1p32)
    return kb.integerOf(kb.vector(kb.b.getI1Type(), cast<VectorType>(words.getType()).getNumElements()), 0);
  Value least = kb.integerOf(words.getType(), static_cast<int32_t>(static_cast<uint32_t>(limit)));
  return kb.compare(arith::CmpIPredicate::uge, words, least);
}

Value AttendDropout::keeps(AttendTask &task, Value row, Value keys) const {
  KernelBuilder &kb = task.kb;
  Words w{kb, task.lanes};
  Value key = arith::TruncIOp::create(kb.b, kb.loc, w.type(), keys);
  Value block = arith::ShRSIOp::create(kb.b, kb.loc, keys, kb.integerOf(keys.getType(), 2));
  std::array<Value, 4> words = draw(task, row, arith::TruncIOp::create(kb.b, kb.loc, w.type(), block));
  Value number = arith::AndIOp::create(kb.b, kb.loc, key, w.constant(3)), word = words[0];
  for (uint32_t which = 1; which < 4; ++which)
    word = kb.select(kb.compare(arith::CmpIPredicate::eq, number, w.constant(which)), words[which], word);
  return isKept(kb, word);
}
