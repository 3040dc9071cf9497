//===- GatherRows.cpp - Packing of gathered rows --------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whole squares of a panel are transposed in registers by a network of shuffles; the remaining columns are copied
// element by element.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Operands/GatherRows.h"
#include "compiler/Target/Kernel/Code/RegisterTile.h"
#include "compiler/Target/Kernel/Code/RegisterTranspose.h"
#include "compiler/Target/Kernel/Code/VectorConvert.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

Value GatheredRows::rowAt(Value index) const { return kb.at(from, matrix, kb.mul(index, stride)); }

/// Loads the element at `column` of the row at pointer `row`, or a register from there on if `type` is a vector.
static Value read(const GatheredRows &rows, Type type, Value row, Value column) {
  Value pointer = rows.kb.at(rows.from, row, column);
  auto vector = dyn_cast<VectorType>(type);
  return vector ? loadRegister(rows.kb, rows.from, vector.getNumElements(), pointer)
                : loadScalar(rows.kb, rows.from, pointer);
}

/// Packs a register of panel columns to `target`, transposed; `row` returns a pointer to the source row of column n.
static void buildLanes(const GatheredRows &rows, Type to, Value target, int64_t width,
                       function_ref<Value(Value n)> row) {
  KernelBuilder &kb = rows.kb;
  int64_t lanes = kb.machine.lanes(to), whole = rows.columns / lanes * lanes;
  auto line = [&](Value d) { return kb.at(to, target, kb.mul(d, width)); };
  SmallVector<Value> pointers;
  for (int64_t n = 0; n < lanes; ++n)
    pointers.push_back(row(kb.integer(n)));
  kb.loop(kb.integer(0), kb.integer(whole), lanes, [&](Value d) {
    SmallVector<Value> square;
    for (Value pointer : pointers)
      square.push_back(read(rows, kb.vector(to, lanes), pointer, d));
    for (auto [n, column] : llvm::enumerate(transposeRegisters(kb, square)))
      kb.store(column, line(kb.add(d, n)));
  });
  kb.loop(kb.integer(whole), kb.integer(rows.columns), 1, [&](Value d) {
    kb.loop(kb.integer(0), kb.integer(lanes), 1,
            [&](Value n) { kb.store(read(rows, to, row(n), d), kb.at(to, line(d), n)); });
  });
}

void GatheredRows::buildPanel(Type to, Value target, Value first, int64_t width) const {
  int64_t lanes = kb.machine.lanes(to);
  Value last = kb.add(end, -1), indices;
  auto slot = [&](Value n) { return kb.at(kb.i64(), indices, n); };
  if (!map.hasKnownWindows()) { // one division for all
    indices = kb.stack(kb.i64(), width);
    map.forEach(kb, first, kb.min(kb.sub(end, first), kb.integer(width)),
                [&](Value n, Value index) { kb.store(index, slot(n)); });
  }
  kb.loop(kb.integer(0), kb.integer(width), lanes, [&](Value lane) {
    Value begin = kb.add(first, lane), part = kb.at(to, target, lane);
    auto row = [&](Value n) {
      Value rank = kb.min(kb.add(begin, n), last);
      return indices ? rowAt(kb.load(kb.i64(), slot(kb.sub(rank, first)))) : this->row(rank);
    };
    auto present = [&]() -> SmallVector<Value> {
      buildLanes(*this, to, part, width, row);
      return {};
    };
    auto absent = [&]() -> SmallVector<Value> {
      kb.loop(kb.integer(0), kb.integer(columns), 1,
              [&](Value d) { kb.store(kb.real(kb.vector(to, lanes), 0), kb.at(to, part, kb.mul(d, width))); });
      return {};
    };
    kb.ifElse(kb.compare(arith::CmpIPredicate::slt, begin, end), {}, present, absent);
  });
}

void GatheredRows::buildRows(Type to, Value target, Value first, Value count, int64_t padded) const {
  map.forEach(kb, first, kb.min(kb.sub(end, first), count), [&](Value n, Value index) {
    Value source = rowAt(index), line = kb.at(to, target, kb.mul(n, padded));
    forEachRegister(kb, to, columns,
                    [&](Value d, Type type) { kb.store(read(*this, type, source, d), kb.at(to, line, d)); });
    kb.loop(kb.integer(columns), kb.integer(padded), 1, [&](Value d) { kb.store(kb.real(to, 0), kb.at(to, line, d)); });
  });
}

void GatheredRows::prefetch(Value rank) const { kb.prefetchRow(from, row(rank), columns); }
