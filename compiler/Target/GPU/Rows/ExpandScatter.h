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

/// Returns the row, chosen by an index, that the only phase of a kernel writes; null for other kernels.
xft::RowOp writtenRowOf(xft::RowsOp op);

/// Expands such a kernel (scatter-add) for the current tile of `space`: calls body(place), in order, for the places
/// whose index is one of this warp's rows.
LogicalResult expandScatter(ThreadBlock &block, RowSpace &space, xft::RowOp written,
                            function_ref<LogicalResult(Value row)> body);

} // namespace mlir::xf::gpu

#endif // XF_COMPILER_TARGET_GPU_ROWS_EXPANDSCATTER_H
