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

/// The columns of a tile: [first, first + count) of the row.
struct TileColumns {
  Value first, count;
};

/// The iteration space of an xft.rows and one tile of it. Divisions happen once per tile, so rows may be short and
/// spaces of any rank.
class RowSpace {
public:
  RowSpace(xft::RowsOp op, KernelBuilder &kb);

  xft::RowsOp op;
  KernelBuilder &kb;
  llvm::MapVector<Value, View> views; ///< by memref operand of the kernel
  SmallVector<Value> outer;           ///< sizes
  Value columns;

  /// Returns the number of elements of the whole space.
  Value countElements() const;
  Value rowBlocks; ///< number of row blocks, at least one

  /// Locates a tile of the grid; sets the fields below.
  void locate(Value tile);
  Value rowBlock;          ///< number of the tile's row block
  Value firstRow, lastRow; ///< along the last outer dimension
  /// Returns the number of rows of a tile; the last tiles may have fewer.
  Value rowsPerTile() const { return rowsPerBlock; }
  Value rowNumber; ///< number of row 0 of that dimension, in the order of `outer`
  TileColumns tileColumns;
  llvm::MapVector<Value, RowAccess> accumulators; ///< by memref; one row for each block
  /// Returns row 0 along the last outer dimension, from the tile's first column on.
  RowAccess firstRowOf(Value memref) { return tileRows[memref]; }

  /// Returns a row of a memref: of an operand of the kernel, or of an xft.row of the body.
  RowAccess access(Value memref, Value row);

  /// Builds one loop over the columns of a row; returns its results.
  using Phase = function_ref<SmallVector<Value>(xft::ColsOp cols, Value row, const IRMapping &scalars)>;
  /// Builds the body for one row. Elementary functions of scalars become code in one lane, so that no kernel calls a
  /// library. `once` builds code that one thread runs, if several threads share a row. Fails after an error.
  LogicalResult buildRow(Value row, Phase phase, function_ref<void(function_ref<void()>)> once);
  /// Returns the number of the row that `chosen` selects, clamped to rows that exist; only scalars precede it in the
  /// body. Fails after an error.
  FailureOr<Value> buildIndex(xft::RowOp chosen, Value row);

private:
  LogicalResult buildOp(Operation &op, Value row, IRMapping &scalars, Phase phase,
                        function_ref<void(function_ref<void()>)> once);
  LogicalResult buildScalar(Operation &scalar, IRMapping &scalars);
  Value limitedIndex(xft::RowOp chosen, const IRMapping &scalars);
  RowAccess tileRow(Value memref, bool isAccumulator);

  Value columnBlocks, rowsPerBlock, columnsPerBlock;
  SmallVector<Value> prefix; ///< the tile's coordinates in the outer dimensions but the last
  llvm::MapVector<Value, RowAccess> tileRows;
  DenseMap<Value, RowAccess> chosenRows; ///< of xft.row
};

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_ROWS_ROWSPACE_H
