//===- TileProduct.cpp - Products on tiles of a matrix unit ---------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Multiplies on a matrix unit. Two by two tiles of sums take four of the unit's eight registers. Two tiles of each
// operand take the other four:
//
//   sums = isFirst ? zeros : load
//   for each block of 32 terms { load 2 tiles of a, 2 of the panel; 4 multiply-adds }
//   if fewer than 32 terms remain { copy them, both operands, and fill up with zeros; 4 multiply-adds }
//   store sums
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Operands/TileProduct.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

namespace {
class TileMultiplier {
public:
  TileMultiplier(KernelBuilder &kb, const TileForm &form, const TileProduct &product)
      : kb(kb), form(form), product(product), operand(form.panels().operand), sum(form.panels().sum),
        whole(kb.mul(kb.floorDiv(product.terms, TileForm::terms), TileForm::terms)) {
    if (product.rows || hasRest())
      copyOfA = kb.stack(operand, product.tiles * tileElements);
    if (hasRest())
      copyOfPanel = kb.stack(operand, product.registers * tileElements);
  }

  void multiply(TermLoop &loop);

private:
  static constexpr int64_t tileElements = TileForm::rows * TileForm::terms;

  int64_t size() const { return product.tiles * product.registers; }
  Value bytes(Type element, Value count) { return kb.mul(count, element.getIntOrFloatBitWidth() / 8); }
  Value placeOfSums(int64_t tile) {
    int64_t row = tile / product.registers * TileForm::rows, column = tile % product.registers * TileForm::columns;
    return kb.at(sum, product.sums, row * product.width + column);
  }
  Value strideOfSums() { return bytes(sum, kb.integer(product.width)); }

  /// Return a pointer to term `term` of the rows of tile `tile` (rowsOf), and of the columns of tile `column`
  /// (columnsOf).
  Value rowsOf(Value term, int64_t tile) {
    Value rows = kb.mul(product.rowStride, tile * TileForm::rows);
    return kb.at(operand, product.a, kb.add(rows, term));
  }
  Value columnsOf(Value term, int64_t column) {
    Value row = kb.at(operand, product.panel, kb.mul(term, product.width));
    return kb.at(operand, row, 2 * TileForm::columns * column);
  }

  bool hasRest() const { return whole != product.terms; } // equal constants are one value
  void clear(Value copy, int64_t tiles);
  void copyRows(Value term);
  void copyRest(Value term, Value count);
  SmallVector<Value> loadSums();
  SmallVector<Value> addRest(ArrayRef<Value> sums);
  void addBlock(MutableArrayRef<Value> sums, Value term, bool copiesRows, bool copiesPanel);

  KernelBuilder &kb;
  const TileForm &form;
  const TileProduct &product;
  Type operand, sum;
  Value whole;                ///< number of terms in whole blocks
  Value copyOfA, copyOfPanel; ///< [tiles][16][32]: copies of operands that do not fill tiles
};
} // namespace

void TileMultiplier::clear(Value copy, int64_t tiles) {
  VectorType row = kb.vector(operand, TileForm::terms);
  kb.loop(kb.integer(0), kb.integer(tiles * tileElements), TileForm::terms,
          [&](Value n) { kb.store(kb.constant(cast<TypedAttr>(kb.b.getZeroAttr(row))), kb.at(operand, copy, n)); });
}

/// Copies the block of terms from `term` on to copyOfA, for the rows that exist.
void TileMultiplier::copyRows(Value term) {
  VectorType row = kb.vector(operand, TileForm::terms);
  kb.loop(kb.integer(0), product.rows, 1, [&](Value r) {
    Value from = kb.at(operand, rowsOf(term, 0), kb.mul(r, product.rowStride));
    kb.store(kb.load(row, from, 2), kb.at(operand, copyOfA, kb.mul(r, TileForm::terms)));
  });
}

/// Copies the last `count` terms of both operands, from term `term` on. Fills the rest of the copies with zeros.
void TileMultiplier::copyRest(Value term, Value count) {
  clear(copyOfA, product.tiles);
  clear(copyOfPanel, product.registers);
  Value rows = product.rows ? product.rows : kb.integer(product.tiles * TileForm::rows);
  Type bits = kb.b.getIntegerType(operand.getIntOrFloatBitWidth());
  kb.loop(kb.integer(0), rows, 1, [&](Value r) {
    Value from = kb.at(operand, rowsOf(term, 0), kb.mul(r, product.rowStride));
    Value to = kb.at(operand, copyOfA, kb.mul(r, TileForm::terms));
    kb.loop(kb.integer(0), count, 1,
            [&](Value k) { kb.store(kb.load(bits, kb.at(operand, from, k)), kb.at(operand, to, k)); });
  });
  VectorType pairs = kb.vector(operand, 2 * TileForm::columns);
  kb.loop(kb.integer(0), count, 2, [&](Value k) {
    for (int64_t column = 0; column < product.registers; ++column) {
      Value to = kb.at(operand, copyOfPanel, kb.add(kb.mul(k, TileForm::columns), column * tileElements));
      kb.store(kb.load(pairs, columnsOf(kb.add(term, k), column)), to);
    }
  });
}

SmallVector<Value> TileMultiplier::loadSums() {
  SmallVector<Type> types(size(), form.type(kb));
  auto zeros = [&] {
    SmallVector<Value> sums;
    for (int64_t tile = 0; tile < size(); ++tile)
      sums.push_back(form.zero(kb));
    return sums;
  };
  auto before = [&] {
    SmallVector<Value> sums;
    for (int64_t tile = 0; tile < size(); ++tile)
      sums.push_back(form.load(kb, placeOfSums(tile), strideOfSums()));
    return sums;
  };
  return product.isFirst ? kb.ifElse(product.isFirst, types, zeros, before) : zeros();
}

/// Adds the products of the block of terms from `term` on to `sums`. With `copiesRows`, reads the copy of A instead of
/// A itself. With `copiesPanel`, reads the copy of the panel.
void TileMultiplier::addBlock(MutableArrayRef<Value> sums, Value term, bool copiesRows, bool copiesPanel) {
  Value copyStride = kb.integer(TileForm::rowBytes);
  SmallVector<Value> columns;
  for (int64_t n = 0; n < product.registers; ++n)
    columns.push_back(copiesPanel ? form.load(kb, kb.at(operand, copyOfPanel, n * tileElements), copyStride)
                                  : form.load(kb, columnsOf(term, n), bytes(operand, kb.integer(2 * product.width))));
  for (int64_t m = 0; m < product.tiles; ++m) {
    Value rows = copiesRows ? form.load(kb, kb.at(operand, copyOfA, m * tileElements), copyStride)
                            : form.load(kb, rowsOf(term, m), bytes(operand, product.rowStride));
    for (auto [n, column] : llvm::enumerate(columns)) {
      Value &tile = sums[m * product.registers + n];
      tile = form.addProduct(kb, tile, rows, column);
    }
  }
}

/// Adds the terms behind the last whole block, if there are any.
SmallVector<Value> TileMultiplier::addRest(ArrayRef<Value> sums) {
  Value count = kb.sub(product.terms, whole);
  return kb.ifElse(
      kb.compare(arith::CmpIPredicate::sgt, count, kb.integer(0)), ValueRange(sums).getTypes(),
      [&] {
        SmallVector<Value> next(sums);
        copyRest(whole, count);
        addBlock(next, whole, /*copiesRows=*/true, /*copiesPanel=*/true);
        return next;
      },
      [&] { return SmallVector<Value>(sums); });
}

void TileMultiplier::multiply(TermLoop &loop) {
  SmallVector<Value> state = loadSums();
  llvm::append_range(state, loop.carried);
  if (product.rows)
    clear(copyOfA, product.tiles);
  state = kb.loop(kb.integer(0), whole, TileForm::terms, state, [&](Value term, ValueRange before) {
    SmallVector<Value> next(before);
    for (int64_t n = 0; loop.advance && n < TileForm::terms; n += loop.unrolled)
      loop.advance(MutableArrayRef(next).drop_front(size()));
    if (product.rows)
      copyRows(term);
    addBlock(MutableArrayRef(next).take_front(size()), term, /*copiesRows=*/product.rows != nullptr,
             /*copiesPanel=*/false);
    return next;
  });
  loop.carried.assign(state.begin() + size(), state.end());
  state.truncate(size());
  if (hasRest())
    state = addRest(state);
  for (auto [tile, value] : llvm::enumerate(state))
    form.store(kb, value, placeOfSums(tile), strideOfSums());
}

void cpu::multiplyTiles(KernelBuilder &kb, const TileForm &form, const TileProduct &product, TermLoop &loop) {
  assert((!product.rows || product.tiles == 1) && "only a single tile may lack rows");
  TileMultiplier(kb, form, product).multiply(loop);
}
