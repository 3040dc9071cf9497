//===- BlockScores.cpp - Score regions on blocks of keys ------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Attend/BlockScores.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

KeyOrder cpu::keyOrder(ArrayRef<IndexMapAttr> maps) {
  auto isConsecutive = [](IndexMapAttr map) { return map.getPeriod() == map.getWidth(); };
  if (llvm::all_of(maps, isConsecutive))
    return KeyOrder::Consecutive;
  return llvm::any_of(maps, isConsecutive) ? KeyOrder::Either : KeyOrder::Scattered;
}

void cpu::buildKeys(KernelBuilder &kb, const KeyMap &map, Value keyBlock, int64_t count, Value keys) {
  Value window = kb.add(map.start, kb.mul(kb.div(keyBlock, map.width), map.period));
  SmallVector<Value> state = {window, kb.rem(keyBlock, map.width)};
  kb.loop(kb.integer(0), kb.integer(count), 1, state, [&](Value n, ValueRange state) {
    kb.store(kb.add(state[0], state[1]), kb.at(kb.i64(), keys, n));
    Value next = kb.add(state[1], 1), ends = kb.compare(arith::CmpIPredicate::eq, next, map.width);
    return SmallVector<Value>{kb.select(ends, kb.add(state[0], map.period), state[0]),
                              kb.select(ends, kb.integer(0), next)};
  });
}

SmallVector<LaneValue> BlockScores::Version::evaluate(Value row, Value column, Value score) const {
  KernelBuilder &kb = task.kb;
  Value position = kb.add(task.rowIndex(row), task.firstPosition());
  LaneValue key;
  if (isConsecutive)
    key = LaneValue::index(kb.add(map.start, kb.add(keyBlock, column)), 1, 0, limit);
  else
    key = LaneValue::indices(kb.load(kb.vector(kb.i64(), task.lanes), kb.at(kb.i64(), keys, column)), 0, limit);
  return region.evaluate(task, position, key, score, limit);
}

SmallVector<Value> BlockScores::forEachVersion(AttendBlock &task, const KeyMap &map, Value keyBlock, Value keys,
                                               TypeRange types, VersionBody build) const {
  KernelBuilder &kb = task.kb;
  auto version = [&](bool isConsecutive, int64_t limit) {
    return build(Version{task, *this, map, keyBlock, keys, isConsecutive, limit});
  };
  return forEachLimit(kb, types, [&](int64_t limit) -> SmallVector<Value> {
    bool isRare = limit == anyIndexLimit && hasSmallVersion(); // then one version serves both orders
    if (order != KeyOrder::Either || isRare)
      return version(order == KeyOrder::Consecutive, limit);
    Value isConsecutive = kb.compare(arith::CmpIPredicate::eq, map.period, map.width);
    return kb.ifElse(isConsecutive, types, [&] { return version(true, limit); }, [&] { return version(false, limit); });
  });
}
