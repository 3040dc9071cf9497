//===- LineLanes.cpp - Neighbouring rows of a grid in lanes ---------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Lanes/LineLanes.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

static constexpr auto slt = arith::CmpIPredicate::slt;

LineTask::LineTask(KernelBuilder &kb, Value q, Value k, xft::LineTileAttr tile)
    : ResidueTask(kb, q, k, tile.getLanes(), tile.getLength()), tile(tile), sizes(tile) {}

Value LineTask::groups() {
  auto [first, end] = queryRanks();
  return kb.ceilDiv(kb.sub(end, first), tile.getRows());
}

//===----------------------------------------------------------------------===//
// Lines in scratch memory
//===----------------------------------------------------------------------===//

Value LineTask::lineAt(const LineBuffer &buffer, Value line, Value x) {
  Value slot = kb.floorMod(line, tile.getKeyLines());
  Value offset = kb.add(kb.mul(slot, buffer.columns * sizes.stride), kb.add(x, sizes.left));
  return kb.at(real, buffer.memory, offset);
}

void LineTask::clearMargins(const LineBuffer &buffer) {
  Value zero = kb.real(vector(), 0);
  int64_t behind = sizes.left + llvm::alignTo(tile.getLength(), lanes);
  kb.loop(kb.integer(0), kb.integer(tile.getKeyLines() * buffer.columns), 1, [&](Value column) {
    Value row = at(buffer.memory, column, sizes.stride);
    for (int64_t x = 0; x < sizes.left; x += lanes)
      kb.store(zero, kb.at(real, row, x));
    for (int64_t x = behind; x < sizes.stride; x += lanes)
      kb.store(zero, kb.at(real, row, x));
  });
}

Value LineTask::loadLine(LaneRows rows, const LineBuffer &buffer, Value line, Value finite) {
  rows.stride = sizes.stride;
  return kb.loop(kb.integer(0), kb.integer(residues), lanes, finite, [&](Value x, ValueRange finite) {
    setResidues(x);
    return SmallVector<Value>{rows.load(lineAt(buffer, line, x), line, 1, finite[0])};
  })[0];
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

void LineTask::forEachRegister(function_ref<void(Value)> body) {
  kb.loop(kb.integer(0), kb.integer(residues), lanes, [&](Value x) {
    setResidues(x);
    body(x);
  });
}

SmallVector<Value> LineTask::forEachKeyLine(ValueRange state, LineBody body) {
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

void LineTask::forEachPart(function_ref<void(int64_t, int64_t)> body) {
  int64_t shifts = tile.getShifts(), parts = llvm::divideCeil(shifts, tile.getColumns());
  int64_t most = llvm::divideCeil(shifts, parts);
  for (int64_t shift = 0; shift < shifts; shift += most)
    body(shift, std::min(most, shifts - shift));
}

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

Value LineTask::keysOfLine(Value line, Value keyLimit) {
  Value left = kb.clamp(kb.sub(keyLimit, kb.mul(line, residues)), kb.integer(0), kb.integer(residues));
  return kb.select(kb.compare(slt, line, kb.integer(0)), kb.integer(0), left);
}

Value LineTask::buildVisible(Value x, int64_t shift, Value count) {
  Type i32 = kb.b.getI32Type();
  auto splat = [&](Value number) { return kb.broadcast(arith::TruncIOp::create(kb.b, kb.loc, i32, number), lanes); };
  Value column = arith::AddIOp::create(kb.b, kb.loc, kb.iota(lanes), splat(kb.add(x, tile.getFirstShift() + shift)));
  return kb.compare(arith::CmpIPredicate::ult, column, splat(count)); // negative numbers are large
}
