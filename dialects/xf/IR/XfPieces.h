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

/// Parses `affine_map<..>`, the form in which the bounds of a piece are written.
FailureOr<AffineMap> parseMap(AsmParser &parser);

/// The name of an attribute of an attention op, which the pattern stage adds: the solutions of the op's pattern. It is
/// an array of n solutions, and head h has solution h mod n.
inline constexpr llvm::StringLiteral kSolutionAttrName = "solution";

/// The name of an attribute of kernelised attention ops, a #xf.kernel_sum, which the pattern stage adds.
inline constexpr llvm::StringLiteral kKernelSumAttrName = "kernel_sum";

/// The name of the unit attribute of a solved attention op with linear weights: o(i) = sum_j w(i, j) v(j). The weights
/// w are sums of products, and no softmax normalises them. The pattern stage adds the attribute beside the solution.
inline constexpr llvm::StringLiteral kLinearAttrName = "linear";

/// Returns the solution of the pattern of `op` for `head`. Returns null before the pattern stage.
SolutionAttr getSolution(Operation *op, int64_t head = 0);

} // namespace mlir::xf

#endif // XF_DIALECTS_XF_IR_XFPIECES_H
