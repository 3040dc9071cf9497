//===- ContractTerms.cpp - Register tiles of a product --------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Contract/ContractKernel.h"
#include "compiler/Target/Kernel/Code/VectorConvert.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

/// Accumulates the products of a block of terms for all rows of a panel of the tile. Whole register tiles come first,
/// then tiles of 4, 2 and 1 rows for the remaining rows.
void ContractExpander::addTerms(const ContractTile &tile) {
  if (streamsPanels())
    return addTermsOfStream(tile);
  int64_t rows = op.getRows();
  Value position = wholeRows(tile);
  SmallVector<PrefetchStream> next = {nextPanel(tile)};
  if (op.packsRows() && !op.getWidened())
    next.push_back(nextRows(tile));
  if (tileForm)
    return addTermsOfTiles(tile, next);
  kb.loop(kb.integer(0), position, rows, positionsOf(next), [&](Value row, ValueRange state) {
    SmallVector<PrefetchStream> prefetches = next;
    for (const CacheLines &lines : epilogue.linesOfTile(tile.batch, kb.add(tile.firstRow, row), tile.firstColumn, rows))
      prefetches.push_back(tilePrefetches(tile, lines));
    resume(MutableArrayRef(prefetches).take_front(next.size()), state);
    registerTile(tile, row, rows, prefetches);
    return positionsOf(ArrayRef(prefetches).take_front(next.size()));
  });
  forEachRest(tile, [&](Value row, int64_t part) {
    SmallVector<PrefetchStream> none;
    registerTile(tile, row, part, none);
  });
}

void ContractExpander::forEachRest(const ContractTile &tile, function_ref<void(Value row, int64_t rows)> build) {
  Value position = wholeRows(tile), left = kb.sub(tile.rows, position);
  for (int64_t part = llvm::PowerOf2Ceil(op.getRows()) / 2; part >= 1; part /= 2) {
    Value bit = arith::AndIOp::create(kb.b, kb.loc, left, kb.integer(part));
    kb.ifThen(kb.compare(arith::CmpIPredicate::ne, bit, kb.integer(0)), [&] { build(position, part); });
    position = kb.add(position, bit);
  }
}

Value ContractExpander::aside(const ContractTile &tile, Value row, int64_t register_) {
  return kb.at(element, kb.at(element, tile.sums, kb.mul(row, width)),
               register_ / (width / lanes) * width + register_ % (width / lanes) * lanes);
}

/// Returns `sums`, the accumulators of a run, plus the total of the runs before it, which was spilled to memory.
SmallVector<Value> ContractExpander::addRunsBefore(const ContractTile &tile, const TermRun &run, Value row,
                                                   SmallVector<Value> sums) {
  Type type = kb.vector(element, lanes);
  return kb.ifElse(
      run.isFirst, SmallVector<Type>(sums.size(), type), [&] { return sums; },
      [&] {
        SmallVector<Value> totals;
        for (auto [i, sum] : llvm::enumerate(sums))
          totals.push_back(kb.addf(kb.load(type, aside(tile, row, i)), sum));
        return totals;
      });
}

void ContractExpander::putAside(const ContractTile &tile, Value row, ArrayRef<Value> sums) {
  for (auto [i, sum] : llvm::enumerate(sums))
    kb.store(sum, aside(tile, row, i));
}

/// Returns `rows` rows of A as the left operand of a register tile. They begin at row `row` of the tile and at term
/// `firstTerm` of the block. If the op packs rows, the operand is read from the packed copy, else from A itself.
TileTerms ContractExpander::rowTerms(const ContractTile &tile, Value firstTerm, Value row, int64_t rows) {
  int64_t height = op.getRows();
  if (op.packsRows()) {
    Value tileStride = packedTileStride(kb, form, height, tile.terms);
    Value packedTile = kb.at(form.operand, rowMemory, kb.mul(kb.floorDiv(row, height), tileStride));
    if (op.getWidened())
      return widenedTerms(tile, packedTile, firstTerm, kb.floorMod(row, height), rows);
    Value place = kb.add(kb.mul(firstTerm, height), kb.mul(kb.floorMod(row, height), form.terms));
    TileTerms terms(kb.at(form.operand, packedTile, place), kb.integer(height), kb.integer(form.terms));
    terms.rowsPerPointer = height;
    return terms;
  }
  TileTerms terms({}, a.strides[batchRank + 1], a.strides[batchRank]);
  terms.stored = a.element;
  terms.rowsPerPointer = 3;
  for (int64_t r = 0; r < rows; r += terms.rowsPerPointer) {
    SmallVector<Value> indices = tile.batch;
    indices.append({kb.add(kb.add(tile.firstRow, row), r), kb.add(tile.firstTerm, firstTerm)});
    terms.pointers.push_back(a.at(kb, indices));
  }
  return terms;
}

/// Returns `rows` rows of the widened copy of A as the left operand of a register tile. They begin at row `row` of the
/// tile at `packedTile`, and at term `firstTerm`.
TileTerms ContractExpander::widenedTerms(const ContractTile &tile, Value packedTile, Value firstTerm, Value row,
                                         int64_t rows) {
  TileTerms terms({}, kb.integer(1), tile.terms);
  terms.rowsPerPointer = 3;
  for (int64_t r = 0; r < rows; r += terms.rowsPerPointer) {
    Value start = kb.at(form.operand, packedTile, kb.mul(kb.add(row, r), tile.terms));
    terms.pointers.push_back(kb.at(form.operand, start, firstTerm));
  }
  return terms;
}

SmallVector<Value> ContractExpander::multiply(const ContractTile &tile, const TermRun &run, Value row, int64_t rows,
                                              TermLoop &loop, SmallVector<Value> sums) {
  RegisterTile shape{rows, width / lanes};
  TileTerms panel{kb.at(form.packed, tile.panelPointer, kb.mul(run.firstTerm, width)), kb.integer(width),
                  kb.integer(lanes * form.terms)};
  if (sums.empty())
    sums.assign(shape.size(), kb.real(kb.vector(element, lanes), 0));
  return multiplyInto({kb, form, shape}, sums, run.terms, rowTerms(tile, run.firstTerm, row, rows), panel, loop);
}

TermRun ContractExpander::runOf(const ContractTile &tile, Value number) {
  Value first = kb.mul(number, runTerms), isFirst = kb.compare(arith::CmpIPredicate::eq, number, kb.integer(0));
  Value isLast = kb.compare(arith::CmpIPredicate::eq, number, kb.add(runsOf(tile), -1));
  return {first, kb.min(kb.sub(tile.terms, first), kb.integer(runTerms)), both(tile.isFirst, isFirst),
          both(tile.isLast, isLast)};
}

void ContractExpander::registerTile(const ContractTile &tile, Value row, int64_t rows,
                                    SmallVector<PrefetchStream> &prefetches) {
  auto advance = [&](MutableArrayRef<Value> positions) {
    for (auto [stream, position] : llvm::zip_equal(prefetches, positions))
      position = stream.prefetch(kb, position);
  };
  Value runs = runsOf(tile);
  SmallVector<Value> last =
      kb.loop(kb.integer(0), runs, 1, positionsOf(prefetches), [&](Value number, ValueRange state) {
        TermLoop loop{prefetches.empty() ? 1 : termsUnrolled, SmallVector<Value>(state), advance};
        TermRun run = runOf(tile, number);
        finishRun(tile, run, row, rows, multiply(tile, run, row, rows, loop));
        return loop.carried;
      });
  resume(prefetches, last);
}

void ContractExpander::finishRun(const ContractTile &tile, const TermRun &run, Value row, int64_t rows,
                                 SmallVector<Value> sums) {
  sums = addRunsBefore(tile, run, row, sums);
  if (rows < static_cast<int64_t>(op.getRows()))
    return putAside(tile, row, sums);
  Value whole = both(run.isLast, hasAllColumns(tile));
  kb.ifElse(
      whole, {},
      [&] {
        if (epilogue.prefersMemory()) {
          putAside(tile, row, sums);
          epilogue.applyToRows(tile.spilled(), row, kb.add(row, rows));
        } else {
          epilogue.applyToTile(tile.batch, kb.add(tile.firstRow, row), tile.firstColumn, sums);
        }
        return SmallVector<Value>();
      },
      [&] {
        putAside(tile, row, sums);
        return SmallVector<Value>();
      });
}
