//===- ScanProducts.cpp - Products on the matrices of a chunk -------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computes products of matrices in scratch, tile by tile. All sizes are constants, so rows and registers that do not
// fill a tile get a smaller tile. In a thread block, warps share tiles if the tile's size divides the size of the
// product. If no such tile exists, each thread has a tile of its own. Its columns are a whole number of tiles apart, so
// that neighbours in a warp access neighbours in memory.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/Kernel/Scan/ScanKernel.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::kernel;

void kernel::forTiles(KernelBuilder &kb, int64_t count, int64_t step, Value start,
                      function_ref<void(Value first, int64_t size)> body) {
  int64_t whole = count / step * step;
  if (whole > 0)
    kb.loop(start, kb.integer(whole), step, [&](Value first) { body(first, step); });
  if (whole < count)
    body(kb.integer(whole), count - whole);
}

static TileTerms leftTerms(const ScanKernel &k, const ScanTile &shape, const ScanOperand &left) {
  Value first = k.kb.at(k.real, left.pointer, k.kb.mul(shape.row, left.step));
  return {first, k.kb.integer(left.stride), k.kb.integer(left.step)};
}

static TileTerms rightTerms(const ScanKernel &k, const ScanTile &shape, const ScanOperand &right) {
  return {k.kb.at(k.real, right.pointer, shape.column), k.kb.integer(right.stride), k.kb.integer(shape.step)};
}

SmallVector<Value> kernel::addTerms(const ScanKernel &k, const ScanTile &shape, ValueRange tile,
                                    const ScanTerms &terms) {
  return multiplyInto({k.kb, k.form(), shape}, tile, {terms.lower, terms.upper}, leftTerms(k, shape, terms.left),
                      rightTerms(k, shape, terms.right));
}

/// Adds the terms of a product to a tile, as many at a time as an instruction takes.
static SmallVector<Value> addOperands(const ScanKernel &k, const ScanTile &shape, ValueRange tile,
                                      const ScanProduct &product) {
  KernelBuilder &kb = k.kb;
  const ProductForm &form = *product.form;
  const ScanOperand &left = product.left, &right = product.right;
  TileTerms a(kb.at(form.operand, left.pointer, kb.mul(shape.row, left.step)), kb.integer(left.stride),
              kb.integer(left.step));
  TileTerms b(kb.at(form.operand, right.pointer, kb.mul(shape.column, form.terms)), kb.integer(right.stride),
              kb.integer(shape.step * form.terms));
  TermLoop loop;
  loop.unrolled *= form.terms;
  return multiplyInto({kb, form, shape}, tile, kb.integer(product.terms), a, b, loop);
}

//===----------------------------------------------------------------------===//
// Blocks of threads
//===----------------------------------------------------------------------===//

/// Returns the tile of warps with the shortest time for a product. The time is estimated as the number of instructions
/// of the warp that has most tiles, since all warps wait for the last one. Returns nullopt if no tile divides the sizes
/// of the product.
static std::optional<WarpTile> chooseTile(const ScanKernel &k, const ScanProduct &product) {
  bool tensors = k.threads.usesTensorCores();
  int64_t warps = k.threads.count() / k.threads.perWarp(), least = tensors ? 2 : 1, most = tensors ? 4 : 8;
  std::optional<WarpTile> best;
  if (product.terms % (tensors ? 8 : 4) != 0)
    return best;
  int64_t bestTime = std::numeric_limits<int64_t>::max();
  for (int64_t rows = least; rows <= most; rows *= 2)
    for (int64_t columns = least; columns <= 2 * most; columns *= 2) {
      WarpTile tile{rows, columns};
      if (rows * columns > 64 || product.rows % tile.allRows() != 0 || product.columns % tile.allColumns() != 0)
        continue;
      int64_t tiles = (product.rows / tile.allRows()) * (product.columns / tile.allColumns());
      int64_t time = llvm::divideCeil(tiles, warps) * (2 * rows * columns + (tensors ? 3 : 1) * (rows + columns));
      if (time < bestTime) {
        best = tile;
        bestTime = time;
      }
    }
  return best;
}

static WarpOperand warpOperand(const ScanKernel &k, const ScanOperand &operand, Value first) {
  return {k.at(operand.pointer, first, operand.step), operand.step, operand.stride, operand.isAligned, operand.isExact};
}

/// Returns the terms of a product for `tile`, the tile of a warp: operands that begin at the tile's first row and
/// column.
static WarpTerms warpTerms(const ScanKernel &k, const ScanTerms &terms, const ScanTile &tile) {
  return {warpOperand(k, terms.left, tile.firstRow), warpOperand(k, terms.right, tile.firstColumn), terms.lower,
          terms.upper};
}

static void buildWarpProduct(const ScanKernel &k, const ScanProduct &product, WarpTile tile, TileFinish finish) {
  KernelBuilder &kb = k.kb;
  int64_t across = product.columns / tile.allColumns(), count = product.rows / tile.allRows() * across;
  k.threads.overWarps(count, 1, [&](Value number) {
    ScanTile shape{{tile.rows, tile.columns}, 1};
    shape.firstRow = kb.mul(kb.floorDiv(number, across), tile.allRows());
    shape.firstColumn = kb.mul(kb.floorMod(number, across), tile.allColumns());
    SmallVector<Value> sums(shape.size(), k.zero());
    sums = k.threads.multiplyTile(tile, sums, warpTerms(k, product.allTerms(kb), shape), /*onlyFinite=*/false);
    shape.row = kb.add(shape.firstRow, kb.mul(k.threads.tileRow(), tile.rows));
    shape.column = kb.add(shape.firstColumn, kb.mul(k.threads.tileColumn(), tile.columns));
    finish(shape, std::move(sums));
  });
  k.threads.synchronize();
}

/// Returns the largest divisor of `count` that is at most `most`.
static int64_t divisorOf(int64_t count, int64_t most) {
  while (count % most != 0)
    --most;
  return most;
}

/// Implements buildProduct for a thread block. Uses warp tiles if one divides the product (chooseTile). Otherwise uses
/// thread tiles of up to 4 x 4 accumulators, or smaller ones if some threads would get no tile.
static void buildSharedProduct(const ScanKernel &k, const ScanProduct &product, TileFinish finish) {
  KernelBuilder &kb = k.kb;
  if (std::optional<WarpTile> tile = chooseTile(k, product))
    return buildWarpProduct(k, product, *tile, finish);
  int64_t rows = divisorOf(product.rows, 4), registers = divisorOf(product.columns, 4);
  while (product.rows * product.columns < k.threads.count() * rows * registers && rows * registers > 1)
    registers >= rows ? registers = divisorOf(product.columns, registers - 1)
                      : rows = divisorOf(product.rows, rows - 1);
  int64_t across = product.columns / registers;
  k.threads.overThreads(product.rows / rows * across, 1, [&](Value tile) {
    Value row = kb.mul(kb.floorDiv(tile, across), rows), column = kb.floorMod(tile, across);
    ScanTile shape{{rows, registers}, across, row, column};
    SmallVector<Value> sums(shape.size(), k.zero());
    finish(shape, addTerms(k, shape, sums, product.allTerms(kb)));
  });
  k.threads.synchronize();
}

/// Adds, element by element, the seen terms that have a factor that is not finite (see addSeenTerms). Returns the sums.
static SmallVector<Value> addOtherTerms(const ScanKernel &k, const ScanTile &shape, ValueRange tile,
                                        const ScanTerms &terms, const SeenTerms &seen) {
  KernelBuilder &kb = k.kb;
  const ScanOperand &left = terms.left, &right = terms.right;
  auto is = [&](arith::CmpFPredicate predicate, Value x) -> Value {
    return arith::CmpFOp::create(kb.b, kb.loc, predicate, kb.subf(x, x), k.zero());
  };
  return kb.loop(terms.lower, terms.upper, 1, tile, [&](Value term, ValueRange sums) {
    SmallVector<Value> next;
    for (int64_t n = 0; n < shape.size(); ++n) {
      Value ownRow = shape.rowAt(kb, n / shape.registers), ownColumn = shape.columnAt(kb, n % shape.registers);
      Value x = k.load(left.pointer, kb.add(kb.mul(ownRow, left.step), kb.mul(term, left.stride)));
      Value y = k.load(right.pointer, kb.add(kb.mul(ownColumn, right.step), kb.mul(term, right.stride)));
      Value isOther =
          arith::OrIOp::create(kb.b, kb.loc, is(arith::CmpFPredicate::UNE, x), is(arith::CmpFPredicate::UNE, y));
      Value sees = kb.broadcast(seen.isSeen(seen.ofRows ? ownRow : ownColumn, term), k.lanes);
      next.push_back(kb.select(arith::AndIOp::create(kb.b, kb.loc, isOther, sees), kb.fma(x, y, sums[n]), sums[n]));
    }
    return next;
  });
}

SmallVector<Value> kernel::addSeenTerms(const ScanKernel &k, const ScanTile &shape, ValueRange tile,
                                        const ScanTerms &terms, const SeenTerms &seen) {
  KernelBuilder &kb = k.kb;
  auto multiply = [&](bool onlyFinite) {
    return k.threads.multiplyTile({shape.rows, shape.registers}, tile, warpTerms(k, terms, shape), onlyFinite);
  };
  SmallVector<Type> types(shape.size(), k.vector());
  return kb.ifElse(
      seen.isFinite, types, [&] { return multiply(/*onlyFinite=*/false); },
      [&] { return addOtherTerms(k, shape, multiply(/*onlyFinite=*/true), terms, seen); });
}

Value kernel::areFinite(const ScanKernel &k, ArrayRef<ScanMatrix> matrices) {
  KernelBuilder &kb = k.kb;
  SmallVector<Value> sum = {kb.real(k.real, 0)};
  k.threads.overThreads(k.threads.count(), 1, [&](Value thread) {
    for (const ScanMatrix &matrix : matrices) {
      int64_t width = matrix.columns % 4 == 0 && matrix.pitch % 4 == 0 ? 4 : 1, across = matrix.columns / width;
      sum = kb.loop(thread, kb.integer(matrix.rows * across), k.threads.count(), sum, [&](Value n, ValueRange sum) {
        Value from = k.at(matrix.pointer, kb.floorDiv(n, across), matrix.pitch, kb.mul(kb.floorMod(n, across), width));
        Value part = kb.load(kb.vector(k.real, width), from, width * k.real.getIntOrFloatBitWidth() / 8), next = sum[0];
        for (int64_t c = 0; c < width; ++c)
          next = kb.fma(vector::ExtractOp::create(kb.b, kb.loc, part, ArrayRef<int64_t>{c}), kb.real(k.real, 0), next);
        return SmallVector<Value>{next};
      });
    }
  });
  Value isOther = arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::UNE, sum[0], kb.real(k.real, 0));
  return kb.compare(arith::CmpIPredicate::eq, k.threads.any(isOther), kb.constant(kb.b.getBoolAttr(false)));
}

void kernel::buildProduct(const ScanKernel &k, const ScanProduct &product, TileFinish finish) {
  if (!k.threads.isOne())
    return buildSharedProduct(k, product, finish);
  KernelBuilder &kb = k.kb;
  Value zero = kb.integer(0);
  int64_t across = llvm::divideCeil(product.columns, k.width());
  auto tile = [&](Value row, int64_t rows, Value column, int64_t width) {
    ScanTile shape{{rows, width / k.lanes}, k.lanes, row, column};
    SmallVector<Value> sums(shape.size(), k.zero());
    sums = product.form ? addOperands(k, shape, sums, product) : addTerms(k, shape, sums, product.allTerms(kb));
    if (product.prefetched)
      prefetchRows(k, *product.prefetched,
                   kb.add(kb.mul(kb.floorDiv(row, k.tileRows()), across), kb.floorDiv(column, k.width())),
                   llvm::divideCeil(product.rows, k.tileRows()) * across);
    finish(shape, std::move(sums));
  };
  if (product.columnsOutside)
    return forTiles(kb, product.columns, k.width(), zero, [&](Value column, int64_t width) {
      forTiles(kb, product.rows, k.tileRows(), zero, [&](Value row, int64_t rows) { tile(row, rows, column, width); });
    });
  forTiles(kb, product.rows, k.tileRows(), zero, [&](Value row, int64_t rows) {
    Value start = zero;
    if (product.isUpper) { // single registers up to a whole tile
      Value first = kb.mul(kb.floorDiv(row, k.lanes), k.lanes);
      start = kb.mul(kb.ceilDiv(first, k.width()), k.width());
      kb.loop(first, start, k.lanes, [&](Value column) { tile(row, rows, column, k.lanes); });
    }
    forTiles(kb, product.columns, k.width(), start,
             [&](Value column, int64_t width) { tile(row, rows, column, width); });
  });
}

SmallVector<Value> kernel::addVisibleTerms(const ScanKernel &k, const ScanTile &shape, ValueRange tile,
                                           const ScanTerms &terms, bool ahead) {
  KernelBuilder &kb = k.kb;
  auto visible = [&](Value term, int64_t register_) {
    Value distance = arith::TruncIOp::create(kb.b, kb.loc, kb.b.getI32Type(), kb.sub(term, shape.column));
    Value distances = kb.broadcast(distance, k.lanes);
    Value lanes = arith::AddIOp::create(kb.b, kb.loc, kb.iota(k.lanes),
                                        kb.integerOf(kb.vector(kb.b.getI32Type(), k.lanes), register_ * shape.step));
    return kb.compare(ahead ? arith::CmpIPredicate::sge : arith::CmpIPredicate::sle, lanes, distances);
  };
  TermMask mask;
  mask.ofLanes = visible;
  TileTerms a = leftTerms(k, shape, terms.left);
  a.rowsPerPointer = shape.rows;
  return multiplyInto({kb, k.form(), shape}, tile, {terms.lower, terms.upper}, a, rightTerms(k, shape, terms.right),
                      mask);
}

SmallVector<Value> kernel::addTriangle(const ScanKernel &k, const ScanTile &shape, ValueRange tile,
                                       const ScanOperand &left, const ScanOperand &right, bool isLower) {
  KernelBuilder &kb = k.kb;
  TileTerms a = leftTerms(k, shape, left), b = rightTerms(k, shape, right);
  SmallVector<Value> sums(tile);
  for (int64_t t = 0; t < shape.rows; ++t) {
    Value term = kb.add(shape.row, t), line = kb.at(k.real, b.pointers[0], kb.mul(term, right.stride));
    auto element = [&](int64_t c) { return kb.load(k.vector(), kb.at(k.real, line, c * shape.step)); };
    auto factor = [&](int64_t n) {
      return k.splat(kb.at(k.real, a.pointers[0], n * left.step), kb.mul(term, left.stride));
    };
    addTerm({kb, k.form(), shape}, sums, {isLower ? t : 0, isLower ? shape.rows : t + 1}, {factor, element});
  }
  return sums;
}
