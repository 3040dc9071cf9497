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

#include "compiler/Target/CPU/Machine/TileForms.h"
#include "compiler/Target/CPU/Operands/GatherRows.h"
#include "compiler/Target/Kernel/Attend/AttendTask.h"
#include "compiler/Target/Kernel/Code/RegisterTile.h"
#include "dialects/xft/IR/XftOps.h"

namespace mlir::xf::cpu {
using namespace kernel;

/// The columns of a key block that a group of rows sees. No row sees a column outside of [begin, end), and every row
/// sees all columns of [commonBegin, commonEnd). Lane kernels (ResidueLanes.h) use it for key ranks.
struct ColumnRange {
  Value begin, commonBegin, commonEnd, end;
};

/// The query rows of a block.
struct QueryRows {
  Value indices;       ///< i64 [row]: index of the row in q
  Value count, padded; ///< the number of rows, and this number rounded up to whole tiles
};

/// A task of an attention kernel that works on register tiles: the sizes of tiles, and the block of query rows that the
/// task works on.
struct AttendBlock : AttendTask {
  using AttendTask::AttendTask;

  xft::AttendTileAttr tile;
  int64_t endRegisters;             ///< registers per row of the widest tile at an end of an interval
  ProductForm product = {};         ///< how products are computed: instruction and types of operands
  std::optional<TileForm> tileForm; ///< how a matrix unit computes scores, if register tiles have the rows of its tiles
  QueryRows rows;

  int64_t width() const { return tile.getWidth(); }
  /// Returns how a loop over the terms of a score is unrolled. Tiles at the ends of intervals unroll fewer terms,
  /// because there are several shapes of them, and because the sums of a wide one leave few registers.
  TermLoop termLoop(bool isEnd) const { return {isEnd ? 2 * product.terms : 4}; }
  /// Loads the index in q (i64) of row `row` of the block.
  Value rowIndex(Value row) { return kb.load(kb.i64(), kb.at(kb.i64(), rows.indices, row)); }

  /// Verifies that the machine has the products that the schedule of `op` asks for. If not, emits an error at `op` and
  /// fails.
  LogicalResult requireProducts(Operation *op, xft::AttendSchedule schedule);
  /// Sets `lanes`, the sizes of tiles and blocks, and the form of products from `schedule`. Sets `real` from `type`,
  /// the element type of q.
  void setSchedule(xft::RegisterTilesAttr schedule, Type type);
};

/// Returns the rows of `view` (q, o or a gradient of them) at head (b, h). A row is addressed by the rank that `map`
/// gives to its position. Row 0 of the view has position Nk - Nq; ranks of earlier positions have no row.
GatheredRows positionsOf(AttendBlock &task, const RankMap &map, const View &view, int64_t columns, Value b, Value h);

/// Returns the number of rows of q in the order of `queries`.
Value buildRowCount(AttendBlock &task, const RankMap &queries);

/// Sets `rows` to the rows of a block: the rows from number `first` on, up to `end`, in the order of `queries`. Pads
/// their indices to whole tiles with the index of the last row. Builds `body` under the run-time condition that the
/// block has rows.
void buildRowsOf(AttendBlock &task, const RankMap &queries, Value first, Value end, function_ref<void()> body);

/// Evaluates the bounds of `piece`. Stores the interval [lower, upper) of key ranks that each row sees to `rows` (i64
/// [row][2]); lower = upper if a row sees none. With `paddingSees`, padding rows see the ranks of the last row;
/// otherwise they see none.
void buildRowBounds(AttendBlock &task, PieceAttr piece, Value rows, bool paddingSees);

/// Computes the bounds (begin, commonBegin, commonEnd, end) of each group of tile.rows rows, and stores them to
/// `groups` (i64 [group][4]). No row of the group sees a rank outside of [begin, end), and all rows see [commonBegin,
/// commonEnd). `rows` are the bounds of rows that buildRowBounds stored. Returns the ranks (begin, end) outside of
/// which no row of the block sees a key, or (INT64_MAX, 0) if no row sees any.
std::pair<Value, Value> buildGroupBounds(AttendBlock &task, Value rows, Value groups);

/// Returns the columns of the key block at rank `keyBlock` that the group at `row` sees. `groups` are the bounds that
/// buildGroupBounds stored.
ColumnRange buildColumnRange(AttendBlock &task, Value groups, Value row, Value keyBlock);

/// How a register tile of a group of rows lies in panels. Whole: the tile is one panel of keys that all rows see. Ends:
/// the tile has one to endRegisters registers from one panel or two, and some row sees keys in each of these panels.
enum class PanelTiles { Whole, Ends };

/// Calls `body` for the register tiles that cover `range`, from the first column to the last, and builds the choice
/// between them at run time. The loop over tiles carries `carried` from tile to tile; returns its last values.
SmallVector<Value>
forEachPanelTile(AttendBlock &task, const ColumnRange &range, ValueRange carried,
                 function_ref<SmallVector<Value>(RegisterTile, Value column, PanelTiles, ValueRange carried)> body);

/// Returns the masks (i1 per lane) of the key ranks `rank`, `rank` + 1, .. that `row` sees, one for each of `registers`
/// registers. `rows` are the bounds that buildRowBounds stored.
SmallVector<Value> buildVisible(AttendBlock &task, Value rows, Value row, Value rank, int64_t registers);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_ATTEND_ATTENDBLOCK_H
