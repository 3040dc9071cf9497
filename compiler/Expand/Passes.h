//===- Passes.h - The stage `expand` ----------------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_EXPAND_PASSES_H
#define XF_COMPILER_EXPAND_PASSES_H

#include "dialects/xf/IR/XfOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::xf {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/Expand/Passes.h.inc"

/// Returns whether a state can carry the sums of a kernelised op over its set from query to query; fails after an
/// error. A callback, because only the pattern stage can decide it.
using KernelSumQuestion = std::function<FailureOr<bool>(Operation *op, KernelizedPatternAttr pattern)>;
/// Creates xf-expand-attention-vjp; with the callback it also expands ops whose sets have no such state.
std::unique_ptr<Pass> createExpandAttentionVjpPass(KernelSumQuestion hasKernelSum);
/// Creates xf-expand-relative; with the callback it also expands ops whose sets have no such state.
std::unique_ptr<Pass> createExpandRelativePass(KernelSumQuestion hasKernelSum);

} // namespace mlir::xf

#endif // XF_COMPILER_EXPAND_PASSES_H
