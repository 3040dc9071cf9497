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

/// Solves a pattern that is a set and has no `heads`, for symbolic Nq, Nk and run-time symbols. The result consists of
/// pieces in interval normal form if they are found and proved within the budget, and of tiles with the reason
/// otherwise. Parts that depend on data (segments, tables, draws, permutations) become tiles without the pairs of the
/// static part, which is solved by itself. The result does not depend on the machine. Fails with one error for a
/// pattern that is statically empty, is no set, or has numbers past 2^31, and for one that draws if `call` is absent.
FailureOr<SolutionAttr> solve(xf::Pattern pattern, function_ref<InFlightDiagnostic()> emitError,
                              std::optional<StaticCall> call = std::nullopt, const Budget &budget = Budget());

/// Returns the patterns without `heads` of heads 0, 1, .. up to the head from which they repeat: a single pattern where
/// all heads have the same. Fails with one error where the patterns repeat after more than 4096 heads.
FailureOr<SmallVector<xf::Pattern>> patternsOfHeads(xf::Pattern pattern, function_ref<InFlightDiagnostic()> emitError);

/// Solves the patterns of all heads up to the head from which they repeat: head h has solution h modulo their number.
FailureOr<SmallVector<SolutionAttr>> solveHeads(xf::Pattern pattern, function_ref<InFlightDiagnostic()> emitError,
                                                std::optional<StaticCall> call = std::nullopt,
                                                const Budget &budget = Budget());

/// Solves the patterns of all heads for a call of `numQueries` queries and `numKeys` keys. Draws are made for the heads
/// up to the one from which the patterns repeat, that is for the first head of each solution.
FailureOr<SmallVector<SolutionAttr>> solveFirstHeads(xf::Pattern pattern, function_ref<InFlightDiagnostic()> emitError,
                                                     int64_t numQueries, int64_t numKeys);

/// Returns whether the solution of `pattern` depends on the sizes of the call.
bool needsCall(xf::Pattern pattern);

} // namespace mlir::xf::pattern

#endif // XF_COMPILER_PATTERN_SOLVE_H
