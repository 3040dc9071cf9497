//===- DecodeScores.cpp - Products of few rows with keys ------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Decode/LineShares.h"
#include "compiler/Target/CPU/Decode/RegisterSums.h"
#include "compiler/Target/Kernel/Code/RegisterTile.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

namespace {
/// Returns the number of registers in a chunk of a row of k. A score tile multiplies longer rows in a loop over chunks.
int64_t chunkOf(const DecodeTask &decode) { return decode.z.rowsOfBand > 1 ? 8 : 32; }

/// Returns the number of chunks of a row of k.
int64_t chunksOf(const DecodeTask &decode) { return llvm::divideCeil(decode.keys.registers.size(), chunkOf(decode)); }

/// Rows of k, `stride` elements apart.
struct KeyRows {
  Value first, stride;
};

/// A register tile of scores: bands [band, band + bands) by `keys` keys. It is tile `number` of a span of keys. Its
/// chunks prefetch their shares of the rows of k at `ahead`, which belong to a later span.
struct ScoreTile {
  DecodeTask &decode;
  Value band;
  int64_t bands, keys;
  KeyRows rows; ///< of k
  Value number, ahead;
  const LineShares &shares;

  /// Adds the products of register `n` of each row of k to `sums`. `from` points to the first row, or to a column of
  /// it. In this row, register `n` begins `column` elements behind `from`. `query` points to the register of q of the
  /// first band that it is multiplied with.
  void add(MutableArrayRef<Value> sums, int64_t n, Value from, int64_t column, Value query) {
    KernelBuilder &kb = decode.kb;
    const HeadRows &k = decode.keys;
    Type operand = decode.product.operand;
    VectorType operands = decode.product.operands(kb);
    auto left = [&](int64_t key) {
      Value row = kb.at(k.view.element, from, kb.mul(rows.stride, key));
      Value part = clearFirst(kb, k.registers.repeated(n), k.load(kb, operand, row, kb.integer(column)));
      return repeatTo(kb, operands, part);
    };
    auto right = [&](int64_t r) { return kb.load(operands, decode.ofLaterBand(query, r)); };
    addTerm({kb, decode.product, {keys, bands}}, sums, {0, keys}, {left, right});
  }

  /// Adds the products of the `count` registers of chunk `chunk`. `first` is the number of its first register.
  void addChunk(MutableArrayRef<Value> sums, Value chunk, int64_t first, int64_t count) {
    KernelBuilder &kb = decode.kb;
    const RowRegisters &row = decode.keys.registers;
    SmallVector<Value> starts = shares.starts(kb.add(kb.mul(number, chunksOf(decode)), chunk));
    Value start = kb.mul(chunk, chunkOf(decode) * row.lanes), from = kb.at(decode.keys.view.element, rows.first, start);
    Type operand = decode.product.operand;
    Value query = kb.at(operand, decode.queryAt(band), kb.mul(start, decode.z.rowsOfBand));
    for (int64_t n = 0; n < count; ++n) {
      shares.prefetchStep(ahead, starts, n, count);
      Value ofRegister = kb.at(operand, query, n * row.lanes * decode.z.rowsOfBand);
      add(sums, first + n, from, row.offset(first + n) - first * row.lanes, ofRegister);
    }
  }

  /// Returns the products [key][band], summed over all columns but not over lanes.
  SmallVector<Value> build() {
    KernelBuilder &kb = decode.kb;
    const RowRegisters &row = decode.keys.registers;
    SmallVector<Value> sums(bands * keys, kb.real(decode.vector(), 0));
    int64_t chunk = chunkOf(decode), whole = row.whole() / chunk, rest = row.size() - whole * chunk;
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

/// Returns the number of keys of a register tile of scores that has `bands` bands. It is a multiple of the number of
/// keys whose sums are transposed together (z.group).
static int64_t keysOfTile(const DecodeTask &decode, int64_t bands) {
  int64_t keys = decode.z.group;
  while (decode.z.rowsOfBand > 1 && 2 * keys <= mostKeysOfTile && 2 * keys * bands <= decode.z.tile.getSums())
    keys *= 2;
  return keys;
}

/// Returns the rows of k of a tile of `count` keys, from key `key` of the block on. `last` is the last key of the block
/// that may be read. If the tile has keys behind `last`, copies all of its rows, with the row of `last` in place of
/// rows that may not be read. All rows are copied, because a tile has only one address and one stride.
static KeyRows rowsOfTile(DecodeTask &decode, const KeyBlock &block, Value key, int64_t count, Value last) {
  KernelBuilder &kb = decode.kb;
  const HeadRows &k = decode.keys;
  Value first = k.at(kb, kb.add(block.first, key)),
        isWhole = kb.compare(arith::CmpIPredicate::sgt, last, kb.add(key, count - 2));
  auto copy = [&] {
    kb.loop(kb.integer(0), kb.integer(count), 1, [&](Value n) {
      Value from = k.at(kb, kb.add(block.first, kb.min(kb.add(key, n), last)));
      Value to = kb.at(k.view.element, decode.buffers.copied, kb.mul(n, k.registers.columns));
      Type stored = memoryType(k.view.element);
      kb.loop(kb.integer(0), kb.integer(k.registers.columns), 1,
              [&](Value column) { kb.store(kb.load(stored, kb.at(stored, from, column)), kb.at(stored, to, column)); });
    });
    return SmallVector<Value>{decode.buffers.copied, kb.integer(k.registers.columns)};
  };
  auto inPlace = [&] { return SmallVector<Value>{first, k.view.strides[2]}; };
  SmallVector<Value> rows = kb.ifElse(isWhole, {kb.pointer(), kb.i64()}, inPlace, copy);
  return {rows[0], rows[1]};
}

// The buffer `partial` is [band][group of keys][lane]: products are summed within groups of lanes. The keys of a few
// tiles stay in the first-level cache for all rows, and meanwhile the rows of each tile for all of these keys. Keys
// behind the last one that is seen are not read.
void cpu::buildProducts(DecodeTask &decode, const KeyBlock &block) {
  KernelBuilder &kb = decode.kb;
  int64_t group = decode.z.group, fewestKeys = interleavedKeys(decode.real);
  int64_t size = balanced(decode.z.bands, decode.z.tile.getSums() / fewestKeys),
          tiles = llvm::divideCeil(decode.z.bands, size);
  int64_t ofTile = keysOfTile(decode, size);
  constexpr int64_t tilesOfSpan = 4;
  int64_t span = tiles == 1 ? ofTile : tilesOfSpan * ofTile;
  const RowRegisters &registers = decode.keys.registers;
  LineShares shares(decode, decode.keys, registers.columns, span, tiles * span / ofTile * chunksOf(decode));
  Value first = kb.mul(kb.floorDiv(block.begin, ofTile), ofTile), last = kb.add(block.end, -1);
  auto buildTile = [&](Value start, Value key, Value band, int64_t bands) {
    KeyRows rows = rowsOfTile(decode, block, key, ofTile, last);
    Value ahead = decode.keys.at(kb, kb.add(kb.add(block.first, start), shares.rowsAhead()));
    Value number = kb.add(kb.mul(kb.floorDiv(band, size), span / ofTile), kb.floorDiv(kb.sub(key, start), ofTile));
    SmallVector<Value> sums = ScoreTile{decode, band, bands, ofTile, rows, number, ahead, shares}.build();
    for (int64_t r = 0; r < bands; ++r)
      for (int64_t from = 0; from < ofTile; from += group) {
        SmallVector<Value> ofBand;
        for (int64_t n = from; n < from + group; ++n)
          ofBand.push_back(sums[n * bands + r]);
        Value to = kb.at(decode.real, decode.partialAt(kb.add(band, r)), kb.mul(key, decode.lanes / group));
        kb.store(addWithinGroups(kb, ofBand), kb.at(decode.real, to, from / group * decode.lanes));
      }
  };
  kb.loop(first, block.end, span, [&](Value start) {
    if (tiles == 1)
      return buildTile(start, start, kb.integer(0), decode.z.bands);
    forEachTile(decode, decode.z.bands, size, [&](Value band, int64_t bands) {
      kb.loop(start, kb.min(kb.add(start, span), block.end), ofTile,
              [&](Value key) { buildTile(start, key, band, bands); });
    });
  });
}
