//===- KernelSum.h - Kernelised patterns ------------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PATTERN_KERNELSUM_H
#define XF_COMPILER_PATTERN_KERNELSUM_H

#include "compiler/Pattern/Set/Import.h"
#include "dialects/xf/IR/XfPieces.h"

namespace mlir::xf::pattern {

/// Resolves the defaults of a kernelised pattern (docs/specification.md, "Kernelised attention"). Finds out whether the
/// pattern's set `of` is all pairs or the causal ones, and whether only within segments. Emits an error and fails for
/// any other set, and for a feature, normalizer or stabilizer without a linear-time sum.
FailureOr<KernelSumAttr> solveKernelSum(KernelizedPatternAttr pattern, ErrorFn emitError);

/// Returns whether the set `of` of `pattern` is all pairs or the causal ones, each optionally within segments. Emits an
/// error and fails if the set cannot be solved. Also does so if no query of another set sees later positions, but the
/// stabilizer would leak the future.
FailureOr<bool> hasKernelSum(KernelizedPatternAttr pattern, ErrorFn emitError);

/// Returns the kernelised pattern of `sum`, with all parameters explicit, so that no default applies.
KernelizedPatternAttr patternOf(KernelSumAttr sum);

/// Returns whether the normaliser cancels common factors: whether multiplying all features of a query, or all features
/// of all keys, by a factor leaves the outputs as they are. Then stabilisers have no gradient.
bool cancelsFactors(KernelizedPatternAttr pattern);

} // namespace mlir::xf::pattern

#endif // XF_COMPILER_PATTERN_KERNELSUM_H
