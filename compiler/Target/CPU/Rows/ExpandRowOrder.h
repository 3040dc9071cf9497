//===- ExpandRowOrder.h - Rows whose columns depend on others - -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_ROWS_EXPANDROWORDER_H
#define XF_COMPILER_TARGET_CPU_ROWS_EXPANDROWORDER_H

#include "compiler/Target/Kernel/Rows/RowSpace.h"

namespace mlir::xf::cpu {
using namespace kernel;

/// Expands the rows of the current tile of `space` if its op is an xft.cumsum, xft.sort_row or xft.sum_row. Returns
/// false for other ops.
bool expandRowOrder(KernelBuilder &kb, RowSpace &space);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_ROWS_EXPANDROWORDER_H
