//===- ExpandCols.h - One loop over the columns of a row ------ -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_ROWS_EXPANDCOLS_H
#define XF_COMPILER_TARGET_CPU_ROWS_EXPANDCOLS_H

#include "compiler/Target/Kernel/Rows/RowSpace.h"
#include "dialects/xft/IR/XftOps.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::xf::cpu {
using namespace kernel;

/// Expands `op`, one phase of an xft.rows, for one row. `operands` are the rows of its inputs, outputs and
/// accumulators, in this order. `scalars` maps scalars of the body of the xft.rows to the values that the code has
/// computed for them. Outputs with RowAccess::streams use non-temporal stores if `isLarge` (i1) is true; a null
/// `isLarge` is false. Returns the results of the reductions.
SmallVector<Value> expandCols(KernelBuilder &kb, xft::ColsOp op, ArrayRef<RowAccess> operands, TileColumns columns,
                              const IRMapping &scalars, Value isLarge);

/// Stores a scalar to all columns of `row`, the row of an accumulator.
void fillColumns(KernelBuilder &kb, const RowAccess &row, TileColumns columns, Value scalar);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_ROWS_EXPANDCOLS_H
