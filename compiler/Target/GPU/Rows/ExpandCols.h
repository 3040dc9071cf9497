//===- ExpandCols.h - One loop over the columns of a row ------ -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_GPU_ROWS_EXPANDCOLS_H
#define XF_COMPILER_TARGET_GPU_ROWS_EXPANDCOLS_H

#include "compiler/Target/GPU/Rows/RowThreads.h"
#include "compiler/Target/Kernel/Rows/RowSpace.h"

namespace mlir::xf::gpu {

/// Returns the number of columns of a register. It is the number of elements that 16 bytes hold, for the smallest
/// elements of all contiguous operands, but at most 8. Returns 1 if an operand is strided.
int64_t registerWidth(ArrayRef<RowAccess> operands);
/// Returns the alignment in bytes that `width` columns of a row need, at most 16.
int64_t registerAlignment(const RowAccess &row, int64_t width);
/// Returns how many registers of each operand are loaded before the first one is used. The code of the region is
/// repeated as often.
int64_t registersAtOnce(Block &region, ArrayRef<RowAccess> operands, int64_t width);
int64_t elementBytes(const RowAccess &row);
/// Returns the indices of `lanes` columns from `first` on. Returns 0 if the region does not use them.
Value columnNumbers(KernelBuilder &kb, Block &region, Value first, int64_t lanes);

/// Calls body(column) for the columns of the tile that belong to this thread.
void forColumns(RowThreads &team, TileColumns columns, function_ref<void(Value column)> body);

/// Expands one `xft.cols`, a loop over the columns of a row. Returns the results of its reductions, which are the same
/// in all threads of `team`. `operands` are the rows of the op's memrefs, in order. `scalars` maps values of the
/// enclosing `xft.rows` to expanded values.
SmallVector<Value> expandCols(RowThreads &team, xft::ColsOp op, ArrayRef<RowAccess> operands, TileColumns columns,
                              const IRMapping &scalars);

} // namespace mlir::xf::gpu

#endif // XF_COMPILER_TARGET_GPU_ROWS_EXPANDCOLS_H
