//===- AttendVjpRuns.cpp - The pairs that a predicate leaves to products --===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a predicate decides tile by tile, most tiles of a meeting may be empty. The products go through the others
// only: as runs of rows for each group of keys, and as runs of keys for each group of rows.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/AttendVjpKernel.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

static constexpr auto eq = arith::CmpIPredicate::eq, ne = arith::CmpIPredicate::ne;

ColumnRange cpu::buildSeenRange(AttendVjpKernel &k, Value row) {
  ColumnRange range = buildColumnRange(k, k.groupBounds, row, k.firstKey);
  return k.predicate ? limitRange(k.kb, range, k.seen) : range;
}

Value cpu::tileStatesOf(AttendVjpKernel &k, Value row) {
  Value first = k.kb.mul(k.kb.floorDiv(row, k.tileRows), k.blockKeys / k.width());
  return k.kb.at(k.kb.i64(), k.tileStates, first);
}

/// Whether the tile of the group at `row` that holds `column` has a pair.
static Value hasPairs(AttendVjpKernel &k, Value row, Value column) {
  KernelBuilder &kb = k.kb;
  Value state = kb.load(kb.i64(), kb.at(kb.i64(), tileStatesOf(k, row), kb.floorDiv(column, k.width())));
  return kb.compare(ne, state, kb.integer(static_cast<int64_t>(TileState::None)));
}

/// The parts [x, x + step) of [begin, end) that are `seen`, as runs: their number, then where each begins and ends.
static void buildRuns(AttendVjpKernel &k, Value begin, Value end, int64_t step, Value runs,
                      function_ref<Value(Value)> seen) {
  KernelBuilder &kb = k.kb;
  auto entry = [&](Value n) { return kb.at(kb.i64(), runs, n); };
  kb.store(kb.integer(-1), entry(kb.integer(0))); // where no run ends
  Value count = kb.loop(begin, end, step, kb.integer(0), [&](Value x, ValueRange count) {
    auto add = [&]() -> SmallVector<Value> {
      Value joins = kb.compare(eq, kb.load(kb.i64(), entry(kb.mul(count[0], 2))), x);
      Value next = kb.select(joins, count[0], kb.add(count[0], 1)), start = entry(kb.add(kb.mul(next, 2), -1));
      kb.store(kb.select(joins, kb.load(kb.i64(), start), x), start);
      kb.store(kb.min(kb.add(x, step), end), entry(kb.mul(next, 2)));
      return {next};
    };
    return kb.ifElse(seen(x), kb.i64(), add, [&] { return SmallVector<Value>(count); });
  })[0];
  kb.store(count, entry(kb.integer(0)));
}

void cpu::buildRowRuns(AttendVjpKernel &k, Value key, Value runs) {
  KernelBuilder &kb = k.kb;
  Value last = kb.add(key, k.tileRows - 1); // of the group, which may reach into a second tile
  buildRuns(k, kb.integer(0), k.paddedRows, k.tileRows, runs, [&](Value row) -> Value {
    return arith::OrIOp::create(kb.b, kb.loc, hasPairs(k, row, key), hasPairs(k, row, last));
  });
}

void cpu::buildKeyRuns(AttendVjpKernel &k, Value row, const ColumnRange &range, Value runs) {
  KernelBuilder &kb = k.kb;
  Value begin = kb.mul(kb.floorDiv(range.begin, k.width()), k.width());
  buildRuns(k, begin, range.end, k.width(), runs, [&](Value column) { return hasPairs(k, row, column); });
}
