//===- QueryBlocks.cpp - Blocks of queries of attention on CPUs -----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chooses the sizes of blocks of queries and of keys. A block of queries reads the keys and values that its rows see.
// If these come from the last-level cache, large blocks of queries read them less often. If they stay in the
// second-level cache, small blocks are faster. Each group of rows reads a block of keys again, so a block of keys stays
// in the second-level cache, beside a large block of queries.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Tiling/QueryBlocks.h"
#include "compiler/Tile/Attend/AttentionWork.h"

using namespace mlir;
using namespace mlir::xf;

/// Returns the mean number of keys of a row, in the piece with the largest mean. Returns 0 if it is unknown.
static double keysPerRow(xft::AttendTileAttr tile, const AttentionShape &shape) {
  double most = 0;
  for (PieceAttr piece : shape.pieces)
    if (auto work = countWork(piece, shape.queries, shape.keys, tile.getRows(), tile.getLanes()))
      most = std::max(most, work->pairs / double(shape.queries));
  return most;
}

xft::AttendTileAttr cpu::withKeyBlock(xft::AttendTileAttr tile, int64_t depth, int64_t valueDepth, Type operand,
                                      int64_t mostBytes) {
  if (ShapedType::isDynamic(depth) || ShapedType::isDynamic(valueDepth))
    return tile;
  int64_t keyBytes = (depth + valueDepth) * operand.getIntOrFloatBitWidth() / 8, width = tile.getWidth();
  int64_t keys = std::clamp<int64_t>(llvm::bit_floor(uint64_t(mostBytes / keyBytes)), width, tile.getKeys());
  return xft::AttendTileAttr::get(tile.getContext(), tile.getRows(), tile.getRegisters(), tile.getLanes(),
                                  tile.getQueries(), keys);
}

xft::AttendTileAttr cpu::withQueryBlock(xft::AttendTileAttr tile, const AttentionShape &shape, Type operand,
                                        const CpuMachine &machine) {
  auto isKnown = [](int64_t size) { return !ShapedType::isDynamic(size) && size > 0; };
  int64_t bytes = operand.getIntOrFloatBitWidth() / 8;
  int64_t keyBytes = (shape.depth + shape.valueDepth) * bytes, far = machine.lastCacheBytes / 8;
  auto areFar = [&](double keys) { return keys * double(keyBytes) > double(far); };
  if (!isKnown(shape.queries) || !isKnown(shape.keys) || !areFar(double(shape.keys)) ||
      !areFar(keysPerRow(tile, shape)))
    return tile;
  constexpr int64_t most = 384, fewTasks = 32;
  int64_t step = tile.getQueries(), rowBytes = keyBytes + tile.getLanes() * bytes;
  int64_t room = machine.l2Bytes * 7 / 8 - tile.getKeys() * keyBytes;
  int64_t heads = isKnown(shape.heads) ? shape.heads : 1;
  int64_t queries = std::min({most, room / rowBytes, heads * shape.queries / fewTasks});
  return xft::AttendTileAttr::get(tile.getContext(), tile.getRows(), tile.getRegisters(), tile.getLanes(),
                                  std::max<int64_t>(1, queries / step) * step, tile.getKeys());
}
