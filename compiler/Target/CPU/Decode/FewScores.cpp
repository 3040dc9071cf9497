//===- FewScores.cpp - Products of few rows with keys ---------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Decode/LineShares.h"
#include "compiler/Target/CPU/Decode/RegisterSums.h"
#include "compiler/Target/Kernel/Code/RegisterTile.h"
#include "dialects/xft/IR/XftAttendFewScratch.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

namespace {
/// Registers of a row that a chunk of a score tile multiplies. Longer rows are a loop over chunks.
constexpr int64_t registersOfChunk = 32;

/// Returns the number of chunks of a row.
int64_t chunksOf(const RowRegisters &row) { return llvm::divideCeil(row.size(), registersOfChunk); }

/// A register tile of scores: `rows` rows from `row` on, and some keys. It is tile `number` of those of a span of keys,
/// and its chunks prefetch shares of the rows of k at `ahead`, another span.
struct ScoreTile {
  FewRows &few;
  Value row;
  int64_t rows;
  SmallVector<Value> keys; ///< pointers to the rows of k
  Value number, ahead;
  const LineShares &shares;

  /// Adds the products of register `n` of each row, which is at `slot` in scratch memory and begins with `column`.
  void add(MutableArrayRef<Value> sums, int64_t n, Value slot, Value column) {
    KernelBuilder &kb = few.kb;
    const HeadRows &k = few.keys;
    Type operand = few.product.operand;
    VectorType operands = few.product.operands(kb);
    auto left = [&](int64_t key) {
      return clearFirst(kb, k.registers.repeated(n), k.load(kb, operand, keys[key], column));
    };
    auto right = [&](int64_t r) { return kb.load(operands, kb.at(operand, few.queryAt(kb.add(row, r)), slot)); };
    addTerm(kb, few.product, {static_cast<int64_t>(keys.size()), rows}, sums, 0, keys.size(), left, right);
  }

  /// Adds the products of the registers of chunk `chunk`, which begins with register `first`.
  void addChunk(MutableArrayRef<Value> sums, Value chunk, int64_t first, int64_t count) {
    KernelBuilder &kb = few.kb;
    const RowRegisters &row = few.keys.registers;
    SmallVector<Value> starts = shares.starts(kb.add(kb.mul(number, chunksOf(row)), chunk));
    Value start = kb.mul(chunk, registersOfChunk * row.lanes);
    for (int64_t n = 0; n < count; ++n) {
      shares.prefetchStep(ahead, starts, n, count);
      add(sums, first + n, kb.add(start, n * row.lanes), kb.add(start, row.offset(first + n) - first * row.lanes));
    }
  }

  /// Returns the products, summed over all columns but not over lanes: [key][row].
  SmallVector<Value> build() {
    KernelBuilder &kb = few.kb;
    const RowRegisters &row = few.keys.registers;
    SmallVector<Value> sums(rows * keys.size(), kb.real(few.vector(), 0));
    int64_t whole = row.whole() / registersOfChunk, rest = row.size() - whole * registersOfChunk;
    if (whole == 1)
      addChunk(sums, kb.integer(0), 0, registersOfChunk);
    else if (whole > 1)
      sums = kb.loop(kb.integer(0), kb.integer(whole), 1, sums, [&](Value chunk, ValueRange sums) {
        SmallVector<Value> next(sums);
        addChunk(next, chunk, 0, registersOfChunk);
        return next;
      });
    if (rest > 0)
      addChunk(sums, kb.integer(whole), whole * registersOfChunk, rest);
    return sums;
  }
};
} // namespace

// The buffer `partial` is [row][group of keys][lane]: products are summed within groups of lanes. The keys of a few
// tiles stay in the first-level cache for all rows, and meanwhile the rows of each tile for all of these keys. Keys
// behind the last one that is seen are not read.
void cpu::buildProducts(FewRows &few, const KeyBlock &block) {
  KernelBuilder &kb = few.kb;
  int64_t group = xft::AttendFewScratch::groupOf(few.real), perRow = few.tile.getKeys() / group * few.lanes;
  int64_t size = balanced(few.rows, few.tile.getSums() / group), tiles = llvm::divideCeil(few.rows, size);
  constexpr int64_t tilesOfSpan = 4;
  int64_t span = tiles == 1 ? group : tilesOfSpan * group;
  const RowRegisters &registers = few.keys.registers;
  LineShares shares(few, few.keys, registers.columns, span, tiles * span / group * chunksOf(registers));
  Value first = kb.mul(kb.floorDiv(block.begin, group), group), last = kb.add(block.end, -1);
  auto buildTile = [&](Value start, Value key, Value row, int64_t rows) {
    SmallVector<Value> keys;
    for (int64_t n = 0; n < group; ++n)
      keys.push_back(few.keys.at(kb, kb.add(block.first, kb.min(kb.add(key, n), last))));
    Value ahead = few.keys.at(kb, kb.add(kb.add(block.first, start), shares.rowsAhead()));
    Value number = kb.add(kb.mul(kb.floorDiv(row, size), span / group), kb.floorDiv(kb.sub(key, start), group));
    SmallVector<Value> sums = ScoreTile{few, row, rows, keys, number, ahead, shares}.build();
    Value to = kb.at(few.real, few.partial, kb.mul(key, few.lanes / group));
    for (int64_t r = 0; r < rows; ++r) {
      SmallVector<Value> ofRow;
      for (int64_t n = 0; n < group; ++n)
        ofRow.push_back(sums[n * rows + r]);
      kb.store(addWithinGroups(kb, ofRow), kb.at(few.real, to, kb.mul(kb.add(row, r), perRow)));
    }
  };
  kb.loop(first, block.end, span, [&](Value start) {
    if (tiles == 1)
      return buildTile(start, start, kb.integer(0), few.rows);
    forEachRowTile(few, size, [&](Value row, int64_t rows) {
      kb.loop(start, kb.min(kb.add(start, span), block.end), group,
              [&](Value key) { buildTile(start, key, row, rows); });
    });
  });
}
