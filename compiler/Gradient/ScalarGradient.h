//===- ScalarGradient.h - Reverse-mode derivatives of scalar code -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Differentiates straight-line arith and math code on scalars: the scalar forms of element-wise ops, the regions of
// xf.map, the score regions of attention. The gradient stage uses it on tensors' elements, the attention kernels on
// the score region.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_GRADIENT_SCALARGRADIENT_H
#define XF_COMPILER_GRADIENT_SCALARGRADIENT_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::xf {

/// What one read of a captured tensor contributes: `cotangent` belongs to the element that `extract` reads.
struct ExtractGradient {
  tensor::ExtractOp extract;
  Value cotangent;
};

/// Appends, at the builder's insertion point, the derivative of `ops` (arith, math and tensor.extract, in program
/// order), which compute `outputs` from `inputs`.
///
/// `forward` maps the values of `ops` to those that hold them at the insertion point (values without an entry stand
/// for themselves). `cotangents` has one value per output, null for zero. `gradients` receives one value per input,
/// null where the derivative is zero. Reads of captured tensors are appended to `extracts`, the last one first; without
/// `extracts` they are constants. Fails, after an error at its location, on an op that has no derivative.
///
/// The larger (smaller) of two equal operands is the first one, but a constant wins its ties, so relu'(0) = 0. A zero
/// cotangent stays zero through every op, so what a select hides does not come back as NaN.
LogicalResult buildScalarVjp(OpBuilder &builder, ArrayRef<Operation *> ops, ValueRange inputs, ValueRange outputs,
                             const IRMapping &forward, ValueRange cotangents, SmallVectorImpl<Value> &gradients,
                             SmallVectorImpl<ExtractGradient> *extracts = nullptr);

/// The same for a block: from its arguments to the operands of its terminator.
LogicalResult buildScalarVjp(OpBuilder &builder, Block &body, const IRMapping &forward, ValueRange cotangents,
                             SmallVectorImpl<Value> &gradients, SmallVectorImpl<ExtractGradient> *extracts = nullptr);

} // namespace mlir::xf

#endif // XF_COMPILER_GRADIENT_SCALARGRADIENT_H
