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

/// Computes all rows of the tile: whole register tiles, then 4, 2 and 1 rows.
void ContractExpander::addTerms(const ContractTile &tile) {
  int64_t rows = op.getRows();
  Value position = wholeRows(tile), left = kb.sub(tile.rows, position);
  SmallVector<PrefetchStream> next = {nextPanel(tile)};
  if (op.packsRows())
    next.push_back(nextRows(tile));
  kb.loop(kb.integer(0), position, rows, positionsOf(next), [&](Value row, ValueRange state) {
    SmallVector<PrefetchStream> prefetches = next;
    for (const CacheLines &lines : epilogue.linesOfTile(tile.batch, kb.add(tile.firstRow, row), tile.firstColumn, rows))
      prefetches.push_back(tilePrefetches(tile, lines));
    resume(MutableArrayRef(prefetches).take_front(next.size()), state);
    registerTile(tile, row, rows, prefetches);
    return positionsOf(ArrayRef(prefetches).take_front(next.size()));
  });
  for (int64_t part = llvm::PowerOf2Ceil(rows) / 2; part >= 1; part /= 2) {
    Value bit = arith::AndIOp::create(kb.b, kb.loc, left, kb.integer(part));
    Value isThere = kb.compare(arith::CmpIPredicate::ne, bit, kb.integer(0));
    kb.ifThen(isThere, [&] {
      SmallVector<PrefetchStream> none;
      registerTile(tile, position, part, none);
    });
    position = kb.add(position, bit);
  }
}

Value ContractExpander::aside(const ContractTile &tile, Value row, int64_t register_) {
  return kb.at(element, kb.at(element, tile.sums, kb.mul(row, width)),
               register_ / (width / lanes) * width + register_ % (width / lanes) * lanes);
}

/// Adds the accumulators of one run of terms to the totals of the runs before it.
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

/// Adds one term to every accumulator, `step` terms after the pointers, by fused multiply-adds.
void ContractExpander::multiplyTerm(TermPointers &at, int64_t step, int64_t rows, MutableArrayRef<Value> sums) {
  int64_t registers = width / lanes;
  SmallVector<Value> panel;
  for (int64_t j = 0; j < registers; ++j)
    panel.push_back(kb.load(kb.vector(element, lanes), kb.at(element, at.panel, step * width + j * lanes)));
  for (int64_t r = 0; r < rows; ++r) {
    Value term = kb.at(at.element, at.rows[r / at.rowsPerPointer], kb.mul(at.strideM, r % at.rowsPerPointer));
    Value value = loadBroadcast(kb, at.element, lanes, kb.at(at.element, term, kb.mul(at.strideK, step)));
    for (int64_t j = 0; j < registers; ++j)
      sums[r * registers + j] = kb.fma(value, panel[j], sums[r * registers + j]);
  }
}

/// Returns pointers to the terms of `rows` rows, from row `row` of the tile and term `firstTerm` on.
TermPointers ContractExpander::termPointers(const ContractTile &tile, Value firstTerm, Value row, int64_t rows) {
  int64_t height = op.getRows();
  Value panel = kb.at(element, tile.panelPointer, kb.mul(firstTerm, width));
  if (op.packsRows()) {
    Value tileStride = packedTileStride(kb, height, tile.terms);
    Value packedTile = kb.at(element, rowMemory, kb.mul(kb.floorDiv(row, height), tileStride));
    Value first = kb.at(element, packedTile, kb.add(kb.mul(firstTerm, height), kb.floorMod(row, height)));
    return {element, {first}, rows, kb.integer(1), kb.integer(height), panel};
  }
  TermPointers at{a.element, {}, 3, a.strides[batchRank], a.strides[batchRank + 1], panel};
  for (int64_t r = 0; r < rows; r += at.rowsPerPointer) {
    SmallVector<Value> indices = tile.batch;
    indices.append({kb.add(kb.add(tile.firstRow, row), r), kb.add(tile.firstTerm, firstTerm)});
    at.rows.push_back(a.at(kb, indices));
  }
  return at;
}

SmallVector<Value> ContractExpander::multiply(const ContractTile &tile, const TermRun &run, Value row, int64_t rows,
                                              MutableArrayRef<PrefetchStream> prefetches) {
  TermPointers at = termPointers(tile, run.firstTerm, row, rows);
  int64_t sumCount = rows * (width / lanes);
  SmallVector<Value> state(sumCount, kb.real(kb.vector(element, lanes), 0));
  state.append(at.rows);
  state.push_back(at.panel);
  llvm::append_range(state, positionsOf(prefetches));
  auto terms = [&](int64_t count) {
    return [&, count](Value, ValueRange carried) {
      SmallVector<Value> next(carried);
      MutableArrayRef<Value> pointers = MutableArrayRef(next).slice(sumCount, at.rows.size() + 1);
      TermPointers from = at;
      from.rows.assign(pointers.begin(), pointers.end() - 1);
      from.panel = pointers.back();
      if (count > 1)
        for (auto [stream, position] : llvm::zip_equal(prefetches, MutableArrayRef(next).take_back(prefetches.size())))
          position = stream.prefetch(kb, position);
      for (int64_t step = 0; step < count; ++step)
        multiplyTerm(from, step, rows, MutableArrayRef(next).take_front(sumCount));
      for (Value &pointer : pointers.drop_back())
        pointer = kb.at(at.element, pointer, kb.mul(at.strideK, count));
      pointers.back() = kb.at(element, pointers.back(), count * width);
      return next;
    };
  };
  Value unrolled = kb.integer(0);
  if (!prefetches.empty()) {
    unrolled = kb.mul(kb.floorDiv(run.terms, termsUnrolled), termsUnrolled);
    state = kb.loop(kb.integer(0), unrolled, termsUnrolled, state, terms(termsUnrolled));
    resume(prefetches, ArrayRef(state).take_back(prefetches.size()));
  }
  state = kb.loop(unrolled, run.terms, 1, state, terms(1));
  state.truncate(sumCount);
  return state;
}

void ContractExpander::registerTile(const ContractTile &tile, Value row, int64_t rows,
                                    SmallVector<PrefetchStream> &prefetches) {
  Value zero = kb.integer(0), runs = kb.max(kb.ceilDiv(tile.terms, runTerms), kb.integer(1));
  SmallVector<Value> last = kb.loop(zero, runs, 1, positionsOf(prefetches), [&](Value number, ValueRange state) {
    resume(prefetches, state);
    Value first = kb.mul(number, runTerms), isFirst = kb.compare(arith::CmpIPredicate::eq, number, zero);
    Value isLast = kb.compare(arith::CmpIPredicate::eq, number, kb.add(runs, -1));
    TermRun run{first, kb.min(kb.sub(tile.terms, first), kb.integer(runTerms)), both(tile.isFirst, isFirst),
                both(tile.isLast, isLast)};
    finishRun(tile, run, row, rows, multiply(tile, run, row, rows, prefetches));
    return positionsOf(prefetches);
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
          epilogue.applyToRows(tile.batch, tile.firstRow, row, kb.add(row, rows), tile.firstColumn, tile.sums);
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
