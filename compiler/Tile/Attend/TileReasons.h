//===- TileReasons.h - Why tiles have their sizes ---------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TILE_ATTEND_TILEREASONS_H
#define XF_COMPILER_TILE_ATTEND_TILEREASONS_H

#include "compiler/Tile/Host/TileModel.h"
#include "dialects/xf/IR/XfPieces.h"
#include "dialects/xft/IR/XftOps.h"

namespace mlir::xf {

/// The properties of an attention that its tiles depend on; sizes may be ShapedType::kDynamic.
struct AttentionShape {
  int64_t queries, keys, depth, valueDepth;
  bool hasSoftmax = false; ///< weights are a softmax of scores
  bool hasScoreRegion = false, hasDropout = false, hasPredicate = false;
  SmallVector<PieceAttr> pieces = {};
  int64_t heads = ShapedType::kDynamic; ///< of all batch entries
};

/// Returns the lines in which `xfc explain` says what limits a tile: one each for its rows, its block of keys and its
/// block of queries, and one more for each sequence that is shorter than its block.
SmallVector<std::string> tileReasons(xft::AttendTileAttr tile, const AttentionShape &shape, bool isGradient,
                                     const TileModel &model, Type element);

/// Formats a number of bytes: "48 KiB", "1.5 MiB".
std::string bytesText(int64_t bytes);

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_ATTEND_TILEREASONS_H
