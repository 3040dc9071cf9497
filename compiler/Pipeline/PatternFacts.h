//===- PatternFacts.h - Facts proved about a pattern ------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PIPELINE_PATTERNFACTS_H
#define XF_COMPILER_PIPELINE_PATTERNFACTS_H

#include "dialects/xf/IR/XfPatterns.h"

namespace mlir::xf {

/// Counts the pairs of head `head` at `size` queries and `size` keys, by the solution from which kernels are built.
/// `size` must be in [1, 2^20]. Fails, after one error, for an invalid argument, or if the solution does not determine
/// the number, for example because the pairs depend on operands.
FailureOr<int64_t> countPairs(Pattern pattern, int64_t size, int64_t head,
                              function_ref<InFlightDiagnostic()> emitError);

/// Returns 1 if no query sees a later key at any size, else 0. Fails, after one error, if the pattern is invalid.
FailureOr<int64_t> proveCausal(Pattern pattern, function_ref<InFlightDiagnostic()> emitError);

} // namespace mlir::xf

#endif // XF_COMPILER_PIPELINE_PATTERNFACTS_H
