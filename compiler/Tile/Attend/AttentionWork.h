//===- AttentionWork.h - What kernels of attention execute ---- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pairs of a solution, and those that kernels execute because rows come in groups and keys in registers. Groups of
// rows that are a period of the bounds apart are counted together, so that the time does not grow with the rows.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TILE_ATTEND_ATTENTIONWORK_H
#define XF_COMPILER_TILE_ATTEND_ATTENTIONWORK_H

#include "compiler/Tile/Attend/Attention.h"

namespace mlir::xf {

struct AttentionWork {
  double pairs = 0, executedPairs = 0;

  void add(const AttentionWork &other, double times) {
    pairs += times * other.pairs;
    executedPairs += times * other.executedPairs;
  }
};

/// The tile of a piece whose residues go in lanes, or null.
using LaneTileOf = function_ref<xft::LaneTileAttr(SolutionAttr, PieceAttr)>;

/// Work of one head of one batch entry; nullopt where the solution has no pieces, where its bounds have symbols, and
/// where they repeat so late that more than 2^17 groups of rows of a piece would have to be looked at.
std::optional<AttentionWork> countWork(SolutionAttr solution, int64_t numQueries, int64_t numKeys,
                                       xft::AttendTileAttr tile, const TileModel &model, LaneTileOf lanesOf);

/// Records the work of an attention or its gradient with the host program: 2 `terms` operations for each pair.
/// Nothing is recorded where a size is dynamic; lengths count as whole.
void recordAttentionWork(HostBuilder &host, ArrayRef<HeadsOfSolution> groups, const Buffer &q, const Buffer &k,
                         xft::AttendTileAttr tile, LaneTileOf lanesOf, int64_t terms);

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_ATTEND_ATTENTIONWORK_H
