//===- CopyTile.cpp - Parts of matrices into shared memory ----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Neighbouring threads copy neighbouring 16 bytes where rows are aligned, else neighbouring elements.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/NVGPU/CopyTile.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::nvgpu;

static constexpr int64_t vectorBytes = 16;
static constexpr auto slt = arith::CmpIPredicate::slt;

static Value both(KernelBuilder &kb, Value x, Value y) { return arith::AndIOp::create(kb.b, kb.loc, x, y); }

Value nvgpu::isAligned(KernelBuilder &kb, Type element, Value pointer, ArrayRef<Value> strides, Value columns) {
  int64_t bytes = element.getIntOrFloatBitWidth() / 8;
  Value bits = LLVM::PtrToIntOp::create(kb.b, kb.loc, kb.i64(), pointer);
  for (Value stride : strides)
    bits = arith::OrIOp::create(kb.b, kb.loc, bits, kb.mul(stride, bytes));
  bits = arith::OrIOp::create(kb.b, kb.loc, bits, kb.mul(columns, bytes));
  Value rest = arith::AndIOp::create(kb.b, kb.loc, bits, kb.integer(vectorBytes - 1));
  return kb.compare(arith::CmpIPredicate::eq, rest, kb.integer(0));
}

/// Copies units of `count` elements: unit (n, c) is row n, elements from count c on.
static void copyUnits(ThreadBlock &block, const SharedMatrix &to, int64_t rows, int64_t columns, int64_t count,
                      const GlobalRows &from) {
  KernelBuilder &kb = block.kb;
  Type unit = count == 1 ? to.element : Type(kb.vector(to.element, count));
  int64_t alignment = count * to.element.getIntOrFloatBitWidth() / 8, perRow = columns / count;
  kb.loop(block.thread, kb.integer(rows * perRow), block.threads, [&](Value number) {
    int64_t inner = from.isTransposed ? rows : perRow;
    Value outerIndex = kb.floorDiv(number, inner), innerIndex = kb.floorMod(number, inner);
    Value row = from.isTransposed ? innerIndex : outerIndex;
    Value column = kb.mul(from.isTransposed ? outerIndex : innerIndex, count);
    Value exists = both(kb, from.exists(row), kb.compare(slt, column, from.columns));
    auto load = [&]() -> SmallVector<Value> {
      Value offset = from.stride ? kb.mul(column, from.stride) : column;
      return {kb.load(unit, kb.at(to.element, from.address(row), offset), alignment)};
    };
    auto zero = [&]() -> SmallVector<Value> { return {kb.real(unit, 0)}; };
    Value value = kb.ifElse(exists, unit, load, zero)[0];
    kb.store(value, to.at(kb, row, column), alignment);
  });
}

void nvgpu::copyTile(ThreadBlock &block, const SharedMatrix &to, int64_t rows, int64_t columns,
                     const GlobalRows &from) {
  auto elements = [&] { copyUnits(block, to, rows, columns, 1, from); };
  if (!from.isAligned || from.stride || from.isTransposed)
    return elements();
  int64_t count = vectorBytes * 8 / to.element.getIntOrFloatBitWidth();
  block.kb.ifElse(
      from.isAligned, {},
      [&] {
        copyUnits(block, to, rows, columns, count, from);
        return SmallVector<Value>();
      },
      [&] {
        elements();
        return SmallVector<Value>();
      });
}
