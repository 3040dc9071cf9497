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

/// The sizes of one attention that its tiles depend on; dynamic ones as in types.
struct AttentionShape {
  int64_t queries, keys, depth, valueDepth;
  bool isPlain = false; ///< nothing is asked of single pairs: no score region, dropout, predicate
  SmallVector<PieceAttr> pieces = {};
};

/// What bounds the rows, the block of keys and the block of queries of a tile: a line for people each, and one more
/// where a sequence is shorter than its block.
SmallVector<std::string> tileReasons(xft::AttendTileAttr tile, const AttentionShape &shape, bool isGradient,
                                     const TileModel &model, Type element);

/// "48 KiB", "1.5 MiB".
std::string bytesText(int64_t bytes);

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_ATTEND_TILEREASONS_H
