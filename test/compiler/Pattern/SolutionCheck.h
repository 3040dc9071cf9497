//===- SolutionCheck.h - What the compiler says of a solution ---*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_COMPILER_PATTERN_SOLUTIONCHECK_H
#define XF_TEST_COMPILER_PATTERN_SOLUTIONCHECK_H

#include "compiler/Pattern/Count/Count.h"
#include "dialects/xf/IR/XfPieces.h"
#include "test/oracle/PatternOracle.h"

namespace xftest {

/// Returns what the compiler's counts need of a call.
mlir::xf::pattern::CallSizes sizesOf(const PatternCall &call);

/// Parses a pattern. Ends the test program where the text is no pattern.
mlir::xf::Pattern parsePattern(llvm::StringRef text, mlir::MLIRContext &context);

/// Compares the cover of a solution of `pattern` (forward and inverse), the count, and isCausal and mayHaveEmptyRows
/// where they claim something, with the definition at every size. Returns what is wrong, or nothing.
std::string checkSolution(mlir::xf::Pattern pattern, mlir::xf::SolutionAttr solution,
                          llvm::ArrayRef<std::pair<int64_t, int64_t>> sizes, llvm::ArrayRef<int64_t> symbols);

} // namespace xftest

#endif // XF_TEST_COMPILER_PATTERN_SOLUTIONCHECK_H
