//===- ExpandRowOrder.h - Rows whose columns depend on others - -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_GPU_ROWS_EXPANDROWORDER_H
#define XF_COMPILER_TARGET_GPU_ROWS_EXPANDROWORDER_H

#include "compiler/Target/GPU/Machine/ThreadBlock.h"
#include "compiler/Target/Kernel/Rows/RowSpace.h"

namespace mlir::xf::gpu {

/// Expands the rows of the current tile of `space` if its op is an xft.cumsum, xft.sort_row or xft.sum_row. All threads
/// of the thread block work on one row at a time. Returns false for other ops.
bool expandRowOrder(ThreadBlock &block, RowSpace &space);

} // namespace mlir::xf::gpu

#endif // XF_COMPILER_TARGET_GPU_ROWS_EXPANDROWORDER_H
