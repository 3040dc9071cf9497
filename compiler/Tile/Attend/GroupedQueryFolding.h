//===- GroupedQueryFolding.h - Grouped-query folding ------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes G heads of N queries the rows of one head, if they share keys. A task of attention computes rows of one head.
// Without folding, if heads have few rows, as in decoding, most of a tile is idle, and every head reads the same keys
// again. Buffers become views:
//
//   x : [B, H, N, ..]  is seen as  [B, H / G, G N, ..]      row n of head h is row (h mod G) N + n
//
// Kernels then evaluate the bounds of pieces at position i' = row + Nk - G N. The query's own position is i = (i' - Nk)
// mod N + Nk - N. Folding composes bounds with this map, so no other code depends on it.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TILE_ATTEND_GROUPEDQUERYFOLDING_H
#define XF_COMPILER_TILE_ATTEND_GROUPEDQUERYFOLDING_H

#include "compiler/Tile/Attend/Attention.h"

namespace mlir::xf {

/// Returns how many heads of queries may become the rows of one head. All of them use the same head of keys and values.
/// Returns 1 if the number of heads is dynamic, if a clause or a region depends on the head or row, or if a piece
/// reorders queries.
int64_t foldableHeads(AttentionOp op, SolutionAttr solution);

/// Returns a view of x [B, H, N, ..] in which each `heads` consecutive heads are one head, which has the rows of all of
/// them. Fails, without an error, if the strides of x do not allow it.
FailureOr<Buffer> foldHeads(HostBuilder &host, const Buffer &x, int64_t heads);

/// Returns `solution` for rows that are folded from heads with `queries` queries each. For a folded row, the new bounds
/// have the value of the original bounds at the position that the row's query has within its own head.
SolutionAttr foldHeads(SolutionAttr solution, int64_t queries);

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_ATTEND_GROUPEDQUERYFOLDING_H
