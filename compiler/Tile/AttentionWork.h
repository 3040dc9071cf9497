//===- AttentionWork.h - What kernels of attention execute --------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pairs of a solution, and those that kernels execute because rows come in groups and keys in registers. Counted by
// walking the rows, as the kernels do.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TILE_ATTENTIONWORK_H
#define XF_COMPILER_TILE_ATTENTIONWORK_H

#include "compiler/Tile/Attention.h"

namespace mlir::xf {

struct AttentionWork {
  double pairs = 0, executedPairs = 0;
};

/// The tile of a piece whose residues go in lanes, or null.
using LaneTileOf = function_ref<xft::LaneTileAttr(SolutionAttr, PieceAttr)>;

/// Work of one head of one batch entry; nullopt where the solution has no pieces or its bounds have symbols.
std::optional<AttentionWork> countWork(SolutionAttr solution, int64_t numQueries, int64_t numKeys,
                                       xft::AttendTileAttr tile, const Machine &machine, LaneTileOf lanesOf);

/// Records the work of an attention or its gradient with the host program: 2 `terms` operations for each pair.
/// Nothing is recorded where a size is dynamic; lengths count as whole.
void recordAttentionWork(HostBuilder &host, ArrayRef<HeadGroup> groups, const Buffer &q, const Buffer &k,
                         xft::AttendTileAttr tile, const Machine &machine, LaneTileOf lanesOf, int64_t terms);

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_ATTENTIONWORK_H
