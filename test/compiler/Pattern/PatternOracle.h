//===- PatternOracle.h - Patterns by their definition -----------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of spec section 2, pair by pair. It shares nothing with the compiler's sets.
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_COMPILER_PATTERN_PATTERNORACLE_H
#define XF_TEST_COMPILER_PATTERN_PATTERNORACLE_H

#include "compiler/Pattern/Count.h"
#include "dialects/xf/IR/XfPieces.h"

namespace xftest {

using mlir::xf::pattern::CallSizes;

/// Whether the query at position i sees key j.
bool contains(mlir::xf::Pattern pattern, int64_t i, int64_t j, const CallSizes &sizes);

/// Parses a pattern; the test program ends where it cannot.
mlir::xf::Pattern parsePattern(llvm::StringRef text, mlir::MLIRContext &context);

/// Solves `pattern` and compares forward and inverse cover, the count, and isCausal and mayHaveEmptyRows where they
/// claim something, with the definition at every size. Returns what is wrong, or nothing.
std::string checkSolution(mlir::xf::Pattern pattern, mlir::xf::SolutionAttr solution,
                          llvm::ArrayRef<std::pair<int64_t, int64_t>> sizes, llvm::ArrayRef<int64_t> symbols);

} // namespace xftest

#endif // XF_TEST_COMPILER_PATTERN_PATTERNORACLE_H
