//===- AttentionVjpGroups.cpp - Tiles of gradients for warpgroups ---------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/AttentionVjpGroups.h"
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

static int64_t stayingOf(xft::VjpSide side, const GroupTile &tile) {
  return side == xft::VjpSide::rows ? tile.tile.getQueries() : tile.tile.getKeys();
}
static int64_t passingOf(xft::VjpSide side, const GroupTile &tile) {
  return side == xft::VjpSide::rows ? tile.tile.getKeys() : tile.tile.getQueries();
}

int64_t xf::vjpGroupBytes(xft::VjpSide side, const GroupTile &tile, int64_t depth, int64_t valueDepth) {
  constexpr int64_t rowNumberBytes = 16, flagBytes = 16, warpRows = 32, warpsOfGroup = 4;
  int64_t columns = llvm::alignTo(depth, boxColumns) + llvm::alignTo(valueDepth, boxColumns);
  int64_t passing = passingOf(side, tile), copies = tile.groups.getStages();
  int64_t matrices = (stayingOf(side, tile) + copies * passing) * columns * elementBytes;
  int64_t numbers = passing * rowNumberBytes + llvm::divideCeil(passing, warpRows) * flagBytes; // lse, delta, bounds
  int64_t parts = side == xft::VjpSide::keys ? 3 : 2; // two matrices, and numbers of rows
  int64_t barriers = 2 * parts * copies * 8 + tile.groups.getConsumers() * warpsOfGroup * 4;
  return matrices + (side == xft::VjpSide::keys ? copies * numbers : 0) + barriers;
}

int64_t xf::vjpGroupRegisters(xft::VjpSide side, const GroupTile &tile, int64_t depth, int64_t valueDepth) {
  int64_t scores = groupRows * passingOf(side, tile) / groupThreads;
  int64_t columns = llvm::alignTo(depth, stepTerms);
  if (side == xft::VjpSide::keys)
    columns += llvm::alignTo(valueDepth, stepTerms);
  return groupRows * columns / groupThreads + 2 * scores + scores / 2; // S, then P; dP; dS has half as many bits
}

std::optional<GroupTile> xf::attendVjpGroupTile(MLIRContext *context, const Machine &machine, xft::VjpSide side,
                                                Type element, int64_t depth, int64_t valueDepth,
                                                function_ref<bool(int64_t count)> canPass) {
  // A thread has bounds, places and addresses beside, of 224 registers at least; three warps write the numbers of rows
  // that pass.
  bool hasKeys = side == xft::VjpSide::keys;
  const int64_t mostPassing = hasKeys ? 96 : 128;
  constexpr int64_t leastPassing = 32, mostRegisters = 192, mostColumns = 256;
  bool isAligned = depth % alignedElements == 0 && valueDepth % alignedElements == 0;
  if (!machine.hasWarpgroups || element.getIntOrFloatBitWidth() != 16 || !isAligned || depth > mostColumns ||
      valueDepth > mostColumns)
    return std::nullopt;
  auto groups = xft::WarpgroupsAttr::get(context, consumers, stages);
  for (int64_t passing = mostPassing; passing >= leastPassing; passing -= stepTerms) {
    int64_t staying = consumers * groupRows;
    GroupTile tile{
        xft::AttendTileAttr::get(context, 16, 2, 8, hasKeys ? passing : staying, hasKeys ? staying : passing), groups};
    if (vjpGroupBytes(side, tile, depth, valueDepth) <= machine.sharedBytes &&
        vjpGroupRegisters(side, tile, depth, valueDepth) <= mostRegisters && canPass(passing))
      return tile;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// What such kernels compute
//===----------------------------------------------------------------------===//

std::optional<GroupTile> xf::vjpGroupTileOf(AttentionVjpOp op, HostBuilder &host, const Machine &machine,
                                            xft::VjpSide side, PieceAttr piece, ArrayRef<Buffer> operands) {
  const Buffer &q = operands[0], &k = operands[1], &v = operands[2];
  bool hasKeys = side == xft::VjpSide::keys;
  if (!op.getScore().empty() || op.getRelative() || op.getDropout() || isLinear(op))
    return std::nullopt;
  // Fewer rows than one group computes leave most of the block idle; sums of keys are those of one head of both.
  std::optional<int64_t> staying = HostBuilder::constant((hasKeys ? k : q).sizes[2]);
  if ((staying && *staying <= groupRows) || (hasKeys && k.sizes[1] != v.sizes[1]))
    return std::nullopt;
  if (!llvm::all_of(operands, [&](const Buffer &buffer) { return hasAlignedRows(host, buffer); }))
    return std::nullopt;
  IndexMapAttr map = hasKeys ? piece.getQueries() : piece.getKeys();
  // Positions of queries are shifted by Nk - Nq, which need not be a multiple of a window.
  bool isWindow = map.getWidth() != map.getPeriod() && map.getWidth() != 1;
  if (hasKeys && isWindow && q.sizes[2] != k.sizes[2])
    return std::nullopt;
  return attendVjpGroupTile(op.getContext(), machine, side, q.element, *HostBuilder::constant(q.sizes[3]),
                            *HostBuilder::constant(v.sizes[3]),
                            [&](int64_t count) { return xft::RankBoxes{map, count}.exist(); });
}

xft::AttendTileAttr xf::carefulVjpTile(xft::VjpSide side, const GroupTile &tile) {
  constexpr int64_t warpRows = 16;
  bool isRows = side == xft::VjpSide::rows;
  int64_t queries = isRows ? tile.tile.getQueries() : warpRows, keys = isRows ? warpRows : tile.tile.getKeys();
  return xft::AttendTileAttr::get(tile.tile.getContext(), warpRows, 2, 8, queries, keys);
}

ArrayAttr xf::vjpTensorMaps(xft::VjpSide side, PieceAttr piece, xft::AttendTileAttr tile, ArrayRef<int64_t> operands) {
  bool isRows = side == xft::VjpSide::rows;
  xft::RankBoxes boxes{isRows ? piece.getKeys() : piece.getQueries(), isRows ? tile.getKeys() : tile.getQueries()};
  SmallVector<Attribute> maps;
  for (int64_t operand : operands)
    llvm::append_range(maps, boxes.maps(operand));
  return ArrayAttr::get(piece.getContext(), maps);
}
