//===- PatternOracle.h - Patterns by their definition -----------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of spec section 2, pair by pair. It shares nothing with the compiler's sets, nor with the interpreter's.
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_COMPILER_PATTERN_PATTERNORACLE_H
#define XF_TEST_COMPILER_PATTERN_PATTERNORACLE_H

#include "compiler/Pattern/Count/Count.h"
#include "dialects/xf/IR/XfPieces.h"

namespace xftest {

/// What a call gives to a pattern: sizes, run-time symbols, the head that asks, and the operands of clauses.
struct PatternCall {
  int64_t numQueries, numKeys;
  llvm::SmallVector<int64_t, 2> symbols = {};
  int64_t head = 0;
  llvm::SmallVector<int64_t> querySegments = {}, keySegments = {};
  std::vector<std::vector<int64_t>> table = {}; ///< the columns of every row of blocks

  mlir::xf::pattern::CallSizes sizes() const { return {numQueries, numKeys, symbols, head}; }
};

/// Whether the query at position i sees key j.
bool contains(mlir::xf::Pattern pattern, int64_t i, int64_t j, const PatternCall &call);

/// The value of an affine expression; quotients are rounded down, as remainders ask.
int64_t evaluate(mlir::AffineExpr expr, llvm::ArrayRef<int64_t> dims, llvm::ArrayRef<int64_t> symbols);
int64_t quotient(int64_t a, int64_t b);
int64_t remainder(int64_t a, int64_t b);

/// Parses a pattern; the test program ends where it cannot.
mlir::xf::Pattern parsePattern(llvm::StringRef text, mlir::MLIRContext &context);

/// Solves `pattern` and compares forward and inverse cover, the count, and isCausal and mayHaveEmptyRows where they
/// claim something, with the definition at every size. Returns what is wrong, or nothing.
std::string checkSolution(mlir::xf::Pattern pattern, mlir::xf::SolutionAttr solution,
                          llvm::ArrayRef<std::pair<int64_t, int64_t>> sizes, llvm::ArrayRef<int64_t> symbols);

} // namespace xftest

#endif // XF_TEST_COMPILER_PATTERN_PATTERNORACLE_H
