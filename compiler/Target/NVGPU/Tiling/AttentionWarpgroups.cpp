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
/// The bytes of shared memory that a tile takes.
struct TileBytes {
  int64_t queries, outputs, others;
};
} // namespace

static TileBytes bytesOf(const WarpgroupTile &tile, int64_t depth, int64_t valueDepth, int64_t pieces) {
  int64_t columns = llvm::alignTo(depth, WarpgroupTile::boxColumns);
  int64_t valueColumns = llvm::alignTo(valueDepth, WarpgroupTile::boxColumns);
  int64_t rowBytes = tile.tile.getQueries() * WarpgroupTile::elementBytes, stages = tile.groups.getStages();
  int64_t keys = stages * tile.tile.getKeys() * (columns + valueColumns) * WarpgroupTile::elementBytes;
  int64_t barriers = (4 * stages + 2) * 8, tasks = 2 * taskBytes(pieces);
  return {rowBytes * columns, rowBytes * valueColumns, keys + barriers + tasks + tileQueueBytes};
}

bool nvgpu::hasOwnOutput(const WarpgroupTile &tile, int64_t depth, int64_t valueDepth, int64_t pieces) {
  TileBytes bytes = bytesOf(tile, depth, valueDepth, pieces);
  return bytes.queries + bytes.outputs + bytes.others <= NvgpuMachine::mostSharedBytes;
}

int64_t nvgpu::warpgroupBytes(const WarpgroupTile &tile, int64_t depth, int64_t valueDepth, int64_t pieces) {
  TileBytes bytes = bytesOf(tile, depth, valueDepth, pieces);
  int64_t rows = hasOwnOutput(tile, depth, valueDepth, pieces) ? bytes.queries + bytes.outputs
                                                               : std::max(bytes.queries, bytes.outputs);
  return rows + bytes.others;
}

int64_t nvgpu::warpgroupRegisters(const WarpgroupTile &tile, int64_t valueDepth) {
  int64_t scores = WarpgroupTile::sumRegisters(tile.tile.getKeys());
  int64_t sums = WarpgroupTile::sumRegisters(llvm::alignTo(valueDepth, WarpgroupTile::stepTerms));
  return sums + scores + scores / 2; // P has 16 bits
}

static bool hasBound(PieceAttr piece) {
  auto bounds = [](AffineMap map) { return map && map.getNumResults() > 0; };
  return bounds(piece.getLower()) || bounds(piece.getUpper()) || bounds(piece.getRows());
}

static bool hasResidues(PieceAttr piece) { return piece.getResidues() > 1; }

std::optional<WarpgroupTile> nvgpu::attendWarpgroupTile(MLIRContext *context, const NvgpuMachine &machine, Type element,
                                                        int64_t depth, int64_t valueDepth, ArrayRef<PieceAttr> pieces) {
  // Beside sums, scores and P, a thread holds m, l, bounds and addresses: in 232 registers where two consumer
  // warpgroups share those of the block, in 152 where three do. Larger blocks compute more masked pairs along the edges
  // of a pattern. Narrow heads have so little to multiply that a warp waits for its own exponentials: a third warp for
  // each scheduler computes meanwhile (FlashAttention-3 has three warpgroups up to D = 64, too), unless rows are
  // residues, which may be few.
  struct Form {
    int64_t consumers, mostKeys, mostRegisters;
  };
  bool hasBounds = pieces.empty() || llvm::any_of(pieces, hasBound);
  bool isNarrow = std::max(depth, valueDepth) <= 64 && llvm::none_of(pieces, hasResidues);
  SmallVector<Form> forms = {hasBounds ? Form{2, 128, 184} : Form{2, 176, 196}};
  if (isNarrow)
    forms.insert(forms.begin(), Form{3, 112, 116});
  if (!computesByWarpgroups(machine, element, depth, valueDepth))
    return std::nullopt;
  auto tileOf = [&](int64_t rows, int64_t keys) { // all rows of a block compute with all keys that any of them sees
    return xft::AttendTileAttr::get(context, rows, 2, 8, rows, keys);
  };
  for (const Form &form : forms) {
    auto fits = [&](const WarpgroupTile &tile) {
      auto hasBoxes = [&](PieceAttr piece) { return xft::RankBoxes{piece.getKeys(), tile.tile.getKeys()}.exist(); };
      return warpgroupBytes(tile, depth, valueDepth, pieces.size()) <= machine.sharedBytes &&
             warpgroupRegisters(tile, valueDepth) <= form.mostRegisters && llvm::all_of(pieces, hasBoxes);
    };
    if (auto tile = largestWarpgroupTile(context, form.consumers, form.mostKeys, tileOf, fits))
      return tile;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Ops that warpgroups compute
//===----------------------------------------------------------------------===//

std::optional<WarpgroupTile> nvgpu::warpgroupTileOf(AttentionOp op, HostBuilder &host, const NvgpuMachine &machine,
                                                    const QueryOrder &stage, ArrayRef<Buffer> operands) {
  const Buffer &q = operands.front(), &o = operands.back();
  bool isPlain = hasPlainScores(op) && !stage.tiles;
  double scale = attentionScale(op.getScale(), *HostBuilder::constant(q.sizes[3]));
  int64_t queries = HostBuilder::constant(q.sizes[2]).value_or(ShapedType::kDynamic);
  if (!isPlain || !(scale > 0) || stage.pieces.empty() || hasFewRows(queries))
    return std::nullopt;
  if (!llvm::all_of(operands, [&](const Buffer &buffer) { return hasAlignedRows(host, buffer); }))
    return std::nullopt;
  return attendWarpgroupTile(op.getContext(), machine, q.element, *HostBuilder::constant(q.sizes[3]),
                             *HostBuilder::constant(o.sizes[3]), stage.pieces);
}
