//===- AttendBlock.cpp - The rows of a block and their bounds -------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each row of a block sees an interval of key ranks (AttendTask.cpp). From these intervals, computes two intervals for
// each group of rows: the ranks outside of which no row of the group sees a key, and the ranks that all rows of the
// group see.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Attend/AttendBlock.h"
#include "compiler/Target/CPU/Attend/AttendBuffers.h"
#include "compiler/Target/CPU/Machine/ProductForms.h"
#include "dialects/xf/IR/XfOps.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

static constexpr auto slt = arith::CmpIPredicate::slt;

static Value loadIndex(KernelBuilder &kb, Value array, Value index) {
  return kb.load(kb.i64(), kb.at(kb.i64(), array, index));
}
static void storeIndex(KernelBuilder &kb, Value value, Value array, Value index) {
  kb.store(value, kb.at(kb.i64(), array, index));
}

void AttendBlock::setSchedule(xft::RegisterTilesAttr schedule, Type type) {
  tile = schedule.getTile();
  real = xf::accumulatorType(type);
  product = schedule.getOperand() ? panelForm(machineOf(kb), type, schedule.getOperand()) : form();
  if (schedule.getOperand() && tile.getRows() == TileForm::rows)
    tileForm = TileForm::get(machineOf(kb), type);
  lanes = tile.getLanes();
  tableGroups = {tile.getRows(), tile.getWidth()};
  int64_t fitting = product.columnsThatFit(machineOf(kb).registers, tile.getRows());
  endRegisters = tile.getRegisters() == 1 ? 1 : std::clamp<int64_t>(fitting, 1, spillRegisters);
}

LogicalResult AttendBlock::requireProducts(Operation *op, xft::AttendSchedule schedule) {
  Type operand = cast<xft::RegisterTilesAttr>(schedule).getOperand();
  if (!operand || operand == product.operand)
    return success();
  return op->emitError("expected a CPU with products of ") << operand << ", got " << kb.machine.cpu;
}

GatheredRows cpu::positionsOf(AttendBlock &task, const RankMap &map, const View &view, int64_t columns, Value b,
                              Value h) {
  KernelBuilder &kb = task.kb;
  Value toRow = task.part.first ? kb.sub(kb.integer(0), task.firstPosition()) : kb.sub(task.nq, task.nk);
  Value start = kb.mul(toRow, view.strides[2]);
  return {kb,
          map,
          kb.at(view.element, view.at(kb, {b, h}), start),
          view.element,
          view.strides[2],
          columns,
          map.rank(kb, task.endPosition())};
}

Value cpu::buildRowCount(AttendBlock &task, const RankMap &queries) {
  KernelBuilder &kb = task.kb;
  return kb.sub(queries.rank(kb, task.endPosition()), queries.rank(kb, task.firstPosition()));
}

void cpu::buildRowsOf(AttendBlock &task, const RankMap &queries, Value first, Value end, function_ref<void()> body) {
  KernelBuilder &kb = task.kb;
  Value offset = task.firstPosition();
  task.rows.count = kb.min(kb.sub(end, first), kb.integer(task.tile.getQueries()));
  kb.ifThen(kb.compare(slt, kb.integer(0), task.rows.count), [&] {
    task.rows.padded = kb.mul(kb.ceilDiv(task.rows.count, task.tile.getRows()), task.tile.getRows());
    queries.forEach(kb, kb.add(queries.rank(kb, offset), first), task.rows.count, [&](Value row, Value position) {
      storeIndex(kb, kb.sub(position, offset), task.rows.indices, row);
    });
    Value last = task.rowIndex(kb.add(task.rows.count, -1));
    kb.loop(task.rows.count, task.rows.padded, 1, [&](Value row) { storeIndex(kb, last, task.rows.indices, row); });
    body();
  });
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

/// Computes the bounds of the group of rows that begins at `row` from the bounds of its rows in `rows`, and stores them
/// to `groups`. Returns the interval `range` (begin, end), extended to cover what the group sees.
static SmallVector<Value> buildGroup(AttendBlock &task, Value rows, Value groups, Value row, ValueRange range) {
  KernelBuilder &kb = task.kb;
  Value none = kb.integer(std::numeric_limits<int64_t>::max()), zero = kb.integer(0);
  Value begin = none, end = zero, commonBegin = zero, commonEnd = none;
  for (int64_t n = 0; n < task.tile.getRows(); ++n) {
    Value index = kb.mul(kb.add(row, n), 2);
    Value lower = loadIndex(kb, rows, index), upper = loadIndex(kb, rows, kb.add(index, 1));
    Value seen = kb.compare(slt, lower, upper);
    begin = kb.min(begin, kb.select(seen, lower, none));
    end = kb.max(end, kb.select(seen, upper, zero));
    commonBegin = kb.max(commonBegin, lower);
    commonEnd = kb.min(commonEnd, upper);
  }
  Value index = kb.mul(kb.floorDiv(row, task.tile.getRows()), 4);
  Value bounds[] = {begin, commonBegin, commonEnd, end};
  for (auto [n, bound] : llvm::enumerate(bounds))
    storeIndex(kb, bound, groups, kb.add(index, n));
  return {kb.min(range[0], begin), kb.max(range[1], end)};
}

void cpu::buildRowBounds(AttendBlock &task, PieceAttr piece, Value rows, bool paddingSees) {
  KernelBuilder &kb = task.kb;
  PieceBounds bounds = PieceBounds::of(task, piece);
  ResidueMap keys = ResidueMap::of(kb, piece.getKeys(), task.r);
  kb.loop(kb.integer(0), task.rows.padded, 1, [&](Value row) {
    auto [lower, upper] = bounds.interval(keys, task.rowIndex(row));
    if (!paddingSees)
      upper = kb.select(kb.compare(slt, row, task.rows.count), upper, lower);
    storeIndex(kb, lower, rows, kb.mul(row, 2));
    storeIndex(kb, upper, rows, kb.add(kb.mul(row, 2), 1));
  });
}

std::pair<Value, Value> cpu::buildGroupBounds(AttendBlock &task, Value rows, Value groups) {
  KernelBuilder &kb = task.kb;
  SmallVector<Value> empty = {kb.integer(std::numeric_limits<int64_t>::max()), kb.integer(0)};
  auto range = kb.loop(kb.integer(0), task.rows.padded, task.tile.getRows(), empty,
                       [&](Value row, ValueRange range) { return buildGroup(task, rows, groups, row, range); });
  return {range[0], range[1]};
}

//===----------------------------------------------------------------------===//
// Columns
//===----------------------------------------------------------------------===//

ColumnRange cpu::buildColumnRange(AttendBlock &task, Value groups, Value row, Value keyBlock) {
  KernelBuilder &kb = task.kb;
  Value index = kb.mul(kb.floorDiv(row, task.tile.getRows()), 4);
  SmallVector<Value> bounds; // begin, commonBegin, commonEnd, end
  for (int64_t n = 0; n < 4; ++n) {
    Value bound = kb.sub(loadIndex(kb, groups, kb.add(index, n)), keyBlock);
    bounds.push_back(kb.clamp(bound, kb.integer(0), kb.integer(task.tile.getKeys())));
  }
  Value commonBegin = kb.clamp(bounds[1], bounds[0], bounds[3]);
  return {bounds[0], commonBegin, kb.clamp(bounds[2], commonBegin, bounds[3]), bounds[3]};
}

/// Returns the width, in registers, of the next tile at an end of an interval of columns. `count` registers of this end
/// are left. A tile has at most task.endRegisters registers. If this limit is three and four registers are left, the
/// tile gets two, so that two tiles of two follow instead of three and one.
static Value registersOfEnd(AttendBlock &task, Value count) {
  KernelBuilder &kb = task.kb;
  Value most = kb.min(count, kb.integer(task.endRegisters));
  if (task.endRegisters != 3)
    return most;
  return kb.select(kb.compare(arith::CmpIPredicate::eq, count, kb.integer(4)), kb.integer(2), most);
}

SmallVector<Value>
cpu::forEachPanelTile(AttendBlock &task, const ColumnRange &range, ValueRange carried,
                      function_ref<SmallVector<Value>(RegisterTile, Value, PanelTiles, ValueRange)> body) {
  KernelBuilder &kb = task.kb;
  auto alignDown = [&](Value x, int64_t y) { return kb.mul(kb.floorDiv(x, y), y); };
  auto alignUp = [&](Value x, int64_t y) { return kb.mul(kb.ceilDiv(x, y), y); };
  Value first = alignDown(range.begin, task.lanes), last = alignUp(range.end, task.lanes);
  Value wholeBegin = alignUp(range.commonBegin, task.width()), wholeEnd = alignDown(range.commonEnd, task.width());
  Value endOfFirst = kb.select(kb.compare(slt, wholeBegin, wholeEnd), wholeBegin, last);

  SmallVector<Value> state(carried);
  state.push_back(first); // the column of the next tile
  SmallVector<Type> types(ValueRange(state).getTypes());
  auto tile = [&](RegisterTile shape, PanelTiles kind, ValueRange before) {
    Value column = before.back();
    SmallVector<Value> next = body(shape, column, kind, before.drop_back());
    next.push_back(kb.add(column, shape.registers * task.lanes));
    return next;
  };
  auto ends = [&](ValueRange before) {
    Value column = before.back();
    Value end = kb.select(kb.compare(slt, column, endOfFirst), endOfFirst, last);
    Value count = registersOfEnd(task, kb.floorDiv(kb.sub(end, column), task.lanes));
    std::function<SmallVector<Value>(int64_t)> upTo = [&](int64_t registers) {
      auto here = [&] { return tile({task.tile.getRows(), registers}, PanelTiles::Ends, before); };
      if (registers == 1)
        return here();
      Value isIt = kb.compare(arith::CmpIPredicate::eq, count, kb.integer(registers));
      return kb.ifElse(isIt, types, here, [&] { return upTo(registers - 1); });
    };
    return upTo(task.endRegisters);
  };
  auto tiles = [&] {
    return kb.repeat(state, [&](ValueRange before) {
      Value column = before.back(), isBehind = kb.compare(arith::CmpIPredicate::sle, wholeBegin, column);
      Value isWhole = arith::AndIOp::create(kb.b, kb.loc, isBehind, kb.compare(slt, column, wholeEnd));
      auto whole = [&] { return tile({task.tile.getRows(), task.tile.getRegisters()}, PanelTiles::Whole, before); };
      SmallVector<Value> next = kb.ifElse(isWhole, types, whole, [&] { return ends(before); });
      next.push_back(kb.compare(slt, next.back(), last));
      return next;
    });
  };
  state = kb.ifElse(kb.compare(slt, first, last), types, tiles, [&] { return state; });
  state.pop_back();
  return state;
}

SmallVector<Value> cpu::buildVisible(AttendBlock &task, Value rows, Value row, Value rank, int64_t registers) {
  KernelBuilder &kb = task.kb;
  Value index = kb.mul(row, 2);
  auto limit = [&](int64_t which) {
    Value distance = kb.sub(loadIndex(kb, rows, kb.add(index, which)), rank);
    Value narrow = kb.clamp(distance, kb.integer(0), kb.integer(registers * task.lanes));
    return kb.broadcast(arith::TruncIOp::create(kb.b, kb.loc, kb.b.getI32Type(), narrow), task.lanes);
  };
  Value begin = limit(0), end = limit(1);
  SmallVector<Value> visible;
  for (int64_t c = 0; c < registers; ++c) {
    SmallVector<int32_t> numbers = llvm::to_vector(llvm::seq<int32_t>(c * task.lanes, (c + 1) * task.lanes));
    Value columns = kb.constant(kb.b.getI32VectorAttr(numbers));
    Value from = kb.compare(arith::CmpIPredicate::sge, columns, begin), to = kb.compare(slt, columns, end);
    visible.push_back(arith::AndIOp::create(kb.b, kb.loc, from, to));
  }
  return visible;
}
