//===- XfRows.h - Ops that compute row by row ---------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XF_IR_XFROWS_H
#define XF_DIALECTS_XF_IR_XFROWS_H

#include "mlir/IR/Operation.h"

namespace mlir::xf {

/// Returns whether an op computes each row of its first operand by itself, with other operands that all rows share:
/// given more leading dimensions on the first operand and the result, it computes the same for each of their indices.
bool actsOnRows(Operation *op);

} // namespace mlir::xf

#endif // XF_DIALECTS_XF_IR_XFROWS_H
