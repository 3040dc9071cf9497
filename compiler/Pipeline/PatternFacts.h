//===- PatternFacts.h - What is proved of a pattern alone -------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PIPELINE_PATTERNFACTS_H
#define XF_COMPILER_PIPELINE_PATTERNFACTS_H

#include "dialects/xf/IR/XfPatterns.h"

namespace mlir::xf {

/// The pairs of head `head` over `size` queries and keys (1 to 2^20), by the solution that kernels would be made from.
/// Fails with one error where that is not known.
FailureOr<int64_t> countPairs(Pattern pattern, int64_t size, int64_t head,
                              function_ref<InFlightDiagnostic()> emitError);

/// 1 where no query sees a later key at any size, else 0. Fails with one error for a pattern that is none.
FailureOr<int64_t> proveCausal(Pattern pattern, function_ref<InFlightDiagnostic()> emitError);

} // namespace mlir::xf

#endif // XF_COMPILER_PIPELINE_PATTERNFACTS_H
