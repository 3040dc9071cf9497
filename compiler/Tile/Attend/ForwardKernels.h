//===- ForwardKernels.h - One kernel with and without a gradient -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TILE_ATTEND_FORWARDKERNELS_H
#define XF_COMPILER_TILE_ATTEND_FORWARDKERNELS_H

#include "dialects/xf/IR/XfOps.h"

namespace mlir::xf {

/// The name of a unit attribute. It marks an attention that has no gradient, but shares the kernel of an attention that
/// has one.
constexpr StringLiteral kHasGradientKernelAttrName = "xft.has_gradient_kernel";

/// Returns true if the program has a gradient that recomputes probabilities from the lse of `op`.
bool hasGradient(AttentionOp op);

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_ATTEND_FORWARDKERNELS_H
