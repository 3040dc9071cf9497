//===- XfPieces.h - Solved patterns -----------------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The result of the pattern stage (see XfPieces.td), and how to find it on an op.
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XF_IR_XFPIECES_H
#define XF_DIALECTS_XF_IR_XFPIECES_H

#include "dialects/xf/IR/XfPatterns.h"

namespace mlir::xf {

/// Parses `affine_map<..>`, the type of a piece's bounds.
FailureOr<AffineMap> parseMap(AsmParser &parser);

/// The attribute that the pattern stage adds to attention ops: an array of solutions, where head h has entry h mod
/// size.
inline constexpr llvm::StringLiteral kSolutionAttrName = "solution";

/// The attribute that the pattern stage adds to kernelised attention ops, a #xf.kernel_sum.
inline constexpr llvm::StringLiteral kKernelSumAttrName = "kernel_sum";

/// The unit attribute that the pattern stage adds beside a solution where weights are plain sums of products and
/// nothing is normalized: o = sum w v.
inline constexpr llvm::StringLiteral kLinearAttrName = "linear";

/// Returns the solution of `op`'s pattern for `head`; null before the pattern stage.
SolutionAttr getSolution(Operation *op, int64_t head = 0);

} // namespace mlir::xf

#endif // XF_DIALECTS_XF_IR_XFPIECES_H
