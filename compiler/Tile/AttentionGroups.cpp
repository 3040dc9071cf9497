//===- AttentionGroups.cpp - Tiles of attention for warpgroups ------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/AttentionGroups.h"
#include "dialects/xft/IR/XftBoxes.h"

using namespace mlir;
using namespace mlir::xf;

/// Of a group: the rows of one instruction, the threads, the columns of a box and the terms of an instruction.
static constexpr int64_t groupRows = 64, groupThreads = 128, boxColumns = 64, stepTerms = 16;
static constexpr int64_t elementBytes = 2, alignedElements = 16 / elementBytes;
static constexpr int64_t consumers = 2, stages = 2;

//===----------------------------------------------------------------------===//
// What fits
//===----------------------------------------------------------------------===//

int64_t xf::groupBytes(const GroupTile &tile, int64_t depth, int64_t valueDepth) {
  int64_t columns = llvm::alignTo(depth, boxColumns), valueColumns = llvm::alignTo(valueDepth, boxColumns);
  int64_t queries = tile.tile.getQueries() * std::max(columns, valueColumns);
  int64_t keys = tile.groups.getStages() * tile.tile.getKeys() * (columns + valueColumns);
  int64_t barriers = 4 * tile.groups.getStages() * 8;
  return (queries + keys) * elementBytes + barriers;
}

int64_t xf::groupRegisters(const GroupTile &tile, int64_t valueDepth) {
  int64_t scores = groupRows * tile.tile.getKeys() / groupThreads;
  return groupRows * llvm::alignTo(valueDepth, stepTerms) / groupThreads + scores + scores / 2; // P has half as many bits
}

static bool hasBound(PieceAttr piece) {
  auto bounds = [](AffineMap map) { return map && map.getNumResults() > 0; };
  return bounds(piece.getLower()) || bounds(piece.getUpper()) || bounds(piece.getRows());
}

std::optional<GroupTile> xf::attendGroupTile(MLIRContext *context, const Machine &machine, Type element, int64_t depth,
                                             int64_t valueDepth, ArrayRef<PieceAttr> pieces) {
  // Beside sums, scores and P a thread has m, l, bounds and addresses: of the 232 registers of a thread of two computing
  // groups, few without bounds. Larger blocks have more pairs along the edges of a set.
  bool hasBounds = pieces.empty() || llvm::any_of(pieces, hasBound);
  constexpr int64_t leastKeys = 32, mostColumns = 256;
  const int64_t mostKeys = hasBounds ? 128 : 176, mostRegisters = hasBounds ? 184 : 196;
  bool isAligned = depth % alignedElements == 0 && valueDepth % alignedElements == 0;
  if (!machine.hasWarpgroups || element.getIntOrFloatBitWidth() != 16 || !isAligned || depth > mostColumns ||
      valueDepth > mostColumns)
    return std::nullopt;
  auto groups = xft::WarpgroupsAttr::get(context, consumers, stages);
  for (int64_t keys = mostKeys; keys >= leastKeys; keys -= stepTerms) {
    // All rows of a block take all keys that some of them see.
    constexpr int64_t rows = consumers * groupRows;
    GroupTile tile{xft::AttendTileAttr::get(context, rows, 2, 8, rows, keys), groups};
    bool fits = groupBytes(tile, depth, valueDepth) <= machine.sharedBytes &&
                groupRegisters(tile, valueDepth) <= mostRegisters;
    auto hasBoxes = [&](PieceAttr piece) { return xft::RankBoxes{piece.getKeys(), keys}.exist(); };
    if (fits && llvm::all_of(pieces, hasBoxes))
      return tile;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// What such kernels compute
//===----------------------------------------------------------------------===//

bool xf::hasAlignedRows(HostBuilder &host, const Buffer &buffer) {
  if (!host.isMultiple(buffer.offset, alignedElements))
    return false;
  for (auto [size, stride] : llvm::drop_end(llvm::zip(buffer.sizes, buffer.strides)))
    if (HostBuilder::constant(size) != 1 &&
        (!host.isMultiple(stride, alignedElements) || HostBuilder::constant(stride) == 0))
      return false;
  return true;
}

bool xf::hasFewQueries(int64_t queries) { return !ShapedType::isDynamic(queries) && queries <= groupRows; }

std::optional<GroupTile> xf::groupTileOf(AttentionOp op, HostBuilder &host, const Machine &machine, const Stage &stage,
                                         ArrayRef<Buffer> operands) {
  const Buffer &q = operands.front(), &o = operands.back();
  bool isPlain = hasPlainScores(op) && !stage.tiles;
  double scale = attentionScale(op.getScale(), *HostBuilder::constant(q.sizes[3]));
  int64_t queries = HostBuilder::constant(q.sizes[2]).value_or(ShapedType::kDynamic);
  if (!isPlain || !(scale > 0) || stage.pieces.empty() || hasFewQueries(queries))
    return std::nullopt;
  if (!llvm::all_of(operands, [&](const Buffer &buffer) { return hasAlignedRows(host, buffer); }))
    return std::nullopt;
  return attendGroupTile(op.getContext(), machine, q.element, *HostBuilder::constant(q.sizes[3]),
                         *HostBuilder::constant(o.sizes[3]), stage.pieces);
}

ArrayAttr xf::tensorMaps(MLIRContext *context, ArrayRef<PieceAttr> pieces, const GroupTile &tile,
                         ArrayRef<int64_t> operands) {
  SmallVector<Attribute> maps;
  for (PieceAttr piece : pieces)
    for (int64_t operand : operands)
      for (xft::TensorMapAttr map : xft::RankBoxes{piece.getKeys(), tile.tile.getKeys()}.maps(operand))
        if (!llvm::is_contained(maps, map))
          maps.push_back(map);
  return ArrayAttr::get(context, maps);
}
