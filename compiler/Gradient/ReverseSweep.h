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

/// Differentiates a block in reverse mode. Appends, before the terminator, code that computes the gradients of the
/// values `wrt` from `cotangents`, which has one value for each operand of the terminator. Returns one gradient for
/// each value of `wrt`. In both lists, null stands for zero.
///
/// Calls the DifferentiableOpInterface of the ops between `wrt` and the terminator's operands. Fails, after an error,
/// at the first op without this interface. Adds the cotangents of a value with several uses in the reverse order of the
/// ops, so that sums have a fixed order.
FailureOr<SmallVector<Value>> appendReverseSweep(Block &block, ValueRange cotangents, ValueRange wrt);

/// Erases ops without uses and side effects (dead-code elimination), from the last op to the first. Does the same in
/// the regions of the ops that remain.
void eraseDeadOps(Block &block);

} // namespace mlir::xf

#endif // XF_COMPILER_GRADIENT_REVERSESWEEP_H
