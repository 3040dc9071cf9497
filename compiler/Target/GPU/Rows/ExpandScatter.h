//===- ExpandScatter.h - Scatter-add of rows ------------------ -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_GPU_ROWS_EXPANDSCATTER_H
#define XF_COMPILER_TARGET_GPU_ROWS_EXPANDSCATTER_H

#include "compiler/Target/GPU/Machine/ThreadBlock.h"
#include "compiler/Target/Kernel/Rows/RowSpace.h"

namespace mlir::xf::gpu {

/// Returns the indexed row of a table that a scatter-add writes. A kernel is a scatter-add if it has one phase, and
/// such a row is its only output. Returns null for other kernels.
xft::RowOp writtenRowOf(xft::RowsOp op);

/// Expands a scatter-add for the current tile of `space`. Builds a loop over all rows of the kernel, in order. The loop
/// runs body(row) if the row of the table that `written` selects belongs to this warp. Fails if `body` or the index of
/// `written` cannot be built.
LogicalResult expandScatter(ThreadBlock &block, RowSpace &space, xft::RowOp written,
                            function_ref<LogicalResult(Value row)> body);

} // namespace mlir::xf::gpu

#endif // XF_COMPILER_TARGET_GPU_ROWS_EXPANDSCATTER_H
