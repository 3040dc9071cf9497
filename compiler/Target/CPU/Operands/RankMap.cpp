//===- RankMap.cpp - Index maps with run-time windows ---------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Operands/RankMap.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

/// Returns the quotient floor(x / y) and the remainder x - y floor(x / y), for y > 0.
static std::pair<Value, Value> divide(KernelBuilder &kb, Value x, Value y) {
  Value quotient = arith::FloorDivSIOp::create(kb.b, kb.loc, x, y);
  return {quotient, kb.sub(x, kb.mul(quotient, y))};
}

Value RankMap::at(KernelBuilder &kb, Value a) const {
  if (hasKnownWindows())
    return fixed.at(kb, a);
  auto [window, within] = divide(kb, a, width);
  return kb.add(kb.add(kb.mul(window, period), within), fixed.start);
}

Value RankMap::rank(KernelBuilder &kb, Value x) const {
  if (hasKnownWindows())
    return fixed.rank(kb, x);
  auto [window, within] = divide(kb, kb.sub(x, fixed.start), period);
  return kb.add(kb.mul(window, width), kb.min(within, width));
}

void RankMap::forEach(KernelBuilder &kb, Value first, Value count, function_ref<void(Value, Value)> body) const {
  if (hasKnownWindows())
    return kb.loop(kb.integer(0), count, 1, [&](Value n) { body(n, fixed.at(kb, kb.add(first, n))); });
  auto [window, within] = divide(kb, first, width);
  SmallVector<Value> state = {kb.add(kb.mul(window, period), fixed.start), within};
  kb.loop(kb.integer(0), count, 1, state, [&](Value n, ValueRange state) {
    body(n, kb.add(state[0], state[1]));
    Value next = kb.add(state[1], 1), ends = kb.compare(arith::CmpIPredicate::eq, next, width);
    return SmallVector<Value>{kb.select(ends, kb.add(state[0], period), state[0]),
                              kb.select(ends, kb.integer(0), next)};
  });
}
