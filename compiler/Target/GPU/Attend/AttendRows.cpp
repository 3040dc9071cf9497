//===- AttendRows.cpp - Rows of queries, and tiles of them ----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/GPU/Attend/AttendRows.h"
#include "compiler/Target/Kernel/Code/VectorConvert.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::gpu;

static constexpr auto slt = arith::CmpIPredicate::slt;

AttendRows::AttendRows(func::FuncOp kernel, const AttendTask &task, xft::AttendTileAttr tile, int64_t threads)
    : AttendTask(task), block(kernel, kb, threads), product(block, q.element), tile(tile) {
  real = product.sum;
  lanes = 1;
  tableGroups = {tile.getRows(), tile.getWidth()};
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

void AttendRows::findRows(IndexMapAttr map, Value number) {
  rows.map = ResidueMap::of(kb, map, r);
  rows.first = kb.add(rows.map.rank(kb, kb.sub(nk, nq)), kb.mul(number, tile.getQueries()));
  rows.count = kb.min(kb.sub(rows.map.rank(kb, nk), rows.first), kb.integer(tile.getQueries()));
}

void AttendRows::findLaneRows() {
  for (int64_t half : {0, 1}) {
    Value n = kb.add(warpRow(), product.row(half));
    rows.lane[half] = rowOf(n);
    rows.exists[half] = kb.compare(slt, n, rows.count);
  }
}

Value AttendRows::rowOf(Value n) {
  Value rank = kb.add(rows.first, kb.min(n, kb.add(rows.count, -1)));
  return kb.sub(rows.map.at(kb, rank), kb.sub(nk, nq));
}

Value xf::gpu::atRow(AttendRows &k, const View &view, Value row) { return view.at(k.kb, {k.b, k.h, row}); }

//===----------------------------------------------------------------------===//
// Matrices
//===----------------------------------------------------------------------===//

int64_t AttendRows::matrixBytes(int64_t rows, int64_t columns) {
  return rows * product.pitch(columns) * product.element.getIntOrFloatBitWidth() / 8;
}

SharedMatrix AttendRows::share(int64_t rows, int64_t columns) {
  return {block.shared(matrixBytes(rows, columns)), product.element, product.pitch(columns)};
}

SharedMatrix AttendRows::inStage(const Stages &stages, Value stage, int64_t place, int64_t columns) {
  return {stages.at(stage, place), product.element, product.pitch(columns)};
}

SharedMatrix AttendRows::shareTiles(int64_t warps, int64_t columns) {
  int64_t size = WarpProduct::tileRows * columns;
  Value all = block.shared(warps * size * real.getIntOrFloatBitWidth() / 8);
  return {kb.at(real, all, kb.mul(block.warp, size)), real, columns};
}

void AttendRows::copyQueries(const View &view, const SharedMatrix &to, int64_t depth, bool isOnce) {
  Value offset = kb.sub(nk, nq);
  auto address = [&](Value n) { return atRow(*this, view, kb.sub(rows.map.at(kb, kb.add(rows.first, n)), offset)); };
  auto exists = [&](Value n) { return kb.compare(slt, n, rows.count); };
  Value width = kb.integer(depth), matrix = view.at(kb, {b, h});
  copyTile(block, to, tile.getQueries(), llvm::alignTo(depth, WarpProduct::unit),
           {address, exists, width, Value(), isAligned(kb, view.element, matrix, {view.strides[2]}, width),
            /*isTransposed=*/false, isOnce});
}

void AttendRows::copyKeys(const View &view, Value head, const KeyBlock &keys, const SharedMatrix &to, int64_t depth) {
  auto address = [&](Value n) { return view.at(kb, {b, head, keys.keyAt(kb.add(keys.first, n))}); };
  auto exists = [&](Value n) -> Value {
    Value rank = kb.add(keys.first, n);
    return arith::AndIOp::create(kb.b, kb.loc, kb.compare(arith::CmpIPredicate::sge, rank, keys.begin),
                                 kb.compare(slt, rank, keys.end));
  };
  Value width = kb.integer(depth), matrix = view.at(kb, {b, head});
  GlobalRows rows{address, exists, width, Value(), isAligned(kb, view.element, matrix, {view.strides[2]}, width)};
  if (keys.step > 0) {
    rows.step = kb.mul(view.strides[2], keys.step);
    rows.begin = kb.sub(keys.begin, keys.first);
    rows.end = kb.sub(keys.end, keys.first);
  }
  rows.isOnce = keys.isOnce;
  copyTile(block, to, tile.getKeys(), llvm::alignTo(depth, WarpProduct::unit), rows);
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

Value AttendRows::exp2(Value x) {
  return real.isF32() && kb.machine.hasExp2() ? kb.machine.buildExp2(kb, x) : kb.exp2(x);
}

Value AttendRows::isMasked(Value p) {
  Value bits = arith::BitcastOp::create(kb.b, kb.loc, integer(), p);
  int64_t masked = integer().isInteger(64) ? INT64_MIN : INT32_MIN;
  return kb.compare(arith::CmpIPredicate::eq, bits, kb.integerOf(integer(), masked));
}

Value xf::gpu::scalarOf(KernelBuilder &kb, Value x) {
  return isa<VectorType>(x.getType()) ? Value(vector::ExtractOp::create(kb.b, kb.loc, x, ArrayRef<int64_t>{0})) : x;
}

//===----------------------------------------------------------------------===//
// Tiles in memory
//===----------------------------------------------------------------------===//

static Value elementAddress(AttendRows &k, const SharedMatrix &memory, size_t n) {
  Value column = k.kb.add(k.product.column(), n / 4 * WarpProduct::atomColumns + n % 2);
  return memory.at(k.kb, k.product.row(n % 4 / 2), column);
}

void xf::gpu::storeTile(AttendRows &k, const SharedMatrix &memory, ArrayRef<Value> tile) {
  for (auto [n, value] : llvm::enumerate(tile))
    k.kb.store(value, elementAddress(k, memory, n));
}

TileSums xf::gpu::loadTile(AttendRows &k, const SharedMatrix &memory, size_t size) {
  TileSums tile;
  for (size_t n = 0; n < size; ++n)
    tile.push_back(k.kb.load(k.real, elementAddress(k, memory, n)));
  return tile;
}

TileSums xf::gpu::forElements(AttendRows &k, const SharedMatrix &memory, ArrayRef<Value> tile,
                              function_ref<Value(const TileElement &, Value)> body) {
  KernelBuilder &kb = k.kb;
  storeTile(k, memory, tile);
  kb.loop(kb.integer(0), kb.integer(tile.size()), 1, [&](Value n) {
    TileElement element;
    element.isUpper = kb.compare(slt, kb.floorMod(n, 4), kb.integer(2));
    element.row = kb.select(element.isUpper, k.product.row(0), k.product.row(1));
    Value inAtom = kb.add(k.product.column(), kb.floorMod(n, 2));
    element.column = kb.add(inAtom, kb.mul(kb.floorDiv(n, 4), WarpProduct::atomColumns));
    Value address = memory.at(kb, element.row, element.column);
    kb.store(body(element, kb.load(k.real, address)), address);
  });
  return loadTile(k, memory, tile.size());
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

SmallVector<Value> xf::gpu::addTile(AttendRows &k, ArrayRef<Value> sums, const TileProduct &factors) {
  SmallVector<Value> result(sums);
  for (int64_t term = 0; term < factors.terms; term += k.product.terms())
    k.product.multiply(result, k.product.asLeft(factors.tile, term), factors.b, /*isTransposed=*/false,
                       k.kb.integer(term));
  return result;
}

/// Returns sums + tile b, with zeros in place of non-finite elements of b. Adds terms in the order of addTile, but in a
/// loop at run time. The loop reads the tile from `memory`.
static SmallVector<Value> addFinite(AttendRows &k, const SharedMatrix &memory, ArrayRef<Value> sums,
                                    const TileProduct &factors) {
  KernelBuilder &kb = k.kb;
  constexpr int64_t step = WarpProduct::unit;
  return kb.loop(kb.integer(0), kb.integer(factors.terms), step, sums, [&](Value first, ValueRange carried) {
    SharedMatrix part = memory;
    part.pointer = part.at(kb, kb.integer(0), first);
    TileSums tile = loadTile(k, part, step / WarpProduct::atomColumns * 4);
    SmallVector<Value> next(carried);
    for (int64_t term = 0; term < step; term += k.product.terms())
      k.product.multiply(next, k.product.asLeft(tile, term), factors.b, /*isTransposed=*/false, kb.add(first, term),
                         /*onlyFinite=*/true);
    return next;
  });
}

SmallVector<Value> xf::gpu::addCarefully(AttendRows &k, const SharedMatrix &memory, ArrayRef<Value> sums,
                                         const TileProduct &factors, function_ref<Value(Value)> isMasked) {
  KernelBuilder &kb = k.kb;
  const SharedMatrix &b = factors.b;
  storeTile(k, memory, factors.tile);
  k.block.synchronizeWarp();
  SmallVector<Value> result = addFinite(k, memory, sums, factors);
  result = kb.loop(kb.integer(0), kb.integer(factors.terms), 1, result, [&](Value term, ValueRange carried) {
    SmallVector<Value> next(carried);
    Value x[2], masked[2];
    for (int64_t half : {0, 1}) {
      x[half] = kb.load(k.real, memory.at(kb, k.product.row(half), term));
      masked[half] = isMasked(x[half]);
    }
    for (size_t n = 0; n < next.size(); ++n) {
      int64_t half = n % 4 / 2;
      Value column = kb.add(k.product.column(), n / 4 * WarpProduct::atomColumns + n % 2);
      Value y = loadScalar(kb, b.element, b.at(kb, term, column)), isSpecial = isInfinite(kb, y);
      Value isAdded = kb.select(masked[half], kb.constant(kb.b.getBoolAttr(false)), isSpecial);
      next[n] = kb.select(isAdded, kb.fma(x[half], y, next[n]), next[n]);
    }
    return next;
  });
  k.block.synchronizeWarp();
  return result;
}

Value xf::gpu::isInfinite(KernelBuilder &kb, ArrayRef<Value> values) {
  Value zero = kb.real(values.front().getType(), 0), sum = zero; // sum of 0 x: 0, or NaN if some x is not finite
  for (Value x : values)
    sum = kb.fma(x, zero, sum);
  return arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::UNE, sum, zero);
}
