//===- Properties.h - What can be proved of a pattern -----------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PATTERN_PROPERTIES_H
#define XF_COMPILER_PATTERN_PROPERTIES_H

#include "dialects/xf/IR/XfPieces.h"

namespace mlir::xf::pattern {

/// Whether j <= i is proved for every pair, at all sizes; for kernelised patterns, of the pattern that they sum over.
bool isCausal(Pattern pattern);

/// Whether operands of a call decide which pairs there are: segments, a table, run-time symbols.
bool asksOperands(Pattern pattern);

/// Whether some query may see no key where 1 <= Nq <= Nk: `false` is a proof.
bool mayHaveEmptyRows(SolutionAttr solution);

} // namespace mlir::xf::pattern

#endif // XF_COMPILER_PATTERN_PROPERTIES_H
