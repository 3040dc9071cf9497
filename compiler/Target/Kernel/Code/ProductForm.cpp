//===- ProductForm.cpp - The vector instruction of a product --------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/Kernel/Code/ProductForm.h"
#include "compiler/Target/Kernel/Code/VectorConvert.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::kernel;

ProductForm ProductForm::multiplyAdd(Type real) {
  auto emit = [](KernelBuilder &kb, Value a, Value b, Value sum) { return kb.fma(a, b, sum); };
  return {real, real, /*terms=*/1, /*otherRegisters=*/1, emit, /*packed=*/real};
}

ProductForm ProductForm::withPacked(Type element) const {
  assert((element == operand || (terms == 1 && computeType(element) == operand)) && "only single terms are converted");
  ProductForm form = *this;
  form.packed = element;
  return form;
}

Value ProductForm::loadRight(KernelBuilder &kb, Value pointer) const {
  return packed == operand ? kb.load(operands(kb), pointer) : loadRegister(kb, packed, kb.machine.lanes(sum), pointer);
}

/// Loads the first `count` terms of one instruction as one integer of type `all`, with zeros for the other terms.
static Value loadSome(KernelBuilder &kb, const ProductForm &form, IntegerType all, Value pointer, Value count) {
  unsigned bits = form.operand.getIntOrFloatBitWidth();
  IntegerType one = kb.b.getIntegerType(bits);
  Value last = kb.add(count, -1), result;
  for (int64_t term = 0; term < form.terms; ++term) {
    Value element = kb.load(one, kb.at(form.operand, pointer, kb.min(kb.integer(term), last)), bits / 8);
    Value wide = arith::ExtUIOp::create(kb.b, kb.loc, all, element);
    Value placed = arith::ShLIOp::create(kb.b, kb.loc, wide, kb.integerOf(all, term * bits));
    Value exists = kb.compare(arith::CmpIPredicate::slt, kb.integer(term), count);
    Value part = kb.select(exists, placed, kb.integerOf(all, 0));
    result = result ? Value(arith::OrIOp::create(kb.b, kb.loc, result, part)) : part;
  }
  return result;
}

Value ProductForm::broadcast(KernelBuilder &kb, Type stored, Value pointer, Value count) const {
  int64_t lanes = kb.machine.lanes(sum);
  if (terms == 1)
    return loadBroadcast(kb, stored, lanes, pointer);
  unsigned bits = operand.getIntOrFloatBitWidth();
  IntegerType all = kb.b.getIntegerType(bits * terms);
  Value element = count ? loadSome(kb, *this, all, pointer, count) : kb.load(all, pointer, bits / 8);
  return vector::BitCastOp::create(kb.b, kb.loc, operands(kb), kb.broadcast(element, lanes));
}

Value ProductForm::interleave(KernelBuilder &kb, ArrayRef<Value> registers) const {
  if (registers.size() == 1)
    return registers[0];
  SmallVector<Value> even, odd; // the number of terms is a power of two
  for (auto [n, value] : llvm::enumerate(registers))
    (n % 2 == 0 ? even : odd).push_back(value);
  return vector::InterleaveOp::create(kb.b, kb.loc, interleave(kb, even), interleave(kb, odd));
}
