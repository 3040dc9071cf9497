//===- GatherRows.cpp - Packing of gathered rows --------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Transposes whole squares of a panel in registers, by a network of shuffles. Copies the remaining columns element by
// element. The terms of one instruction move as one element.
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

/// Loads the element at column `column` of the row at pointer `row`. Converts it to type `to`, in the form that
/// elements of `to` have in memory. If `lanes` is not 0, loads a register of `lanes` elements from this column on.
static Value read(const GatheredRows &rows, Type to, int64_t lanes, Value row, Value column) {
  KernelBuilder &kb = rows.kb;
  Value pointer = kb.at(rows.from, row, column);
  if (to == rows.from) // not through another type
    return kb.load(lanes ? kb.vector(memoryType(to), lanes) : memoryType(to), pointer);
  return toMemory(kb, lanes ? loadRegister(kb, rows.from, lanes, pointer) : loadScalar(kb, rows.from, pointer), to);
}

namespace {
/// Packs a register of panel columns: as many rows of a matrix as a register of sums has lanes.
struct LanesPacker {
  const GatheredRows &rows;
  const ProductForm &form;
  Value target; ///< first column of the panel
  int64_t width;
  function_ref<Value(Value n)> row; ///< returns a pointer to the source row of column n

  KernelBuilder &kb = rows.kb;
  int64_t lanes = kb.machine.lanes(form.sum), terms = form.terms;

  /// Returns a pointer to the terms of one instruction in the panel, from column `d` of the matrix on. `d` is a
  /// multiple of the number of these terms.
  Value line(Value d) { return kb.at(form.packed, target, kb.mul(d, width)); }
  Value load(Value pointer, Value d);
  void packSquare(ArrayRef<Value> pointers, Value d);
  void packElements(Value begin);
  void pack();
};
} // namespace

/// Loads a register of columns of one row, from column `d` on. If an instruction takes several terms, each element of
/// the register is a group of as many columns.
Value LanesPacker::load(Value pointer, Value d) {
  if (terms == 1)
    return read(rows, form.packed, lanes, pointer, d);
  int64_t bits = form.packed.getIntOrFloatBitWidth();
  return kb.load(kb.vector(kb.b.getIntegerType(bits * terms), lanes), kb.at(rows.from, pointer, d), bits / 8);
}

void LanesPacker::packSquare(ArrayRef<Value> pointers, Value d) {
  SmallVector<Value> square;
  for (Value pointer : pointers)
    square.push_back(load(pointer, d));
  for (auto [n, column] : llvm::enumerate(transposeRegisters(kb, square)))
    kb.store(column, line(kb.add(d, n * terms)));
}

/// Packs the columns from `begin` on element by element. Terms of the last instruction that have no column become
/// zeros.
void LanesPacker::packElements(Value begin) {
  Value columns = kb.integer(rows.columns), zero = toMemory(kb, kb.real(computeType(form.packed), 0), form.packed);
  kb.loop(begin, kb.integer(llvm::alignTo(rows.columns, terms)), 1, [&](Value d) {
    Value term = kb.rem(d, kb.integer(terms)), group = line(kb.sub(d, term));
    kb.loop(kb.integer(0), kb.integer(lanes), 1, [&](Value n) {
      Value to = kb.at(form.packed, group, kb.add(kb.mul(n, terms), term));
      auto copy = [&]() -> SmallVector<Value> { return {read(rows, form.packed, /*lanes=*/0, row(n), d)}; };
      Value exists = kb.compare(arith::CmpIPredicate::slt, d, columns);
      kb.store(terms == 1 ? copy()[0]
                          : kb.ifElse(exists, zero.getType(), copy, [&] { return SmallVector<Value>{zero}; })[0],
               to);
    });
  });
}

void LanesPacker::pack() {
  int64_t step = lanes * terms, whole = rows.columns / step * step;
  SmallVector<Value> pointers;
  for (int64_t n = 0; n < lanes; ++n)
    pointers.push_back(row(kb.integer(n)));
  kb.loop(kb.integer(0), kb.integer(whole), step, [&](Value d) { packSquare(pointers, d); });
  int64_t rest = rows.columns - whole;
  if (terms > 1 && whole > 0 && rest > 0 && rest % terms == 0) // once more, with columns that are packed already
    return packSquare(pointers, kb.integer(rows.columns - step));
  packElements(kb.integer(whole));
}

void GatheredRows::buildPanel(const ProductForm &form, Value target, Value first, int64_t width) const {
  assert((form.terms == 1 || form.packed == from) && "only single terms are converted");
  int64_t lanes = kb.machine.lanes(form.sum);
  Value last = kb.add(end, -1), indices;
  auto slot = [&](Value n) { return kb.at(kb.i64(), indices, n); };
  if (!map.hasKnownWindows()) { // one division for all
    indices = kb.stack(kb.i64(), width);
    map.forEach(kb, first, kb.min(kb.sub(end, first), kb.integer(width)),
                [&](Value n, Value index) { kb.store(index, slot(n)); });
  }
  kb.loop(kb.integer(0), kb.integer(width), lanes, [&](Value lane) {
    Value begin = kb.add(first, lane), part = kb.at(form.packed, target, kb.mul(lane, form.terms));
    auto row = [&](Value n) {
      Value rank = kb.min(kb.add(begin, n), last);
      return indices ? rowAt(kb.load(kb.i64(), slot(kb.sub(rank, first)))) : this->row(rank);
    };
    auto present = [&]() -> SmallVector<Value> {
      LanesPacker{*this, form, part, width, row}.pack();
      return {};
    };
    auto absent = [&]() -> SmallVector<Value> {
      kb.loop(kb.integer(0), kb.integer(llvm::alignTo(columns, form.terms)), form.terms, [&](Value d) {
        kb.store(kb.real(kb.vector(form.packed, lanes * form.terms), 0), kb.at(form.packed, part, kb.mul(d, width)));
      });
      return {};
    };
    kb.ifElse(kb.compare(arith::CmpIPredicate::slt, begin, end), {}, present, absent);
  });
}

/// Copies the row at `source` to `line`, a row of a matrix [count][padded]. Fills the rest of the line with zeros.
void GatheredRows::copyRow(const ProductForm &form, Value source, Value line, int64_t padded) const {
  Type to = form.packed, real = computeType(to);
  forEachRegister(kb, real, columns, [&](Value d, Type type) {
    auto vector = dyn_cast<VectorType>(type);
    kb.store(read(*this, to, vector ? vector.getNumElements() : 0, source, d), kb.at(to, line, d));
  });
  kb.loop(kb.integer(columns), kb.integer(padded), 1,
          [&](Value d) { storeRegister(kb, kb.real(real, 0), to, kb.at(to, line, d)); });
}

/// Copies the rows at `sources` to `line`: element 0 of each row, then element 1 of each row, and so on. The rows are
/// the terms of one instruction.
void GatheredRows::interleaveRows(const ProductForm &form, ArrayRef<Value> sources, Value line, int64_t padded) const {
  int64_t lanes = kb.machine.lanes(form.sum), whole = columns / lanes * lanes;
  Type bits = memoryType(form.packed);
  auto to = [&](Value d, int64_t term) { return kb.at(form.packed, line, kb.add(kb.mul(d, form.terms), term)); };
  kb.loop(kb.integer(0), kb.integer(whole), lanes, [&](Value d) {
    SmallVector<Value> terms = llvm::map_to_vector(
        sources, [&](Value source) { return kb.load(kb.vector(form.packed, lanes), kb.at(from, source, d)); });
    kb.store(form.interleave(kb, terms), to(d, 0));
  });
  kb.loop(kb.integer(whole), kb.integer(columns), 1, [&](Value d) {
    for (auto [term, source] : llvm::enumerate(sources))
      kb.store(kb.load(bits, kb.at(from, source, d)), to(d, term));
  });
  kb.loop(kb.integer(columns), kb.integer(padded), 1, [&](Value d) {
    for (int64_t term = 0; term < form.terms; ++term)
      kb.store(kb.integerOf(bits, 0), to(d, term));
  });
}

void GatheredRows::buildRows(const ProductForm &form, Value target, Value first, Value count, int64_t padded) const {
  Value present = kb.min(kb.sub(end, first), count);
  auto lineOf = [&](Value n) { return kb.at(form.packed, target, kb.mul(n, padded)); };
  if (form.terms == 1)
    return map.forEach(kb, first, present,
                       [&](Value n, Value index) { copyRow(form, rowAt(index), lineOf(n), padded); });
  assert(form.packed == from && "only single terms are converted");
  constexpr int64_t together = 64; // a multiple of the terms of any instruction
  Value indices = kb.stack(kb.i64(), together), zeros = kb.stack(form.sum, llvm::divideCeil(columns, form.terms));
  forEachRegister(kb, form.sum, llvm::divideCeil(columns, form.terms),
                  [&](Value d, Type type) { kb.store(kb.real(type, 0), kb.at(form.sum, zeros, d)); });
  kb.loop(kb.integer(0), present, together, [&](Value done) {
    Value rest = kb.min(kb.sub(present, done), kb.integer(together));
    map.forEach(kb, kb.add(first, done), rest,
                [&](Value n, Value index) { kb.store(index, kb.at(kb.i64(), indices, n)); });
    kb.loop(kb.integer(0), rest, form.terms, [&](Value n) {
      SmallVector<Value> sources;
      for (int64_t term = 0; term < form.terms; ++term) {
        Value rank = kb.add(n, term), exists = kb.compare(arith::CmpIPredicate::slt, rank, rest);
        Value index = kb.load(kb.i64(), kb.at(kb.i64(), indices, kb.select(exists, rank, n)));
        sources.push_back(kb.select(exists, rowAt(index), zeros));
      }
      interleaveRows(form, sources, lineOf(kb.add(done, n)), padded);
    });
  });
}

void GatheredRows::prefetch(Value rank) const { kb.prefetchRow(from, row(rank), columns); }

void cpu::copyElements(KernelBuilder &kb, Type element, Value from, Value to, int64_t count) {
  Type stored = memoryType(element);
  forEachRegister(kb, stored, count,
                  [&](Value d, Type type) { kb.store(kb.load(type, kb.at(stored, from, d)), kb.at(stored, to, d)); });
}
