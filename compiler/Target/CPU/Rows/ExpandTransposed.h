//===- ExpandTransposed.h - Maps of transposed operands ------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_ROWS_EXPANDTRANSPOSED_H
#define XF_COMPILER_TARGET_CPU_ROWS_EXPANDTRANSPOSED_H

#include "compiler/Target/CPU/Rows/ExpandCols.h"

namespace mlir::xf::cpu {
using namespace kernel;

/// Returns the phase of a kernel that is one map over floats, if an input of it is contiguous along the rows (a static
/// stride of 1 in the last outer dimension) and not along the columns; else null.
xft::ColsOp transposedPhase(xft::RowsOp op);

/// One tile: rows [firstRow, lastRow) of operands, which are given by their row 0 and the strides between rows.
struct TransposedTile {
  ArrayRef<RowAccess> operands;
  ArrayRef<Value> rowStrides;
  Value firstRow, lastRow;
  TileColumns columns;
};
/// Expands the map `op` on one tile, transposing blocks in registers.
void expandTransposed(KernelBuilder &kb, xft::ColsOp op, const TransposedTile &tile);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_ROWS_EXPANDTRANSPOSED_H
