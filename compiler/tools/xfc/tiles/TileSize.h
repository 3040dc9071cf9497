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

/// The tile of an attention, or of its gradient, as people are shown it.
struct TileSize : xft::AttentionFigures {
  SmallVector<std::string> reasons;
  /// The rows and whole columns of the pieces whose kernels have another tile.
  DenseMap<Attribute, std::pair<int64_t, int64_t>> ownTiles = DenseMap<Attribute, std::pair<int64_t, int64_t>>();

  /// Returns the numbers of rows and keys that the kernel of `piece` computes together. Returns nullopt if they are
  /// `rows` and `wholeColumns`.
  std::optional<std::pair<int64_t, int64_t>> ofPiece(PieceAttr piece) const;
};

/// The attributes of the launches of each attention, by the attention's number.
using LaunchesOfAttentions = DenseMap<int64_t, SmallVector<xft::LaunchedAttention>>;

/// Returns the attributes of all launches of attentions in `scheduled`, a compiled program. Their numbers were given to
/// the attentions before the compilation.
LaunchesOfAttentions launchesOfAttentions(ModuleOp scheduled);

/// Returns the tile of an attention with these launches: that of the first launch or, if a gradient has a kernel for
/// each side, that of the rows. Its reasons are those of all launches. Returns nullopt without launches.
std::optional<TileSize> tileSize(ArrayRef<xft::LaunchedAttention> launches);

} // namespace mlir::xf

#endif // XF_COMPILER_TOOLS_XFC_TILES_TILESIZE_H
