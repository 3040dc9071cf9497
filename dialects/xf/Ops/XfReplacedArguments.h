//===- XfReplacedArguments.h - Arguments that results replace ---*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XF_OPS_XFREPLACEDARGUMENTS_H
#define XF_DIALECTS_XF_OPS_XFREPLACEDARGUMENTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::xf {

/// Returns whether `name` is the xf.parameter, xf.state or xf.name of argument `argument` of a function.
bool hasName(func::FuncOp function, unsigned argument, StringAttr name);

/// Returns the argument that result `number` of a function replaces in place (xf.updates), or null if it replaces none.
Value replacedArgument(func::FuncOp function, unsigned number);

/// Returns the argument that a function replaces in place by its result `tensor`, or null if there is none.
Value replacedArgument(Value tensor);

} // namespace mlir::xf

#endif // XF_DIALECTS_XF_OPS_XFREPLACEDARGUMENTS_H
