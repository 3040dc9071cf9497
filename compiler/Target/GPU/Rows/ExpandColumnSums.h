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

/// Returns the only `xft.cols` of a kernel that only combines rows into accumulators. Returns null for other kernels.
xft::ColsOp columnSumsOf(xft::RowsOp op);

/// Expands `op`, as columnSumsOf returns it, for the current tile of `space`.
void expandColumnSums(ThreadBlock &block, RowSpace &space, xft::ColsOp op);

} // namespace mlir::xf::gpu

#endif // XF_COMPILER_TARGET_GPU_ROWS_EXPANDCOLUMNSUMS_H
