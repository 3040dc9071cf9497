//===- GatherRows.cpp - Rows gathered through an index map ----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whole squares of a panel are transposed in registers by a network of shuffles; what is left of the columns goes
// element by element.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/GatherRows.h"
#include "compiler/Target/Kernel/RegisterTile.h"
#include "compiler/Target/Kernel/RegisterTranspose.h"
#include "compiler/Target/Kernel/VectorConvert.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

Value GatheredRows::row(Value rank) const { return kb.at(from, matrix, kb.mul(map.at(kb, rank), stride)); }

/// One element, or a register where `type` is a vector.
static Value read(const GatheredRows &rows, Type type, Value row, Value column) {
  Value pointer = rows.kb.at(rows.from, row, column);
  auto vector = dyn_cast<VectorType>(type);
  return vector ? loadRegister(rows.kb, rows.from, vector.getNumElements(), pointer)
                : loadScalar(rows.kb, rows.from, pointer);
}

/// The columns [lane, lane + lanes) of a panel, of which `first + lane` exists.
static void buildLanes(const GatheredRows &rows, Type to, Value target, Value first, int64_t width, int64_t lane) {
  KernelBuilder &kb = rows.kb;
  int64_t lanes = kb.machine.lanes(to), whole = rows.columns / lanes * lanes;
  Value rank = kb.add(first, lane), last = kb.add(rows.end, -1);
  auto row = [&](Value n) { return rows.row(kb.min(kb.add(rank, n), last)); };
  auto line = [&](Value d) { return kb.at(to, kb.at(to, target, kb.mul(d, width)), lane); };
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
  for (int64_t lane = 0; lane < width; lane += lanes) {
    auto present = [&, lane]() -> SmallVector<Value> {
      buildLanes(*this, to, target, first, width, lane);
      return {};
    };
    auto absent = [&, lane]() -> SmallVector<Value> {
      kb.loop(kb.integer(0), kb.integer(columns), 1, [&](Value d) {
        kb.store(kb.real(kb.vector(to, lanes), 0), kb.at(to, kb.at(to, target, kb.mul(d, width)), lane));
      });
      return {};
    };
    kb.ifElse(kb.compare(arith::CmpIPredicate::slt, kb.add(first, lane), end), {}, present, absent);
  }
}

void GatheredRows::buildRows(Type to, Value target, Value first, Value count, int64_t padded) const {
  kb.loop(kb.integer(0), kb.min(kb.sub(end, first), count), 1, [&](Value n) {
    Value source = row(kb.add(first, n)), line = kb.at(to, target, kb.mul(n, padded));
    forEachRegister(kb, to, columns,
                    [&](Value d, Type type) { kb.store(read(*this, type, source, d), kb.at(to, line, d)); });
    kb.loop(kb.integer(columns), kb.integer(padded), 1, [&](Value d) { kb.store(kb.real(to, 0), kb.at(to, line, d)); });
  });
}

void GatheredRows::request(Value rank) const { kb.prefetchRow(from, row(rank), columns); }
