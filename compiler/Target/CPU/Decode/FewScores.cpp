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
/// Returns how many registers of a row a chunk of a score tile multiplies. Longer rows are a loop over chunks.
int64_t chunkOf(const FewRows &few) { return few.rowsOfBand > 1 ? 8 : 32; }

/// Returns the number of chunks of a row.
int64_t chunksOf(const FewRows &few) { return llvm::divideCeil(few.keys.registers.size(), chunkOf(few)); }

/// Rows of k, `stride` elements apart.
struct KeyRows {
  Value first, stride;
};

/// A register tile of scores: `bands` bands of rows from `band` on, and some keys. It is tile `number` of those of a
/// span of keys, and its chunks prefetch shares of the rows of k at `ahead`, another span.
struct ScoreTile {
  FewRows &few;
  Value band;
  int64_t bands, keys;
  KeyRows rows; ///< of k
  Value number, ahead;
  const LineShares &shares;

  /// Adds the products of register `n` of each row of k, which begins with column `column` of `from`, the first row,
  /// and is multiplied by the register at `query` of each band.
  void add(MutableArrayRef<Value> sums, int64_t n, Value from, int64_t column, Value query) {
    KernelBuilder &kb = few.kb;
    const HeadRows &k = few.keys;
    Type operand = few.product.operand;
    VectorType operands = few.product.operands(kb);
    auto left = [&](int64_t key) {
      Value row = kb.at(k.view.element, from, kb.mul(rows.stride, key));
      Value part = clearFirst(kb, k.registers.repeated(n), k.load(kb, operand, row, kb.integer(column)));
      return repeatTo(kb, operands, part);
    };
    auto right = [&](int64_t r) { return kb.load(operands, few.ofLaterBand(query, r)); };
    addTerm(kb, few.product, {keys, bands}, sums, 0, keys, left, right);
  }

  /// Adds the products of the registers of chunk `chunk`, which begins with register `first`.
  void addChunk(MutableArrayRef<Value> sums, Value chunk, int64_t first, int64_t count) {
    KernelBuilder &kb = few.kb;
    const RowRegisters &row = few.keys.registers;
    SmallVector<Value> starts = shares.starts(kb.add(kb.mul(number, chunksOf(few)), chunk));
    Value start = kb.mul(chunk, chunkOf(few) * row.lanes), from = kb.at(few.keys.view.element, rows.first, start);
    Type operand = few.product.operand;
    Value query = kb.at(operand, few.queryAt(band), kb.mul(start, few.rowsOfBand));
    for (int64_t n = 0; n < count; ++n) {
      shares.prefetchStep(ahead, starts, n, count);
      Value ofRegister = kb.at(operand, query, n * row.lanes * few.rowsOfBand);
      add(sums, first + n, from, row.offset(first + n) - first * row.lanes, ofRegister);
    }
  }

  /// Returns the products, summed over all columns but not over lanes: [key][band].
  SmallVector<Value> build() {
    KernelBuilder &kb = few.kb;
    const RowRegisters &row = few.keys.registers;
    SmallVector<Value> sums(bands * keys, kb.real(few.vector(), 0));
    int64_t chunk = chunkOf(few), whole = row.whole() / chunk, rest = row.size() - whole * chunk;
    if (whole == 1)
      addChunk(sums, kb.integer(0), 0, chunk);
    else if (whole > 1)
      sums = kb.loop(kb.integer(0), kb.integer(whole), 1, sums, [&](Value number, ValueRange sums) {
        SmallVector<Value> next(sums);
        addChunk(next, number, 0, chunk);
        return next;
      });
    if (rest > 0)
      addChunk(sums, kb.integer(whole), whole * chunk, rest);
    return sums;
  }
};
} // namespace

/// Returns the keys of a register tile of scores of `bands` bands: whole groups, whose sums are transposed together.
static int64_t keysOfTile(const FewRows &few, int64_t bands) {
  constexpr int64_t most = xft::AttendFewScratch::mostKeysOfTile;
  int64_t keys = few.group;
  while (few.rowsOfBand > 1 && 2 * keys <= most && 2 * keys * bands <= few.tile.getSums())
    keys *= 2;
  return keys;
}

/// Returns the rows of k of a tile of `count` keys from key `key` of a block on. If `last`, the last key that is read,
/// lies before its end, they are a copy, whose last rows repeat that of `last`: a tile has one address and one stride.
static KeyRows rowsOfTile(FewRows &few, const KeyBlock &block, Value key, int64_t count, Value last) {
  KernelBuilder &kb = few.kb;
  const HeadRows &k = few.keys;
  Value first = k.at(kb, kb.add(block.first, key)),
        isWhole = kb.compare(arith::CmpIPredicate::sgt, last, kb.add(key, count - 2));
  auto copy = [&] {
    kb.loop(kb.integer(0), kb.integer(count), 1, [&](Value n) {
      Value from = k.at(kb, kb.add(block.first, kb.min(kb.add(key, n), last)));
      Value to = kb.at(k.view.element, few.copied, kb.mul(n, k.registers.columns));
      Type stored = memoryType(k.view.element);
      kb.loop(kb.integer(0), kb.integer(k.registers.columns), 1,
              [&](Value column) { kb.store(kb.load(stored, kb.at(stored, from, column)), kb.at(stored, to, column)); });
    });
    return SmallVector<Value>{few.copied, kb.integer(k.registers.columns)};
  };
  auto inPlace = [&] { return SmallVector<Value>{first, k.view.strides[2]}; };
  SmallVector<Value> rows = kb.ifElse(isWhole, {kb.pointer(), kb.i64()}, inPlace, copy);
  return {rows[0], rows[1]};
}

// The buffer `partial` is [band][group of keys][lane]: products are summed within groups of lanes. The keys of a few
// tiles stay in the first-level cache for all rows, and meanwhile the rows of each tile for all of these keys. Keys
// behind the last one that is seen are not read.
void cpu::buildProducts(FewRows &few, const KeyBlock &block) {
  KernelBuilder &kb = few.kb;
  int64_t group = few.group, fewestKeys = xft::AttendFewScratch::groupOf(few.real);
  int64_t size = balanced(few.bands, few.tile.getSums() / fewestKeys), tiles = llvm::divideCeil(few.bands, size);
  int64_t ofTile = keysOfTile(few, size);
  constexpr int64_t tilesOfSpan = 4;
  int64_t span = tiles == 1 ? ofTile : tilesOfSpan * ofTile;
  const RowRegisters &registers = few.keys.registers;
  LineShares shares(few, few.keys, registers.columns, span, tiles * span / ofTile * chunksOf(few));
  Value first = kb.mul(kb.floorDiv(block.begin, ofTile), ofTile), last = kb.add(block.end, -1);
  auto buildTile = [&](Value start, Value key, Value band, int64_t bands) {
    KeyRows rows = rowsOfTile(few, block, key, ofTile, last);
    Value ahead = few.keys.at(kb, kb.add(kb.add(block.first, start), shares.rowsAhead()));
    Value number = kb.add(kb.mul(kb.floorDiv(band, size), span / ofTile), kb.floorDiv(kb.sub(key, start), ofTile));
    SmallVector<Value> sums = ScoreTile{few, band, bands, ofTile, rows, number, ahead, shares}.build();
    for (int64_t r = 0; r < bands; ++r)
      for (int64_t from = 0; from < ofTile; from += group) {
        SmallVector<Value> ofBand;
        for (int64_t n = from; n < from + group; ++n)
          ofBand.push_back(sums[n * bands + r]);
        Value to = kb.at(few.real, few.partialAt(kb.add(band, r)), kb.mul(key, few.lanes / group));
        kb.store(addWithinGroups(kb, ofBand), kb.at(few.real, to, from / group * few.lanes));
      }
  };
  kb.loop(first, block.end, span, [&](Value start) {
    if (tiles == 1)
      return buildTile(start, start, kb.integer(0), few.bands);
    forEachTile(few, few.bands, size, [&](Value band, int64_t bands) {
      kb.loop(start, kb.min(kb.add(start, span), block.end), ofTile,
              [&](Value key) { buildTile(start, key, band, bands); });
    });
  });
}
