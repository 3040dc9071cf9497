//===- ResidueLanes.h - Neighbouring residues in lanes -------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What attention and its gradient share where lanes hold neighbouring residues r, r + 1, .. of queries and keys: row a
// of a residue is position R a + r, so that one rank of all lanes is a run of rows in memory. Rows are transposed as
// they are read and written; between, an element of a rank is a register. Each lane is a problem of its own: products
// have no operand to broadcast, and sums of rows need no reduction.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_ATTEND_RESIDUELANES_H
#define XF_COMPILER_TARGET_CPU_ATTEND_RESIDUELANES_H

#include "compiler/Target/CPU/Attend/AttendBlock.h"
#include "compiler/Target/CPU/Attend/PrefetchRows.h"

namespace mlir::xf::cpu {
using namespace kernel;

/// A group of residues of one head. AttendTask::r is not used: every lane has its own.
struct LaneTask : AttendTask {
  LaneTask(KernelBuilder &kb, Value q, Value k, xft::LaneTileAttr tile, PieceAttr piece);

  PieceAttr piece;
  xft::LaneTileAttr tile;
  Value offset;            ///< Nk - Nq, of positions against rows
  Value firstResidue;      ///< of lane 0
  Value residueCount;      ///< lanes that hold one
  Value bounds;            ///< i32 [row][2][lane]: ranks that the row sees
  PrefetchRows prefetches; ///< of the next task or head
  int64_t residues() const { return piece.getResidues(); }

  /// Sets b, h and the residues of task `task` of a grid (b, heads, group of residues); h counts in `heads`.
  void setTask(Value task, Value heads);
  /// The ranks [first, end) of positions that are rows of q, in some lane.
  std::pair<Value, Value> queryRanks();
  /// The number of ranks of keys.
  Value keyRanks() { return kb.ceilDiv(nk, residues()); }

  /// Row `row` of a buffer whose rows have `columns` elements of each lane, and padding.
  Value rankAt(Value buffer, Value row, int64_t columns) { return at(buffer, row, rankStride(columns)); }
  int64_t rankStride(int64_t columns) const;
  /// The register of a buffer [row][lane].
  Value slot(Value buffer, Value row) { return at(buffer, row, lanes); }
};

/// The rows of a matrix [row][columns] with unit inner stride, as ranks of the task's lanes.
struct LaneRows {
  LaneTask &task;
  View view;
  Value matrix; ///< pointer to row 0
  Value shift;  ///< of positions against rows
  Value count;  ///< rows
  int64_t columns;

  /// Rows of keys or values at the task's b and head `h` of the matrix, or of queries.
  static LaneRows ofKeys(LaneTask &task, const View &view, Value h, int64_t columns);
  static LaneRows ofQueries(LaneTask &task, const View &view, int64_t columns);

  /// The row of a rank and lane, or one that exists in its place.
  Value row(Value rank, Value lane) const;
  Value exists(Value rank, Value lane) const;
  /// Whether ranks [rank, rank + count) have a row in every lane.
  Value allExist(Value rank, int64_t count) const;
  /// Rank `rank` times `factor` to target[column][lane]; lanes without a row repeat some other. Returns 0 times the sum
  /// of all columns, added to `finite`: 0 in lanes whose rows are finite.
  Value load(Value target, Value rank, double factor, Value finite) const;
  /// source[column][lane] to the rows that exist, or added to them.
  void store(Value source, Value rank, bool adds = false) const;
};

/// Where the rows of the task's residues lie, which products of the one before ask for.
void buildPrefetch(LaneTask &task, ArrayRef<LaneRows> matrices);

/// Fills `bounds` of row `row` of the buffer on, for tile.rows ranks from `rank`. Lanes without a row see everything
/// and count for nothing, or, unless `absentSees`, see nothing. Returns the ranks that some lane sees, and those that
/// all see.
ColumnRange buildLaneBounds(LaneTask &task, const LaneRows &queries, Value rank, Value row, bool absentSees);
/// Calls `body` for steps of `step` ranks that cover the range, the first one a multiple; where all lanes of all rows
/// see all of them, unmasked.
void forEachStep(KernelBuilder &kb, const ColumnRange &range, int64_t step,
                 function_ref<void(Value rank, bool isMasked)> body);
/// Lanes of row `row` that see rank `key`.
Value buildLaneVisible(LaneTask &task, Value row, Value key);

/// Whether all lanes of `finite` are 0, as LaneRows::load leaves them.
Value buildIsFinite(LaneTask &task, Value finite);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_ATTEND_RESIDUELANES_H
