//===- FewValues.cpp - Products with values of few rows -------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Attend/MaskedPairs.h"
#include "compiler/Target/CPU/Decode/FewRows.h"
#include "compiler/Target/Kernel/Code/RegisterTile.h"
#include "dialects/xft/IR/XftAttendFewScratch.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

namespace {
/// A register tile of o: `shape.rows` rows from `row` on, and registers of columns. Register c is at slot + c lanes in
/// scratch memory, and begins with column slot + offsets[c].
struct ValueTile {
  FewRows &few;
  const KeyBlock &block;
  Value row;
  RegisterTile shape;
  Value slot;
  ArrayRef<int64_t> offsets;
  bool prefetches;

  Value output(int64_t r, int64_t c) {
    Value start = few.kb.at(few.real, few.outputAt(few.kb.add(row, r)), slot);
    return few.kb.at(few.real, start, c * few.lanes);
  }

  /// Returns the values of the register at column `column` of the keys that one instruction adds, from `key` on. A key
  /// behind the last one that some row sees is replaced by that one.
  Value load(Value key, Value column) {
    KernelBuilder &kb = few.kb;
    SmallVector<Value> terms;
    for (int64_t term = 0; term < few.product.terms; ++term) {
      Value number = term == 0 ? key : kb.min(kb.add(key, term), kb.add(block.end, -1));
      terms.push_back(few.values.load(kb, few.product.operand, few.values.at(kb, kb.add(block.first, number)), column));
    }
    return few.product.interleave(kb, terms);
  }

  void prefetch(Value key, Value column, int64_t offset) {
    for (int64_t term = 0; term < few.product.terms; ++term) {
      Value row = few.values.at(few.kb, few.kb.add(block.first, few.kb.add(key, term)));
      few.values.prefetch(few.kb, row, column, offset, shape.registers * few.lanes);
    }
  }

  /// Adds the products with values of keys [begin, end) of the block, whole instructions. If `isMasked`, values of
  /// masked pairs, which may be NaN, are replaced by zeros.
  SmallVector<Value> add(ValueRange sums, Value begin, Value end, bool isMasked) {
    KernelBuilder &kb = few.kb;
    auto visible = [&](Value weight) { return isVisible(few, weight); };
    TermMask mask;
    if (isMasked)
      mask.ofWeight = visible;
    Type operand = few.product.operand;
    return kb.loop(begin, end, few.product.terms, sums, [&](Value key, ValueRange sums) {
      SmallVector<Value> next(sums);
      auto left = [&](int64_t r) {
        return few.product.broadcast(kb, operand, kb.at(operand, few.weightsAt(kb.add(row, r)), key));
      };
      auto right = [&](int64_t c) {
        Value column = kb.add(slot, offsets[c]);
        if (prefetches)
          prefetch(key, column, offsets[c]);
        return load(key, column);
      };
      addTerm(kb, few.product, shape, next, 0, shape.rows, left, right, mask);
      return next;
    });
  }

  void build() {
    KernelBuilder &kb = few.kb;
    SmallVector<Value> factors;
    for (int64_t r = 0; r < shape.rows; ++r)
      factors.push_back(few.splat(few.at(few.decay, kb.add(row, r), 1)));
    SmallVector<Value> sums =
        shape.fill([&](int64_t r, int64_t c) { return kb.mulf(kb.load(few.vector(), output(r, c)), factors[r]); });
    // Whole instructions; the pairs that an instruction adds beyond an interval are masked.
    auto alignDown = [&](Value key) { return kb.mul(kb.floorDiv(key, few.product.terms), few.product.terms); };
    auto alignUp = [&](Value key) { return few.product.padded(kb, key); };
    Value commonBegin = alignUp(block.commonBegin), commonEnd = kb.max(alignDown(block.commonEnd), commonBegin);
    sums = add(sums, alignDown(block.begin), commonBegin, /*isMasked=*/true);
    sums = add(sums, commonBegin, commonEnd, /*isMasked=*/false);
    sums = add(sums, commonEnd, alignUp(block.end), /*isMasked=*/true);
    for (int64_t r = 0; r < shape.rows; ++r)
      for (int64_t c = 0; c < shape.registers; ++c)
        kb.store(shape.at(sums, r, c), output(r, c));
  }
};
} // namespace

/// Returns the registers of columns in a tile of `rows` rows: sums, a value for each column and a weight fit registers.
static int64_t columnsOfTile(const FewRows &few, int64_t rows) {
  int64_t sums = few.tile.getSums(), others = xft::AttendFewScratch::groupOf(few.real);
  int64_t most = rows == 1 ? sums : std::max<int64_t>(1, (sums + others) / (rows + 1));
  return balanced(few.values.registers.size(), most);
}

void cpu::buildValues(FewRows &few, const KeyBlock &block) {
  // Tall tiles read few values, and all rows of up to eight read each value once.
  int64_t mostRows = balanced(few.rows, std::max<int64_t>(4, few.tile.getSums() / 3));
  few.values.registers.forEach(few.kb, columnsOfTile(few, mostRows), [&](Value slot, ArrayRef<int64_t> offsets) {
    int64_t count = offsets.size();
    forEachRowTile(few, mostRows, [&](Value row, int64_t rows, bool isFirst) {
      ValueTile{few, block, row, {rows, count}, slot, offsets, /*prefetches=*/isFirst}.build();
    });
  });
}
