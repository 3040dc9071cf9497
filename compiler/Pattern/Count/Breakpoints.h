//===- Breakpoints.h - Where a count changes its form -----------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PATTERN_COUNT_BREAKPOINTS_H
#define XF_COMPILER_PATTERN_COUNT_BREAKPOINTS_H

#include "dialects/xf/IR/XfPieces.h"

namespace mlir::xf::pattern {

/// The sizes of a call for which a formula in N is wanted. A number of queries or keys without a value equals N.
struct OpenSizes {
  std::optional<int64_t> numQueries = {}, numKeys = {};
  SmallVector<int64_t, 2> symbols = {};
};

/// The intervals of N within which the number of pairs of a solution may change its formula. Let m be `repeats` times
/// the solution's period. For all N with the same remainder modulo m, one quadratic function of N gives the number of
/// pairs between two neighbouring intervals, and one after the last interval.
struct Breakpoints {
  SmallVector<std::pair<int64_t, int64_t>> intervals; ///< closed, disjoint, ascending, of sizes >= 0
  int64_t repeats = 1;
};

/// A function that returns the numbers of query and key positions after which the tiles of a piece repeat.
using TilePositions = function_ref<std::pair<int64_t, int64_t>(PieceAttr)>;

/// Finds the breakpoints of the number of pairs of `solution`, whose bounds repeat after `period` positions. With
/// `tiles`, counts all pairs that tiles compute, masked pairs included. Returns nullopt if a coefficient exceeds 2^16,
/// if there are more than 128 constraints, or if a breakpoint may lie past 2^20.
std::optional<Breakpoints> findBreakpoints(SolutionAttr solution, int64_t period, const OpenSizes &sizes,
                                           TilePositions tiles = nullptr);

} // namespace mlir::xf::pattern

#endif // XF_COMPILER_PATTERN_COUNT_BREAKPOINTS_H
