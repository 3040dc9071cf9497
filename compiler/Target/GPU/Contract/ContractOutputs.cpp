//===- ContractOutputs.cpp - Epilogue of products -------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/GPU/Contract/ContractOutputs.h"
#include "compiler/Target/Kernel/Code/VectorConvert.h"
#include "compiler/Target/Kernel/Rows/RowAccess.h"
#include "compiler/Target/Kernel/Rows/VectorRegion.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::gpu;

ContractOutputs::ContractOutputs(xft::ContractOp op, KernelBuilder &kb) : op(op), kb(kb) {
  for (Value in : op.getIns())
    ins.push_back(View::of(kb, in));
  for (Value out : op.getOuts())
    outs.push_back(View::of(kb, out));
}

void ContractOutputs::locate(const View &a, Value number) {
  matrix.assign(a.sizes.size() - 2, Value());
  for (size_t d = matrix.size(); d-- > 0;) {
    matrix[d] = d ? kb.rem(number, a.sizes[d]) : number;
    number = d ? kb.div(number, a.sizes[d]) : number;
  }
}

Value ContractOutputs::at(const View &view, Value row, Value column) {
  SmallVector<Value> indices(matrix);
  indices.append({row, column});
  return view.at(kb, indices);
}

/// Returns the number of bytes of an element of `view` in memory.
static int64_t bytesOf(const View &view) { return memoryType(view.element).getIntOrFloatBitWidth() / 8; }

static bool isRow(Value memref) {
  return RowAccess::kindOf(cast<MemRefType>(memref.getType())) == RowAccess::Contiguous;
}

Value ContractOutputs::areAligned(int64_t lanes) {
  Value bits = outs.front().sizes.back(); // the bitwise or of all numbers that must be multiples of lanes
  auto include = [&](Value x) { bits = arith::OrIOp::create(kb.b, kb.loc, bits, x); };
  Value addresses = kb.integer(0);
  for (auto [view, memref] : llvm::zip(llvm::concat<const View>(ins, outs), op->getOperands().drop_front(2))) {
    if (!isRow(memref))
      continue;
    for (Value stride : ArrayRef(view.strides).drop_back())
      include(stride);
    // Alignment to lanes x bytes is, in units of one element's bytes, a multiple of lanes.
    Value address = LLVM::PtrToIntOp::create(kb.b, kb.loc, kb.i64(), view.pointer);
    Value inElements = arith::ShRUIOp::create(kb.b, kb.loc, address, kb.integer(llvm::Log2_64(bytesOf(view))));
    addresses = arith::OrIOp::create(kb.b, kb.loc, addresses, inElements);
  }
  include(addresses);
  return kb.compare(arith::CmpIPredicate::eq, kb.floorMod(bits, lanes), kb.integer(0));
}

Value ContractOutputs::load(const View &view, Value memref, Value row, Value column, int64_t lanes) {
  Value pointer = at(view, row, column);
  if (lanes == 1 || !isRow(memref))
    return loadScalar(kb, view.element, pointer);
  Type type = kb.vector(memoryType(view.element), lanes);
  return fromMemory(kb, kb.load(type, pointer, lanes * bytesOf(view)), view.element);
}

void ContractOutputs::store(Value sums, Value row, Value column, int64_t lanes) {
  SmallVector<Value> arguments = {sums};
  for (auto [view, memref] : llvm::zip_equal(ins, op.getIns()))
    arguments.push_back(load(view, memref, row, column, lanes));
  SmallVector<Value> yielded = vectorize(op.getEpilogue().front(), arguments, lanes, kb);
  for (auto [value, out] : llvm::zip_equal(yielded, outs)) {
    if (lanes == 1)
      value = vector::ExtractOp::create(kb.b, kb.loc, value, ArrayRef<int64_t>{0});
    kb.store(toMemory(kb, value, out.element), at(out, row, column), lanes * bytesOf(out));
  }
}
