//===- AttendVjpWarpgroupMasks.cpp - Masks of pairs of gradients ----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds a bit for each pair, by the predicate and by dropout, while products are in flight (as
// AttendWarpgroupMasks.cpp). A warp finds the bits of its 16 rows. Dropout draws four words for four keys at once. If
// queries are resident, these keys are columns of the tile: bit l of word n of a row belongs to key 4 l + n. If keys
// are resident, these keys are four rows of the tile, and a lane finds the bits of one query: bit l of word n of a key
// belongs to query 32 n + l.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/NVGPU/AttendVjp/AttendVjpWarpgroup.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::nvgpu;

using Kernel = AttendVjpWarpgroupKernel;

static constexpr int64_t wordsOfRow = vjpMaskBytes / 4;

/// Returns a pointer to the mask words of the warp's row `row` in `masks`.
static Value wordsAt(Kernel &k, Value masks, Value row) {
  KernelBuilder &kb = k.kb;
  Value ofWarp = kb.mul(k.block.warp, WarpProduct::tileRows);
  return kb.at(kb.b.getI32Type(), masks, kb.mul(kb.add(ofWarp, row), wordsOfRow));
}

/// Returns the number of mask words of a resident key: one for each 32 streamed queries.
static int64_t chunksOf(Kernel &k) { return llvm::divideCeil(k.streamed(), ThreadBlock::warpSize); }

/// Returns the index in q of the lane's query in chunk `chunk` of the streamed queries. A chunk has 32 queries.
static Value queryOfLane(Kernel &k, Value chunk) {
  return k.rowOf(k.kb.add(k.kb.mul(chunk, ThreadBlock::warpSize), k.block.lane));
}

/// Returns the rank of the warp's first resident key.
static Value firstKeyOfWarp(Kernel &k) { return k.kb.add(k.keys.first, k.kb.mul(k.block.warp, WarpProduct::tileRows)); }

//===----------------------------------------------------------------------===//
// Predicates
//===----------------------------------------------------------------------===//

/// Stores `count` mask words of each row of the warp to predicateMasks, one at a time. bitOf(row, n) returns the lane's
/// bit of word n of row `row` (i1).
static void findWords(Kernel &k, int64_t count, function_ref<Value(Value row, Value n)> bitOf) {
  KernelBuilder &kb = k.kb;
  // Opaque: LLVM would unroll the loop, and keep what it asks of each row in registers.
  Value end = forget(kb, kb.integer(WarpProduct::tileRows * count));
  kb.loop(kb.integer(0), end, 1, [&](Value number) {
    Value row = kb.floorDiv(number, count), n = kb.floorMod(number, count), word = k.block.ballot(bitOf(row, n));
    k.block.onFirstLane(
        [&] { kb.store(word, kb.at(kb.b.getI32Type(), wordsAt(k, k.buffers.predicateMasks, row), n)); });
  });
}

/// Stores the mask words of the predicate. `block` is the number of the streamed block in BlockNumbers.
static void findPairs(Kernel &k, Value block) {
  KernelBuilder &kb = k.kb;
  auto isPair = [&](Value query, Value rank) {
    return scalarOf(kb, k.pairs.predicate.evaluate(k, k.positionOf(query), k.limitRank(rank), pairIndexLimit));
  };
  if (k.hasKeys())
    return findWords(k, chunksOf(k),
                     [&](Value row, Value n) { return isPair(queryOfLane(k, n), kb.add(firstKeyOfWarp(k), row)); });
  findWords(k, wordsOfRow, [&](Value row, Value n) {
    Value rank = kb.add(block, kb.add(kb.mul(k.block.lane, wordsOfRow), n));
    return isPair(k.rowOf(kb.add(k.warpRow(), row)), rank);
  });
}

static void findPredicate(Kernel &k, Value block) {
  KernelBuilder &kb = k.kb;
  QueryRows rows = k.rows;
  Value b = k.b, h = k.h;
  // Opaque: what is made of them would else be kept in registers throughout the walk.
  k.b = forget(kb, k.b);
  k.h = forget(kb, k.h);
  k.pairs.predicate.startTask(k);
  if (k.hasKeys())
    k.findRows(k.piece().getQueries(), forget(kb, block));
  findPairs(k, block);
  k.b = b;
  k.h = h;
  k.rows = rows;
}

TileSums nvgpu::hideUnlisted(Kernel &k, const StreamedBlock &block, ArrayRef<Value> tile) {
  if (!k.pairs.predicate)
    return TileSums(tile);
  KernelBuilder &kb = k.kb;
  auto hide = [&] {
    SmallVector<Value> listed;
    for (auto [x, isListed] : llvm::zip(tile, keptPairs(k, k.buffers.predicateMasks, tile.size())))
      listed.push_back(kb.select(isListed, x, kb.real(k.real, 0)));
    return listed;
  };
  SmallVector<Type> types(tile.size(), k.real);
  return kb.ifElse(block.listed.isFull, types, [&] { return SmallVector<Value>(tile); }, hide);
}

//===----------------------------------------------------------------------===//
// Dropout
//===----------------------------------------------------------------------===//

/// Draws the dropout mask of query `row` and the lane's keys 4 block .. 4 block + 3. `block` is an i32. Returns an i32
/// for each of these four keys, whose bit l says whether lane l keeps its pair.
static SmallVector<Value> drawBits(Kernel &k, Value row, Value block) {
  SmallVector<Value> bits;
  for (Value word : k.pairs.dropout.draw(k, row, k.kb.broadcast(block, 1)))
    bits.push_back(k.block.ballot(scalarOf(k.kb, k.pairs.dropout.isKept(k.kb, word))));
  return bits;
}

static void drawRows(Kernel &k, Value keyBlock) {
  KernelBuilder &kb = k.kb;
  Value first = kb.add(keyBlock, kb.mul(k.block.lane, wordsOfRow)), block = toI32(kb, kb.floorDiv(first, wordsOfRow));
  kb.loop(kb.integer(0), kb.integer(WarpProduct::tileRows), 1, [&](Value row) {
    Value all = LLVM::UndefOp::create(kb.b, kb.loc, kb.vector(kb.b.getI32Type(), wordsOfRow));
    for (auto [n, word] : llvm::enumerate(drawBits(k, k.rowOf(kb.add(k.warpRow(), row)), block)))
      all = LLVM::InsertElementOp::create(kb.b, kb.loc, all, word, i32(kb, n));
    k.block.onFirstLane([&] { kb.store(all, wordsAt(k, k.buffers.dropoutMasks, row), vjpMaskBytes); });
  });
}

static void drawKeys(Kernel &k) {
  KernelBuilder &kb = k.kb;
  constexpr int64_t together = 4; // keys
  int64_t chunks = chunksOf(k);
  Value firstKey = firstKeyOfWarp(k);
  kb.loop(kb.integer(0), kb.integer(WarpProduct::tileRows / together * chunks), 1, [&](Value number) {
    Value group = kb.floorDiv(number, chunks), chunk = kb.floorMod(number, chunks);
    Value query = queryOfLane(k, chunk);
    Value block = toI32(kb, kb.add(kb.floorDiv(firstKey, together), group));
    SmallVector<Value> bits = drawBits(k, query, block);
    k.block.onFirstLane([&] {
      for (auto [n, word] : llvm::enumerate(bits))
        kb.store(word, kb.at(kb.b.getI32Type(), wordsAt(k, k.buffers.dropoutMasks, kb.add(kb.mul(group, together), n)),
                             chunk));
    });
  });
}

//===----------------------------------------------------------------------===//
// Both
//===----------------------------------------------------------------------===//

void nvgpu::findMasks(Kernel &k, const StreamedBlock &block) {
  if (!k.pairs.predicate && !k.pairs.dropout)
    return;
  k.block.synchronizeWarp(); // the last block's bits have been read
  if (k.pairs.predicate)
    k.kb.ifThen(k.kb.select(block.listed.isFull, k.kb.constant(k.kb.b.getBoolAttr(false)),
                            k.kb.constant(k.kb.b.getBoolAttr(true))),
                [&] { findPredicate(k, block.first); });
  if (k.pairs.dropout)
    k.hasKeys() ? drawKeys(k) : drawRows(k, block.first);
  k.block.synchronizeWarp();
}

SmallVector<Value> nvgpu::keptPairs(Kernel &k, Value masks, size_t size) {
  KernelBuilder &kb = k.kb;
  Type i32Type = kb.b.getI32Type();
  // Of the lane's column c = 2 q: where keys are columns, word c mod 4 + e has bit 2 a + q / 2 of column 8 a + c + e.
  Value column = k.product.column();
  Value shift = toI32(kb, k.hasKeys() ? column : kb.floorDiv(column, 4)), words[2][wordsOfRow];
  int64_t count = k.hasKeys() ? chunksOf(k) : 2;
  Value firstWord = k.hasKeys() ? kb.integer(0) : kb.floorMod(column, 4);
  for (int64_t half : {0, 1}) {
    Value first = kb.at(i32Type, wordsAt(k, masks, k.product.row(half)), firstWord);
    for (int64_t n = 0; n < count; ++n)
      words[half][n] = arith::ShRUIOp::create(kb.b, kb.loc, kb.load(i32Type, kb.at(i32Type, first, n)), shift);
  }
  SmallVector<Value> kept;
  for (size_t n = 0; n < size; ++n) {
    int64_t half = WarpProduct::halfOf(n), relative = WarpProduct::columnOf(n);
    int64_t word = k.hasKeys() ? relative / ThreadBlock::warpSize : relative % 2;
    int64_t bit = k.hasKeys() ? relative % ThreadBlock::warpSize : relative / WarpProduct::atomColumns * 2;
    Value isSet = arith::AndIOp::create(kb.b, kb.loc, words[half][word], i32(kb, static_cast<int32_t>(1u << bit)));
    kept.push_back(kb.compare(arith::CmpIPredicate::ne, isSet, i32(kb, 0)));
  }
  return kept;
}

TileSums nvgpu::dropPairs(Kernel &k, ArrayRef<Value> tile, ArrayRef<Value> kept) {
  KernelBuilder &kb = k.kb;
  Value factor = kb.real(k.real, k.pairs.dropout.getFactor());
  TileSums dropped;
  for (auto [x, isKept] : llvm::zip(tile, kept))
    dropped.push_back(kb.select(isKept, kb.mulf(x, factor), kb.real(k.real, 0)));
  return dropped;
}
