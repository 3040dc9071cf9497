//===- AttendVjpWarpgroupMasks.cpp - Dropout of gradients -----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As in AttendWarpgroupMasks.cpp, a warp draws the bits of its 16 rows while products are in flight: four words for
// four keys at once. Where queries are resident, those are columns of the tile: bit l of word n of a row is that of key
// 4 l + n. Where keys are resident, they are four rows of it, and a lane draws for one query: bit l of word n of a key
// is that of query 32 n + l.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/NVGPU/AttendVjp/AttendVjpWarpgroup.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::nvgpu;

using Kernel = AttendVjpWarpgroupKernel;

static constexpr int64_t wordsOfRow = vjpMaskBytes / 4;

namespace {
/// Dropout, with the words of four keys.
struct DropoutWords : AttendDropout {
  explicit DropoutWords(const AttendDropout &dropout) : AttendDropout(dropout) {}
  using AttendDropout::draw;
  using AttendDropout::isKept;
};
} // namespace

/// Returns a pointer to the words of the warp's row `row`.
static Value wordsAt(Kernel &k, Value row) {
  KernelBuilder &kb = k.kb;
  Value ofWarp = kb.mul(k.block.warp, WarpProduct::tileRows);
  return kb.at(kb.b.getI32Type(), k.dropoutMasks, kb.mul(kb.add(ofWarp, row), wordsOfRow));
}

/// Returns the number of words of a key: one for each 32 streamed queries.
static int64_t chunksOf(Kernel &k) { return llvm::divideCeil(k.streamed(), ThreadBlock::warpSize); }

/// Draws the words of query `row` and the lane's keys 4 block .. 4 block + 3 (block is an i32); returns their bits in
/// all lanes, one i32 for each of the four.
static SmallVector<Value> drawBits(Kernel &k, Value row, Value block) {
  DropoutWords dropout(k.dropout);
  SmallVector<Value> bits;
  for (Value word : dropout.draw(k, row, k.kb.broadcast(block, 1)))
    bits.push_back(k.block.ballot(scalarOf(k.kb, dropout.isKept(k.kb, word))));
  return bits;
}

static void drawRows(Kernel &k, Value keyBlock) {
  KernelBuilder &kb = k.kb;
  Value first = kb.add(keyBlock, kb.mul(k.block.lane, wordsOfRow)), block = toI32(kb, kb.floorDiv(first, wordsOfRow));
  kb.loop(kb.integer(0), kb.integer(WarpProduct::tileRows), 1, [&](Value row) {
    Value all = LLVM::UndefOp::create(kb.b, kb.loc, kb.vector(kb.b.getI32Type(), wordsOfRow));
    for (auto [n, word] : llvm::enumerate(drawBits(k, k.rowOf(kb.add(k.warpRow(), row)), block)))
      all = LLVM::InsertElementOp::create(kb.b, kb.loc, all, word, i32(kb, n));
    k.block.onFirstLane([&] { kb.store(all, wordsAt(k, row), vjpMaskBytes); });
  });
}

static void drawKeys(Kernel &k) {
  KernelBuilder &kb = k.kb;
  constexpr int64_t together = 4; // keys
  int64_t chunks = chunksOf(k);
  Value firstKey = kb.add(k.firstKey, kb.mul(k.block.warp, WarpProduct::tileRows));
  kb.loop(kb.integer(0), kb.integer(WarpProduct::tileRows / together * chunks), 1, [&](Value number) {
    Value group = kb.floorDiv(number, chunks), chunk = kb.floorMod(number, chunks);
    Value query = k.rowOf(kb.add(kb.mul(chunk, ThreadBlock::warpSize), k.block.lane));
    Value block = toI32(kb, kb.add(kb.floorDiv(firstKey, together), group));
    SmallVector<Value> bits = drawBits(k, query, block);
    k.block.onFirstLane([&] {
      for (auto [n, word] : llvm::enumerate(bits))
        kb.store(word, kb.at(kb.b.getI32Type(), wordsAt(k, kb.add(kb.mul(group, together), n)), chunk));
    });
  });
}

void nvgpu::drawDropout(Kernel &k, const StreamedBlock &block) {
  k.block.synchronizeWarp(); // the last block's bits have been read
  k.hasKeys ? drawKeys(k) : drawRows(k, block.first);
  k.block.synchronizeWarp();
}

SmallVector<Value> nvgpu::keptPairs(Kernel &k, size_t size) {
  KernelBuilder &kb = k.kb;
  Type i32Type = kb.b.getI32Type();
  // Of the lane's column c = 2 q: where keys are columns, word c mod 4 + e has bit 2 a + q / 2 of column 8 a + c + e.
  Value column = k.product.column();
  Value shift = toI32(kb, k.hasKeys ? column : kb.floorDiv(column, 4)), words[2][wordsOfRow];
  int64_t count = k.hasKeys ? chunksOf(k) : 2;
  Value firstWord = k.hasKeys ? kb.integer(0) : kb.floorMod(column, 4);
  for (int64_t half : {0, 1}) {
    Value first = kb.at(i32Type, wordsAt(k, k.product.row(half)), firstWord);
    for (int64_t n = 0; n < count; ++n)
      words[half][n] = arith::ShRUIOp::create(kb.b, kb.loc, kb.load(i32Type, kb.at(i32Type, first, n)), shift);
  }
  SmallVector<Value> kept;
  for (size_t n = 0; n < size; ++n) {
    int64_t half = WarpProduct::halfOf(n), relative = WarpProduct::columnOf(n);
    int64_t word = k.hasKeys ? relative / ThreadBlock::warpSize : relative % 2;
    int64_t bit = k.hasKeys ? relative % ThreadBlock::warpSize : relative / WarpProduct::atomColumns * 2;
    Value isSet = arith::AndIOp::create(kb.b, kb.loc, words[half][word], i32(kb, static_cast<int32_t>(1u << bit)));
    kept.push_back(kb.compare(arith::CmpIPredicate::ne, isSet, i32(kb, 0)));
  }
  return kept;
}

TileSums nvgpu::dropPairs(Kernel &k, ArrayRef<Value> tile, ArrayRef<Value> kept) {
  KernelBuilder &kb = k.kb;
  Value factor = kb.real(k.real, k.dropout.getFactor());
  TileSums dropped;
  for (auto [x, isKept] : llvm::zip(tile, kept))
    dropped.push_back(kb.select(isKept, kb.mulf(x, factor), kb.real(k.real, 0)));
  return dropped;
}
