//===- TileSize.h - The tiles of an attention ------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tiles are those of the kernels that a program has been compiled to. Where it cannot be compiled, they are what the
// target would choose for plain operands.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TOOLS_XFC_TILES_TILESIZE_H
#define XF_COMPILER_TOOLS_XFC_TILES_TILESIZE_H

#include "compiler/Tile/Attend/TileReasons.h"
#include "dialects/xf/IR/XfOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::xf {

/// The tile of an attention, or of its gradient, for people.
struct TileSize {
  int64_t rows, columns, wholeColumns, queries, keys;
  SmallVector<std::string> reasons;
  DenseMap<Attribute, xft::LaneTileAttr> laneTiles =
      DenseMap<Attribute, xft::LaneTileAttr>(); ///< of pieces whose residues go in lanes
  DenseMap<Attribute, std::pair<int64_t, int64_t>> ownTiles =
      DenseMap<Attribute, std::pair<int64_t, int64_t>>(); ///< rows and keys of pieces with kernels of their own

  /// Returns the rows and keys that a kernel of `piece` computes together, or nullopt if those are `rows` and
  /// `wholeColumns`.
  std::optional<std::pair<int64_t, int64_t>> ofPiece(PieceAttr piece) const;
};

/// The op of each kernel that an attention is computed by: xft.attend, a side of its gradient, or a scan.
using KernelOps = SmallVector<Operation *>;

/// Marks the attentions of a module, and their gradients, so that kernelsOf finds what becomes of them.
void markAttentions(ModuleOp module);
/// Returns, for each attention or gradient of the module that was marked, the kernels in `scheduled`, which that module
/// has been compiled to; kernels that only recompute flagged tiles are left out.
DenseMap<int64_t, KernelOps> kernelsOfAttentions(ModuleOp scheduled);

/// Returns the tile of an attention that is computed by `kernels`; if there are none, the one that the target chooses
/// for plain operands. Returns nullopt if heads have no static size.
std::optional<TileSize> tileSize(const AttentionShape &shape, bool isGradient, const TileModel &model, Type element,
                                 ArrayRef<Operation *> kernels);
/// Returns the tile of a kernel of boxes of a grid: queries in registers by shifts to their keys, in blocks of lines.
TileSize lineTileSize(xft::LineTileAttr tile, const TileModel &model);
/// Returns the tile of the kernel of few rows, if that is the kernel of an attention, and nullopt otherwise. It has all
/// rows of a head, and of the heads that share its keys where these are folded.
std::optional<TileSize> fewTileSize(Operation *attention, ArrayRef<SolutionAttr> solutions, const TileModel &model);

} // namespace mlir::xf

#endif // XF_COMPILER_TOOLS_XFC_TILES_TILESIZE_H
