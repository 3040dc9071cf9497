//===- AttendWarpgroupMasks.cpp - Masks of pairs --------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds a bit for each pair, by the predicate and by dropout, while products are in flight. A warp finds the bits of
// its 16 rows in a loop, so the code of predicate and dropout is emitted once. A lane finds bits of other keys than the
// keys whose scores it holds; ballots join the bits. Bit l of word n of a row belongs to key 4 l + n of the key block,
// because dropout draws the words of four keys at once.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/NVGPU/Attend/AttendWarpgroup.h"
#include "compiler/Target/NVGPU/Tiling/AttentionWarpgroups.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::nvgpu;

using Kernel = AttendWarpgroupKernel;

static constexpr int64_t wordsOfRow = pairMaskBytes / 4; // also the keys of a lane

/// Returns the rank of the first of the lane's four keys in the key block that begins at rank `keyBlock`.
static Value firstKeyOfLane(Kernel &k, Value keyBlock) {
  KernelBuilder &kb = k.kb;
  Value first = arith::ExtSIOp::create(kb.b, kb.loc, kb.i64(), keyBlock);
  return kb.add(first, kb.mul(k.block.lane, wordsOfRow));
}

/// Returns a pointer to the mask words of the warp's row `row` in `masks`.
static Value wordsAt(Kernel &k, Value masks, Value row) {
  KernelBuilder &kb = k.kb;
  Value ofWarp = kb.mul(k.block.warp, WarpProduct::tileRows);
  return kb.at(kb.b.getI32Type(), masks, kb.mul(kb.add(ofWarp, row), wordsOfRow));
}

/// Stores the mask words of all rows of the warp to `masks`. bitOf(row, n) returns the bit of the pair of row `row` and
/// key n of the lane (i1).
static void findBits(Kernel &k, Value masks, function_ref<Value(Value row, Value n)> bitOf) {
  KernelBuilder &kb = k.kb;
  k.block.synchronizeWarp(); // the last block's have been read
  kb.loop(kb.integer(0), kb.integer(WarpProduct::tileRows * wordsOfRow), 1, [&](Value number) {
    Value row = kb.floorDiv(number, wordsOfRow), n = kb.floorMod(number, wordsOfRow);
    Value word = k.block.ballot(bitOf(row, n));
    k.block.onFirstLane([&] { kb.store(word, kb.at(kb.b.getI32Type(), wordsAt(k, masks, row), n)); });
  });
  k.block.synchronizeWarp();
}

void nvgpu::findPredicateMask(Kernel &k, Value keyBlock) {
  KernelBuilder &kb = k.kb;
  Value first = firstKeyOfLane(k, keyBlock);
  findBits(k, k.buffers.predicateMasks, [&](Value row, Value n) {
    Value position = k.positionOf(k.rowOf(kb.add(k.warpRow(), row))), key = k.limitRank(kb.add(first, n));
    return scalarOf(kb, k.pairs.predicate.evaluate(k, position, key, pairIndexLimit));
  });
}

/// Stores the words of the dropout mask of all rows of the warp, if keys are in order. A lane then draws the random
/// numbers of its four keys at once.
static void findInOrder(Kernel &k, Value keyBlock) {
  KernelBuilder &kb = k.kb;
  Value keys = arith::ShRUIOp::create(kb.b, kb.loc, toI32(kb, firstKeyOfLane(k, keyBlock)), i32(kb, 2));
  auto findRow = [&](Value row) {
    auto words = k.pairs.dropout.draw(k, k.rowOf(kb.add(k.warpRow(), row)), kb.broadcast(keys, 1));
    Value all = LLVM::UndefOp::create(kb.b, kb.loc, kb.vector(kb.b.getI32Type(), wordsOfRow));
    for (int64_t n = 0; n < wordsOfRow; ++n) {
      Value word = k.block.ballot(scalarOf(kb, k.pairs.dropout.isKept(kb, words[n])));
      all = LLVM::InsertElementOp::create(kb.b, kb.loc, all, word, i32(kb, n));
    }
    k.block.onFirstLane([&] { kb.store(all, wordsAt(k, k.buffers.dropoutMasks, row), pairMaskBytes); });
  };
  constexpr int64_t together = 2; // rows, whose chains of ten rounds run side by side
  k.block.synchronizeWarp();
  kb.loop(kb.integer(0), kb.integer(WarpProduct::tileRows), together, [&](Value row) {
    for (int64_t n = 0; n < together; ++n)
      findRow(kb.add(row, n));
  });
  k.block.synchronizeWarp();
}

void nvgpu::findDropoutMask(Kernel &k, const SeenKeys &seen, Value keyBlock) {
  KernelBuilder &kb = k.kb;
  auto isInOrder = [](Attribute piece) { return cast<PieceAttr>(piece).getKeys().isIdentity(); };
  if (llvm::all_of(k.op.getPieces(), isInOrder))
    return findInOrder(k, keyBlock);
  Value first = firstKeyOfLane(k, keyBlock);
  findBits(k, k.buffers.dropoutMasks, [&](Value row, Value n) {
    Value key = kb.broadcast(k.keyAt(seen, kb.add(first, n)), 1);
    return scalarOf(kb, k.pairs.dropout.keeps(k, k.rowOf(kb.add(k.warpRow(), row)), key));
  });
}

TileSums nvgpu::applyMasks(Kernel &k, Value masks, ArrayRef<Value> tile, double otherwise) {
  KernelBuilder &kb = k.kb;
  // The lane's columns 8 a + 2 q + e are keys 4 (2 a + q / 2) + 2 (q mod 2) + e.
  Value q = kb.floorDiv(k.product.column(), 2), shift = toI32(kb, kb.floorDiv(q, 2)), words[2][2];
  Type two = kb.vector(kb.b.getI32Type(), 2);
  for (int64_t half : {0, 1}) {
    Value place = kb.at(kb.b.getI32Type(), wordsAt(k, masks, k.product.row(half)), kb.mul(kb.floorMod(q, 2), 2));
    Value pair = kb.load(two, place, 8);
    for (int64_t e : {0, 1})
      words[half][e] = arith::ShRUIOp::create(
          kb.b, kb.loc, LLVM::ExtractElementOp::create(kb.b, kb.loc, pair, i32(kb, e)).getResult(), shift);
  }
  TileSums masked;
  for (auto [n, value] : llvm::enumerate(tile)) {
    Value bit = i32(kb, static_cast<int32_t>(1u << (WarpProduct::columnOf(n) / WarpProduct::atomColumns * 2)));
    Value isSet = arith::AndIOp::create(kb.b, kb.loc, words[WarpProduct::halfOf(n)][n % 2], bit);
    isSet = kb.compare(arith::CmpIPredicate::ne, isSet, i32(kb, 0));
    masked.push_back(kb.select(isSet, value, kb.real(k.real, otherwise)));
  }
  return masked;
}
