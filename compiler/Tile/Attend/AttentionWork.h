//===- AttentionWork.h - Counts of attention pairs --------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts the pairs of a solution, and the pairs that kernels execute because they compute whole groups of rows and
// whole registers of keys. Groups of rows that are a period of the bounds apart are counted together, so that compile
// time does not grow with the number of rows.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TILE_ATTEND_ATTENTIONWORK_H
#define XF_COMPILER_TILE_ATTEND_ATTENTIONWORK_H

#include "compiler/Tile/Attend/Attention.h"

namespace mlir::xf {

/// Numbers of pairs: those of the pattern, and those that kernels execute.
struct AttentionWork {
  double pairs = 0, executedPairs = 0;

  void add(const AttentionWork &other, double times) {
    pairs += times * other.pairs;
    executedPairs += times * other.executedPairs;
  }
};

/// Returns the tile of a piece whose kernel computes one residue per SIMD lane, or null.
using LaneTileOf = function_ref<xft::LaneTileAttr(SolutionAttr, PieceAttr)>;

/// Returns the work of one head of one batch entry. Nothing if the solution has a predicate (tiles), if bounds have
/// symbols other than Nq and Nk, or if bounds repeat so late that a piece has more than 2^17 different groups of rows.
std::optional<AttentionWork> countWork(SolutionAttr solution, int64_t numQueries, int64_t numKeys,
                                       xft::AttendTileAttr tile, const TileModel &model, LaneTileOf lanesOf);

/// Records the work of an attention or its gradient with the host program: 2 `terms` operations per pair. Records
/// nothing if a size is dynamic; ignores lengths: they count as whole.
void recordAttentionWork(HostBuilder &host, ArrayRef<HeadsOfSolution> groups, const Buffer &q, const Buffer &k,
                         xft::AttendTileAttr tile, LaneTileOf lanesOf, int64_t terms);

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_ATTEND_ATTENTIONWORK_H
