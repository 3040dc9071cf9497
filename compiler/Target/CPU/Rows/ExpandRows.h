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

/// Expands the op, the body of a kernel, to loops over tiles, rows and columns; `kb` builds at the op. Fails after an
/// error.
LogicalResult expandRows(xft::RowsOp op, KernelBuilder &kb);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_ROWS_EXPANDROWS_H
