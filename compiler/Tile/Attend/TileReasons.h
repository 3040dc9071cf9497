//===- TileReasons.h - Why tiles have their sizes ---------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TILE_ATTEND_TILEREASONS_H
#define XF_COMPILER_TILE_ATTEND_TILEREASONS_H

#include "compiler/Support/Machine.h"
#include "dialects/xf/IR/XfPieces.h"
#include "dialects/xft/IR/XftOps.h"

namespace mlir::xf {

/// The sizes of one attention that its tiles depend on; dynamic ones as in types.
struct AttentionShape {
  int64_t queries, keys, depth, valueDepth;
  bool isPlain = false; ///< nothing is asked of single pairs: no score region, dropout, predicate
  SmallVector<PieceAttr> pieces = {};
};

/// The tile of an attention, or of its gradient, on elements of a type: attendTile or attendVjpTile; on GPUs
/// attendWarpgroupTile where that is possible, else gpuAttendTile, or gpuAttendVjpTile of the side of rows. Null where
/// heads have no static size there.
xft::AttendTileAttr tileOf(const AttentionShape &shape, bool isGradient, const Machine &machine, Type element);

/// The keys of an aligned run that a tile computes as a whole: those of a register; on a GPU, of a block.
int64_t wholeColumns(xft::AttendTileAttr tile, const Machine &machine);

/// The tile of a piece whose residues go in lanes: a line for people.
std::string laneReason(xft::LaneTileAttr tile, PieceAttr piece, const Machine &machine);

/// What bounds the register tile (on a GPU, the rows), the block of keys and the block of queries: a line for people
/// each, and one more where a sequence is shorter than its block.
SmallVector<std::string> tileReasons(xft::AttendTileAttr tile, const AttentionShape &shape, bool isGradient,
                                     const Machine &machine, Type element);

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_ATTEND_TILEREASONS_H
