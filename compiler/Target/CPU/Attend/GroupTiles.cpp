//===- GroupTiles.cpp - The tiles of a group of rows ----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Attend/GroupTiles.h"
#include "compiler/Target/CPU/Attend/AttendBuffers.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

static Value both(KernelBuilder &kb, Value x, Value y) { return arith::AndIOp::create(kb.b, kb.loc, x, y); }

static Value positionOf(AttendBlock &task, Value row) { return task.kb.add(task.rowIndex(row), task.firstPosition()); }

Value GroupTiles::begin() const { return task.kb.mul(task.kb.floorDiv(range.begin, task.width()), task.width()); }
Value GroupTiles::end() const { return task.kb.mul(task.kb.ceilDiv(range.end, task.width()), task.width()); }

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

/// Returns a pointer to the field `entry` of the tile that holds `column`.
static Value entryOf(AttendBlock &task, Value entries, Value column, GroupTiles::Entry entry) {
  KernelBuilder &kb = task.kb;
  Value tile = kb.mul(kb.floorDiv(column, task.width()), tileEntries);
  return kb.at(kb.i64(), kb.at(kb.i64(), entries, tile), entry);
}

Value GroupTiles::load(AttendBlock &task, Value entries, Value column, Entry entry) {
  return task.kb.load(task.kb.i64(), entryOf(task, entries, column, entry));
}
void GroupTiles::store(Value column, ValueRange entry) {
  for (Entry part : {State, Begin, End})
    task.kb.store(entry[part], entryOf(task, entries, column, part));
}
void GroupTiles::storeState(Value column, TileState state) {
  task.kb.store(task.kb.integer(static_cast<int64_t>(state)), entryOf(task, entries, column, State));
}
void GroupTiles::storeEmpty(Value column) {
  KernelBuilder &kb = task.kb;
  store(column, {kb.integer(static_cast<int64_t>(TileState::None)), kb.add(column, task.width()), column});
}
Value GroupTiles::isState(Value state, TileState which) {
  return task.kb.compare(arith::CmpIPredicate::eq, state, task.kb.integer(static_cast<int64_t>(which)));
}

Value GroupTiles::slot(Value n, Value column) {
  return task.kb.at(task.real, task.at(masks, n, task.tile.getKeys()), column);
}

Value GroupTiles::loadVisible(Value n, Value column) {
  KernelBuilder &kb = task.kb;
  VectorType bits = kb.vector(task.integer(), task.lanes);
  return kb.compare(arith::CmpIPredicate::ne, kb.load(bits, slot(n, column)), kb.integerOf(bits, 0));
}

//===----------------------------------------------------------------------===//
// States
//===----------------------------------------------------------------------===//

static Value stateValue(KernelBuilder &kb, TileState state) { return kb.integer(static_cast<int64_t>(state)); }

/// Returns the state of the tile at `column`, as interval arithmetic decides it, and the columns that rows may see (the
/// fields of Entry). A tile also gets the state Some if the key bounds hide some of its columns from some row.
SmallVector<Value> GroupTiles::decide(Value column) {
  KernelBuilder &kb = task.kb;
  constexpr auto sle = arith::CmpIPredicate::sle;
  TilePredicate::Interval positions{positionOf(task, row), positionOf(task, kb.add(row, task.tile.getRows() - 1))};
  Value first = kb.add(keyBlock, column), behind = kb.add(column, task.width());
  auto decision = predicate.decide(task, positions, {first, kb.add(first, task.width() - 1)});
  Value begins = kb.compare(sle, range.commonBegin, column), ends = kb.compare(sle, behind, range.commonEnd);
  Value isFull = both(kb, decision.isFull, both(kb, begins, ends));
  Value some = kb.select(isFull, stateValue(kb, TileState::All), stateValue(kb, TileState::Some));
  Value state = kb.select(decision.isEmpty, stateValue(kb, TileState::None), some);
  return {state, kb.select(decision.isEmpty, behind, column), kb.select(decision.isEmpty, column, behind)};
}

/// Returns an i64 whose bit c is set if element c of a row of registers is not 0.
static Value columnBits(AttendBlock &task, ValueRange registers) {
  KernelBuilder &kb = task.kb;
  Value bits;
  for (auto [c, lanes] : llvm::enumerate(registers)) {
    Value isSet = kb.compare(arith::CmpIPredicate::ne, lanes, kb.integerOf(lanes.getType(), 0));
    Value packed = LLVM::BitcastOp::create(kb.b, kb.loc, kb.b.getIntegerType(task.lanes), isSet);
    Value wide = arith::ExtUIOp::create(kb.b, kb.loc, kb.i64(), packed);
    Value placed = arith::ShLIOp::create(kb.b, kb.loc, wide, kb.integer(c * task.lanes));
    bits = bits ? Value(arith::OrIOp::create(kb.b, kb.loc, bits, placed)) : placed;
  }
  return bits;
}

/// Evaluates the predicate for each pair of the tile at `column`. Stores the tile's masks, an integer for each pair: -1
/// for a visible pair, 0 for a masked one. Returns the tile's state and interval of columns (the fields of Entry).
SmallVector<Value> GroupTiles::evaluate(Value column) {
  KernelBuilder &kb = task.kb;
  VectorType bits = kb.vector(task.integer(), task.lanes);
  auto build = [&](int64_t indexLimit) {
    SmallVector<Value> none(task.tile.getRegisters(), kb.integerOf(bits, 0));
    return kb.loop(kb.integer(0), kb.integer(task.tile.getRows()), 1, none, [&](Value n, ValueRange any) {
      Value one = kb.add(row, n);
      SmallVector<Value> next;
      for (int64_t c = 0; c < task.tile.getRegisters(); ++c) {
        Value place = kb.add(column, c * task.lanes), key = kb.add(keyBlock, place);
        Value holds = predicate.evaluate(task, positionOf(task, one), key, indexLimit);
        Value visible = both(kb, holds, buildVisible(task, rowBounds, one, key, 1)[0]);
        Value mask = arith::ExtSIOp::create(kb.b, kb.loc, bits, visible);
        kb.store(mask, slot(n, place));
        next.push_back(arith::OrIOp::create(kb.b, kb.loc, any[c], mask));
      }
      return next;
    });
  };
  SmallVector<Type> types(task.tile.getRegisters(), bits);
  Value seen = columnBits(task, predicate.forEachVersion(kb, types, build));
  Value isEmpty = kb.compare(arith::CmpIPredicate::eq, seen, kb.integer(0));
  Value before = kb.min(math::CountTrailingZerosOp::create(kb.b, kb.loc, seen), kb.integer(task.width()));
  Value behind = math::CountLeadingZerosOp::create(kb.b, kb.loc, seen);
  return {kb.select(isEmpty, stateValue(kb, TileState::None), stateValue(kb, TileState::Some)), kb.add(column, before),
          kb.add(column, kb.sub(kb.integer(64), behind))};
}

Value GroupTiles::classify(Value column) {
  KernelBuilder &kb = task.kb;
  SmallVector<Value> decided = decide(column);
  SmallVector<Type> types(decided.size(), kb.i64());
  SmallVector<Value> entry = kb.ifElse(
      isState(decided[State], TileState::Some), types, [&] { return evaluate(column); }, [&] { return decided; });
  store(column, entry);
  return entry[State];
}

void GroupTiles::forSome(Value column, function_ref<void(RegisterTile shape, Value column)> build) {
  KernelBuilder &kb = task.kb;
  Value first = kb.floorDiv(load(column, Begin), task.lanes),
        last = kb.floorDiv(kb.add(load(column, End), -1), task.lanes);
  auto one = [&]() -> SmallVector<Value> {
    build({task.tile.getRows(), 1}, kb.mul(first, task.lanes));
    return {};
  };
  auto whole = [&]() -> SmallVector<Value> {
    build(shape(), column);
    return {};
  };
  kb.ifElse(kb.compare(arith::CmpIPredicate::eq, first, last), {}, one, whole);
}

std::pair<Value, Value> cpu::buildSeenColumns(AttendBlock &task, const TilePredicate &predicate, Value keyBlock) {
  KernelBuilder &kb = task.kb;
  TilePredicate::Interval positions{positionOf(task, kb.integer(0)), positionOf(task, kb.add(task.rows.count, -1))};
  Value size = kb.integer(task.tile.getKeys()), zero = kb.integer(0);
  auto isEmpty = [&](Value begin, Value end) {
    return predicate.decide(task, positions, {kb.add(keyBlock, begin), kb.add(kb.add(keyBlock, end), -1)}).isEmpty;
  };
  SmallVector<Value> none = {size, zero};
  SmallVector<Type> types(2, kb.i64());
  // Most blocks are empty, or have visible keys in one place.
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
