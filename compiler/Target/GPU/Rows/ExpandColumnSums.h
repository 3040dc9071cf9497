//===- ExpandColumnSums.h - Rows that are only added up ------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_GPU_ROWS_EXPANDCOLUMNSUMS_H
#define XF_COMPILER_TARGET_GPU_ROWS_EXPANDCOLUMNSUMS_H

#include "compiler/Target/GPU/Machine/ThreadBlock.h"
#include "compiler/Target/Kernel/Rows/RowSpace.h"

namespace mlir::xf::gpu {

/// Returns the `xft.cols` of a kernel that consists of this one op and only combines rows into accumulators. Returns
/// null for other kernels.
xft::ColsOp columnSumsOf(xft::RowsOp op);

/// Expands `op`, a result of columnSumsOf, for the current tile of `space`.
void expandColumnSums(ThreadBlock &block, RowSpace &space, xft::ColsOp op);

} // namespace mlir::xf::gpu

#endif // XF_COMPILER_TARGET_GPU_ROWS_EXPANDCOLUMNSUMS_H
