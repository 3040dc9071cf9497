//===- TileSize.cpp - The tiles of an attention ---------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/tools/xfc/tiles/TileSize.h"
#include "compiler/Tile/Attend/FewRows.h"
#include "compiler/Tile/Attend/GroupedQueryFolding.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::xf;

std::optional<std::pair<int64_t, int64_t>> TileSize::ofPiece(PieceAttr piece) const {
  if (xft::LaneTileAttr lanes = laneTiles.lookup(piece))
    return std::pair(int64_t(lanes.getRows()), int64_t(lanes.getKeys()));
  auto own = ownTiles.find(piece);
  return own == ownTiles.end() ? std::nullopt : std::optional(own->second);
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

void xf::markAttentions(ModuleOp module) {
  Builder b(module.getContext());
  int64_t number = 0;
  module.walk([&](Operation *op) {
    if (isa<AttentionOp, AttentionVjpOp>(op))
      op->setLoc(FusedLoc::get({op->getLoc()}, b.getI64IntegerAttr(number++), b.getContext()));
  });
}

/// Returns whether `op` computes pairs of queries and keys, or the chunks of a scan, for the first time.
static bool isKernelOp(Operation *op) {
  if (auto schedule = op->getAttrOfType<xft::AttendSchedule>("schedule"))
    return !schedule.getRecheck();
  return isa<xft::ScanOp, xft::ScanVjpOp>(op);
}

DenseMap<int64_t, KernelOps> xf::kernelsOfAttentions(ModuleOp scheduled) {
  DenseMap<int64_t, KernelOps> kernels;
  scheduled.walk([&](xft::LaunchOp launch) {
    auto mark = launch.getLoc()->findInstanceOf<FusedLocWith<IntegerAttr>>();
    auto kernel = scheduled.lookupSymbol<func::FuncOp>(launch.getKernel());
    if (!mark || !kernel)
      return;
    KernelOps &found = kernels[mark.getMetadata().getInt()];
    kernel.walk([&](Operation *op) {
      if (isKernelOp(op) && !llvm::is_contained(found, op))
        found.push_back(op);
    });
  });
  return kernels;
}

//===----------------------------------------------------------------------===//
// Gradients by sides
//===----------------------------------------------------------------------===//

/// Returns the line that says what a kernel of one side of a gradient keeps, and what it streams past.
static std::string sideReason(xft::AttendVjpSide op) {
  xft::AttendTileAttr tile = op.getTile();
  bool isRows = op.getSide() == xft::VjpSide::rows;
  auto [resident, streamed] =
      isRows ? std::pair(tile.getQueries(), tile.getKeys()) : std::pair(tile.getKeys(), tile.getQueries());
  StringRef stays = isRows ? "queries" : op.getSide() == xft::VjpSide::keys ? "keys" : "captured tensors: keys";
  StringRef passes = isRows ? "keys" : "queries";
  xft::WarpgroupsAttr groups = op.getWarpgroups();
  if (!groups)
    return llvm::formatv("{0}: blocks of {1}, {2} of each warp, by which blocks of {3} {4} pass", stays, resident,
                         tile.getRows(), streamed, passes);
  return llvm::formatv(
      "{0}: blocks of {1}, {2} of each of {3} groups of warps, by which blocks of {4} {5} pass, {6} at "
      "once, beside warps that copy",
      stays, resident, resident / groups.getConsumers(), groups.getConsumers(), streamed, passes, groups.getStages());
}

/// Returns the tile of a gradient that is computed by sides: that of queries, which `explain` counts pairs by.
static std::optional<TileSize> sidesTileSize(ArrayRef<Operation *> kernels) {
  std::optional<TileSize> size;
  SmallVector<std::string> reasons;
  for (Operation *kernel : kernels) {
    auto side = dyn_cast<xft::AttendVjpSide>(kernel);
    if (!side)
      continue;
    if (std::string reason = sideReason(side); !llvm::is_contained(reasons, reason))
      reasons.push_back(reason);
    if (side.getSide() != xft::VjpSide::rows)
      continue;
    xft::AttendTileAttr tile = side.getTile();
    int64_t rows = side.getWarpgroups() ? tile.getQueries() : tile.getRows(), keys = tile.getKeys();
    if (!size)
      size = TileSize{rows, keys, keys, tile.getQueries(), keys, {}};
    size->ownTiles.try_emplace(side.getPiece(), rows, keys);
  }
  if (size)
    size->reasons = std::move(reasons);
  return size;
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// Returns the size of a tile that `model` has chosen for `shape`.
static TileSize sizeOf(xft::AttendTileAttr tile, const AttentionShape &shape, bool isGradient, const TileModel &model,
                       Type element) {
  return {tile.getRows(),    model.stepColumns(tile), model.wholeColumns(tile),
          tile.getQueries(), tile.getKeys(),          tileReasons(tile, shape, isGradient, model, element)};
}

/// Returns the tile of kernels that compute whole query orders. Where they have several, all are named.
static std::optional<TileSize> attendTileSize(ArrayRef<Operation *> kernels, AttentionShape shape,
                                              const TileModel &model, Type element) {
  std::optional<TileSize> size;
  SmallVector<xft::AttendTileAttr> seen;
  for (Operation *kernel : kernels) {
    auto attend = dyn_cast<xft::AttendOp>(kernel);
    if (!attend || (attend.getPieces().empty() && !attend.getTiles())) // only starts or ends rows
      continue;
    xft::AttendTileAttr tile = attend.getTile();
    shape.pieces = llvm::to_vector(attend.getPieces().getAsRange<PieceAttr>());
    shape.hasPredicate = attend.getTiles().has_value();
    TileSize own = sizeOf(tile, shape, /*isGradient=*/false, model, element);
    if (!size) {
      size = own;
    } else if (!llvm::is_contained(seen, tile)) {
      size->reasons.push_back(
          llvm::formatv("also {0} x {1} in blocks of {2} x {3}", own.rows, own.columns, own.queries, own.keys));
      llvm::append_range(size->reasons, own.reasons);
    }
    seen.push_back(tile);
    for (PieceAttr piece : shape.pieces)
      size->ownTiles.try_emplace(piece, own.rows, own.wholeColumns);
  }
  return size;
}

/// Returns the chunks of a scan.
static std::optional<TileSize> scanTileSize(ArrayRef<Operation *> kernels) {
  for (Operation *kernel : kernels) {
    auto schedule = kernel->getAttrOfType<xft::ScanScheduleAttr>("schedule");
    if (!schedule)
      continue;
    int64_t chunk = schedule.getTile().getQueries();
    return TileSize{chunk, chunk, 1,
                    chunk, chunk, {llvm::formatv("chunks: {0} positions, whose features are computed at once", chunk)}};
  }
  return std::nullopt;
}

std::optional<TileSize> xf::tileSize(const AttentionShape &shape, bool isGradient, const TileModel &model, Type element,
                                     ArrayRef<Operation *> kernels) {
  if (std::optional<TileSize> scan = scanTileSize(kernels))
    return scan;
  if (std::optional<TileSize> found =
          isGradient ? sidesTileSize(kernels) : attendTileSize(kernels, shape, model, element))
    return found;
  xft::AttendTileAttr tile = model.tileOf(shape, isGradient, element);
  return tile ? std::optional(sizeOf(tile, shape, isGradient, model, element)) : std::nullopt;
}

TileSize xf::lineTileSize(xft::LineTileAttr tile, const TileModel &model) {
  int64_t length = tile.getLength();
  return TileSize{tile.getRows() * tile.getLanes(), tile.getColumns(),           1,
                  tile.getRows() * length,          tile.getKeyLines() * length, {model.lineReason(tile)}};
}

std::optional<TileSize> xf::fewTileSize(Operation *attention, ArrayRef<SolutionAttr> solutions,
                                        const TileModel &model) {
  auto op = dyn_cast<AttentionOp>(attention);
  if (!op || solutions.size() != 1)
    return std::nullopt;
  int64_t queries = op.getQ().getType().getDimSize(2);
  if (ShapedType::isDynamic(queries))
    return std::nullopt;
  int64_t rows = queries * (model.foldsGroupedQueries() ? foldableHeads(op, solutions[0]) : 1);
  xft::FewTileAttr tile = model.fewTile(op, solutions[0], rows);
  if (!tile)
    return std::nullopt;
  int64_t keys = op.getK().getType().getDimSize(2);
  bool isSliced = ShapedType::isDynamic(keys) ? tile.getSlice() < unslicedKeys : tile.getSlice() < keys;
  std::string tasks = isSliced ? "keys: slices of " + std::to_string(tile.getSlice()) + ", each a task"
                               : "keys: all of a head, one task";
  return TileSize{
      rows, tile.getKeys(), tile.getLanes(),
      rows, tile.getKeys(), {"rows: all of a head at once, so that keys and values are read once, as they lie", tasks}};
}
