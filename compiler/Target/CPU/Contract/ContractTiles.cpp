//===- ContractTiles.cpp - A product on tiles of a matrix unit ------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Multiplies on tiles of a matrix unit. Sums go from the unit's registers to memory, from which the epilogue reads them
// row by row. The terms are not divided into runs, because an instruction sums the terms of a tile from 0 before it
// adds them to earlier sums.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Contract/ContractKernel.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

/// Multiplies the rows of the tile with a block of terms. Multiplies whole register tiles first, then at most 16 of the
/// remaining rows at a time.
void ContractExpander::addTermsOfTiles(const ContractTile &tile, SmallVector<PrefetchStream> next) {
  int64_t rows = op.getRows();
  Value position = wholeRows(tile);
  kb.loop(kb.integer(0), position, rows, positionsOf(next), [&](Value row, ValueRange state) {
    SmallVector<PrefetchStream> prefetches = next;
    for (const CacheLines &lines : epilogue.linesOfTile(tile.batch, kb.add(tile.firstRow, row), tile.firstColumn, rows))
      prefetches.push_back(tilePrefetches(tile, lines));
    resume(MutableArrayRef(prefetches).take_front(next.size()), state);
    multiplyTiles(tile, row, nullptr, prefetches);
    kb.ifThen(both(tile.isLast, hasAllColumns(tile)),
              [&] { epilogue.applyToRows(tile.spilled(), row, kb.add(row, rows)); });
    return positionsOf(ArrayRef(prefetches).take_front(next.size()));
  });
  kb.loop(position, tile.rows, TileForm::rows, [&](Value row) {
    SmallVector<PrefetchStream> none;
    multiplyTiles(tile, row, kb.min(kb.sub(tile.rows, row), kb.integer(TileForm::rows)), none);
  });
}

/// Adds a block of terms to the sums from row `row` on. If `rows` is null, the sums are a whole register tile, else
/// `rows` rows.
void ContractExpander::multiplyTiles(const ContractTile &tile, Value row, Value rows,
                                     SmallVector<PrefetchStream> &prefetches) {
  SmallVector<Value> indices = tile.batch;
  indices.append({kb.add(tile.firstRow, row), tile.firstTerm});
  TileProduct product;
  product.tiles = rows ? 1 : static_cast<int64_t>(op.getRows()) / TileForm::rows;
  product.registers = width / TileForm::columns;
  product.terms = tile.terms;
  product.a = a.at(kb, indices);
  product.rowStride = a.strides[batchRank];
  product.rows = rows;
  product.panel = tile.panelPointer;
  product.sums = kb.at(element, tile.sums, kb.mul(row, width));
  product.width = width;
  product.isFirst = tile.isFirst;
  auto advance = [&](MutableArrayRef<Value> positions) {
    for (auto [stream, position] : llvm::zip_equal(prefetches, positions))
      position = stream.prefetch(kb, position);
  };
  TermLoop loop{termsUnrolled, positionsOf(prefetches), advance};
  cpu::multiplyTiles(kb, *tileForm, product, loop);
  resume(prefetches, loop.carried);
}
