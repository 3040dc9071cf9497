//===- XfElementwiseVerifiers.h - Facts of two operands ------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XF_OPS_XFELEMENTWISEVERIFIERS_H
#define XF_DIALECTS_XF_OPS_XFELEMENTWISEVERIFIERS_H

#include "mlir/IR/Operation.h"

namespace mlir::xf {

/// Verifies C1 to C3 of an element-wise op with two operands of floats.
LogicalResult verifyFloatBinary(Operation *op);

} // namespace mlir::xf

#endif // XF_DIALECTS_XF_OPS_XFELEMENTWISEVERIFIERS_H
