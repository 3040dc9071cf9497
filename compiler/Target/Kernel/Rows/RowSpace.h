//===- RowSpace.h - The rows and tiles of a kernel ------------ -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_KERNEL_ROWS_ROWSPACE_H
#define XF_COMPILER_TARGET_KERNEL_ROWS_ROWSPACE_H

#include "compiler/Target/Kernel/Rows/RowAccess.h"
#include "dialects/xft/IR/XftOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::xf::kernel {

/// The columns [first, first + count) of a row that one tile computes.
struct TileColumns {
  Value first, count;
};

/// The iteration space of an xft.rows, and one tile of it. The dimensions of the space are the outer sizes and the
/// columns. Divisions are computed once per tile, so rows may be short, and the number of dimensions may be large.
class RowSpace {
public:
  RowSpace(xft::RowsOp op, KernelBuilder &kb);

  xft::RowsOp op;
  KernelBuilder &kb;
  llvm::MapVector<Value, View> views; ///< by memref operand of the kernel
  SmallVector<Value> outer;           ///< sizes of the outer dimensions
  Value columns;

  /// Returns the number of elements of the iteration space.
  Value countElements() const;
  Value rowBlocks; ///< number of row blocks, at least one

  /// Computes the coordinates of tile `tile` of the grid. Sets the fields from rowBlock to accumulators.
  void locate(Value tile);
  Value rowBlock;          ///< index of the tile's row block
  Value firstRow, lastRow; ///< rows [firstRow, lastRow) along the last outer dimension
  /// Returns the number of rows in a tile. The last tiles may have fewer.
  Value rowsPerTile() const { return rowsPerBlock; }
  Value rowNumber; ///< number of row 0 of the last outer dimension among the rows of all outer dimensions
  TileColumns tileColumns;
  llvm::MapVector<Value, RowAccess> accumulators; ///< by memref; an accumulator has one row for each row block
  /// Returns row 0 of `memref` along the last outer dimension, from the tile's first column on. In the other outer
  /// dimensions, the row is at the tile's coordinates.
  RowAccess firstRowOf(Value memref) { return tileRows[memref]; }

  /// Returns row `row` of `memref` if `memref` is an operand of the kernel. If it is the result of an xft.row of the
  /// body, returns the row that this op has selected.
  RowAccess access(Value memref, Value row);

  /// Builds `cols`, one phase of row `row`, as a loop over the columns. Returns the results of `cols`. `scalars` maps
  /// scalars of the body to values that are already computed.
  using Phase = function_ref<SmallVector<Value>(xft::ColsOp cols, Value row, const IRMapping &scalars)>;
  /// Builds the body for row `row`, with `phase` for each xft.cols. Elementary functions of scalars are computed in one
  /// lane of a register, so that no kernel calls a library. `once` builds code that only one of the threads that share
  /// the row runs. Emits an error and fails at a function that kernels do not compute.
  LogicalResult buildRow(Value row, Phase phase, function_ref<void(function_ref<void()>)> once);
  /// Builds the index of the row that `chosen` selects for row `row`, clamped to the rows of its source. Also builds
  /// the ops before `chosen` in the body, which must be scalar. Emits an error and fails if one of them is a math op
  /// that kernels do not support.
  FailureOr<Value> buildIndex(xft::RowOp chosen, Value row);

private:
  LogicalResult buildOp(Operation &op, Value row, IRMapping &scalars, Phase phase,
                        function_ref<void(function_ref<void()>)> once);
  LogicalResult buildScalar(Operation &scalar, IRMapping &scalars);
  Value limitedIndex(xft::RowOp chosen, const IRMapping &scalars);
  RowAccess tileRow(Value memref, bool isAccumulator);

  Value columnBlocks, rowsPerBlock, columnsPerBlock;
  SmallVector<Value> prefix; ///< the tile's coordinates in all outer dimensions except the last
  llvm::MapVector<Value, RowAccess> tileRows;
  DenseMap<Value, RowAccess> chosenRows; ///< rows that xft.row ops have selected, by their results
};

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_ROWS_ROWSPACE_H
