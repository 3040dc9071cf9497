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

/// Returns the only phase of `op` if it is a map over floats that is computed on transposed blocks. Some input of such
/// a map has a static stride of 1 from row to row, and another stride along the columns. All outputs are contiguous
/// along the columns. Returns null in all other cases.
xft::ColsOp transposedPhase(xft::RowsOp op);

/// A tile of a transposed phase: rows [firstRow, lastRow). `operands` is row 0 of each operand, and `rowStrides` the
/// number of elements from one row to the next.
struct TransposedTile {
  ArrayRef<RowAccess> operands;
  ArrayRef<Value> rowStrides;
  Value firstRow, lastRow;
  TileColumns columns;
};
/// Expands `op`, a result of transposedPhase, on one tile, and transposes blocks in registers.
void expandTransposed(KernelBuilder &kb, xft::ColsOp op, const TransposedTile &tile);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_ROWS_EXPANDTRANSPOSED_H
