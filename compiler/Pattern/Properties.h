//===- Properties.h - Properties proved of a pattern ------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PATTERN_PROPERTIES_H
#define XF_COMPILER_PATTERN_PROPERTIES_H

#include "dialects/xf/IR/XfPieces.h"

namespace mlir::xf::pattern {

/// Returns whether `pattern` is proved causal: j <= i for every pair (i, j) at all sizes. For a kernelised pattern,
/// these are the pairs of the set that it sums over.
bool isCausal(Pattern pattern);

/// Returns whether the pairs of `pattern` depend on operands of a call: on segments, a table or run-time symbols.
bool asksOperands(Pattern pattern);

/// Returns whether some query may see no key at sizes with 1 <= Nq <= Nk. The answer false is proved. The answer true
/// only means that the opposite is not proved.
bool mayHaveEmptyRows(SolutionAttr solution);

} // namespace mlir::xf::pattern

#endif // XF_COMPILER_PATTERN_PROPERTIES_H
