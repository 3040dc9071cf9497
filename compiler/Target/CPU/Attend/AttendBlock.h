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

/// An interval of the columns of a key block, as a group of rows sees it: no row sees a column outside of [begin, end),
/// and every row sees all columns of [commonBegin, commonEnd). Lane kernels (ResidueLanes.h) use it for key ranks.
struct ColumnRange {
  Value begin, commonBegin, commonEnd, end;
};

/// The rows of a block.
struct QueryRows {
  Value indices;       ///< i64 [row]: index of the row in q
  Value count, padded; ///< the number of rows; rounded up to whole tiles
};

/// A task of an attention kernel that works on register tiles: the sizes of tiles, and the block of query rows that the
/// task works on.
struct AttendBlock : AttendTask {
  using AttendTask::AttendTask;

  xft::AttendTileAttr tile;
  int64_t endRegisters;             ///< of the widest tile at the ends of intervals
  ProductForm product = {};         ///< of numbers as they enter products
  std::optional<TileForm> tileForm; ///< of scores, if tiles have its rows
  QueryRows rows;

  int64_t width() const { return tile.getWidth(); }
  /// Returns the options of the loop over the terms of a score. Tiles at ends of intervals, of which there are several,
  /// unroll fewer; the sums of a wide one leave few registers for more.
  TermLoop termLoop(bool isEnd) const { return {isEnd ? 2 * product.terms : 4}; }
  /// Loads the index in q (i64) of row `row` of the block.
  Value rowIndex(Value row) { return kb.load(kb.i64(), kb.at(kb.i64(), rows.indices, row)); }

  /// Verifies that the machine has the products that the schedule of `op` asks for. Fails after an error at `op`.
  LogicalResult requireProducts(Operation *op, xft::AttendSchedule schedule);
  /// Sets the lanes, the sizes of tiles and blocks, and the form of products from `schedule`, and the type `real`
  /// from `type`, the element type of q.
  void setSchedule(xft::RegisterTilesAttr schedule, Type type);
};

/// Returns the rows of `view` (q, o or a gradient of them) at head (b, h). A row is addressed by the rank that `map`
/// gives to its position. Row 0 of the view has position Nk - Nq; ranks of earlier positions have no row.
GatheredRows positionsOf(AttendBlock &task, const RankMap &map, const View &view, int64_t columns, Value b, Value h);

/// Returns the number of rows of q in the order of `queries`.
Value buildRowCount(AttendBlock &task, const RankMap &queries);

/// Sets `rows` to the rows of a block, in the order of `queries`: those from number `first` on, up to `end`. Their
/// indices are padded to whole tiles with the last row. Builds `body` under the run-time condition that the block has
/// rows.
void buildRowsOf(AttendBlock &task, const RankMap &queries, Value first, Value end, function_ref<void()> body);

/// Evaluates the bounds of `piece`: stores the interval [lower, upper) of key ranks that each row sees to `rows` (i64
/// [row][2]), with lower = upper if the row sees none. With `paddingSees`, padding rows see the ranks of the last row;
/// otherwise they see none.
void buildRowBounds(AttendBlock &task, PieceAttr piece, Value rows, bool paddingSees);

/// Computes the bounds (begin, commonBegin, commonEnd, end) of each group of tile.rows rows, and stores them to
/// `groups` (i64 [group][4]). No row of the group sees a rank outside of [begin, end); all rows see [commonBegin,
/// commonEnd). `rows` are the bounds of rows that buildRowBounds stored. Returns the ranks (begin, end) outside of
/// which no row of the block sees a key, or (INT64_MAX, 0) if no row sees any.
std::pair<Value, Value> buildGroupBounds(AttendBlock &task, Value rows, Value groups);

/// Returns the columns of the key block at rank `keyBlock` that the group at `row` sees, from the bounds that
/// buildGroupBounds stored to `groups`.
ColumnRange buildColumnRange(AttendBlock &task, Value groups, Value row, Value keyBlock);

/// The register tiles of a group of rows. Whole: a panel of keys that all rows see. Ends: one to endRegisters
/// registers, of one panel or of two, in each of which some row sees keys.
enum class PanelTiles { Whole, Ends };

/// Calls `body` for the register tiles that cover `range`, from the first column to the last, and builds the choice
/// between them at run time. The loop over tiles carries `carried`.
SmallVector<Value>
forEachPanelTile(AttendBlock &task, const ColumnRange &range, ValueRange carried,
                 function_ref<SmallVector<Value>(RegisterTile, Value column, PanelTiles, ValueRange carried)> body);

/// Returns the masks (i1 per lane) of the key ranks `rank`, `rank` + 1, .. that `row` sees, one for each of `registers`
/// registers, from the bounds that buildRowBounds stored to `rows`.
SmallVector<Value> buildVisible(AttendBlock &task, Value rows, Value row, Value rank, int64_t registers);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_ATTEND_ATTENDBLOCK_H
