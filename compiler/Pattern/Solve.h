//===- Solve.h - From a pattern to pieces -----------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PATTERN_SOLVE_H
#define XF_COMPILER_PATTERN_SOLVE_H

#include "compiler/Pattern/Set/Import.h"
#include "dialects/xf/IR/XfPieces.h"

namespace mlir::xf::pattern {

/// Solves a set pattern (no `heads`) for symbolic Nq, Nk and run-time symbols: pieces in interval normal form where
/// they are found and proved within the budget, else tiles with the reason. What asks data (segments, tables, draws,
/// permutations) is tiles, without the pairs of its static part, which is solved by itself. The result does not depend
/// on the machine. Fails with one error where the pattern is statically empty, is no set, has numbers past 2^31, or
/// draws and `call` is not given.
FailureOr<SolutionAttr> solve(xf::Pattern pattern, function_ref<InFlightDiagnostic()> emitError,
                              std::optional<StaticCall> call = std::nullopt, const Budget &budget = Budget());

/// The patterns without `heads` that heads 0, 1, .. have until they repeat: one where all heads have the same.
FailureOr<SmallVector<xf::Pattern>> patternsOfHeads(xf::Pattern pattern, function_ref<InFlightDiagnostic()> emitError);

/// A solution for each of them.
FailureOr<SmallVector<SolutionAttr>> solveHeads(xf::Pattern pattern, function_ref<InFlightDiagnostic()> emitError,
                                                std::optional<StaticCall> call = std::nullopt,
                                                const Budget &budget = Budget());

/// The same for a call of so many queries and keys, with draws for the first head of each solution.
FailureOr<SmallVector<SolutionAttr>> solveFirstHeads(xf::Pattern pattern, function_ref<InFlightDiagnostic()> emitError,
                                                     int64_t numQueries, int64_t numKeys);

/// Whether the solution of `pattern` depends on the sizes of the call.
bool needsCall(xf::Pattern pattern);

} // namespace mlir::xf::pattern

#endif // XF_COMPILER_PATTERN_SOLVE_H
