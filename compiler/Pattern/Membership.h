//===- Membership.h - Which pairs a solution has ----------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lists the pairs of solutions: query by query or, with the query bounds of pieces, key by key. Tests, pictures and the
// check of every solution in debug builds use this.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PATTERN_MEMBERSHIP_H
#define XF_COMPILER_PATTERN_MEMBERSHIP_H

#include "compiler/Pattern/Count/Count.h"
#include "compiler/Pattern/Set/Import.h"
#include "dialects/xf/IR/XfPieces.h"

namespace mlir::xf::pattern {

/// Calls visit(row, key, piece) for every pair of a solution. Row 0 is the query at position Nk - Nq. `piece` is the
/// index of the piece that has the pair, or the number of pieces for a pair in the tiles. With `inverse`, pieces with
/// query bounds are enumerated key by key, by these bounds.
void visitPairs(SolutionAttr solution, const CallSizes &sizes, bool inverse,
                function_ref<void(int64_t row, int64_t key, unsigned piece)> visit);

/// Returns how many times a solution has each pair, as a row-major matrix of rows by keys. `inverse` is as in
/// visitPairs(). No entry of a valid solution exceeds 1.
SmallVector<int> countCover(SolutionAttr solution, const CallSizes &sizes, bool inverse);

/// Returns whether the solution has exactly the pairs of `set`, each once, at these sizes and with all run-time symbols
/// equal to 3. Tests this both with the key bounds and with the query bounds.
bool isSolutionOf(SolutionAttr solution, const Set &set, int64_t numQueries, int64_t numKeys);

} // namespace mlir::xf::pattern

#endif // XF_COMPILER_PATTERN_MEMBERSHIP_H
