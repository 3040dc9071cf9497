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

/// How a kernelised pattern runs: its defaults (spec section 3), and which of the sets that have a linear-time sum its
/// `of` is - all pairs or the causal ones, proved by solving it, within segments or not. Failure, after an error, for
/// any other set.
FailureOr<KernelSumAttr> solveKernelSum(KernelizedPatternAttr pattern, ErrorFn emitError);

/// Whether the pattern's `of` is such a set. Failure, after an error, where its solution has one.
FailureOr<bool> hasKernelSum(KernelizedPatternAttr pattern, ErrorFn emitError);

} // namespace mlir::xf::pattern

#endif // XF_COMPILER_PATTERN_KERNELSUM_H
