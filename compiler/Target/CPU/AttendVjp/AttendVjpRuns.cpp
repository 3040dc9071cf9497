//===- AttendVjpRuns.cpp - Tiles with pairs, as runs ----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With a predicate, most tiles of a block of rows and a block of keys may be empty. So products skip empty tiles. In
// the other tiles, they skip the columns at both ends that no row sees. The intervals of rows or keys that remain are
// called *runs*. A product for a group of keys loops over runs of rows, and a product for a group of rows loops over
// runs of keys.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/AttendVjp/AttendVjpKernel.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

static constexpr auto eq = arith::CmpIPredicate::eq, slt = arith::CmpIPredicate::slt;

ColumnRange cpu::buildSeenRange(AttendVjpKernel &k, Value row) {
  ColumnRange range = buildColumnRange(k, k.buffers.groupBounds, row, k.keyBlock.first);
  return k.pairs.predicate ? limitRange(k.kb, range, k.rowBlock.seen) : range;
}

Value cpu::tileStatesOf(AttendVjpKernel &k, Value row) {
  int64_t entries = k.tile.getKeys() / k.width() * tileEntries;
  return k.kb.at(k.kb.i64(), k.buffers.tileStates, k.kb.mul(k.kb.floorDiv(row, k.tile.getRows()), entries));
}

/// Loads the columns (begin, end) that the group of rows that begins at `row` sees within the tile that holds `column`.
static std::pair<Value, Value> seenOfTile(AttendVjpKernel &k, Value row, Value column) {
  Value entries = tileStatesOf(k, row);
  return {GroupTiles::load(k, entries, column, GroupTiles::Begin),
          GroupTiles::load(k, entries, column, GroupTiles::End)};
}

/// Stores runs to `runs`, in the layout of buildRowRuns. Splits [begin, end) into steps [x, x + step). For each step,
/// takes the interval that seen(x) returns, and joins intervals that touch.
static void buildRuns(AttendVjpKernel &k, Value begin, Value end, int64_t step, Value runs,
                      function_ref<std::pair<Value, Value>(Value)> seen) {
  KernelBuilder &kb = k.kb;
  auto entry = [&](Value n) { return kb.at(kb.i64(), runs, n); };
  kb.store(kb.integer(-1), entry(kb.integer(0))); // -1: no run ends there
  Value count = kb.loop(begin, end, step, kb.integer(0), [&](Value x, ValueRange count) {
    auto [first, last] = seen(x);
    auto add = [&, first = first, last = last]() -> SmallVector<Value> {
      Value joins = kb.compare(eq, kb.load(kb.i64(), entry(kb.mul(count[0], 2))), first);
      Value next = kb.select(joins, count[0], kb.add(count[0], 1)), start = entry(kb.add(kb.mul(next, 2), -1));
      kb.store(kb.select(joins, kb.load(kb.i64(), start), first), start);
      kb.store(kb.min(last, end), entry(kb.mul(next, 2)));
      return {next};
    };
    return kb.ifElse(kb.compare(slt, first, last), kb.i64(), add, [&] { return SmallVector<Value>(count); });
  })[0];
  kb.store(count, entry(kb.integer(0)));
}

void cpu::buildRowRuns(AttendVjpKernel &k, Value key, Value runs) {
  KernelBuilder &kb = k.kb;
  Value end = kb.add(key, k.tile.getRows());
  auto overlaps = [&](std::pair<Value, Value> seen) -> Value {
    Value before = kb.compare(slt, seen.first, end), behind = kb.compare(slt, key, seen.second);
    return arith::AndIOp::create(kb.b, kb.loc, before, behind);
  };
  buildRuns(k, kb.integer(0), k.rows.padded, k.tile.getRows(), runs, [&](Value row) -> std::pair<Value, Value> {
    Value hasPairs = overlaps(seenOfTile(k, row, key));
    if (k.width() % k.tile.getRows()) // the group may reach into a second tile
      hasPairs = arith::OrIOp::create(kb.b, kb.loc, hasPairs, overlaps(seenOfTile(k, row, kb.add(end, -1))));
    return {row, kb.select(hasPairs, kb.add(row, k.tile.getRows()), row)};
  });
}

void cpu::buildKeyRuns(AttendVjpKernel &k, Value row, const ColumnRange &range, Value runs) {
  KernelBuilder &kb = k.kb;
  Value begin = kb.mul(kb.floorDiv(range.begin, k.width()), k.width());
  buildRuns(k, begin, range.end, k.width(), runs, [&](Value column) { return seenOfTile(k, row, column); });
}
