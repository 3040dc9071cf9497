//===- CountFormula.h - The number of pairs at any size ---------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PATTERN_COUNT_COUNTFORMULA_H
#define XF_COMPILER_PATTERN_COUNT_COUNTFORMULA_H

#include "compiler/Pattern/Count/Count.h"

namespace mlir::xf::pattern {

/// Returns the number of positions after which the bounds of `solution` repeat, and the largest magnitude of their
/// constants. The length of a datum's list of numbers counts as a constant.
std::pair<int64_t, int64_t> periodAndReach(SolutionAttr solution);

/// The number of pairs at N = period t + offset, for t >= firstStep: (square t^2 + linear t + constant) / 2.
struct PairFormula {
  int64_t period, offset, square, linear, constant, firstStep;

  /// Returns the formula as text, with `size` as the name of N: "(4096 t^2 - 3040 t)/2, N = 128 t".
  std::string str(StringRef size = "N") const;
  /// Returns the formula for `heads` heads that each have the pairs of this one. Returns nullopt if a coefficient
  /// overflows 64 bits.
  std::optional<PairFormula> times(int64_t heads) const;
  /// Returns the sum of this formula and `other`, at the N that are multiples of both periods. Both offsets must be 0.
  /// Returns nullopt if a coefficient overflows 64 bits.
  std::optional<PairFormula> plus(const PairFormula &other) const;
};

/// The sizes of a call for which a formula in N is wanted. A number of queries or keys without a value equals N.
struct OpenSizes {
  std::optional<int64_t> numQueries = {}, numKeys = {};
  SmallVector<int64_t, 2> symbols = {};
};

/// Computes the formula for all N that are equal to `offset` modulo the solution's period: fits it to three counts and
/// checks it at four more. Returns nullopt if these counts do not lie on it, if the solution depends on operands of the
/// call, or if the period is past 2^14 or a constant past 2^18.
std::optional<PairFormula> countFormula(SolutionAttr solution, int64_t offset, const OpenSizes &sizes = {});

/// Computes the formula for the pairs that countExecutedPairs counts, where N is a multiple of the periods of the
/// solution and of its tiles. Returns nullopt for a solution with tiles of a predicate, and in the cases in which
/// countFormula does.
std::optional<PairFormula> executedFormula(SolutionAttr solution, int64_t tileRows, int64_t tileColumns,
                                           const OpenSizes &sizes = {});

} // namespace mlir::xf::pattern

#endif // XF_COMPILER_PATTERN_COUNT_COUNTFORMULA_H
