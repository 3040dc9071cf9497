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

/// Expands one phase. `operands` are the rows of the memrefs of `op`, in order; `scalars` maps values of the rows' body
/// to code. Outputs that allow it use non-temporal stores if `isLarge` (an i1, or null for never). Returns the results
/// of the reductions.
SmallVector<Value> expandCols(KernelBuilder &kb, xft::ColsOp op, ArrayRef<RowAccess> operands, TileColumns columns,
                              const IRMapping &scalars, Value isLarge);

/// Sets the columns of an accumulator to a scalar.
void fillColumns(KernelBuilder &kb, const RowAccess &row, TileColumns columns, Value scalar);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_ROWS_EXPANDCOLS_H
