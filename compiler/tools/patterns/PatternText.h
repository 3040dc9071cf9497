//===- PatternText.h - Solved patterns for people ---------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TOOLS_PATTERNS_PATTERNTEXT_H
#define XF_COMPILER_TOOLS_PATTERNS_PATTERNTEXT_H

#include "dialects/xf/IR/XfPieces.h"
#include "llvm/Support/JSON.h"

namespace mlir::xf {

/// Returns the solutions of an attention. There are none before the stage `pattern`.
SmallVector<SolutionAttr> solutionsOf(Operation *attention);

/// Describes the pieces of all solutions, one line for each. If there are several solutions, a line names their heads.
SmallVector<std::string> pieceLines(ArrayRef<SolutionAttr> solutions);

/// Returns the text of a count of PairFigures: a number, a formula, or "unknown".
std::string countText(const llvm::json::Value &count);

} // namespace mlir::xf

#endif // XF_COMPILER_TOOLS_PATTERNS_PATTERNTEXT_H
