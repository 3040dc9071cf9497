//===- XfRows.h - Ops that compute row by row ---------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XF_OPS_XFROWS_H
#define XF_DIALECTS_XF_OPS_XFROWS_H

#include "mlir/IR/Operation.h"

namespace mlir::xf {

/// Returns whether an op computes each row of its result from one row of its first operand, and from operands that all
/// rows share. If the first operand and the result of such an op get more leading dimensions, the op computes the same
/// for each index of the new dimensions.
bool actsOnRows(Operation *op);

} // namespace mlir::xf

#endif // XF_DIALECTS_XF_OPS_XFROWS_H
