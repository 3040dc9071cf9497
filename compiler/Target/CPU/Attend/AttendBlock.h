//===- AttendBlock.h - Rows of a block and their key bounds --- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part that the forward and the gradient kernel of attention share. Both work on a block of query rows and a block
// of key ranks of one piece. The code here computes the rows of the block, and the interval of key ranks that each row
// sees.
//
// A *group of rows* is as many consecutive rows of the block as a register tile has (tile.rows). It is given by its
// first row.
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
/// sees all columns of [commonBegin, commonEnd). In kernels with residues in lanes (ResidueLanes.h), the four numbers
/// are key ranks instead of columns.
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
  /// Returns how a loop over the terms of a score is unrolled. `isEnd` is whether the tile lies at an end of an
  /// interval. The sums of a wide tile leave few registers, and tiles at ends have several shapes, each with its own
  /// code. So an iteration for them has only two instructions for each sum.
  TermLoop termLoop(bool isEnd) const { return {isEnd ? 2 * product.terms : 4}; }
  /// Loads the index in q (i64) of row `row` of the block.
  Value rowIndex(Value row) { return kb.load(kb.i64(), kb.at(kb.i64(), rows.indices, row)); }

  /// Verifies that the instructions that the machine has for products take operands of the type that `schedule` asks
  /// for. If not, emits an error at `op` and fails.
  LogicalResult requireProducts(Operation *op, xft::AttendSchedule schedule);
  /// Sets `lanes`, the sizes of tiles and blocks, and the form of products from `schedule`. Sets `real` from `type`,
  /// the element type of q.
  void setSchedule(xft::RegisterTilesAttr schedule, Type type);
};

/// Returns the rows of batch entry `b` and head `h` of `view`: q, o, or the gradient of one of them. A row is addressed
/// by its rank: the rank that `map` gives to the row's position on the axis of keys. The first row has position
/// task.firstPosition(); ranks of earlier positions have no row. A row has `columns` elements.
GatheredRows positionsOf(AttendBlock &task, const RankMap &map, const View &view, int64_t columns, Value b, Value h);

/// Returns how many rows of q the residue of `queries` has.
Value buildRowCount(AttendBlock &task, const RankMap &queries);

/// Sets task.rows to a block of query rows: the rows with numbers [first, end) of the residue of `queries`, but at most
/// as many as a block has. Pads their indices to whole tiles with the index of the last row. Builds `body` under the
/// run-time condition that the block has rows.
void buildRowsOf(AttendBlock &task, const RankMap &queries, Value first, Value end, function_ref<void()> body);

/// Evaluates the bounds of `piece` for each row of the block. Stores the interval [lower, upper) of key ranks that the
/// row sees to `rows` (i64 [row][2]); lower = upper if the row sees no key. With `paddingSees`, padding rows see the
/// ranks of the last row; otherwise they see none.
void buildRowBounds(AttendBlock &task, PieceAttr piece, Value rows, bool paddingSees);

/// Computes the bounds (begin, commonBegin, commonEnd, end) of each group of rows, and stores them to `groups` (i64
/// [group][4]). No row of the group sees a rank outside of [begin, end), and all rows see [commonBegin, commonEnd).
/// `rows` are the bounds of rows that buildRowBounds stored. Returns the ranks (begin, end) outside of which no row of
/// the block sees a key, or (INT64_MAX, 0) if no row sees any.
std::pair<Value, Value> buildGroupBounds(AttendBlock &task, Value rows, Value groups);

/// Returns the columns that a group of rows sees of the key block whose first rank is `keyBlock`. `row` is the first
/// row of the group. `groups` are the bounds that buildGroupBounds stored.
ColumnRange buildColumnRange(AttendBlock &task, Value groups, Value row, Value keyBlock);

/// How the keys of a register tile lie in panels. Whole: the keys of the tile are one panel, and all rows see all of
/// the keys. Ends: the tile has one to endRegisters registers of keys, from one panel or two, and some rows may not see
/// all keys.
enum class PanelTiles { Whole, Ends };

/// Builds a loop over the register tiles that cover `range`, from the first column to the last. Tiles have several
/// kinds and widths. `body` is called once for each of these, and builds the code of such a tile. The code chooses
/// between them at run time. The loop carries the values `carried` from tile to tile. Returns the last values.
SmallVector<Value>
forEachPanelTile(AttendBlock &task, const ColumnRange &range, ValueRange carried,
                 function_ref<SmallVector<Value>(RegisterTile, Value column, PanelTiles, ValueRange carried)> body);

/// Returns the masks (i1 lanes) of `registers` registers of key ranks, which follow each other from `rank` on. A lane
/// is set if `row` sees its rank. `rows` are the bounds that buildRowBounds stored.
SmallVector<Value> buildVisible(AttendBlock &task, Value rows, Value row, Value rank, int64_t registers);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_ATTEND_ATTENDBLOCK_H
