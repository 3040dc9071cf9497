//===- AttendTask.cpp - Which keys each row sees --------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Row by row, a piece's affine bounds become an interval [lower, upper) of key ranks. From those of its rows every
// group gets the ranks that some row sees and those that all rows see.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/AttendTask.h"
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

void AttendTask::setTile(xft::AttendTileAttr tile, Type type) {
  real = xf::accumulatorType(type);
  integer = real.isF64() ? kb.b.getI64Type() : kb.b.getI32Type();
  lanes = tile.getLanes();
  tileRows = tile.getRows();
  tileRegisters = tile.getRegisters();
  blockRows = tile.getQueries();
  blockKeys = tile.getKeys();
}

Value cpu::headOf(AttendTask &task, const View &keys, Value head) {
  return task.kb.div(head, task.kb.div(task.q.sizes[1], keys.sizes[1]));
}

GatheredRows cpu::positionsOf(AttendTask &task, const ResidueMap &map, const View &view, int64_t columns, Value b,
                              Value h) {
  KernelBuilder &kb = task.kb;
  Value start = kb.mul(kb.sub(task.nq, task.nk), view.strides[2]); // of positions against rows
  return {kb,
          map,
          kb.at(view.element, view.at(kb, {b, h}), start),
          view.element,
          view.strides[2],
          columns,
          map.rank(kb, task.nk)};
}

void cpu::buildRowsOf(AttendTask &task, IndexMapAttr map, Value block, function_ref<void()> body) {
  KernelBuilder &kb = task.kb;
  ResidueMap queries = ResidueMap::of(kb, map, task.r);
  Value offset = kb.sub(task.nk, task.nq); // of positions against rows
  Value first = kb.add(queries.rank(kb, offset), kb.mul(block, task.blockRows)), end = queries.rank(kb, task.nk);
  task.rowCount = kb.min(kb.sub(end, first), kb.integer(task.blockRows));
  kb.ifThen(kb.compare(slt, kb.integer(0), task.rowCount), [&] {
    task.paddedRows = kb.mul(kb.ceilDiv(task.rowCount, task.tileRows), task.tileRows);
    Value last = kb.add(kb.add(first, task.rowCount), -1);
    kb.loop(kb.integer(0), task.paddedRows, 1, [&](Value row) {
      storeIndex(kb, kb.sub(queries.at(kb, kb.min(kb.add(first, row), last)), offset), task.rowOf, row);
    });
    body();
  });
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

SmallVector<Value> PieceBounds::evaluate(AffineMap map, Value position) {
  SmallVector<Value> results;
  if (map)
    for (AffineExpr expression : map.getResults())
      results.push_back(buildAffine(task.kb, expression, position, symbols));
  return results;
}

std::pair<Value, Value> PieceBounds::interval(const ResidueMap &keys, Value row) {
  KernelBuilder &kb = task.kb;
  Value position = kb.add(row, kb.sub(task.nk, task.nq));
  Value first = kb.integer(0), limit = keyLimit;
  for (Value bound : evaluate(piece.getLower(), position))
    first = kb.max(first, bound);
  for (Value bound : evaluate(piece.getUpper(), position))
    limit = kb.min(limit, kb.add(bound, 1));
  Value lower = keys.rank(kb, first), upper = kb.max(keys.rank(kb, limit), lower);
  for (Value condition : evaluate(piece.getRows(), position))
    upper = kb.select(kb.compare(slt, condition, kb.integer(0)), lower, upper);
  if (rowLimit)
    upper = kb.select(kb.compare(slt, row, rowLimit), upper, lower);
  return {lower, upper};
}

Value cpu::loadPerHead(AttendTask &task, Value operand) {
  KernelBuilder &kb = task.kb;
  View view = View::of(kb, operand);
  SmallVector<Value> indices = {task.b, task.h};
  indices.truncate(view.sizes.size());
  for (auto [dimension, index] : llvm::enumerate(indices))
    if (cast<MemRefType>(operand.getType()).getDimSize(dimension) == 1)
      index = kb.integer(0);
  Value element = kb.load(view.element, view.at(kb, indices));
  return view.element.isInteger(64) ? element : Value(arith::ExtSIOp::create(kb.b, kb.loc, kb.i64(), element));
}

PieceBounds PieceBounds::of(AttendTask &task, PieceAttr piece) {
  KernelBuilder &kb = task.kb;
  PieceBounds bounds{task, piece, {task.nq, task.nk}, task.nk, Value()};
  for (Value symbol : task.symbols)
    bounds.symbols.push_back(loadPerHead(task, symbol));
  if (task.lengths)
    bounds.keyLimit = kb.clamp(loadPerHead(task, task.lengths), kb.integer(0), task.nk);
  if (task.queryLengths)
    bounds.rowLimit = loadPerHead(task, task.queryLengths);
  return bounds;
}

/// Bounds of the group at `row` from those of its rows; returns (begin, end) joined with `range`.
static SmallVector<Value> buildGroup(AttendTask &task, Value rows, Value groups, Value row, ValueRange range) {
  KernelBuilder &kb = task.kb;
  Value none = kb.integer(std::numeric_limits<int64_t>::max()), zero = kb.integer(0);
  Value begin = none, end = zero, commonBegin = zero, commonEnd = none;
  for (int64_t n = 0; n < task.tileRows; ++n) {
    Value index = kb.mul(kb.add(row, n), 2);
    Value lower = loadIndex(kb, rows, index), upper = loadIndex(kb, rows, kb.add(index, 1));
    Value seen = kb.compare(slt, lower, upper);
    begin = kb.min(begin, kb.select(seen, lower, none));
    end = kb.max(end, kb.select(seen, upper, zero));
    commonBegin = kb.max(commonBegin, lower);
    commonEnd = kb.min(commonEnd, upper);
  }
  Value index = kb.mul(kb.floorDiv(row, task.tileRows), 4);
  Value bounds[] = {begin, commonBegin, commonEnd, end};
  for (auto [n, bound] : llvm::enumerate(bounds))
    storeIndex(kb, bound, groups, kb.add(index, n));
  return {kb.min(range[0], begin), kb.max(range[1], end)};
}

std::pair<Value, Value> cpu::buildBounds(AttendTask &task, PieceAttr piece, Value rows, Value groups,
                                         bool paddingSees) {
  KernelBuilder &kb = task.kb;
  PieceBounds bounds = PieceBounds::of(task, piece);
  ResidueMap keys = ResidueMap::of(kb, piece.getKeys(), task.r);
  kb.loop(kb.integer(0), task.paddedRows, 1, [&](Value row) {
    auto [lower, upper] = bounds.interval(keys, task.rowIndex(row));
    if (!paddingSees)
      upper = kb.select(kb.compare(slt, row, task.rowCount), upper, lower);
    storeIndex(kb, lower, rows, kb.mul(row, 2));
    storeIndex(kb, upper, rows, kb.add(kb.mul(row, 2), 1));
  });
  SmallVector<Value> empty = {kb.integer(std::numeric_limits<int64_t>::max()), kb.integer(0)};
  auto range = kb.loop(kb.integer(0), task.paddedRows, task.tileRows, empty,
                       [&](Value row, ValueRange range) { return buildGroup(task, rows, groups, row, range); });
  return {range[0], range[1]};
}

std::pair<Value, Value> cpu::buildQueryRange(AttendTask &task, PieceAttr piece, Value first, Value last) {
  KernelBuilder &kb = task.kb;
  ResidueMap queries = ResidueMap::of(kb, piece.getQueries(), task.r);
  Value offset = kb.sub(task.nk, task.nq), origin = queries.rank(kb, offset);
  if (!piece.getHasInverse())
    return {kb.integer(0), kb.sub(queries.rank(kb, task.nk), origin)};
  PieceBounds bounds = PieceBounds::of(task, piece);
  ResidueMap keys = ResidueMap::of(kb, piece.getKeys(), task.r);
  SmallVector<Value> empty = {task.nk, offset};
  auto positions = kb.loop(first, last, 1, empty, [&](Value rank, ValueRange positions) {
    Value key = keys.at(kb, rank), lower = offset, upper = task.nk;
    for (Value bound : bounds.evaluate(piece.getQueryLower(), key))
      lower = kb.max(lower, bound);
    for (Value bound : bounds.evaluate(piece.getQueryUpper(), key))
      upper = kb.min(upper, kb.add(bound, 1));
    for (Value condition : bounds.evaluate(piece.getColumns(), key))
      upper = kb.select(kb.compare(slt, condition, kb.integer(0)), lower, upper);
    Value seen = kb.compare(slt, lower, upper);
    return SmallVector<Value>{kb.select(seen, kb.min(positions[0], lower), positions[0]),
                              kb.select(seen, kb.max(positions[1], upper), positions[1])};
  });
  return {kb.sub(queries.rank(kb, positions[0]), origin), kb.sub(queries.rank(kb, positions[1]), origin)};
}

//===----------------------------------------------------------------------===//
// Columns
//===----------------------------------------------------------------------===//

ColumnRange cpu::buildColumnRange(AttendTask &task, Value groups, Value row, Value keyBlock) {
  KernelBuilder &kb = task.kb;
  Value index = kb.mul(kb.floorDiv(row, task.tileRows), 4);
  SmallVector<Value> bounds; // begin, commonBegin, commonEnd, end
  for (int64_t n = 0; n < 4; ++n) {
    Value bound = kb.sub(loadIndex(kb, groups, kb.add(index, n)), keyBlock);
    bounds.push_back(kb.clamp(bound, kb.integer(0), kb.integer(task.blockKeys)));
  }
  Value commonBegin = kb.clamp(bounds[1], bounds[0], bounds[3]);
  return {bounds[0], commonBegin, kb.clamp(bounds[2], commonBegin, bounds[3]), bounds[3]};
}

Value cpu::buildVisible(AttendTask &task, Value rows, Value row, Value rank) {
  KernelBuilder &kb = task.kb;
  Value index = kb.mul(row, 2), lanes = kb.iota(task.lanes);
  auto limit = [&](int64_t which) {
    Value distance = kb.sub(loadIndex(kb, rows, kb.add(index, which)), rank);
    Value narrow = kb.clamp(distance, kb.integer(0), kb.integer(task.lanes));
    return kb.broadcast(arith::TruncIOp::create(kb.b, kb.loc, kb.b.getI32Type(), narrow), task.lanes);
  };
  Value from = kb.compare(arith::CmpIPredicate::sge, lanes, limit(0));
  Value to = kb.compare(arith::CmpIPredicate::slt, lanes, limit(1));
  return arith::AndIOp::create(kb.b, kb.loc, from, to);
}
