//===- ExpandScatter.h - Rows that are added to rows chosen by number -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_NVGPU_ROWS_EXPANDSCATTER_H
#define XF_COMPILER_TARGET_NVGPU_ROWS_EXPANDSCATTER_H

#include "compiler/Target/Kernel/Rows/RowSpace.h"
#include "compiler/Target/NVGPU/Machine/ThreadBlock.h"

namespace mlir::xf::nvgpu {

/// The row, chosen by number, that the only phase of a kernel writes; null where there is none.
xft::RowOp writtenRowOf(xft::RowsOp op);

/// Expands such a kernel for the tile that `space` is at: body(row) for the rows that choose one of this warp's, in
/// order.
LogicalResult expandScatter(ThreadBlock &block, RowSpace &space, xft::RowOp written,
                            function_ref<LogicalResult(Value row)> body);

} // namespace mlir::xf::nvgpu

#endif // XF_COMPILER_TARGET_NVGPU_ROWS_EXPANDSCATTER_H
