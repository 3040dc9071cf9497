//===- AttentionVjpWarpgroups.cpp - Tiles of gradients for warpgroups -----===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/NVGPU/Tiling/AttentionVjpWarpgroups.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::nvgpu;

//===----------------------------------------------------------------------===//
// Resources of tiles
//===----------------------------------------------------------------------===//

static int64_t residentOf(xft::VjpSide side, const WarpgroupTile &tile) {
  return side == xft::VjpSide::rows ? tile.tile.getQueries() : tile.tile.getKeys();
}
static int64_t streamedOf(xft::VjpSide side, const WarpgroupTile &tile) {
  return side == xft::VjpSide::rows ? tile.tile.getKeys() : tile.tile.getQueries();
}

int64_t nvgpu::vjpWarpgroupBytes(xft::VjpSide side, const WarpgroupTile &tile, int64_t depth, int64_t valueDepth,
                                 PairWork work) {
  constexpr int64_t rowNumberBytes = 16, flagBytes = 16, rowsOfWarp = 32, warpsOfWarpgroup = 4;
  int64_t columns =
      llvm::alignTo(depth, WarpgroupTile::boxColumns) + llvm::alignTo(valueDepth, WarpgroupTile::boxColumns);
  int64_t streamed = streamedOf(side, tile), copies = tile.groups.getStages();
  int64_t matrices = (residentOf(side, tile) + copies * streamed) * columns * WarpgroupTile::elementBytes;
  int64_t numbers =
      streamed * rowNumberBytes + llvm::divideCeil(streamed, rowsOfWarp) * flagBytes; // lse, delta, bounds
  constexpr int64_t parts = 2;                                                        // two matrices
  int64_t barriers = 2 * parts * copies * 8 + tile.groups.getConsumers() * warpsOfWarpgroup * 4;
  int64_t mask = residentOf(side, tile) * pairMaskBytes, masks = work.hasDropout ? mask : 0;
  masks += work.hasPredicate ? mask + blockRecordsBytes(copies) : 0;
  return matrices + (side == xft::VjpSide::keys ? copies * numbers : 0) + barriers + masks + tileQueueBytes;
}

int64_t nvgpu::vjpWarpgroupRegisters(xft::VjpSide side, const WarpgroupTile &tile, int64_t depth, int64_t valueDepth) {
  int64_t scores = WarpgroupTile::sumRegisters(streamedOf(side, tile));
  int64_t columns = llvm::alignTo(depth, WarpgroupTile::stepTerms);
  if (side == xft::VjpSide::keys)
    columns += llvm::alignTo(valueDepth, WarpgroupTile::stepTerms);
  return WarpgroupTile::sumRegisters(columns) + 2 * scores + scores / 2; // S, then P; dP; dS has half as many bits
}

/// Returns the largest tile that fits shared memory and registers, or nullopt if none does. `streamedRanks` maps ranks
/// to the rows of streamed blocks.
static std::optional<WarpgroupTile> largestTile(const AttentionSite &site, const NvgpuMachine &machine, PairWork work,
                                                IndexMapAttr streamedRanks) {
  // Beside these a thread holds bounds, pipeline states and addresses, in at least 224 registers. Three producer warps
  // write the numbers of streamed rows, 32 each: hence at most 96 of them.
  MLIRContext *context = site.op->getContext();
  xft::VjpSide side = *site.side;
  int64_t depth = site.depth(), valueDepth = site.valueDepth();
  bool hasKeys = side == xft::VjpSide::keys;
  bool hasMask = work.hasDropout || (hasKeys && work.hasPredicate); // whose bits take registers, too
  const int64_t mostStreamed = hasMask ? 64 : hasKeys ? 96 : 128;
  const int64_t mostRegisters = work.exists() ? 168 : 192; // code of pairs has temporaries of its own
  auto tileOf = [&](int64_t resident, int64_t streamed) {
    return xft::AttendTileAttr::get(context, 16, 2, 8, hasKeys ? streamed : resident, hasKeys ? resident : streamed);
  };
  auto fits = [&](const WarpgroupTile &tile) {
    return vjpWarpgroupBytes(side, tile, depth, valueDepth, work) <= machine.sharedBytes &&
           vjpWarpgroupRegisters(side, tile, depth, valueDepth) <= mostRegisters &&
           xft::RankBoxes{streamedRanks, streamedOf(side, tile)}.exist();
  };
  std::optional<WarpgroupTile> tile = largestWarpgroupTile(context, /*consumers=*/2, mostStreamed, tileOf, fits);
  if (!tile)
    return std::nullopt;
  // A stage is released in the block after its own: a third one lets copies start earlier.
  auto groups = xft::WarpgroupsAttr::get(context, tile->groups.getConsumers(), tile->groups.getStages() + 1);
  WarpgroupTile more{tile->tile, groups};
  return fits(more) ? more : *tile;
}

//===----------------------------------------------------------------------===//
// Ops that warpgroups compute
//===----------------------------------------------------------------------===//

std::optional<WarpgroupTile> nvgpu::vjpWarpgroupTileOf(const AttentionSite &site, const NvgpuMachine &machine) {
  auto op = cast<AttentionVjpOp>(site.op);
  PieceAttr piece = site.pieces()[0];
  const Buffer &q = site.operands[0], &k = site.operands[1], &v = site.operands[2];
  bool hasKeys = site.side == xft::VjpSide::keys;
  bool drawsByKey = op.getDropout() && !piece.getKeys().isIdentity(); // four keys draw together where they are in order
  if (site.side == xft::VjpSide::captures || !hasSoftmax(op) || drawsByKey)
    return std::nullopt;
  int64_t resident = HostBuilder::constant((hasKeys ? k : q).sizes[2]).value_or(ShapedType::kDynamic);
  if (hasFewRows(resident) || (hasKeys && k.sizes[1] != v.sizes[1])) // a group must share one head of both
    return std::nullopt;
  if (!llvm::all_of(site.operands, [&](const Buffer &buffer) { return hasAlignedRows(site.host, buffer); }) ||
      !computesByWarpgroups(machine, site.element(), site.depth(), site.valueDepth()))
    return std::nullopt;
  IndexMapAttr map = hasKeys ? piece.getQueries() : piece.getKeys();
  // TMA boxes of windows must start at multiples of a window, but positions of queries are shifted by Nk - Nq.
  bool isWindow = map.getWidth() != map.getPeriod() && map.getWidth() != 1;
  if (hasKeys && isWindow && q.sizes[2] != k.sizes[2])
    return std::nullopt;
  PairWork work{!op.getScore().empty(), static_cast<bool>(site.order->tiles), op.getDropout().has_value()};
  return largestTile(site, machine, work, map);
}

xft::AttendTileAttr nvgpu::recheckVjpTile(xft::VjpSide side, const WarpgroupTile &tile) {
  bool isRows = side == xft::VjpSide::rows;
  int64_t queries = isRows ? tile.tile.getQueries() : rowsOfWarp, keys = isRows ? rowsOfWarp : tile.tile.getKeys();
  return xft::AttendTileAttr::get(tile.tile.getContext(), rowsOfWarp, 2, 8, queries, keys);
}

ArrayAttr nvgpu::vjpTensorMaps(xft::VjpSide side, PieceAttr piece, xft::AttendTileAttr tile,
                               ArrayRef<int64_t> operands) {
  bool isRows = side == xft::VjpSide::rows;
  xft::RankBoxes boxes{isRows ? piece.getKeys() : piece.getQueries(), isRows ? tile.getKeys() : tile.getQueries()};
  return tensorMaps(piece.getContext(), boxes, operands);
}
