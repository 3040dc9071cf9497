//===- Count.h - How many pairs a solution has ------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exact counts from the pieces' bounds, whatever the number of rows and pairs.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PATTERN_COUNT_COUNT_H
#define XF_COMPILER_PATTERN_COUNT_COUNT_H

#include "dialects/xf/IR/XfPieces.h"

namespace mlir::xf::pattern {

/// Concrete sizes of one call, up to 2^20 each.
struct CallSizes {
  int64_t numQueries, numKeys;
  SmallVector<int64_t, 2> symbols = {};
  int64_t head = 0; ///< whose draws are meant, where heads draw differently
};

/// Whether heads that have this solution may see different keys: they draw them.
bool isPerHead(SolutionAttr solution);

/// Pairs of one head of one batch entry; none for sizes past 2^20, for tiles whose data are operands, and for tiles of
/// which more than 2^18 boxes would have to be looked at.
std::optional<int64_t> countPairs(SolutionAttr solution, const CallSizes &sizes);

/// Pairs that are computed when the rows of each residue go in tiles of `tileRows` in the order of their piece, and a
/// tile computes all its rows, those past the last one too, over the aligned runs of `tileColumns` keys in which any of
/// them sees one. With a register tile's rows and the lanes of a register, what a kernel executes. The tiles of a
/// predicate have `predicateColumns`, or as many where that is 0; `tileOf`, where given, tells the rows and columns of
/// a piece that has tiles of its own, and none of others.
using TileOfPiece = function_ref<std::optional<std::pair<int64_t, int64_t>>(PieceAttr)>;
std::optional<int64_t> countExecutedPairs(SolutionAttr solution, const CallSizes &sizes, int64_t tileRows,
                                          int64_t tileColumns, int64_t predicateColumns = 0,
                                          TileOfPiece tileOf = nullptr);

/// Rows number `row`, `row` + 1, .. and keys number `begin` to `end` - 1 of a residue, in the order of their piece.
struct ExecutedTile {
  int64_t residue, row, numRows, begin, end;
};

/// The tiles of a piece that countExecutedPairs counts, by residue and row.
void visitTiles(PieceAttr piece, const CallSizes &sizes, int64_t tileRows, int64_t tileColumns,
                function_ref<void(const ExecutedTile &)> visit);

} // namespace mlir::xf::pattern

#endif // XF_COMPILER_PATTERN_COUNT_COUNT_H
