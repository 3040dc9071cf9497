//===- WarpTiles.cpp - Tiles that warps compute ---------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/GPU/Tiling/WarpTiles.h"
#include "compiler/Support/SharedMemory.h"
#include "dialects/xf/IR/XfOps.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::gpu;

/// A warp has `warpRows` rows and `warpSize` threads. Tile predicates are decided for groups of keys: each group has
/// `keyRegisters` registers of `atomColumns` columns.
static constexpr int64_t warpRows = 16, warpSize = 32, keyRegisters = 2, atomColumns = 8;

/// Returns the number of bytes of a row of a matrix in shared memory, including padding.
static int64_t sharedRowBytes(Type element, int64_t columns) {
  return sharedPitch(llvm::alignTo(columns, warpRows) * (element.getIntOrFloatBitWidth() / 8));
}

/// Returns the numbers of resident and streamed rows of a tile. bytes(resident, streamed, stages) returns the shared
/// memory of a tile. Tries 64 resident rows (16 for each warp) with 64 and then 32 streamed rows in two stages. Tries
/// these first within half the shared memory of a multiprocessor, so that two thread blocks run on it, then within all
/// that a thread block may have. If neither fits, halves the numbers until one stage fits.
static std::pair<int64_t, int64_t>
findBlocks(const GpuMachine &machine, function_ref<int64_t(int64_t resident, int64_t streamed, int64_t stages)> bytes,
           function_ref<bool(int64_t resident, int64_t streamed)> isAllowed) {
  constexpr int64_t reserved = 1024; // shared memory that the system reserves for each block
  int64_t resident = 64, streamed = 64;
  for (int64_t room : {machine.processorSharedBytes / 2 - reserved, machine.sharedBytes})
    for (int64_t some : {streamed, streamed / 2})
      if (isAllowed(resident, some) && bytes(resident, some, /*stages=*/2) <= room)
        return {resident, some};
  auto fits = [&] { return isAllowed(resident, streamed) && bytes(resident, streamed, 1) <= machine.sharedBytes; };
  while (!fits() && (resident > warpRows || streamed > warpRows))
    (streamed >= resident || resident == warpRows ? streamed : resident) /= 2;
  return {resident, streamed};
}

static int64_t attendBytes(int64_t queries, int64_t keys, int64_t stages, Type element, int64_t depth,
                           int64_t valueDepth) {
  int64_t keyBytes = sharedRowBytes(element, depth), valueBytes = sharedRowBytes(element, valueDepth);
  int64_t sumBytes = accumulatorType(element).getIntOrFloatBitWidth() / 8;
  return queries * (keyBytes + keys * sumBytes) + stages * keys * (keyBytes + valueBytes);
}

AttendMemory xf::gpu::attendMemory(xft::AttendTileAttr tile, const GpuMachine &machine, Type element, int64_t depth,
                                   int64_t valueDepth) {
  auto bytes = [&](int64_t stages) {
    return attendBytes(tile.getQueries(), tile.getKeys(), stages, element, depth, valueDepth);
  };
  int64_t stages = bytes(2) <= machine.sharedBytes ? 2 : 1;
  return {stages, bytes(stages)};
}

xft::AttendTileAttr xf::gpu::attendTile(const GpuMachine &machine, Type element, int64_t depth, int64_t valueDepth) {
  auto bytes = [&](int64_t queries, int64_t keys, int64_t stages) {
    return attendBytes(queries, keys, stages, element, depth, valueDepth);
  };
  // Registers of a thread for its part of o and of two tiles of scores. Beyond this limit, other values spill.
  constexpr int64_t mostRegisters = 112;
  int64_t sumRegisters = accumulatorType(element).getIntOrFloatBitWidth() / 32;
  auto isAllowed = [&](int64_t, int64_t keys) {
    int64_t registers = (llvm::alignTo(valueDepth, warpRows) + 2 * keys) * warpRows / warpSize * sumRegisters;
    return registers <= mostRegisters || keys <= 2 * warpRows;
  };
  auto [queries, keys] = findBlocks(machine, bytes, isAllowed);
  return xft::AttendTileAttr::get(element.getContext(), warpRows, keyRegisters, atomColumns, queries, keys);
}

xft::AttendTileAttr xf::gpu::attendVjpTile(const GpuMachine &machine, xft::VjpSide side, Type element, int64_t depth,
                                           int64_t valueDepth) {
  bool hasKeys = side == xft::VjpSide::keys;
  int64_t sumBytes = accumulatorType(element).getIntOrFloatBitWidth() / 8, sumRegisters = sumBytes / 4;
  int64_t perRow = sharedRowBytes(element, depth) + sharedRowBytes(element, valueDepth);
  // Registers of a thread for its part of 16 rows of sums and of two tiles of scores; this limit leaves room for other
  // values among 255. Fewer without tensor cores, because scalar products hold a column's elements.
  int64_t mostRegisters = element.getIntOrFloatBitWidth() == 16 ? 160 : 64;
  int64_t columns = llvm::alignTo(depth, warpRows) + (hasKeys ? llvm::alignTo(valueDepth, warpRows) : 0);
  auto registers = [&](int64_t streamed) { return (columns + 2 * streamed) * warpRows / warpSize * sumRegisters; };
  int64_t perQuery = 16 + 3 * sumBytes;            // bounds, row, lse, delta
  bool isOneWarp = side == xft::VjpSide::captures; // its lanes add to common elements of captured tensors, in turns
  auto bytes = [&](int64_t resident, int64_t streamed, int64_t stages) { // Q, K, V, dO and two tiles
    return resident * perRow + stages * streamed * (perRow + perQuery) + 2 * resident * streamed * sumBytes;
  };
  auto isAllowed = [&](int64_t resident, int64_t streamed) {
    bool isTight = registers(streamed) > mostRegisters && streamed > 2 * warpRows;
    return !isTight && !(isOneWarp && resident > warpRows);
  };
  auto [resident, streamed] = findBlocks(machine, bytes, isAllowed);
  int64_t queries = hasKeys ? streamed : resident, keys = hasKeys ? resident : streamed;
  return xft::AttendTileAttr::get(element.getContext(), warpRows, keyRegisters, atomColumns, queries, keys);
}
