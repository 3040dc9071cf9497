//===- StencilLanes.cpp - Neighbouring rows of a grid in lanes ------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Lanes/StencilLanes.h"
#include "compiler/Target/CPU/Attend/MaskedPairs.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

static constexpr auto slt = arith::CmpIPredicate::slt;

Value StencilTask::groups() {
  auto [first, end] = queryRanks();
  return kb.ceilDiv(kb.sub(end, first), tile.getRows());
}

//===----------------------------------------------------------------------===//
// Lines in scratch memory
//===----------------------------------------------------------------------===//

Value StencilTask::slotAt(const LineBuffer &buffer, Value slot, Value x) {
  Value offset = kb.add(kb.mul(slot, buffer.columns * sizes.stride), kb.add(x, sizes.margin));
  return kb.at(real, buffer.memory, offset);
}

void StencilTask::clearMargins(const LineBuffer &buffer) {
  Value zero = kb.real(vector(), 0);
  int64_t columns = buffer.slots * buffer.columns, behind = sizes.margin + llvm::alignTo(tile.getLength(), lanes);
  auto clear = [&](Value from, int64_t count) {
    kb.loop(kb.integer(0), kb.integer(count), lanes, [&](Value x) { kb.store(zero, kb.at(real, from, x)); });
  };
  kb.loop(kb.integer(0), kb.integer(columns), 1, [&](Value column) {
    Value row = at(buffer.memory, column, sizes.stride);
    clear(row, sizes.margin);
    clear(kb.at(real, row, behind), sizes.stride - behind);
  });
  clear(kb.at(real, buffer.memory, columns * sizes.stride), sizes.margin);
}

Value StencilTask::loadLine(LaneRows rows, Value target, Value line, double factor, Value finite) {
  rows.stride = sizes.stride;
  return kb.loop(kb.integer(0), kb.integer(residues), lanes, finite, [&](Value x, ValueRange finite) {
    setResidues(x);
    return SmallVector<Value>{rows.load(kb.at(real, target, x), line, factor, finite[0])};
  })[0];
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

void StencilTask::forEachRegister(function_ref<void(Value)> body) {
  kb.loop(kb.integer(0), kb.integer(residues), lanes, [&](Value x) {
    setResidues(x);
    body(x);
  });
}

SmallVector<Value> StencilTask::forEachKeyLine(ValueRange state, LineBody body) {
  int64_t rows = tile.getRows(), lines = tile.getLines();
  SmallVector<Value> last(state);
  auto build = [&](int64_t number) {
    int64_t first = std::max<int64_t>(0, number - lines + 1), end = std::min(number + 1, rows);
    last = body(kb.integer(number), {first, end - first}, last);
  };
  for (int64_t number = 0; number < rows - 1; ++number)
    build(number);
  auto all = [&](Value number, ValueRange state) { return body(number, {0, rows}, state); };
  last = kb.loop(kb.integer(rows - 1), kb.integer(lines), 1, last, all);
  for (int64_t number = lines; number < tile.getKeyLines(); ++number)
    build(number);
  return last;
}

void StencilTask::forEachPart(function_ref<void(int64_t, int64_t)> body) {
  int64_t shifts = tile.getShifts(), parts = llvm::divideCeil(shifts, tile.getColumns());
  int64_t most = llvm::divideCeil(shifts, parts);
  for (int64_t shift = 0; shift < shifts; shift += most)
    body(shift, std::min(most, shifts - shift));
}

//===----------------------------------------------------------------------===//
// Sums over lines
//===----------------------------------------------------------------------===//

/// Adds what a line contributes to `columns` columns of the rows that see the line. `sums` are the sums of all rows of
/// the task. Returns the new sums. The terms are added in the same order whether the line's elements x are finite or
/// not.
SmallVector<Value> StencilTask::addLine(const LineProduct &product, SeeingRows rows, int64_t columns, ValueRange sums) {
  RegisterTile all{columns, tile.getRows()}, shape{columns, rows.count};
  SmallVector<Value> seeing = shape.fill([&](int64_t c, int64_t r) { return all.at(sums, c, rows.first + r); });
  Value count = kb.integer(tile.getShifts());
  auto visible = [&](Value m) { return product.isProbability ? isVisible(*this, m) : isNotZero(*this, m); };
  TermMask mask{visible, /*weightIsRight=*/true};
  auto whole = [&] {
    TermLoop loop{/*unrolled=*/std::min<int64_t>(tile.getShifts(), 8)};
    return multiplyInto({kb, form(), shape}, seeing, count, product.x, product.m, loop);
  };
  auto careful = [&] {
    return multiplyInto({kb, form(), shape}, seeing, {kb.integer(0), count}, product.x, product.m, mask);
  };
  seeing = kb.ifElse(product.finite, ValueRange(seeing).getTypes(), whole, careful);
  return all.fill([&](int64_t c, int64_t r) {
    bool sees = r >= rows.first && r < rows.first + rows.count;
    return sees ? shape.at(seeing, c, r - rows.first) : all.at(sums, c, r);
  });
}

void StencilTask::sumLines(int64_t columns, ProductOf product,
                           function_ref<void(Value sum, int64_t row, Value column)> finish) {
  auto some = [&](Value column, int64_t count) {
    RegisterTile shape{count, tile.getRows()};
    SmallVector<Value> sums(shape.size(), kb.real(vector(), 0));
    sums = forEachKeyLine(sums, [&](Value number, SeeingRows rows, ValueRange sums) {
      return addLine(product(number, rows, column), rows, count, sums);
    });
    for (int64_t row = 0; row < tile.getRows(); ++row)
      for (int64_t c = 0; c < count; ++c)
        finish(shape.at(sums, c, row), row, kb.add(column, c));
  };
  int64_t rest = columns % tile.getColumns(), whole = columns - rest;
  kb.loop(kb.integer(0), kb.integer(whole), tile.getColumns(), [&](Value column) { some(column, tile.getColumns()); });
  if (rest)
    some(kb.integer(whole), rest);
}

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

/// Returns the lanes (i1) whose column lies in [0, count). Lane 0 is column `first`.
Value StencilTask::buildWithin(Value first, Value count) {
  Type i32 = kb.b.getI32Type();
  auto splat = [&](Value number) { return kb.broadcast(arith::TruncIOp::create(kb.b, kb.loc, i32, number), lanes); };
  Value column = arith::AddIOp::create(kb.b, kb.loc, kb.iota(lanes), splat(first));
  return kb.compare(arith::CmpIPredicate::ult, column, splat(count)); // negative numbers are large
}

Value StencilTask::keysOfLine(Value line, Value keyLimit) {
  Value left = kb.clamp(kb.sub(keyLimit, kb.mul(line, residues)), kb.integer(0), kb.integer(residues));
  return kb.select(kb.compare(slt, line, kb.integer(0)), kb.integer(0), left);
}

Value StencilTask::buildVisible(Value x, int64_t shift, Value count) {
  return buildWithin(kb.add(x, tile.getFirstShift() + shift), count);
}

Value StencilTask::buildExist(Value line, Value x, Value rowLimit) {
  Value before = kb.sub(offset, kb.mul(line, residues)), none = kb.integer(0), all = kb.integer(residues);
  Value first = kb.clamp(before, none, all), end = kb.clamp(kb.add(before, kb.min(rowLimit, nq)), first, all);
  return buildWithin(kb.sub(x, first), kb.sub(end, first));
}
