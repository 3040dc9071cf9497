//===- ReverseSweep.h - Reverse sweep over a block of ops -------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_GRADIENT_REVERSESWEEP_H
#define XF_COMPILER_GRADIENT_REVERSESWEEP_H

#include "mlir/IR/Builders.h"

namespace mlir::xf {

/// Differentiates a block in reverse mode: appends, before its terminator, code that computes the gradients of the
/// values `wrt` from `cotangents`, one per operand of the terminator (null for zero). Returns one gradient per value of
/// `wrt`, null for zero. Calls the DifferentiableOpInterface of the ops between `wrt` and the terminator's operands;
/// fails, after an error, at the first op without it. Cotangents of a value with several uses are added in the reverse
/// order of the ops, so that sums have a fixed order.
FailureOr<SmallVector<Value>> appendReverseSweep(Block &block, ValueRange cotangents, ValueRange wrt);

/// Dead-code elimination: erases ops without uses and side effects, last op first, also in regions of remaining ops.
void eraseDeadOps(Block &block);

} // namespace mlir::xf

#endif // XF_COMPILER_GRADIENT_REVERSESWEEP_H
