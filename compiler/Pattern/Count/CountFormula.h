//===- CountFormula.h - How many pairs a solution has at any size -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PATTERN_COUNT_COUNTFORMULA_H
#define XF_COMPILER_PATTERN_COUNT_COUNTFORMULA_H

#include "compiler/Pattern/Count/Count.h"

namespace mlir::xf::pattern {

/// The number of positions after which the bounds of a solution repeat, and the largest constant of one of them.
std::pair<int64_t, int64_t> periodAndReach(SolutionAttr solution);

/// The number of pairs at N = period t + offset, for t >= firstStep: (square t^2 + linear t + constant) / 2.
struct PairFormula {
  int64_t period, offset, square, linear, constant, firstStep;

  /// E.g. "(4096 t^2 - 3040 t)/2, N = 128 t".
  std::string str(StringRef size = "N") const;
  /// The pairs of `heads` such heads; none where a number would not fit.
  std::optional<PairFormula> times(int64_t heads) const;
  /// At the multiples of both periods; for offsets of 0. None as above.
  std::optional<PairFormula> plus(const PairFormula &other) const;
};

/// The sizes of a call of which one or both are N: those that are not given.
struct OpenSizes {
  std::optional<int64_t> numQueries = {}, numKeys = {};
  SmallVector<int64_t, 2> symbols = {};
};

/// The formula for all N = offset modulo the solution's period; three counts give it, four more must agree. None where
/// data decide, for periods past 2^14, and where a count is not known.
std::optional<PairFormula> countFormula(SolutionAttr solution, int64_t offset, const OpenSizes &sizes = {});

/// The same for the pairs that countExecutedPairs counts, at multiples of the solution's period and of tiles. None
/// where there are tiles of a predicate.
std::optional<PairFormula> executedFormula(SolutionAttr solution, int64_t tileRows, int64_t tileColumns,
                                           const OpenSizes &sizes = {});

} // namespace mlir::xf::pattern

#endif // XF_COMPILER_PATTERN_COUNT_COUNTFORMULA_H
