//===- Count.h - The number of pairs of a solution --------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts the pairs of a solution exactly, from the bounds of its pieces, for any number of rows and pairs.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PATTERN_COUNT_COUNT_H
#define XF_COMPILER_PATTERN_COUNT_COUNT_H

#include "dialects/xf/IR/XfPieces.h"

namespace mlir::xf::pattern {

/// The concrete sizes of one call: numbers of queries and keys up to 2^20, and the values of run-time symbols p0, p1,
/// .. of magnitude up to 2^20.
struct CallSizes {
  int64_t numQueries, numKeys;
  SmallVector<int64_t, 2> symbols = {};
  int64_t head = 0; ///< the head whose draws apply, if heads draw differently
};

/// Returns whether the heads that share this solution may see different keys, because the solution has random draws and
/// each head draws its own keys.
bool isPerHead(SolutionAttr solution);

/// Counts the pairs of one head of one batch entry. Returns nullopt if a size exceeds 2^20, if the solution has tiles
/// whose data are operands of the call, or if counting the tiles would take more than 2^18 boxes.
std::optional<int64_t> countPairs(SolutionAttr solution, const CallSizes &sizes);

/// A function that returns the rows and columns of a piece's own tile, or nullopt if the piece has the default tile.
using TileOfPiece = function_ref<std::optional<std::pair<int64_t, int64_t>>(PieceAttr)>;
/// Counts the pairs that kernels compute, masked pairs included, for one head of one batch entry. The rows of each
/// residue of a piece are split into tiles of `tileRows` rows. A tile computes all its rows, even rows past the last
/// one, with the keys from the first to the last that any of its rows sees. This range of keys is rounded outwards to
/// multiples of `tileColumns`. With the rows of a register tile and the lanes of a register, the result is what a
/// kernel executes.
///
/// Tiles of a predicate have `predicateColumns` columns, or `tileColumns` if that is 0. `tileOf`, if given, may return
/// another tile for a piece. Returns nullopt for the same calls as countPairs.
std::optional<int64_t> countExecutedPairs(SolutionAttr solution, const CallSizes &sizes, int64_t tileRows,
                                          int64_t tileColumns, int64_t predicateColumns = 0,
                                          TileOfPiece tileOf = nullptr);

/// A tile of pairs in residue `residue` of one piece: the rows of ranks `row` to `row` + `numRows` - 1 by the keys of
/// ranks `begin` to `end` - 1 in this residue.
struct ExecutedTile {
  int64_t residue, row, numRows, begin, end;
};

/// Calls `visit` with each tile of `piece` that countExecutedPairs counts, in the order of residues and rows.
void visitTiles(PieceAttr piece, const CallSizes &sizes, int64_t tileRows, int64_t tileColumns,
                function_ref<void(const ExecutedTile &)> visit);

} // namespace mlir::xf::pattern

#endif // XF_COMPILER_PATTERN_COUNT_COUNT_H
