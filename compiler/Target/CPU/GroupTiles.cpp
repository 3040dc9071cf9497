//===- GroupTiles.cpp - The tiles of a group of rows ----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/GroupTiles.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

static Value both(KernelBuilder &kb, Value x, Value y) { return arith::AndIOp::create(kb.b, kb.loc, x, y); }

static Value positionOf(AttendTask &task, Value row) {
  return task.kb.add(task.rowIndex(row), task.kb.sub(task.nk, task.nq));
}

Value GroupTiles::begin() const { return task.kb.mul(task.kb.floorDiv(range.begin, task.width()), task.width()); }
Value GroupTiles::end() const { return task.kb.mul(task.kb.ceilDiv(range.end, task.width()), task.width()); }

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

Value GroupTiles::stateOf(Value column) {
  return task.kb.at(task.kb.i64(), states, task.kb.floorDiv(column, task.width()));
}
Value GroupTiles::loadState(Value column) { return task.kb.load(task.kb.i64(), stateOf(column)); }
void GroupTiles::storeState(Value column, TileState state) {
  task.kb.store(task.kb.integer(static_cast<int64_t>(state)), stateOf(column));
}
Value GroupTiles::isState(Value state, TileState which) {
  return task.kb.compare(arith::CmpIPredicate::eq, state, task.kb.integer(static_cast<int64_t>(which)));
}

Value GroupTiles::slot(Value n, Value column) { return task.kb.at(task.real, task.at(p, n, task.blockKeys), column); }

Value GroupTiles::loadVisible(Value n, Value column) {
  KernelBuilder &kb = task.kb;
  VectorType bits = kb.vector(task.integer, task.lanes);
  return kb.compare(arith::CmpIPredicate::ne, kb.load(bits, slot(n, column)), kb.integerOf(bits, 0));
}

//===----------------------------------------------------------------------===//
// States
//===----------------------------------------------------------------------===//

static Value stateValue(KernelBuilder &kb, TileState state) { return kb.integer(static_cast<int64_t>(state)); }

/// By interval arithmetic; lengths make a tile partial.
Value GroupTiles::decide(Value column) {
  KernelBuilder &kb = task.kb;
  constexpr auto sle = arith::CmpIPredicate::sle;
  TilePredicate::Interval positions{positionOf(task, row), positionOf(task, kb.add(row, task.tileRows - 1))};
  Value first = kb.add(keyBlock, column), behind = kb.add(column, task.width());
  auto decision = predicate.decide(task, positions, {first, kb.add(first, task.width() - 1)});
  Value begins = kb.compare(sle, range.commonBegin, column), ends = kb.compare(sle, behind, range.commonEnd);
  Value isFull = both(kb, decision.isFull, both(kb, begins, ends));
  Value some = kb.select(isFull, stateValue(kb, TileState::All), stateValue(kb, TileState::Some));
  return kb.select(decision.isEmpty, stateValue(kb, TileState::None), some);
}

/// Stores the masks of a tile, all bits or none; returns its state.
Value GroupTiles::evaluate(Value column) {
  KernelBuilder &kb = task.kb;
  VectorType bits = kb.vector(task.integer, task.lanes);
  auto build = [&](int64_t indexLimit) {
    return kb.loop(kb.integer(0), kb.integer(task.tileRows), 1, kb.integerOf(bits, 0), [&](Value n, ValueRange any) {
      Value one = kb.add(row, n), sum = any[0];
      for (int64_t c = 0; c < task.tileRegisters; ++c) {
        Value place = kb.add(column, c * task.lanes), key = kb.add(keyBlock, place);
        Value holds = predicate.evaluate(task, positionOf(task, one), key, indexLimit);
        Value visible = both(kb, holds, buildVisible(task, rowBounds, one, key));
        Value mask = arith::ExtSIOp::create(kb.b, kb.loc, bits, visible);
        kb.store(mask, slot(n, place));
        sum = arith::OrIOp::create(kb.b, kb.loc, sum, mask);
      }
      return SmallVector<Value>{sum};
    });
  };
  Value any = predicate.forEachVersion(kb, Type(bits), build)[0];
  Value all = vector::ReductionOp::create(kb.b, kb.loc, vector::CombiningKind::OR, any);
  Value isEmpty = kb.compare(arith::CmpIPredicate::eq, all, kb.integerOf(task.integer, 0));
  return kb.select(isEmpty, stateValue(kb, TileState::None), stateValue(kb, TileState::Some));
}

Value GroupTiles::classify(Value column) {
  KernelBuilder &kb = task.kb;
  Value state = decide(column);
  auto asked = [&]() -> SmallVector<Value> { return {evaluate(column)}; };
  auto decided = [&]() -> SmallVector<Value> { return {state}; };
  state = kb.ifElse(isState(state, TileState::Some), kb.i64(), asked, decided)[0];
  kb.store(state, stateOf(column));
  return state;
}

std::pair<Value, Value> cpu::buildSeenColumns(AttendTask &task, const TilePredicate &predicate, Value keyBlock) {
  KernelBuilder &kb = task.kb;
  TilePredicate::Interval positions{positionOf(task, kb.integer(0)), positionOf(task, kb.add(task.rowCount, -1))};
  Value size = kb.integer(task.blockKeys), zero = kb.integer(0);
  auto isEmpty = [&](Value begin, Value end) {
    return predicate.decide(task, positions, {kb.add(keyBlock, begin), kb.add(kb.add(keyBlock, end), -1)}).isEmpty;
  };
  SmallVector<Value> none = {size, zero};
  SmallVector<Type> types(2, kb.i64());
  // Most blocks are empty, or have keys of interest in one place.
  auto search = [&]() -> SmallVector<Value> {
    int64_t step = 4 * task.width();
    return kb.loop(zero, size, step, none, [&](Value begin, ValueRange seen) {
      Value end = kb.min(kb.add(begin, step), size), empty = isEmpty(begin, end);
      return SmallVector<Value>{kb.select(empty, seen[0], kb.min(seen[0], begin)), kb.select(empty, seen[1], end)};
    });
  };
  auto found = kb.ifElse(isEmpty(zero, size), types, [&]() -> SmallVector<Value> { return none; }, search);
  return {found[0], found[1]};
}

ColumnRange cpu::limitRange(KernelBuilder &kb, const ColumnRange &range, std::pair<Value, Value> columns) {
  Value begin = kb.max(range.begin, columns.first), end = kb.max(kb.min(range.end, columns.second), begin);
  Value commonBegin = kb.clamp(range.commonBegin, begin, end);
  return {begin, commonBegin, kb.clamp(range.commonEnd, commonBegin, end), end};
}
