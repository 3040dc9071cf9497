//===- ScalarGradient.h - Derivatives of scalar code ------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Differentiates straight-line arith and math code on scalars in reverse mode. The gradient stage uses it for the
// scalar forms of element-wise ops, the regions of xf.map, and the score regions of attention.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_GRADIENT_SCALARGRADIENT_H
#define XF_COMPILER_GRADIENT_SCALARGRADIENT_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::xf {

/// The gradient of one read of a captured tensor by `extract`. `cotangent` is the cotangent of the element that is
/// read.
struct ExtractGradient {
  tensor::ExtractOp extract;
  Value cotangent;
};

/// Operations (arith, math and tensor.extract, in program order) that compute `outputs` from `inputs`.
struct ScalarOps {
  ArrayRef<Operation *> ops;
  ValueRange inputs, outputs;
};

/// Appends, at the builder's insertion point, the derivative of `scalar`.
///
/// `forward` maps values of the operations to the values that hold them at the insertion point. A value that is not in
/// `forward` is used itself. `cotangents` has one value for each output, and `gradients` receives one value for each
/// input. In both lists, null stands for zero.
///
/// Reads of captured tensors are appended to `extracts`, the last one first. If `extracts` is null, reads count as
/// constants. If an op has no derivative, fails after an error at the location of the op.
///
/// If the operands of a maximum or minimum are equal, the first operand gets the gradient. A constant wins such ties,
/// so relu'(0) = 0. A zero cotangent stays zero through every op: the operand that a select has not chosen gets the
/// gradient 0, even if its own derivative is Inf or NaN.
LogicalResult buildScalarVjp(OpBuilder &builder, const ScalarOps &scalar, const IRMapping &forward,
                             ValueRange cotangents, SmallVectorImpl<Value> &gradients,
                             SmallVectorImpl<ExtractGradient> *extracts = nullptr);

/// Appends the derivative of all ops of `body`. The inputs are the block's arguments, and the outputs are the operands
/// of its terminator. The other parameters are those of the overload for ScalarOps.
LogicalResult buildScalarVjp(OpBuilder &builder, Block &body, const IRMapping &forward, ValueRange cotangents,
                             SmallVectorImpl<Value> &gradients, SmallVectorImpl<ExtractGradient> *extracts = nullptr);

} // namespace mlir::xf

#endif // XF_COMPILER_GRADIENT_SCALARGRADIENT_H
