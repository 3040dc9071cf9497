//===- AttendBlock.h - Rows of a block and their key bounds --- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block of query rows and a block of key ranks of one piece, which both attention kernels (forward and gradient) work
// on. The code here computes the rows of the block and the interval of ranks that each row sees.
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

/// The columns [begin, end) of a key block that some row of a group sees. All rows of the group see [commonBegin,
/// commonEnd).
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
  /// Returns the row of q of row `row` of the block.
  Value rowIndex(Value row) { return kb.load(kb.i64(), kb.at(kb.i64(), rowOf, row)); }

  /// Sets the sizes of tiles and blocks, and the types, from a tile and the element type of q.
  void setTile(xft::AttendTileAttr tile, Type type);
};

/// Returns the rows of q, o or their gradients at (b, h), addressed by the rank of their position. Ranks before the
/// first row have no row.
GatheredRows positionsOf(AttendBlock &task, const RankMap &map, const View &view, int64_t columns, Value b, Value h);

/// Fills rowOf with the rows of block `block` of the order that `queries` walks, padded to whole tiles with the last
/// row; sets rowCount and paddedRows. Builds `body` under the condition that the block has rows.
void buildRowsOf(AttendBlock &task, const RankMap &queries, Value block, function_ref<void()> body);

/// Evaluates the bounds of `piece`: stores (lower, upper) of the key ranks that each row sees to `rows`, lower = upper
/// for none. With `paddingSees`, padding rows see the ranks of the last row; otherwise none.
void buildRowBounds(AttendBlock &task, PieceAttr piece, Value rows, bool paddingSees);

/// Stores (begin, commonBegin, commonEnd, end) of each group of tileRows rows to `groups`, from the bounds in `rows`:
/// the ranks that some row sees, and the ranks that all rows see. Returns the ranks (begin, end) that some row of the
/// block sees, (INT64_MAX, 0) for none.
std::pair<Value, Value> buildGroupBounds(AttendBlock &task, Value rows, Value groups);

/// Returns the columns of the key block at rank `keyBlock` that the group at `row` sees.
ColumnRange buildColumnRange(AttendBlock &task, Value groups, Value row, Value keyBlock);

/// Returns the mask (i1 per lane) of the ranks `rank`, `rank` + 1, .. that `row` sees.
Value buildVisible(AttendBlock &task, Value rows, Value row, Value rank);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_ATTEND_ATTENDBLOCK_H
