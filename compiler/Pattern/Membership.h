//===- Membership.h - Which pairs a solution has ----------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Solutions evaluated pair by pair, forward (query by query) and inverse (key by key). For tests, for the check that
// debug builds make of every solution, and for pictures.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PATTERN_MEMBERSHIP_H
#define XF_COMPILER_PATTERN_MEMBERSHIP_H

#include "compiler/Pattern/Count/Count.h"
#include "compiler/Pattern/Set/Import.h"
#include "dialects/xf/IR/XfPieces.h"

namespace mlir::xf::pattern {

/// Calls `visit` with row, key and number of the piece of every pair of a solution; rows are counted from 0, not
/// positions, and the tiles come after the last piece. `inverse` walks the query bounds of pieces that have them.
void visitPairs(SolutionAttr solution, const CallSizes &sizes, bool inverse,
                function_ref<void(int64_t row, int64_t key, unsigned piece)> visit);

/// How often a solution has each pair, a matrix of rows by keys. A right solution has each pair at most once.
SmallVector<int> countCover(SolutionAttr solution, const CallSizes &sizes, bool inverse);

/// Whether forward and inverse cover agree with `set` at this size (all symbols being 3).
bool isSolutionOf(SolutionAttr solution, const Set &set, int64_t numQueries, int64_t numKeys);

} // namespace mlir::xf::pattern

#endif // XF_COMPILER_PATTERN_MEMBERSHIP_H
