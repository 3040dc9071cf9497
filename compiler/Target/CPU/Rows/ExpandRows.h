//===- ExpandRows.h - Kernels over rows become vector code ---- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_ROWS_EXPANDROWS_H
#define XF_COMPILER_TARGET_CPU_ROWS_EXPANDROWS_H

#include "compiler/Target/Kernel/Code/KernelBuilder.h"
#include "dialects/xft/IR/XftOps.h"

namespace mlir::xf::cpu {
using namespace kernel;

/// Expands `op` to loops over tiles, rows and columns at the insertion point of `kb`, and erases it. It must be the
/// only op of its kernel. Emits an error and fails at a scalar function that kernels do not compute.
LogicalResult expandRows(xft::RowsOp op, KernelBuilder &kb);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_ROWS_EXPANDROWS_H
