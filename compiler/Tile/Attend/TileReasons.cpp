//===- TileReasons.cpp - Why tiles have their sizes -----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Attend/TileReasons.h"
#include "compiler/Tile/Attend/AttentionWarpgroups.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::xf;

static std::optional<WarpgroupTile> findWarpgroupTile(const AttentionShape &shape, const Machine &machine,
                                                      Type element) {
  if (!shape.isPlain || hasFewRows(shape.queries))
    return std::nullopt;
  return attendWarpgroupTile(element.getContext(), machine, element, shape.depth, shape.valueDepth, shape.pieces);
}

xft::AttendTileAttr xf::tileOf(const AttentionShape &shape, bool isGradient, const Machine &machine, Type element) {
  bool isKnown = !ShapedType::isDynamic(shape.depth) && !ShapedType::isDynamic(shape.valueDepth);
  Type real = accumulatorType(element);
  MLIRContext *context = real.getContext();
  if (machine.isGpu() && !isKnown)
    return nullptr;
  if (machine.isGpu() && isGradient)
    return gpuAttendVjpTile(context, machine, xft::VjpSide::rows, element, shape.depth, shape.valueDepth);
  if (std::optional<WarpgroupTile> groups = findWarpgroupTile(shape, machine, element))
    return groups->tile;
  if (machine.isGpu())
    return gpuAttendTile(context, machine, element, shape.depth, shape.valueDepth);
  if (isGradient && isKnown)
    return attendVjpTile(real.getContext(), machine, real, shape.depth, shape.valueDepth);
  return attendTile(real.getContext(), machine, real);
}

int64_t xf::wholeColumns(xft::AttendTileAttr tile, const Machine &machine) {
  return machine.isGpu() ? tile.getKeys() : tile.getLanes();
}

static std::string bytesText(int64_t bytes) {
  return bytes < (1 << 20) ? llvm::formatv("{0} KiB", bytes >> 10).str()
                           : llvm::formatv("{0:f1} MiB", double(bytes) / (1 << 20)).str();
}

static std::string registersReason(xft::AttendTileAttr tile, const Machine &machine, Type real) {
  int64_t rows = tile.getRows(), registers = tile.getRegisters();
  return llvm::formatv(
      "registers: {0} x {1} accumulators, {1} of keys and 1 of a query are {2} of the {3} with {4} {5}", rows,
      registers, rows * registers + registers + 1, machine.registers, tile.getLanes(), real);
}

/// The weights of a group of rows, or what the five products of two blocks touch.
static std::string keysReason(xft::AttendTileAttr tile, bool isGradient, const Machine &machine, Type real) {
  int64_t bytes = real.getIntOrFloatBitWidth() / 8;
  if (isGradient)
    return llvm::formatv("keys: blocks of {0}, so that what each product of two blocks touches stays in {1} of "
                         "second-level cache",
                         tile.getKeys(), bytesText(machine.l2Bytes));
  return llvm::formatv("keys: blocks of {0}, so that the weights of {1} rows are {2} of the {3} of first-level cache",
                       tile.getKeys(), tile.getRows(), bytesText(tile.getRows() * tile.getKeys() * bytes),
                       bytesText(machine.l1Bytes));
}

std::string xf::laneReason(xft::LaneTileAttr tile, PieceAttr piece, const Machine &machine) {
  int64_t rows = tile.getRows(), keys = tile.getKeys();
  return llvm::formatv("residues r < {0}: one in each of {1} lanes, {2} x {3} pairs of each; {4} accumulators, {2} of "
                       "queries and 1 of a key are {5} of the {6} registers",
                       piece.getResidues(), tile.getLanes(), rows, keys, rows * keys, rows * keys + rows + 1,
                       machine.registers);
}

static SmallVector<std::string> cpuReasons(xft::AttendTileAttr tile, bool isGradient, const Machine &machine,
                                           Type real) {
  return {registersReason(tile, machine, real), keysReason(tile, isGradient, machine, real),
          llvm::formatv("queries: blocks of {0}, {1} groups of {2} rows that read a block of keys in turn",
                        tile.getQueries(), tile.getQueries() / tile.getRows(), tile.getRows())};
}

/// Both sides of a gradient: what stays, 16 rows for each warp, and what passes.
static SmallVector<std::string> gpuVjpReasons(xft::AttendTileAttr rows, const AttentionShape &shape,
                                              const Machine &machine, Type element) {
  xft::AttendTileAttr keys =
      gpuAttendVjpTile(rows.getContext(), machine, xft::VjpSide::keys, element, shape.depth, shape.valueDepth);
  return {
      llvm::formatv("rows: {0} of each warp, of queries for their gradients and of keys for theirs", rows.getRows()),
      llvm::formatv("queries: blocks of {0}, by which blocks of {1} keys pass", rows.getQueries(), rows.getKeys()),
      llvm::formatv("keys: blocks of {0}, by which blocks of {1} queries pass", keys.getKeys(), keys.getQueries())};
}

static SmallVector<std::string> groupReasons(const WarpgroupTile &tile, const AttentionShape &shape,
                                             const Machine &machine) {
  int64_t consumers = tile.groups.getConsumers(), queries = tile.tile.getQueries();
  return {
      llvm::formatv("rows: {0} of each of {1} groups of warps, beside one that copies", queries / consumers, consumers),
      llvm::formatv("registers: sums, scores and weights are {0} of a thread's",
                    warpgroupRegisters(tile, shape.valueDepth)),
      llvm::formatv("keys: {0} blocks of {1} at once, with which queries, keys and values are {2} of the {3} of shared "
                    "memory of a block",
                    tile.groups.getStages(), tile.tile.getKeys(),
                    bytesText(warpgroupBytes(tile, shape.depth, shape.valueDepth)), bytesText(machine.sharedBytes)),
      llvm::formatv("queries: blocks of {0}", queries)};
}

static SmallVector<std::string> gpuReasons(xft::AttendTileAttr tile, const AttentionShape &shape, bool isGradient,
                                           const Machine &machine, Type element) {
  if (isGradient)
    return gpuVjpReasons(tile, shape, machine, element);
  if (std::optional<WarpgroupTile> groups = findWarpgroupTile(shape, machine, element))
    return groupReasons(*groups, shape, machine);
  GpuAttendMemory memory = gpuAttendMemory(tile, machine, element, shape.depth, shape.valueDepth);
  return {llvm::formatv("rows: {0} of each warp", tile.getRows()),
          llvm::formatv("keys: blocks of {0} in {1} stages, with which queries, keys, values and scores are {2} of the "
                        "{3} of shared memory of a block",
                        tile.getKeys(), memory.stages, bytesText(memory.bytes), bytesText(machine.sharedBytes)),
          llvm::formatv("queries: blocks of {0}, {1} warps that read a block of keys together", tile.getQueries(),
                        tile.getQueries() / tile.getRows())};
}

SmallVector<std::string> xf::tileReasons(xft::AttendTileAttr tile, const AttentionShape &shape, bool isGradient,
                                         const Machine &machine, Type element) {
  SmallVector<std::string> reasons = machine.isGpu() ? gpuReasons(tile, shape, isGradient, machine, element)
                                                     : cpuReasons(tile, isGradient, machine, accumulatorType(element));
  for (auto [what, size, block] :
       {std::tuple("queries", shape.queries, tile.getQueries()), std::tuple("keys", shape.keys, tile.getKeys())})
    if (!ShapedType::isDynamic(size) && size < block)
      reasons.push_back(llvm::formatv("short: {0} {1} are less than a block, which ends with them", size, what));
  return reasons;
}
