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

/// The tile of an attention, or of its gradient, for people.
struct TileSize : xft::AttentionFigures {
  SmallVector<std::string> reasons;
  /// Rows and whole columns of pieces whose kernels have another tile.
  DenseMap<Attribute, std::pair<int64_t, int64_t>> ownTiles = DenseMap<Attribute, std::pair<int64_t, int64_t>>();

  /// Returns the rows and keys that the kernel of `piece` computes together, or nullopt if those are `rows` and
  /// `wholeColumns`.
  std::optional<std::pair<int64_t, int64_t>> ofPiece(PieceAttr piece) const;
};

/// What the launches of each attention tell, by its number.
using LaunchesOfAttentions = DenseMap<int64_t, SmallVector<xft::LaunchedAttention>>;

/// Returns what the launches of a program tell of its attentions, whose numbers they had before it was compiled.
LaunchesOfAttentions launchesOfAttentions(ModuleOp scheduled);

/// Returns the tile of an attention that has these launches: that of the first one, and of a gradient by sides that of
/// queries. Reasons name all of them. Returns nullopt if there are none.
std::optional<TileSize> tileSize(ArrayRef<xft::LaunchedAttention> launches);

} // namespace mlir::xf

#endif // XF_COMPILER_TOOLS_XFC_TILES_TILESIZE_H
