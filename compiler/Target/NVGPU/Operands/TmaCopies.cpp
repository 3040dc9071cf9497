//===- TmaCopies.cpp - TMA copies of rows of matrices ---------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/NVGPU/Operands/TmaCopies.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::nvgpu;

static constexpr auto slt = arith::CmpIPredicate::slt;

TensorMaps::TensorMaps(func::FuncOp kernel, KernelBuilder &kb)
    : listed(kernel->getAttrOfType<ArrayAttr>(xft::tensorMapsAttrName)) {
  for (size_t n = 0; n < listed.size(); ++n) {
    (void)kernel.insertArgument(kernel.getNumArguments(), kb.pointer(), {}, kb.loc);
    maps.push_back(kernel.getArguments().back());
  }
}

Value TensorMaps::find(xft::TensorMapAttr map) const { return maps[llvm::find(listed, map) - listed.begin()]; }

namespace {
/// Starts the copy of one box between a tensor map and a shared address.
using BoxCopy = function_ref<void(Value map, ArrayRef<Value> coordinates, Value shared)>;

/// A run of rows of a tensor map.
struct MapRows {
  Value map;
  ArrayRef<Value> first; ///< coordinates of the first row
};
} // namespace

/// Copies the run `run` of `rows` to or from the rows of `matrix` from `firstRow` on, one box for each 64 columns.
/// `copy` starts the copy of a box.
static void copyBoxes(KernelBuilder &kb, const RankRows &rows, const MapRows &run, const SwizzledMatrix &matrix,
                      int64_t firstRow, BoxCopy copy) {
  for (int64_t box = 0; box < matrix.boxes(); ++box) {
    SmallVector<Value> coordinates = {i32(kb, box * SwizzledMatrix::boxColumns)};
    for (Value coordinate : run.first)
      coordinates.push_back(toI32(kb, coordinate));
    coordinates.append({toI32(kb, rows.h), toI32(kb, rows.b)});
    Value offset = i32(kb, box * matrix.boxBytes() + firstRow * SwizzledMatrix::rowBytes);
    copy(run.map, coordinates, arith::AddIOp::create(kb.b, kb.loc, matrix.address, offset));
  }
}

/// Copies `rows` to or from `matrix`. `copy` starts the copy of a box.
static void copyRows(KernelBuilder &kb, const TensorMaps &maps, const RankRows &rows, const SwizzledMatrix &matrix,
                     BoxCopy copy) {
  int64_t number = cast<BlockArgument>(rows.operand).getArgNumber() - xft::kernelPrefix;
  SmallVector<xft::TensorMapAttr, 2> views = rows.boxes.maps(number);
  if (!rows.boxes.isStrided()) {
    for (int64_t rank = 0; rank < rows.boxes.count; rank += rows.boxes.rows())
      copyBoxes(kb, rows, {maps.find(views[0]), {rows.rowAt(rank)}}, matrix, rank, copy);
    return;
  }
  Value period = kb.integer(rows.boxes.map.getPeriod()), column = rows.column, row = rows.inColumn;
  if (!column) {
    Value first = rows.rowAt(0);
    column = kb.rem(first, period);
    row = kb.div(first, period);
  }
  auto copyFrom = [&](xft::TensorMapAttr view) {
    return [&, view] {
      copyBoxes(kb, rows, {maps.find(view), {column, row}}, matrix, 0, copy);
      return SmallVector<Value>();
    };
  };
  Value hasMore = kb.compare(slt, column, kb.rem(rows.n, period));
  kb.ifElse(hasMore, {}, copyFrom(views[0]), copyFrom(views[1]));
}

void nvgpu::copyRankRows(KernelBuilder &kb, const TensorMaps &maps, const RankRows &rows, const SwizzledMatrix &to,
                         Value barrier) {
  copyRows(kb, maps, rows, to, [&](Value map, ArrayRef<Value> coordinates, Value shared) {
    startTmaCopy(kb, map, coordinates, shared, barrier);
  });
}

void nvgpu::storeRankRows(KernelBuilder &kb, const TensorMaps &maps, const RankRows &rows, const SwizzledMatrix &from) {
  copyRows(kb, maps, rows, from,
           [&](Value map, ArrayRef<Value> coordinates, Value shared) { startTmaStore(kb, map, coordinates, shared); });
}

void nvgpu::forChunks(ThreadBlock &block, int64_t columns, function_ref<void(Value row, Value chunk)> body) {
  KernelBuilder &kb = block.kb;
  int64_t chunks = llvm::divideCeil(columns, 8);
  kb.loop(kb.floorMod(block.thread, threadsOfWarpgroup), kb.integer(groupRows * chunks), threadsOfWarpgroup,
          [&](Value n) { body(kb.floorDiv(n, chunks), kb.floorMod(n, chunks)); });
}

Type nvgpu::chunkType(KernelBuilder &kb) { return kb.vector(kb.b.getI32Type(), 4); }

void nvgpu::copyWarpgroupRows(ThreadBlock &block, Type element, const SwizzledMatrix &to, Value groupRow, int64_t depth,
                              function_ref<Value(Value inBlock)> addressOf) {
  KernelBuilder &kb = block.kb;
  Type type = chunkType(kb);
  forChunks(block, to.columns, [&](Value row, Value chunk) {
    Value inBlock = kb.add(arith::ExtUIOp::create(kb.b, kb.loc, kb.i64(), groupRow), row);
    Value from = kb.at(element, addressOf(inBlock), kb.mul(chunk, 8));
    Value exists = kb.compare(slt, chunk, kb.integer(depth / 8));
    auto load = [&]() -> SmallVector<Value> { return {kb.load(type, from, 16)}; };
    auto zero = [&]() -> SmallVector<Value> { return {kb.integerOf(type, 0)}; };
    kb.store(kb.ifElse(exists, type, load, zero)[0], to.chunk(kb, toI32(kb, inBlock), toI32(kb, chunk)), 16);
  });
}
