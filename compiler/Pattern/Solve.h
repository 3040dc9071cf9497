//===- Solve.h - From a pattern to pieces -----------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PATTERN_SOLVE_H
#define XF_COMPILER_PATTERN_SOLVE_H

#include "compiler/Pattern/Set/PatternImporter.h"
#include "dialects/xf/IR/XfPieces.h"

namespace mlir::xf::pattern {

/// Solves a pattern that is a set and has no `heads`, for symbolic Nq, Nk and run-time symbols. The solution consists
/// of pieces in interval normal form, if these are found and proved within `budget`. Otherwise it consists of tiles,
/// which state the reason. Pairs that depend on data (segments, tables, draws, permutations) become tiles. The other
/// pairs are solved by themselves, and the tiles leave them out. The result does not depend on the machine.
///
/// Emits one error and fails if the pattern is empty at all sizes, is not a set or has numbers past 2^31, or if it
/// depends on the call's sizes (needsCall) and `call` is absent.
FailureOr<SolutionAttr> solve(xf::Pattern pattern, function_ref<InFlightDiagnostic()> emitError,
                              std::optional<StaticCall> call = std::nullopt, const Budget &budget = Budget());

/// Returns the patterns of heads 0 to n - 1, each without `heads`. Head h has the pattern of head h modulo n, so n = 1
/// if all heads have the same pattern. Emits one error and fails if n would exceed 4096.
FailureOr<SmallVector<xf::Pattern>> patternsOfHeads(xf::Pattern pattern, function_ref<InFlightDiagnostic()> emitError);

/// Solves each of the n patterns that patternsOfHeads returns. Head h has solution number h modulo n. Fails if
/// patternsOfHeads or `solve` fails.
FailureOr<SmallVector<SolutionAttr>> solveHeads(xf::Pattern pattern, function_ref<InFlightDiagnostic()> emitError,
                                                std::optional<StaticCall> call = std::nullopt,
                                                const Budget &budget = Budget());

/// Solves the patterns of all heads for a call of `numQueries` queries and `numKeys` keys. Returns n solutions, as
/// solveHeads() does. The solutions have the random draws of the first max(numHeads, n) heads.
FailureOr<SmallVector<SolutionAttr>> solveFirstHeads(xf::Pattern pattern, function_ref<InFlightDiagnostic()> emitError,
                                                     int64_t numQueries, int64_t numKeys, int64_t numHeads = 1);

/// Returns whether solving `pattern` needs the sizes of the call, because the pattern draws keys or has a grid in layer
/// order.
bool needsCall(xf::Pattern pattern);

} // namespace mlir::xf::pattern

#endif // XF_COMPILER_PATTERN_SOLVE_H
