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
  /// For each piece whose kernel has a tile of its own, the rows and whole columns of that tile.
  DenseMap<Attribute, std::pair<int64_t, int64_t>> ownTiles = DenseMap<Attribute, std::pair<int64_t, int64_t>>();

  /// Returns the numbers of rows and keys that the kernel of `piece` computes together. Returns nullopt if they are
  /// `rows` and `wholeColumns`.
  std::optional<std::pair<int64_t, int64_t>> ofPiece(PieceAttr piece) const;
};

/// The attributes of the launches of each attention, by the attention's number.
using LaunchesOfAttentions = DenseMap<int64_t, SmallVector<xft::LaunchedAttention>>;

/// Returns the attributes of all launches of attentions in `scheduled`, a compiled program. Its attentions were
/// numbered before the compilation (xft::numberAttentions).
LaunchesOfAttentions launchesOfAttentions(ModuleOp scheduled);

/// Returns the tile of an attention, given its launches. This is the tile of the first launch or, if each side of a
/// gradient has its own kernel, of the first launch of the side of rows. The reasons of all launches are joined.
/// Returns nullopt without launches.
std::optional<TileSize> tileSize(ArrayRef<xft::LaunchedAttention> launches);

} // namespace mlir::xf

#endif // XF_COMPILER_TOOLS_XFC_TILES_TILESIZE_H
