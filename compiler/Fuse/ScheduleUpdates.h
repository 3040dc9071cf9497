//===- ScheduleUpdates.h - Schedule optimiser updates early -----*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_FUSE_SCHEDULEUPDATES_H
#define XF_COMPILER_FUSE_SCHEDULEUPDATES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::xf {

/// Moves every optimiser step as far up as possible: after the definitions of its operands, and after the last op that
/// reads a tensor which the step overwrites. This shortens the lifetimes of gradients.
void scheduleUpdates(func::FuncOp function);

} // namespace mlir::xf

#endif // XF_COMPILER_FUSE_SCHEDULEUPDATES_H
