//===- Membership.h - Which pairs a solution has ----------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluates solutions pair by pair, forward (query by query) and inverse (key by key): for tests, for the check that
// debug builds make of every solution, and for pictures.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PATTERN_MEMBERSHIP_H
#define XF_COMPILER_PATTERN_MEMBERSHIP_H

#include "compiler/Pattern/Count/Count.h"
#include "compiler/Pattern/Set/Import.h"
#include "dialects/xf/IR/XfPieces.h"

namespace mlir::xf::pattern {

/// Calls `visit` with the row, the key and the piece number of every pair of a solution. Rows are numbered from 0 and
/// are not positions; pairs of tiles have the number after the last piece's. With `inverse`, pieces that have query
/// bounds are walked by these instead of their key bounds.
void visitPairs(SolutionAttr solution, const CallSizes &sizes, bool inverse,
                function_ref<void(int64_t row, int64_t key, unsigned piece)> visit);

/// Counts how often a solution has each pair, as a row-major matrix of rows by keys. A valid solution has each pair at
/// most once.
SmallVector<int> countCover(SolutionAttr solution, const CallSizes &sizes, bool inverse);

/// Returns whether the solution has exactly the pairs of `set`, each once, at this size with all symbols equal to 3,
/// both forward and inverse.
bool isSolutionOf(SolutionAttr solution, const Set &set, int64_t numQueries, int64_t numKeys);

} // namespace mlir::xf::pattern

#endif // XF_COMPILER_PATTERN_MEMBERSHIP_H
