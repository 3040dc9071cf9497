//===- StencilLanes.h - Neighbouring rows of a grid in lanes -- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shared by the kernels of attention with a stencil in lanes (#xft.stencil_tile). Lanes hold neighbouring columns of a
// line of the grid. These are residues modulo the length of a line, and their ranks are lines (ResidueLanes.h). A line
// of rows is transposed to scratch memory. Each lane needs the row that lies `shift` columns from its own column. So a
// register is loaded from an address that is `shift` elements further.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_LANES_STENCILLANES_H
#define XF_COMPILER_TARGET_CPU_LANES_STENCILLANES_H

#include "compiler/Target/CPU/Lanes/ResidueLanes.h"
#include "compiler/Target/CPU/Lanes/StencilBuffers.h"

namespace mlir::xf::cpu {
using namespace kernel;

/// The rows [first, first + count) of a task that see one line of keys. For gradients of keys, the two change places:
/// the rows of the task are lines of keys, and these rows are the ones that one line of queries sees.
struct SeeingRows {
  int64_t first, count;
};

/// What one line contributes to the sums of rows: the sum of m(t) x(t) over the shifts t of the line. x(t) are rows of
/// the line, one in each lane. m(t) is P or dS of the pairs at shift t.
struct LineProduct {
  TileTerms x;        ///< a register for each column of a matrix
  TileTerms m;        ///< a register for each row that sees the line
  Value finite;       ///< whether all x are finite (i1); if not, the x of masked pairs are replaced by zeros
  bool isProbability; ///< whether m is P, which is -0 for masked pairs; else m is dS, which is 0
};

/// Where padding begins. All keys from index `keys` on, and all rows of q from index `rows` on, are padding. A null
/// `rows` means that no row is padding.
struct LineEnds {
  Value keys, rows;
};

/// A task of a stencil kernel: a head, and tile.rows lines of queries, which are the task's rows.
struct StencilTask : LanesTask {
  template <typename OpTy>
  StencilTask(KernelBuilder &kb, OpTy op)
      : LanesTask(AttendTask(kb, op), op.getK(), op.getTile().getLanes(), op.getTile().getLength()), tile(op.getTile()),
        sizes(tile) {}

  xft::StencilTileAttr tile;
  StencilSizes sizes;
  Value firstRow; ///< the line of row 0

  /// Returns the number of groups of tile.rows lines that have a row of q.
  Value groups();
  /// Returns the line of keys that is line `number` of the box of row 0. It is line `number` - r of the box of row r.
  Value keyLine(Value number) { return kb.add(kb.add(firstRow, tile.getFirstLine()), number); }

  /// Returns a pointer to slot `slot` of a buffer, at column `x` of the grid and column 0 of the matrix.
  Value slotAt(const LineBuffer &buffer, Value slot, Value x);
  /// Returns a pointer to line `line` of a buffer in which line y has slot y mod slots.
  Value lineAt(const LineBuffer &buffer, Value line, Value x) {
    return slotAt(buffer, kb.floorMod(line, buffer.slots), x);
  }
  /// Stores zeros to the margins of all slots of a buffer, because masked pairs read them.
  void clearMargins(const LineBuffer &buffer);
  /// Transposes line `line` of `rows`, times `factor`, to `target`, which points to column 0 of the grid in a slot.
  /// Returns `finite` as LaneRows::load does.
  Value loadLine(LaneRows rows, Value target, Value line, double factor, Value finite);
  /// Calls `body` for the columns of a line, a register at a time, with the residues set to these columns.
  void forEachRegister(function_ref<void(Value x)> body);

  using LineBody = function_ref<SmallVector<Value>(Value number, SeeingRows rows, ValueRange state)>;
  /// Builds `body` for each line of keys that some row of the task sees, in order. `rows` are the rows that see the
  /// line. Returns the last state. For gradients of keys, rows and lines change places: the rows of the task are lines
  /// of keys, and `number` is a line of queries. The box of line tile.lines - 1 begins at row 0, and the boxes of
  /// earlier lines begin before row 0.
  SmallVector<Value> forEachKeyLine(ValueRange state, LineBody body);
  /// Calls `body` for the shifts of a line of the box, at most tile.columns shifts at a time.
  void forEachPart(function_ref<void(int64_t shift, int64_t count)> body);

  using ProductOf = function_ref<LineProduct(Value number, SeeingRows rows, Value column)>;
  /// Computes `columns` columns of each row as sums over the lines of forEachKeyLine. product(number, rows, column)
  /// returns what line `number` contributes to the columns from `column` on. Adds the terms in the order of lines and
  /// shifts. Computes at most tile.columns columns at a time. Calls `finish` with each sum.
  void sumLines(int64_t columns, ProductOf product, function_ref<void(Value sum, int64_t row, Value column)> finish);

  /// Returns how many keys line `line` of the grid has; they lie in its first columns. Keys from index `keyLimit` on
  /// are padding. Lines before line 0 have none.
  Value keysOfLine(Value line, Value keyLimit);
  /// Returns the lanes (i1) whose query sees a key at shift `shift`, in [0, tile.shifts), of a line of `count` keys.
  /// Lane n is column `x` + n.
  Value buildVisible(Value x, int64_t shift, Value count);
  /// Returns the lanes (i1) that hold a query before row `rowLimit` of q. Lane n is column `x` + n of line `line`.
  Value buildExist(Value line, Value x, Value rowLimit);

private:
  Value buildWithin(Value first, Value count);
  SmallVector<Value> addLine(const LineProduct &product, SeeingRows rows, int64_t columns, ValueRange sums);
};

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_LANES_STENCILLANES_H
