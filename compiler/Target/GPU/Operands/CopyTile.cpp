//===- CopyTile.cpp - Parts of matrices into shared memory ----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Copies tiles of matrices to shared memory. If rows are aligned, neighbouring threads copy neighbouring 16 bytes
// asynchronously. Otherwise, they copy neighbouring elements.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/GPU/Operands/CopyTile.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::gpu;

static constexpr auto slt = arith::CmpIPredicate::slt;

static Value both(KernelBuilder &kb, Value x, Value y) { return arith::AndIOp::create(kb.b, kb.loc, x, y); }

Value xf::gpu::isAligned(KernelBuilder &kb, Type element, Value pointer, ArrayRef<Value> strides, Value columns) {
  int64_t bytes = element.getIntOrFloatBitWidth() / 8;
  Value bits = LLVM::PtrToIntOp::create(kb.b, kb.loc, kb.i64(), pointer);
  for (Value stride : strides)
    bits = arith::OrIOp::create(kb.b, kb.loc, bits, kb.mul(stride, bytes));
  bits = arith::OrIOp::create(kb.b, kb.loc, bits, kb.mul(columns, bytes));
  Value rest = arith::AndIOp::create(kb.b, kb.loc, bits, kb.integer(ThreadBlock::copyBytes - 1));
  return kb.compare(arith::CmpIPredicate::eq, rest, kb.integer(0));
}

/// Returns the row and the first column of unit `number` of a matrix. A row is split into `perRow` units of `count`
/// elements.
static std::pair<Value, Value> placeOf(KernelBuilder &kb, Value number, int64_t perRow, int64_t count) {
  return {kb.floorDiv(number, perRow), kb.mul(kb.floorMod(number, perRow), count)};
}

static void copyElements(ThreadBlock &block, const SharedMatrix &to, int64_t rows, int64_t columns,
                         const GlobalRows &from) {
  KernelBuilder &kb = block.kb;
  kb.loop(block.thread, kb.integer(rows * columns), block.threads, [&](Value number) {
    auto [row, column] = placeOf(kb, number, from.isTransposed ? rows : columns, 1);
    if (from.isTransposed)
      std::swap(row, column);
    Value exists = both(kb, from.exists(row), kb.compare(slt, column, from.columns));
    auto load = [&, row = row, column = column]() -> SmallVector<Value> {
      Value offset = from.stride ? kb.mul(column, from.stride) : column;
      return {kb.load(to.element, kb.at(to.element, from.address(row), offset))};
    };
    auto zero = [&]() -> SmallVector<Value> { return {kb.real(to.element, 0)}; };
    kb.store(kb.ifElse(exists, to.element, load, zero)[0], to.at(kb, row, column));
  });
}

namespace {
/// The 16-byte units of a tile that one thread copies. They begin at column `column` of rows first, first + distance,
/// .. .
struct ThreadUnits {
  Value first, column;
  int64_t distance;
};
} // namespace

/// Starts the copies of one thread's units from a matrix whose rows are `from.step` elements apart. If all rows of the
/// tile exist, finding the next source takes one addition. Otherwise, each copy also compares its row with the rows
/// that exist, in 32 bits.
static void startSteps(ThreadBlock &block, const SharedMatrix &to, int64_t rows, const GlobalRows &from,
                       const ThreadUnits &units) {
  KernelBuilder &kb = block.kb;
  auto [first, column, distance] = units;
  Value start = kb.at(to.element, from.address(first), column), step = kb.mul(from.step, distance);
  Value target = to.at(kb, first, column), zero = kb.integer(0), all = kb.integer(rows);
  Value isInside = kb.compare(slt, column, from.columns);
  auto copyAll = [&](function_ref<Value(int64_t row)> bytesOf) {
    Value address = start;
    for (int64_t row = 0; row < rows; row += distance) {
      block.startCopy(kb.at(to.element, target, row * to.pitch), address, bytesOf(row));
      address = kb.at(to.element, address, step);
    }
    return SmallVector<Value>();
  };
  auto narrow = [&](Value x) -> Value { return arith::TruncIOp::create(kb.b, kb.loc, kb.b.getI32Type(), x); };
  auto some = [&] {
    Value begin = kb.clamp(from.begin, zero, all), end = kb.max(kb.clamp(from.end, zero, all), begin);
    Value count = narrow(kb.sub(end, begin)), before = narrow(kb.sub(first, begin));
    return copyAll([&](int64_t row) {
      Value place = arith::AddIOp::create(kb.b, kb.loc, before, kb.integerOf(before.getType(), row));
      Value exists = both(kb, isInside, kb.compare(arith::CmpIPredicate::ult, place, count));
      return kb.select(exists, kb.integer(ThreadBlock::copyBytes), zero);
    });
  };
  Value areAll = both(kb, kb.compare(arith::CmpIPredicate::sle, from.begin, zero),
                      kb.compare(arith::CmpIPredicate::sle, all, from.end));
  kb.ifElse(
      both(kb, isInside, areAll), {},
      [&] { return copyAll([&](int64_t) { return kb.integer(ThreadBlock::copyBytes); }); }, some);
}

static void startCopies(ThreadBlock &block, const SharedMatrix &to, int64_t rows, int64_t columns,
                        const GlobalRows &from) {
  KernelBuilder &kb = block.kb;
  int64_t count = ThreadBlock::copyBytes * 8 / to.element.getIntOrFloatBitWidth();
  int64_t perRow = columns / count, units = rows * perRow;
  auto copy = [&](Value row, Value column, Value target) {
    Value exists = both(kb, from.exists(row), kb.compare(slt, column, from.columns));
    Value bytes = kb.select(exists, kb.integer(ThreadBlock::copyBytes), kb.integer(0));
    block.startCopy(target, kb.at(to.element, from.address(row), column), bytes);
  };
  constexpr int64_t mostUnrolled = 8;
  bool isEven = block.threads % perRow == 0 && units % block.threads == 0;
  if (from.isOnce || !isEven || units > mostUnrolled * block.threads)
    return kb.loop(block.thread, kb.integer(units), block.threads, [&](Value number) {
      auto [row, column] = placeOf(kb, number, perRow, count);
      copy(row, column, to.at(kb, row, column));
    });
  // The units of a thread lie in one column, a constant distance apart.
  auto [first, column] = placeOf(kb, block.thread, perRow, count);
  Value target = to.at(kb, first, column);
  if (from.step)
    return startSteps(block, to, rows, from, {first, column, block.threads / perRow});
  for (int64_t row = 0; row < rows; row += block.threads / perRow)
    copy(kb.add(first, row), column, kb.at(to.element, target, row * to.pitch));
}

void xf::gpu::copyTile(ThreadBlock &block, const SharedMatrix &to, int64_t rows, int64_t columns,
                       const GlobalRows &from) {
  auto elements = [&] {
    copyElements(block, to, rows, columns, from);
    return SmallVector<Value>();
  };
  auto copies = [&] {
    startCopies(block, to, rows, columns, from);
    return SmallVector<Value>();
  };
  if (!from.isAligned || from.stride || from.isTransposed)
    elements();
  else
    block.kb.ifElse(from.isAligned, {}, copies, elements);
}
