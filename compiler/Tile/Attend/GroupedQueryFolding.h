//===- GroupedQueryFolding.h - Heads that share keys as rows of one ------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A task of attention has rows of one head. Where there are few, as in decoding, most of a tile is idle, and every head
// of a group that shares keys reads them again. Folded, G heads of N queries are the rows of one head:
//
//   x : [B, H, N, ..]  is seen as  [B, H / G, G N, ..]      row n of head h is row (h mod G) N + n
//
// Kernels then ask pieces about position i' = row + Nk - G N; the query's own is i = (i' - Nk) mod N + Nk - N. So
// bounds are composed with that, and nothing else knows of heads that were folded.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TILE_ATTEND_GROUPEDQUERYFOLDING_H
#define XF_COMPILER_TILE_ATTEND_GROUPEDQUERYFOLDING_H

#include "compiler/Tile/Attend/Attention.h"

namespace mlir::xf {

/// How many heads of queries share the keys and values of one, and may be rows of one; 1 where their numbers are not
/// known, a clause or a region tells heads or rows apart, or rows come in another order.
int64_t foldableHeads(AttentionOp op, SolutionAttr solution);

/// x with so many heads as rows of one; failure where its strides do not allow it.
FailureOr<Buffer> foldHeads(HostBuilder &host, const Buffer &x, int64_t heads);

/// The pieces of heads of `queries` rows, as their folded rows see them.
SolutionAttr foldHeads(SolutionAttr solution, int64_t queries);

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_ATTEND_GROUPEDQUERYFOLDING_H
