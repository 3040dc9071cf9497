//===- LineLanes.h - Neighbouring rows of a grid in lanes ----- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Code shared by the kernels of boxes of a grid (#xft.line_tile). Lanes hold neighbouring columns of a line: residues
// modulo its length, whose ranks are lines (ResidueLanes.h). A line of rows is transposed to scratch memory; where
// every lane meets the row that lies `shift` columns from it, a register is loaded at an address that is shifted by as
// much.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_ATTEND_LINELANES_H
#define XF_COMPILER_TARGET_CPU_ATTEND_LINELANES_H

#include "compiler/Target/CPU/Lanes/ResidueLanes.h"
#include "dialects/xft/IR/XftAttendScratch.h"

namespace mlir::xf::cpu {
using namespace kernel;

/// Transposed lines in scratch memory, [slot][column of the matrix][column of the grid]. Line y is in slot y mod slots.
struct LineBuffer {
  Value memory;
  int64_t columns; ///< of the matrix
};

/// The rows [first, first + count) of a task, which see some line of keys.
struct SeeingRows {
  int64_t first, count;
};

/// A task of a kernel of boxes: a head and tile.rows lines of queries, the task's rows.
struct LineTask : ResidueTask {
  LineTask(KernelBuilder &kb, Value q, Value k, xft::LineTileAttr tile);

  xft::LineTileAttr tile;
  xft::LineSizes sizes;
  Value firstRow; ///< the line of row 0

  /// Returns the number of groups of tile.rows lines that have a row of q.
  Value groups();
  /// Returns the line of keys that row 0 sees as line `number` of its box; row r sees it as line `number` - r.
  Value keyLine(Value number) { return kb.add(kb.add(firstRow, tile.getFirstLine()), number); }

  /// Returns a pointer to line `line` of a buffer, at column `x` of the grid and column 0 of the matrix.
  Value lineAt(const LineBuffer &buffer, Value line, Value x);
  /// Clears what lies around the columns of the grid in all slots of a buffer: masked pairs read it.
  void clearMargins(const LineBuffer &buffer);
  /// Transposes line `line` of `rows` to a buffer. Returns `finite` as LaneRows::load does.
  Value loadLine(LaneRows rows, const LineBuffer &buffer, Value line, Value finite);
  /// Calls `body` for the columns of a line, a register at a time. Sets the residues.
  void forEachRegister(function_ref<void(Value x)> body);

  using LineBody = function_ref<SmallVector<Value>(Value number, SeeingRows rows, ValueRange state)>;
  /// Builds `body` for each line of keys that some row sees, in order, with the rows that see it; returns the last
  /// state.
  SmallVector<Value> forEachKeyLine(ValueRange state, LineBody body);
  /// Calls `body` for the shifts of a line of the box in parts of at most tile.columns.
  void forEachPart(function_ref<void(int64_t shift, int64_t count)> body);

  /// Returns the number of keys of a line: columns [0, n) of the grid hold them.
  Value keysOfLine(Value line, Value keyLimit);
  /// Returns the lanes (i1) from whose columns, the first of which is `x`, a key lies at `shift` (of [0, tile.shifts))
  /// in a line of `count` keys.
  Value buildVisible(Value x, int64_t shift, Value count);
};

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_ATTEND_LINELANES_H
