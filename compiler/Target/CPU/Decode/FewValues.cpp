//===- FewValues.cpp - Products with values of few rows -------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Attend/MaskedPairs.h"
#include "compiler/Target/CPU/Decode/LineShares.h"
#include "compiler/Target/Kernel/Code/RegisterTile.h"
#include "dialects/xft/IR/XftAttendFewScratch.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

/// The keys whose values a turn of a loop adds.
static constexpr int64_t keysOfGroup = 4;

/// Returns the values of the register at column `column` of the keys that one instruction adds, from `key` on. A key
/// behind the last one that some row sees is replaced by that one.
static Value loadValues(FewRows &few, const KeyBlock &block, Value key, Value column) {
  KernelBuilder &kb = few.kb;
  SmallVector<Value> terms;
  for (int64_t term = 0; term < few.product.terms; ++term) {
    Value number = term == 0 ? key : kb.min(kb.add(key, term), kb.add(block.end, -1));
    terms.push_back(few.values.load(kb, few.product.operand, few.values.at(kb, kb.add(block.first, number)), column));
  }
  return few.product.interleave(kb, terms);
}

static Value alignDown(KernelBuilder &kb, Value key, int64_t to) { return kb.mul(kb.floorDiv(key, to), to); }

/// Returns the keys of a block that some row sees, in whole instructions. Pairs beyond an interval are masked.
static std::pair<Value, Value> wholeInstructions(FewRows &few, const KeyBlock &block) {
  return {alignDown(few.kb, block.begin, few.product.terms), few.product.padded(few.kb, block.end)};
}

/// Interleaves the values of a block in scratch memory.
static void interleaveValues(FewRows &few, const KeyBlock &block) {
  KernelBuilder &kb = few.kb;
  auto [begin, end] = wholeInstructions(few, block);
  constexpr int64_t most = 8;
  kb.loop(begin, end, few.product.terms, [&](Value key) {
    few.values.registers.forEach(kb, most, [&](Value slot, ArrayRef<int64_t> offsets) {
      for (auto [n, offset] : llvm::enumerate(offsets))
        kb.store(loadValues(few, block, key, kb.add(slot, offset)),
                 few.interleavedAt(key, kb.add(slot, n * few.lanes)));
    });
  });
}

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
  const LineShares &shares; ///< of the lines of these columns
  ArrayRef<Value> starts;   ///< where the tile's share starts

  Value output(int64_t r, int64_t c) {
    Value start = few.kb.at(few.real, few.outputAt(few.kb.add(row, r)), slot);
    return few.kb.at(few.real, start, c * few.lanes);
  }

  /// Adds the products with the values of the keys that one instruction adds, from `key` on. `weights` returns a
  /// pointer to P of a row and this key.
  void addKeys(MutableArrayRef<Value> sums, Value key, function_ref<Value(Value row)> weights, const TermMask &mask) {
    KernelBuilder &kb = few.kb;
    auto left = [&](int64_t r) { return few.product.broadcast(kb, few.product.operand, weights(kb.add(row, r))); };
    auto right = [&](int64_t c) {
      if (!xft::AttendFewScratch::interleavesOnce(few.op))
        return loadValues(few, block, key, kb.add(slot, offsets[c]));
      Value at = few.interleavedAt(key, kb.add(slot, c * few.lanes));
      return kb.load(few.product.operands(kb), at);
    };
    addTerm(kb, few.product, shape, sums, 0, shape.rows, left, right, mask);
  }

  /// Adds the products with values of keys [begin, end) of the block, whole groups, which all rows see. Prefetches the
  /// tile's share of groups ahead.
  SmallVector<Value> addGroups(ValueRange sums, Value begin, Value end) {
    KernelBuilder &kb = few.kb;
    return kb.loop(begin, end, keysOfGroup, sums, [&](Value key, ValueRange sums) {
      SmallVector<Value> next(sums);
      Value ahead = few.values.at(kb, kb.add(kb.add(block.first, key), shares.rowsAhead()));
      ahead = kb.at(few.values.view.element, ahead, kb.add(slot, offsets[0]));
      int64_t terms = few.product.terms;
      for (int64_t n = 0; n < keysOfGroup; n += terms) {
        shares.prefetchStep(ahead, starts, n / terms, keysOfGroup / terms);
        addKeys(next, kb.add(key, n), [&](Value row) { return few.weightsAt(row, key, n, keysOfGroup); }, {});
      }
      return next;
    });
  }

  /// Adds the products with values of keys [begin, end) of the block, whole instructions. Values of masked pairs, which
  /// may be NaN, are replaced by zeros.
  SmallVector<Value> addMasked(ValueRange sums, Value begin, Value end) {
    KernelBuilder &kb = few.kb;
    auto visible = [&](Value weight) { return isVisible(few, weight); };
    TermMask mask;
    mask.ofWeight = visible;
    return kb.loop(begin, end, few.product.terms, sums, [&](Value key, ValueRange sums) {
      SmallVector<Value> next(sums);
      addKeys(next, key, [&](Value row) { return few.weightsAt(row, key, 0, few.product.terms); }, mask);
      return next;
    });
  }

  void build() {
    KernelBuilder &kb = few.kb;
    SmallVector<Value> factors;
    for (int64_t r = 0; r < shape.rows; ++r)
      factors.push_back(few.rowsOfBand == 1 ? kb.load(few.vector(), few.decayAt(kb.add(row, r)))
                                            : kb.broadcastLoad(few.real, few.lanes, few.decayAt(kb.add(row, r))));
    SmallVector<Value> sums =
        shape.fill([&](int64_t r, int64_t c) { return kb.mulf(kb.load(few.vector(), output(r, c)), factors[r]); });
    Value commonBegin = kb.mul(kb.ceilDiv(block.commonBegin, keysOfGroup), keysOfGroup);
    auto [begin, end] = wholeInstructions(few, block);
    Value groupsEnd = alignDown(kb, block.commonEnd, keysOfGroup);
    Value isAny = kb.compare(arith::CmpIPredicate::slt, commonBegin, groupsEnd);
    commonBegin = kb.select(isAny, commonBegin, end);
    groupsEnd = kb.select(isAny, groupsEnd, end);
    sums = addMasked(sums, begin, commonBegin);
    sums = addGroups(sums, commonBegin, groupsEnd);
    sums = addMasked(sums, groupsEnd, end);
    for (int64_t r = 0; r < shape.rows; ++r)
      for (int64_t c = 0; c < shape.registers; ++c)
        kb.store(shape.at(sums, r, c), output(r, c));
  }
};
} // namespace

/// Returns the registers of columns in a tile of `rows` rows: sums, a value for each column and a weight fit registers.
static int64_t tileColumns(const FewRows &few, int64_t rows) {
  int64_t sums = few.tile.getSums(), others = xft::AttendFewScratch::groupOf(few.real);
  int64_t most = rows == 1 ? sums : std::max<int64_t>(1, (sums + others) / (rows + 1));
  return balanced(few.values.registers.size(), most);
}

void cpu::buildValues(FewRows &few, const KeyBlock &block) {
  KernelBuilder &kb = few.kb;
  const RowRegisters &registers = few.values.registers;
  if (xft::AttendFewScratch::interleavesOnce(few.op))
    interleaveValues(few, block);
  // Tall tiles read few values, and all rows of up to eight read each value once.
  int64_t rowsOfTile = balanced(few.rows, std::max<int64_t>(4, few.tile.getSums() / 3));
  int64_t columnsOfTile = tileColumns(few, rowsOfTile), tiles = llvm::divideCeil(few.rows, rowsOfTile);
  registers.forEach(kb, columnsOfTile, [&](Value slot, ArrayRef<int64_t> offsets) {
    int64_t count = offsets.size();
    LineShares shares(few, few.values, count * few.lanes, keysOfGroup, tiles);
    forEachTile(few, few.rows, rowsOfTile, [&](Value row, int64_t rows) {
      SmallVector<Value> starts = shares.starts(kb.floorDiv(row, rowsOfTile));
      ValueTile{few, block, row, {rows, count}, slot, offsets, shares, starts}.build();
    });
  });
}
