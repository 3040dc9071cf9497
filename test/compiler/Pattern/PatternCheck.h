//===- PatternCheck.h - Solutions against the definition --------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_COMPILER_PATTERN_PATTERNCHECK_H
#define XF_TEST_COMPILER_PATTERN_PATTERNCHECK_H

#include "SolutionCheck.h"

namespace xftest {

/// A pattern and the sizes to look at it with.
struct PatternCase {
  std::string text;
  /// Of which it is a grid; 0 for any number.
  int64_t numKeys = 0;
};

/// The calls of a case: all (Nq, Nk) up to `longest`, or as many queries as that and around a grid's keys. Symbols and
/// operands are drawn, and depend on nothing but the sizes.
std::vector<PatternCall> callsOf(const PatternCase &pattern, int64_t longest);

/// Solves patterns and compares pieces and tiles with the definition, pair by pair: each pair that the pattern has in
/// one of them, once, forward and inverse; the flags of pieces, the compiler's own view of the pairs, counts, formulas
/// and what is claimed of causality and empty rows.
class PatternChecker {
public:
  /// Formulas, which take counts at many sizes, are asked of every `formulaStep`th pattern.
  explicit PatternChecker(unsigned formulaStep = 1);

  /// What is wrong, or nothing.
  std::string check(const PatternCase &pattern, int64_t longest);

  struct Figures {
    int64_t patterns = 0, empty = 0, pieces = 0, tiles = 0, calls = 0, pairs = 0;
  };
  const Figures &getFigures() const { return figures; }

private:
  using Solutions = llvm::SmallVector<mlir::xf::SolutionAttr>;
  /// None where the pattern is statically empty; an error is in `message`.
  std::optional<Solutions> solve(mlir::xf::Pattern pattern, const PatternCall *call);
  std::string checkCall(mlir::xf::Pattern pattern, mlir::xf::Pattern ofHead, mlir::xf::SolutionAttr solution,
                        const PatternCall &call);
  std::string checkEmpty(mlir::xf::Pattern pattern, const PatternCall &call);
  std::string checkHeads(mlir::xf::Pattern pattern, const Solutions &solutions, int64_t numHeads, PatternCall call);

  mlir::MLIRContext context;
  std::string message;
  Figures figures;
  unsigned formulaStep;
};

} // namespace xftest

#endif // XF_TEST_COMPILER_PATTERN_PATTERNCHECK_H
