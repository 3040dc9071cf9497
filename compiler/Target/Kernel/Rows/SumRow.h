//===- SumRow.h - Sums of the elements of a row by index ------ -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_KERNEL_ROWS_SUMROW_H
#define XF_COMPILER_TARGET_KERNEL_ROWS_SUMROW_H

#include "compiler/Target/Kernel/Rows/RowSpace.h"
#include "dialects/xft/Ops/XftRowOrderOps.h"

namespace mlir::xf::kernel {

/// Builds `op` for row `row` of the current tile of `space`, in thread `thread` of `threads` threads. Each thread reads
/// all indices, but adds only its own columns, so no thread waits for another one.
void buildSumRow(KernelBuilder &kb, RowSpace &space, xft::SumRowOp op, Value row, Value thread, int64_t threads);

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_ROWS_SUMROW_H
