//===- TileSize.h - The tiles of an attention ------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TOOLS_XFC_TILES_TILESIZE_H
#define XF_COMPILER_TOOLS_XFC_TILES_TILESIZE_H

#include "dialects/xft/IR/XftWork.h"

namespace mlir::xf {

/// The tile of an attention, or of its gradient, as `xfc` shows it.
struct TileSize : xft::AttentionFigures {
  SmallVector<std::string> reasons;
  /// For each piece that a launch states to compute, the rows and whole columns of the tile of its kernel.
  DenseMap<Attribute, std::pair<int64_t, int64_t>> ownTiles = DenseMap<Attribute, std::pair<int64_t, int64_t>>();

  /// Returns the rows and whole columns of the tile of the kernel that computes `piece`. Returns nullopt if no launch
  /// states this piece.
  std::optional<std::pair<int64_t, int64_t>> ofPiece(PieceAttr piece) const;
};

/// The attributes of the launches of each attention, by the attention's number.
using LaunchesOfAttentions = DenseMap<int64_t, SmallVector<xft::LaunchedAttention>>;

/// Returns the attributes of all launches of attentions in `scheduled`, a compiled program. Its attentions were
/// numbered before the compilation (xft::numberAttentions).
LaunchesOfAttentions launchesOfAttentions(ModuleOp scheduled);

/// Returns the tile of an attention, given its launches. This is the tile of the first launch. If the sides of a
/// gradient have kernels of their own, it is the tile of the first launch that computes the side of rows. Its reasons
/// are the reasons of all launches. Returns nullopt if there are no launches.
std::optional<TileSize> tileSize(ArrayRef<xft::LaunchedAttention> launches);

} // namespace mlir::xf

#endif // XF_COMPILER_TOOLS_XFC_TILES_TILESIZE_H
