//===- CountFormula.h - The number of pairs at any size ---------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PATTERN_COUNT_COUNTFORMULA_H
#define XF_COMPILER_PATTERN_COUNT_COUNTFORMULA_H

#include "compiler/Pattern/Count/Breakpoints.h"
#include "compiler/Pattern/Count/Count.h"

namespace mlir::xf::pattern {

/// Returns the number of positions after which the bounds of `solution` repeat, and the largest magnitude of their
/// constants. The length of a datum's list of numbers counts as a constant.
std::pair<int64_t, int64_t> periodAndReach(SolutionAttr solution);

/// The number of pairs at N = period t + offset: (square t^2 + linear t + constant) / 2 for steps t >= firstStep. At
/// the steps in `exceptions`, it is the count given there.
struct PairFormula {
  int64_t period, offset, square, linear, constant, firstStep;
  SmallVector<std::pair<int64_t, int64_t>> exceptions = {}; ///< steps and counts, descending

  /// Returns the number of pairs at step t >= firstStep.
  int64_t at(int64_t t) const;
  /// Returns the formula as text, with `size` as the name of N: "(4096 t^2 - 3040 t)/2, N = 128 t". `factors`, such as
  /// "B * ", stands before each count.
  std::string str(StringRef size = "N", StringRef factors = "") const;
  /// Returns the formula for the pairs of `heads` heads, if this is the formula for one of them and all have equally
  /// many. Returns nullopt if a coefficient overflows 64 bits.
  std::optional<PairFormula> times(int64_t heads) const;
  /// Returns the sum of this formula and `other`, for each N that is a multiple of both periods. Both offsets must be
  /// 0. Returns nullopt if a coefficient overflows 64 bits.
  std::optional<PairFormula> plus(const PairFormula &other) const;
};

/// Computes the formula for the number of pairs of `solution`, for all N that are congruent to `offset` modulo the
/// period of `solution`. Fits it to counts on both sides of the breakpoints. Returns nullopt if these counts do not lie
/// on one formula, if the solution depends on operands of the call, if its breakpoints are unknown, or if the period is
/// past 2^14.
std::optional<PairFormula> countFormula(SolutionAttr solution, int64_t offset, const OpenSizes &sizes = {});

/// Computes the formula for the number of pairs that countExecutedPairs counts. It holds for N that are multiples of
/// the periods of the solution and of its tiles. Returns nullopt if the solution has tiles of a predicate, and wherever
/// countFormula does.
std::optional<PairFormula> executedFormula(SolutionAttr solution, int64_t tileRows, int64_t tileColumns,
                                           const OpenSizes &sizes = {});

} // namespace mlir::xf::pattern

#endif // XF_COMPILER_PATTERN_COUNT_COUNTFORMULA_H
