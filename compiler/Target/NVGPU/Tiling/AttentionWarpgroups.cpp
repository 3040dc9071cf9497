//===- AttentionWarpgroups.cpp - Tiles of attention for warpgroups --------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/NVGPU/Tiling/AttentionWarpgroups.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::nvgpu;

//===----------------------------------------------------------------------===//
// Resources of tiles
//===----------------------------------------------------------------------===//

namespace {
/// The bytes of shared memory that the parts of a tile take.
struct TileBytes {
  int64_t queries, outputs, others;
};
} // namespace

template <typename OpTy>
static PairWork pairWorkOf(OpTy op, bool hasPredicate) {
  return {!op.getScore().empty(), hasPredicate, op.getDropout().has_value()};
}

PairWork PairWork::of(xft::AttendOp op) { return pairWorkOf(op, op.getTiles().has_value()); }
PairWork PairWork::of(AttentionOp op, bool hasPredicate) { return pairWorkOf(op, hasPredicate); }

static TileBytes bytesOf(const WarpgroupTile &tile, int64_t depth, int64_t valueDepth, int64_t pieces, PairWork work) {
  int64_t columns = llvm::alignTo(depth, WarpgroupTile::boxColumns);
  int64_t valueColumns = llvm::alignTo(valueDepth, WarpgroupTile::boxColumns);
  int64_t rowBytes = tile.tile.getQueries() * WarpgroupTile::elementBytes, stages = tile.groups.getStages();
  int64_t keys = stages * tile.tile.getKeys() * (columns + valueColumns) * WarpgroupTile::elementBytes;
  int64_t barriers = (4 * stages + 2) * 8, tasks = 2 * taskBytes(pieces);
  int64_t mask = tile.tile.getQueries() * pairMaskBytes;
  int64_t pairs = work.hasPredicate ? mask + blockRecordsBytes(stages) : 0;
  pairs += work.hasDropout ? mask : 0;
  return {rowBytes * columns, rowBytes * valueColumns, keys + barriers + tasks + pairs + tileQueueBytes};
}

bool nvgpu::hasOwnOutput(const WarpgroupTile &tile, int64_t depth, int64_t valueDepth, int64_t pieces, PairWork work) {
  TileBytes bytes = bytesOf(tile, depth, valueDepth, pieces, work);
  return bytes.queries + bytes.outputs + bytes.others <= NvgpuMachine::mostSharedBytes;
}

int64_t nvgpu::warpgroupBytes(const WarpgroupTile &tile, int64_t depth, int64_t valueDepth, int64_t pieces,
                              PairWork work) {
  TileBytes bytes = bytesOf(tile, depth, valueDepth, pieces, work);
  int64_t rows = hasOwnOutput(tile, depth, valueDepth, pieces, work) ? bytes.queries + bytes.outputs
                                                                     : std::max(bytes.queries, bytes.outputs);
  return rows + bytes.others;
}

int64_t nvgpu::warpgroupRegisters(const WarpgroupTile &tile, int64_t valueDepth) {
  int64_t scores = WarpgroupTile::sumRegisters(tile.tile.getKeys());
  int64_t sums = WarpgroupTile::sumRegisters(llvm::alignTo(valueDepth, WarpgroupTile::stepTerms));
  return sums + scores + scores / 2; // P has 16 bits
}

bool nvgpu::hasLowerBound(PieceAttr piece) {
  AffineMap lower = piece.getLower();
  return lower && lower.getNumResults() > 0;
}

bool nvgpu::hasBound(PieceAttr piece) {
  auto bounds = [](AffineMap map) { return map && map.getNumResults() > 0; };
  return bounds(piece.getLower()) || bounds(piece.getUpper()) || bounds(piece.getRows());
}

namespace {
/// The number of consumer warpgroups, and upper bounds of their tiles: the number of keys of a key block, and the
/// number of registers of a thread for its sums, scores and P. A thread has 232 registers with two warpgroups in a
/// thread block, 152 with three. The bounds leave room for m, l, bounds of keys and addresses. Larger key blocks
/// compute more masked pairs along the edges of a pattern.
struct Form {
  int64_t consumers, mostKeys, mostRegisters;
};
} // namespace

/// Returns the form of a thread block's warpgroups. With narrow heads, there is so little to multiply that a warp waits
/// for its own exponentials. With three warpgroups, a third warp of each scheduler computes meanwhile, as in
/// FlashAttention-3. Measured on an H200 with D = 64 (docs/figures/h200.md), three warpgroups take 12 to 13 % less time
/// for causal and dense attention of 16384 rows. With 1024 rows, there are few tiles, and they take 5 to 13 % more.
/// Strided attention with a band of 128 keys takes 11 % more, because edges are a larger part of a larger tile, and
/// residues may have few rows.
static Form formOf(const AttentionSite &site, int64_t queries, PairWork work) {
  constexpr int64_t narrow = 64, leastRows = 2048;
  auto isWide = [](PieceAttr piece) { return !hasLowerBound(piece) && piece.getResidues() == 1; };
  if (work.hasPredicate) // what it reads stays in registers, and threads that copy take more
    return {2, 112, 160};
  if (work.exists())
    return {2, 128, 184};
  bool hasManyRows = ShapedType::isDynamic(queries) || queries >= leastRows;
  if (std::max(site.depth(), site.valueDepth()) <= narrow && hasManyRows && llvm::all_of(site.pieces(), isWide))
    return {3, 112, 116};
  bool hasBounds = site.pieces().empty() || llvm::any_of(site.pieces(), hasBound);
  return hasBounds ? Form{2, 128, 184} : Form{2, 176, 196};
}

/// Returns the largest tile that fits shared memory and registers, or nullopt if none does. `queries` is the number of
/// rows of a head.
static std::optional<WarpgroupTile> largestTile(const AttentionSite &site, const NvgpuMachine &machine, int64_t queries,
                                                PairWork work) {
  MLIRContext *context = site.op->getContext();
  int64_t depth = site.depth(), valueDepth = site.valueDepth();
  ArrayRef<PieceAttr> pieces = site.pieces();
  auto tileOf = [&](int64_t rows, int64_t keys) { // all rows of a block compute with all keys that any of them sees
    int64_t together = work.hasPredicate ? rowsOfWarp : rows; // its data have ranges for so many rows
    return xft::AttendTileAttr::get(context, together, 2, 8, rows, keys);
  };
  Form form = formOf(site, queries, work);
  auto fits = [&](const WarpgroupTile &tile) {
    auto hasBoxes = [&](PieceAttr piece) { return xft::RankBoxes{piece.getKeys(), tile.tile.getKeys()}.exist(); };
    return warpgroupBytes(tile, depth, valueDepth, pieces.size(), work) <= machine.sharedBytes &&
           warpgroupRegisters(tile, valueDepth) <= form.mostRegisters && llvm::all_of(pieces, hasBoxes);
  };
  auto tile = largestWarpgroupTile(context, form.consumers, form.mostKeys, tileOf, fits);
  if (!tile || form.consumers == 2)
    return tile;
  // Memory is left for a third stage, so that a block's copies start earlier.
  auto groups = xft::WarpgroupsAttr::get(context, form.consumers, tile->groups.getStages() + 1);
  WarpgroupTile more{tile->tile, groups};
  return fits(more) ? more : *tile;
}

//===----------------------------------------------------------------------===//
// Ops that warpgroups compute
//===----------------------------------------------------------------------===//

std::optional<WarpgroupTile> nvgpu::warpgroupTileOf(const AttentionSite &site, const NvgpuMachine &machine) {
  auto op = cast<AttentionOp>(site.op);
  PairWork work = PairWork::of(op, static_cast<bool>(site.order->tiles));
  constexpr double leastScale = 1e-30; // the kernel divides by it, in f32
  double scale = attentionScale(op.getScale(), site.depth());
  bool divides = work.hasRegion || scale >= leastScale;
  int64_t queries = HostBuilder::constant(site.operands.front().sizes[2]).value_or(ShapedType::kDynamic);
  if (!hasSoftmax(op) || !divides || site.pieces().empty() || hasFewRows(queries))
    return std::nullopt;
  if (!llvm::all_of(site.operands, [&](const Buffer &buffer) { return hasAlignedRows(site.host, buffer); }) ||
      !computesByWarpgroups(machine, site.element(), site.depth(), site.valueDepth()))
    return std::nullopt;
  return largestTile(site, machine, queries, work);
}
