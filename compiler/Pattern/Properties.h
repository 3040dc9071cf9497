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

/// Returns whether j <= i is proved for every pair at all sizes. For a kernelised pattern, j <= i is proved of the set
/// that it sums over.
bool isCausal(Pattern pattern);

/// Returns whether operands of a call determine the pairs of `pattern`: segments, a table, run-time symbols.
bool asksOperands(Pattern pattern);

/// Returns whether some query may see no key where 1 <= Nq <= Nk: `false` is proved, `true` means not proved.
bool mayHaveEmptyRows(SolutionAttr solution);

} // namespace mlir::xf::pattern

#endif // XF_COMPILER_PATTERN_PROPERTIES_H
