//===- RowAccess.cpp - Registers of one row of an operand -----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loads and stores columns of a row: contiguous ones as vectors, strided ones lane by lane. The last columns of a row
// use masked instructions if elements are contiguous and have 32 or 64 bits. Smaller elements are loaded through a
// buffer of one register on the stack. Smaller and strided elements are stored through such a buffer.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/Kernel/Rows/RowAccess.h"
#include "compiler/Target/Kernel/Code/VectorConvert.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::kernel;

static Value extract(KernelBuilder &kb, Value vector, int64_t lane) {
  return vector::ExtractOp::create(kb.b, kb.loc, vector, ArrayRef<int64_t>{lane});
}

RowAccess::Kind RowAccess::kindOf(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)) || strides.empty())
    return Strided;
  if (strides.back() == 0)
    return Single;
  return strides.back() == 1 ? Contiguous : Strided;
}

RowAccess RowAccess::advanced(KernelBuilder &kb, Value offset) const {
  return {kind, stored, kb.at(memoryType(stored), pointer, offset), stride};
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

Value RowAccess::loadElement(KernelBuilder &kb, Value column) const {
  Type memory = memoryType(stored);
  return fromMemory(kb, kb.load(memory, kb.at(memory, pointer, kb.mul(column, stride))), stored);
}

void RowAccess::storeElement(KernelBuilder &kb, Value element, Value column) const {
  Value address = kb.at(memoryType(stored), pointer, kb.mul(column, stride));
  kb.store(toMemory(kb, element, stored, Subnormals::kept), address);
}

Value RowAccess::loadSingle(KernelBuilder &kb, int64_t lanes) const {
  return kb.broadcast(loadElement(kb, kb.integer(0)), lanes);
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

/// Loads a register lane by lane. If `last` is not null, lanes after lane `last` repeat its element.
static Value gather(KernelBuilder &kb, const RowAccess &row, Value column, int64_t lanes, Value last) {
  Type memory = memoryType(row.stored);
  SmallVector<Value> elements;
  for (int64_t lane = 0; lane < lanes; ++lane) {
    Value offset = last ? kb.min(kb.integer(lane), last) : kb.integer(lane);
    Value address = kb.at(memory, row.pointer, kb.mul(kb.add(column, offset), row.stride));
    elements.push_back(kb.load(memory, address));
  }
  Value all = vector::FromElementsOp::create(kb.b, kb.loc, kb.vector(memory, lanes), elements);
  return fromMemory(kb, all, row.stored);
}

Value RowAccess::load(KernelBuilder &kb, Value column, int64_t lanes) const {
  if (kind == Strided)
    return gather(kb, *this, column, lanes, nullptr);
  Type memory = memoryType(stored);
  return fromMemory(kb, kb.load(kb.vector(memory, lanes), kb.at(memory, pointer, column), alignment), stored);
}

void RowAccess::store(KernelBuilder &kb, Value value, Value column) const {
  Type memory = memoryType(stored);
  Value narrow = toMemory(kb, value, stored, Subnormals::kept);
  if (streams)
    return kb.storeStreamed(narrow, kb.at(memory, pointer, column));
  if (kind == Contiguous)
    return kb.store(narrow, kb.at(memory, pointer, column), alignment);
  for (int64_t lane = 0, lanes = cast<VectorType>(narrow.getType()).getNumElements(); lane < lanes; ++lane)
    kb.store(extract(kb, narrow, lane), kb.at(memory, pointer, kb.mul(kb.add(column, lane), stride)));
}

void RowAccess::fetchNext(KernelBuilder &kb, Value column, int64_t count) const {
  Type memory = memoryType(stored);
  int64_t step = KernelBuilder::cacheLine * 8 / memory.getIntOrFloatBitWidth();
  for (int64_t first = 0; first < count; first += step)
    kb.prefetch(kb.at(memory, next, kb.add(column, first)));
}

//===----------------------------------------------------------------------===//
// Tails
//===----------------------------------------------------------------------===//

Value RowAccess::loadTail(KernelBuilder &kb, Value column, int64_t lanes, Value count, Value mask) const {
  if (kind == Strided)
    return gather(kb, *this, column, lanes, kb.add(count, -1));
  Type memory = memoryType(stored);
  VectorType type = kb.vector(memory, lanes);
  Value first = kb.at(memory, pointer, column);
  if (memory.getIntOrFloatBitWidth() >= 32)
    return fromMemory(kb, kb.maskedLoad(type, first, mask), stored);
  Value buffer = kb.stack(memory, lanes);
  kb.store(kb.constant(cast<TypedAttr>(kb.b.getZeroAttr(type))), buffer);
  kb.loop(kb.integer(0), count, 1,
          [&](Value n) { kb.store(kb.load(memory, kb.at(memory, first, n)), kb.at(memory, buffer, n)); });
  return fromMemory(kb, kb.load(type, buffer), stored);
}

void RowAccess::storeTail(KernelBuilder &kb, Value value, Value column, Value count, Value mask) const {
  Type memory = memoryType(stored);
  Value narrow = toMemory(kb, value, stored, Subnormals::kept);
  if (kind == Contiguous && memory.getIntOrFloatBitWidth() >= 32)
    return kb.maskedStore(narrow, kb.at(memory, pointer, column), mask);
  Value buffer = kb.stack(memory, cast<VectorType>(narrow.getType()).getNumElements());
  kb.store(narrow, buffer);
  kb.loop(kb.integer(0), count, 1, [&](Value n) {
    Value address = kb.at(memory, pointer, kb.mul(kb.add(column, n), stride));
    kb.store(kb.load(memory, kb.at(memory, buffer, n)), address);
  });
}
