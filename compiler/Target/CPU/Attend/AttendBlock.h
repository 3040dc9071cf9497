//===- AttendBlock.h - A block of rows against the keys of a piece -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Both kernels of attention, forward and gradient, work on a block of query rows and a block of key ranks of one piece:
// which rows the block has, and which ranks each of them sees.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_ATTEND_ATTENDBLOCK_H
#define XF_COMPILER_TARGET_CPU_ATTEND_ATTENDBLOCK_H

#include "compiler/Target/CPU/Operands/GatherRows.h"
#include "compiler/Target/Kernel/Attend/AttendTask.h"
#include "compiler/Target/Kernel/Code/RegisterTile.h"
#include "dialects/xft/IR/XftOps.h"

namespace mlir::xf::cpu {
using namespace kernel;

/// Columns [begin, end) of a key block, of which all rows of a group see [commonBegin, commonEnd).
struct ColumnRange {
  Value begin, commonBegin, commonEnd, end;
};

/// A task of a kernel that works on register tiles.
struct AttendBlock : AttendTask {
  using AttendTask::AttendTask;

  int64_t tileRows, tileRegisters, blockRows, blockKeys; ///< xft.attend_tile

  Value rowOf;                ///< i64 [row]: row of q
  Value rowCount, paddedRows; ///< rows of the block; the same rounded up to whole tiles

  int64_t width() const { return tileRegisters * lanes; }
  Value rowIndex(Value row) { return kb.load(kb.i64(), kb.at(kb.i64(), rowOf, row)); }

  void setTile(xft::AttendTileAttr tile, Type type);
};

/// The rows of q, o, or their gradients by rank of a position; those before the first row do not exist.
GatheredRows positionsOf(AttendBlock &task, const RankMap &map, const View &view, int64_t columns, Value b, Value h);

/// Fills rowOf with block `block` of the rows that `queries` walks, padded with its last row; defines rowCount and
/// paddedRows. `body` runs where the block has rows.
void buildRowsOf(AttendBlock &task, const RankMap &queries, Value block, function_ref<void()> body);

/// Evaluates the bounds of `piece`: `rows` gets (lower, upper) of the key ranks that each row sees, lower = upper for
/// none. With `paddingSees`, rows beyond rowCount see what the last row sees; otherwise nothing.
void buildRowBounds(AttendBlock &task, PieceAttr piece, Value rows, bool paddingSees);

/// From the bounds of rows, `groups` gets (begin, commonBegin, commonEnd, end) for each group of tileRows rows: the
/// ranks that some row sees and those that all see. Returns the ranks (begin, end) that some row of the block sees,
/// (INT64_MAX, 0) for none.
std::pair<Value, Value> buildGroupBounds(AttendBlock &task, Value rows, Value groups);

/// The columns of the key block at rank `keyBlock` that the group at `row` sees.
ColumnRange buildColumnRange(AttendBlock &task, Value groups, Value row, Value keyBlock);

/// Lanes of the register at rank `rank` that `row` sees.
Value buildVisible(AttendBlock &task, Value rows, Value row, Value rank);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_ATTEND_ATTENDBLOCK_H
