//===- GroupedQueryFolding.h - Grouped-query folding ------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A task of attention computes rows of one head. With few rows, as in decoding, most of a tile is idle, and every head
// of a group that shares keys reads them again. Folding makes G heads of N queries the rows of one head:
//
//   x : [B, H, N, ..]  is seen as  [B, H / G, G N, ..]      row n of head h is row (h mod G) N + n
//
// Kernels then evaluate the bounds of pieces at position i' = row + Nk - G N; the query's own position is i = (i' - Nk)
// mod N + Nk - N. So folding composes bounds with this map, and no other code depends on it.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TILE_ATTEND_GROUPEDQUERYFOLDING_H
#define XF_COMPILER_TILE_ATTEND_GROUPEDQUERYFOLDING_H

#include "compiler/Tile/Attend/Attention.h"

namespace mlir::xf {

/// Returns the number of query heads that share one head of keys and values and may be folded into its rows. Returns 1
/// if their numbers are dynamic, if a clause or a region depends on the head or row, or if a piece reorders queries.
int64_t foldableHeads(AttentionOp op, SolutionAttr solution);

/// Returns a view of x with each `heads` heads as rows of one; failure if strides do not allow it.
FailureOr<Buffer> foldHeads(HostBuilder &host, const Buffer &x, int64_t heads);

/// Returns the solution of folded heads of `queries` rows each: bounds are evaluated at a row's own query position.
SolutionAttr foldHeads(SolutionAttr solution, int64_t queries);

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_ATTEND_GROUPEDQUERYFOLDING_H
