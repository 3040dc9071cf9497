//===- ContractEpilogue.cpp - The epilogue of a product -------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Contract/ContractEpilogue.h"
#include "compiler/Target/Kernel/Code/VectorConvert.h"
#include "compiler/Target/Kernel/Rows/VectorRegion.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

ContractEpilogue::ContractEpilogue(KernelBuilder &kb, xft::ContractOp op)
    : kb(kb), region(op.getEpilogue().front()), width(op.getColumns()), lanes(kb.machine.lanes(op.getSumType())) {
  for (Value operand : op.getIns())
    ins.push_back(View::of(kb, operand));
  for (Value operand : op.getOuts())
    outs.push_back(View::of(kb, operand));
}

static Value pointerAt(KernelBuilder &kb, const View &view, ArrayRef<Value> batch, Value row, Value column) {
  SmallVector<Value> indices(batch);
  indices.append({row, column});
  return view.at(kb, indices);
}

static bool isRepeated(Value stride) { return matchPattern(stride, m_Zero()); }

Value ContractEpilogue::load(const View &view, const Place &place) {
  Value pointer = pointerAt(kb, view, place.batch, place.row, place.column);
  if (isRepeated(view.strides.back()))
    return loadBroadcast(kb, view.element, lanes, pointer);
  if (place.mask)
    return maskedLoadRegister(kb, view.element, lanes, pointer, place.mask);
  return loadRegister(kb, view.element, lanes, pointer);
}

void ContractEpilogue::apply(Value sum, const Place &place, ArrayRef<Value> extra) {
  SmallVector<Value> arguments = {sum};
  llvm::append_range(arguments, extra);
  for (auto [view, value] : llvm::zip_equal(outs, vectorize(region, arguments, lanes, kb))) {
    Value pointer = pointerAt(kb, view, place.batch, place.row, place.column);
    if (place.mask)
      maskedStoreRegister(kb, value, view.element, pointer, place.mask);
    else
      storeRegister(kb, value, view.element, pointer);
  }
}

SmallVector<CacheLines> ContractEpilogue::linesOfTile(ArrayRef<Value> batch, Value row, Value column, int64_t rows) {
  SmallVector<CacheLines> streams;
  auto append = [&](const View &view, bool forWriting) {
    Value stride = view.strides[view.strides.size() - 2];
    if (isRepeated(stride) || isRepeated(view.strides.back()))
      return;
    int64_t elementBytes = view.element.getIntOrFloatBitWidth() / 8;
    int64_t perRow = llvm::divideCeil(width * elementBytes, KernelBuilder::cacheLine);
    streams.push_back({pointerAt(kb, view, batch, row, column), kb.mul(stride, elementBytes), kb.integer(rows * perRow),
                       perRow, forWriting});
  };
  for (const View &view : ins)
    append(view, false);
  for (const View &view : outs)
    append(view, true);
  return streams;
}

void ContractEpilogue::applyToTile(ArrayRef<Value> batch, Value row, Value column, ArrayRef<Value> sums) {
  int64_t registers = width / lanes, rows = sums.size() / registers;
  // Values per column are loaded once per register, values per row once per row: (operand, row, register).
  DenseMap<std::tuple<size_t, int64_t, int64_t>, Value> loaded;
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t j = 0; j < registers; ++j) {
      Place place{batch, kb.add(row, r), kb.add(column, j * lanes), nullptr};
      SmallVector<Value> extra;
      for (auto [number, view] : llvm::enumerate(ins)) {
        bool sameRow = isRepeated(view.strides[view.strides.size() - 2]), sameColumn = isRepeated(view.strides.back());
        Value &value = loaded[{number, sameRow ? 0 : r, sameColumn ? 0 : j}];
        if (!value)
          value = load(view, place);
        extra.push_back(value);
      }
      apply(sums[r * registers + j], place, extra);
    }
  }
}

void ContractEpilogue::applyToRows(const SpilledSums &sums, Value begin, Value end, Value columnCount) {
  Type element = region.getArgument(0).getType();
  kb.loop(begin, end, 1, [&](Value r) {
    InterleavedCopies copies(kb.b);
    for (int64_t j = 0; j < width; j += lanes)
      copies.add([&] {
        Value mask = columnCount ? kb.laneMask(lanes, kb.add(columnCount, -j)) : nullptr;
        Place place{sums.batch, kb.add(sums.row, r), kb.add(sums.column, j), mask};
        Value sum = kb.load(kb.vector(element, lanes), kb.at(element, sums.memory, kb.add(kb.mul(r, width), j)));
        SmallVector<Value> extra = llvm::map_to_vector(ins, [&](const View &view) { return load(view, place); });
        apply(sum, place, extra);
      });
    if (prefersMemory())
      copies.interleave();
  });
}
