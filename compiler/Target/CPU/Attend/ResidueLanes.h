//===- ResidueLanes.h - Neighbouring residues in lanes -------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Code shared by the lane kernels of attention and its gradient: lanes hold neighbouring residues r, r + 1, .. of
// queries and keys. Row a of a residue is position R a + r, so one rank of all lanes is a run of rows in memory. Rows
// are transposed as they are read and written; in scratch, one element of a rank is a register of all lanes. Each lane
// is a problem of its own: products have no operand to broadcast, and row sums need no reduction.
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
  Value offset;            ///< Nk - Nq: the position of row 0
  Value firstResidue;      ///< of lane 0
  Value residueCount;      ///< lanes that hold a residue
  Value bounds;            ///< i32 [row][2][lane]: bounds of the ranks that the row sees
  PrefetchRows prefetches; ///< rows of the next task or head
  int64_t residues() const { return piece.getResidues(); }

  /// Sets b, h and the residues from the number `task` in a grid (b, heads, group of residues); h counts in `heads`.
  void setTask(Value task, Value heads);
  /// Returns the ranks [first, end) whose positions are rows of q in some lane.
  std::pair<Value, Value> queryRanks();
  /// The number of ranks of keys.
  Value keyRanks() { return kb.ceilDiv(nk, residues()); }

  /// Returns a pointer to row `row` of a buffer whose rows have `columns` elements per lane, and padding.
  Value rankAt(Value buffer, Value row, int64_t columns) { return at(buffer, row, rankStride(columns)); }
  int64_t rankStride(int64_t columns) const;
  /// Returns a pointer to the register at `row` of a buffer [row][lane].
  Value slot(Value buffer, Value row) { return at(buffer, row, lanes); }
};

/// The rows of a matrix [row][columns] with unit inner stride, addressed by rank and by the task's lanes.
struct LaneRows {
  LaneTask &task;
  View view;
  Value matrix; ///< pointer to row 0
  Value shift;  ///< the position of row 0
  Value count;  ///< rows
  int64_t columns;

  /// Return the rows of keys or values at the task's b and head `h` of the matrix, or of queries at the task's b and h.
  static LaneRows ofKeys(LaneTask &task, const View &view, Value h, int64_t columns);
  static LaneRows ofQueries(LaneTask &task, const View &view, int64_t columns);

  /// Returns the row at a rank and lane, clamped to rows that exist.
  Value row(Value rank, Value lane) const;
  /// Returns an i1, whether the rank has a row in this lane.
  Value exists(Value rank, Value lane) const;
  /// Returns an i1, whether ranks [rank, rank + count) have a row in every lane.
  Value allExist(Value rank, int64_t count) const;
  /// Loads rank `rank`, times `factor`, to target[column][lane]; lanes without a row repeat another row. Returns
  /// `finite` plus 0 times the sum of all columns: 0 in lanes whose rows are finite, else NaN.
  Value load(Value target, Value rank, double factor, Value finite) const;
  /// Stores source[column][lane] to the rows that exist; with `adds`, adds it to them.
  void store(Value source, Value rank, bool adds = false) const;
};

/// Sets up the software prefetch of the rows of the task's residues, which the products of the task before carry out.
void buildPrefetch(LaneTask &task, ArrayRef<LaneRows> matrices);

/// Fills `bounds`, from row `row` of the buffer on, for tile.rows ranks from `rank`. Lanes without a row see every key
/// if `absentSees`, else none; they do not limit the ranges. Returns the range of ranks that some lane sees, and the
/// range that all lanes see.
ColumnRange buildLaneBounds(LaneTask &task, const LaneRows &queries, Value rank, Value row, bool absentSees);
/// Calls `body` for steps of `step` ranks that cover the range; the first step starts at a multiple of `step`. Steps
/// that all lanes of all rows see are built with isMasked = false.
void forEachStep(KernelBuilder &kb, const ColumnRange &range, int64_t step,
                 function_ref<void(Value rank, bool isMasked)> body);
/// Returns the lanes (i1) of row `row` that see rank `key`.
Value buildLaneVisible(LaneTask &task, Value row, Value key);

/// Returns an i1, whether all lanes of `finite`, as LaneRows::load returns it, are 0.
Value buildIsFinite(LaneTask &task, Value finite);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_ATTEND_RESIDUELANES_H
