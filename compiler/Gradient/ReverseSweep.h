//===- ReverseSweep.h - Reverse accumulation over a block of ops -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_GRADIENT_REVERSESWEEP_H
#define XF_COMPILER_GRADIENT_REVERSESWEEP_H

#include "mlir/IR/Builders.h"

namespace mlir::xf {

/// Differentiates a block: appends, before its terminator, code that computes the gradients of the values `wrt` from
/// `cotangents`, one per operand of the terminator (null for zero). Returns one gradient per entry of `wrt`, null where
/// it is zero. Only ops between `wrt` and the terminator's operands are differentiated, each by its
/// DifferentiableOpInterface; fails after an error at the first one that has none. Several uses of a value add up in
/// the reverse order of the ops, so sums have a fixed order.
FailureOr<SmallVector<Value>> appendReverseSweep(Block &block, ValueRange cotangents, ValueRange wrt);

/// Erases what has no uses and no side effects, last op first, also inside regions of ops that stay.
void eraseDeadOps(Block &block);

} // namespace mlir::xf

#endif // XF_COMPILER_GRADIENT_REVERSESWEEP_H
