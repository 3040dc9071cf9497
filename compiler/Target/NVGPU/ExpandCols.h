//===- ExpandCols.h - One loop over the columns of a row, by a warp -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_NVGPU_EXPANDCOLS_H
#define XF_COMPILER_TARGET_NVGPU_EXPANDCOLS_H

#include "compiler/Target/Kernel/RowSpace.h"
#include "compiler/Target/NVGPU/ThreadBlock.h"

namespace mlir::xf::nvgpu {

/// body(column) for the columns of the tile that belong to this lane.
void forColumns(ThreadBlock &block, TileColumns columns, function_ref<void(Value column)> body);

/// Expands one phase. `operands` are the rows of op's memrefs, in order; `scalars` maps values of the rows' body to
/// code. Returns the reductions' results, the same in all lanes.
SmallVector<Value> expandCols(ThreadBlock &block, xft::ColsOp op, ArrayRef<RowAccess> operands, TileColumns columns,
                              const IRMapping &scalars);

} // namespace mlir::xf::nvgpu

#endif // XF_COMPILER_TARGET_NVGPU_EXPANDCOLS_H
