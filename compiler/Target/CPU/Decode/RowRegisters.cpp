//===- RowRegisters.cpp - Rows in registers -------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Decode/RowRegisters.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

Value cpu::clearFirst(KernelBuilder &kb, int64_t count, Value value) {
  if (count == 0)
    return value;
  int64_t lanes = cast<VectorType>(value.getType()).getNumElements();
  SmallVector<bool> stays = llvm::map_to_vector(llvm::seq<int64_t>(0, lanes), [&](int64_t l) { return l >= count; });
  Value mask = kb.constant(DenseElementsAttr::get(kb.vector(kb.b.getI1Type(), lanes), ArrayRef<bool>(stays)));
  // As integers: not all CPUs select floats of 16 bits.
  auto type = cast<VectorType>(value.getType());
  VectorType bits = type.clone(kb.b.getIntegerType(type.getElementTypeBitWidth()));
  Value kept = kb.select(mask, arith::BitcastOp::create(kb.b, kb.loc, bits, value), kb.integerOf(bits, 0));
  return arith::BitcastOp::create(kb.b, kb.loc, type, kept);
}

Value cpu::repeatTo(KernelBuilder &kb, VectorType type, Value part) {
  int64_t lanes = cast<VectorType>(part.getType()).getNumElements();
  if (part.getType() == type)
    return part;
  auto from = llvm::map_to_vector(llvm::seq<int64_t>(0, type.getNumElements()), [&](int64_t l) { return l % lanes; });
  return vector::ShuffleOp::create(kb.b, kb.loc, part, part, from);
}

// Instructions of x86 interleave the lower or upper halves of parts of 128 bits, and those of Arm whole registers of
// this size.
static constexpr int64_t part = 8; // 16-bit elements, and the sums of two of its halves

std::pair<Value, Value> cpu::interleaveParts(KernelBuilder &kb, Value x, Value y) {
  int64_t elements = cast<VectorType>(x.getType()).getNumElements();
  auto half = [&](int64_t offset) -> Value {
    auto from = llvm::map_to_vector(llvm::seq<int64_t>(0, elements), [&](int64_t n) {
      return n / part * part + offset + n % part / 2 + (n % 2 ? elements : 0);
    });
    return vector::ShuffleOp::create(kb.b, kb.loc, x, y, from);
  };
  return {half(0), half(part / 2)};
}

std::pair<Value, Value> cpu::joinParts(KernelBuilder &kb, Value lower, Value upper) {
  int64_t lanes = cast<VectorType>(lower.getType()).getNumElements();
  auto ofColumns = [&](int64_t first) -> Value {
    auto from = llvm::map_to_vector(llvm::seq<int64_t>(first, first + lanes), [&](int64_t column) {
      return column / part * (part / 2) + column % (part / 2) + (column % part < part / 2 ? 0 : lanes);
    });
    return vector::ShuffleOp::create(kb.b, kb.loc, lower, upper, from);
  };
  return {ofColumns(0), ofColumns(lanes)};
}

void RowRegisters::forEach(KernelBuilder &kb, int64_t most, Body body) const {
  int64_t times = whole() / most, rest = size() - times * most;
  SmallVector<int64_t> offsets;
  for (int64_t n = 0; n < most; ++n)
    offsets.push_back(n * lanes);
  if (times == 1)
    body(kb.integer(0), offsets);
  else if (times > 1)
    kb.loop(kb.integer(0), kb.integer(times * most * lanes), most * lanes, [&](Value slot) { body(slot, offsets); });
  if (rest == 0)
    return;
  int64_t first = times * most;
  offsets.clear();
  for (int64_t n = first; n < size(); ++n)
    offsets.push_back(offset(n) - first * lanes);
  body(kb.integer(first * lanes), offsets);
}
