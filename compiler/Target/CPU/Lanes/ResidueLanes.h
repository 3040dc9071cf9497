//===- ResidueLanes.h - Neighbouring residues in lanes -------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shared by the kernels of attention with residues in lanes and of its gradient. Lanes hold neighbouring residues r, r
// + 1, .. of queries and keys. With R residues, the row with rank a in residue r has position R a + r. So the rows of
// all lanes at one rank are consecutive in memory. Rows are transposed as they are read and written: in scratch memory,
// a register has one element of each lane's row. Each lane is a problem of its own, so products broadcast no operand,
// and row sums need no reduction.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_LANES_RESIDUELANES_H
#define XF_COMPILER_TARGET_CPU_LANES_RESIDUELANES_H

#include "compiler/Target/CPU/Attend/AttendBlock.h"
#include "compiler/Target/CPU/Lanes/LaneBuffers.h"

namespace mlir::xf::cpu {
using namespace kernel;

/// A task whose lanes hold rows of neighbouring residues of a head. AttendTask::r is not used.
struct LanesTask : AttendTask {
  LanesTask(const AttendTask &task, Value k, int64_t lanes, int64_t residues);

  int64_t residues;   ///< R
  Value offset;       ///< Nk - Nq: the position of row 0
  Value firstResidue; ///< the residue in lane 0
  Value residueCount; ///< number of lanes that hold a residue

  /// Returns the number of ranks that have a key in some lane.
  Value keyRanks() { return kb.ceilDiv(nk, residues); }
  /// Returns the ranks [first, end) that have a row of q in some lane.
  std::pair<Value, Value> queryRanks() { return {kb.floorDiv(offset, residues), keyRanks()}; }
  /// Sets the residues of the lanes: lane n holds residue `first` + n.
  void setResidues(Value first);

  /// Returns a pointer to row `row` of a buffer [row][columns][lane]. Padding follows each row.
  Value rankAt(Value buffer, Value row, int64_t columns) { return at(buffer, row, rankStride(columns)); }
  int64_t rankStride(int64_t columns) const { return lanePitch(columns, lanes); }
  /// Returns a pointer to the register at `row` of a buffer [row][lane].
  Value slot(Value buffer, Value row) { return at(buffer, row, lanes); }
};

/// A task of a kernel with residues in lanes: a head and a group of its residues, one in each lane.
struct ResiduesTask : LanesTask {
  template <typename OpTy>
  ResiduesTask(KernelBuilder &kb, OpTy op)
      : LanesTask(AttendTask(kb, op), op.getK(), op.getTile().getLanes(), op.getPiece().getResidues()),
        piece(op.getPiece()), tile(op.getTile()) {}

  PieceAttr piece;
  xft::ResiduesTileAttr tile;
  Value bounds; ///< i32 [row][2][lane]: bounds of the ranks that the row sees

  /// Sets b, h and the residues from the index `task` in a grid (b, h, group of residues), in which h is less than
  /// `heads`.
  void setTask(Value task, Value heads);
};

/// The rows of a matrix [row][columns] with unit inner stride. A row is addressed by its rank and by the lane of its
/// residue.
struct LaneRows {
  LanesTask &task;
  View view;
  Value matrix; ///< pointer to row 0
  Value shift;  ///< the position of row 0
  Value count;  ///< number of rows
  int64_t columns;
  /// The distance in scratch memory, in elements, from one column of a rank to the next. It is `lanes`, unless the
  /// buffer holds lines of a grid (LineBuffer).
  int64_t stride;

  /// Returns the rows of `view`, one for each key, at the task's b and head `h` of the view.
  static LaneRows ofKeys(LanesTask &task, const View &view, Value h, int64_t columns);
  /// Returns the rows of `view`, one for each query, at the task's b and h.
  static LaneRows ofQueries(LanesTask &task, const View &view, int64_t columns);

  /// Returns the index of the row at rank `rank` of lane `lane`. If the lane has no row at this rank, returns the index
  /// of another row.
  Value row(Value rank, Value lane) const;
  /// Returns whether lane `lane` has a row at rank `rank` (i1).
  Value exists(Value rank, Value lane) const;
  /// Returns whether every lane has a row at each of the ranks [rank, rank + count) (i1).
  Value allExist(Value rank, int64_t count) const;
  /// Loads the rows of all lanes at rank `rank`, times `factor`, and stores them to target[column][lane]. Lanes without
  /// a row repeat another row. Returns `finite` plus 0 times the sum of the row's elements in each lane: this adds 0 if
  /// they are finite, else NaN. Prefetches the rows of the next rank.
  Value load(Value target, Value rank, double factor, Value finite) const;
  /// Stores source[column][lane] to the rows of all lanes at rank `rank`, or adds it to them if `adds`. Lanes without a
  /// row store nothing. Prefetches the rows of the next rank.
  void store(Value source, Value rank, bool adds = false) const;

private:
  /// Prefetches elements of the next rank. `pointers` point to the same elements of this rank.
  void prefetchNext(ArrayRef<Value> pointers, bool writes) const;
};

/// Computes the key ranks that the rows at ranks [rank, rank + tile.rows) see in each lane. Stores them to task.bounds,
/// from row `row` of that buffer on. Returns the ranks outside of which no lane sees a key, and the ranks that all
/// lanes see. Lanes without a row see every key if `absentSees`. Otherwise they see none, and no rank is common to all
/// lanes.
ColumnRange buildLaneBounds(ResiduesTask &task, const LaneRows &queries, Value rank, Value row, bool absentSees);
/// Calls `body` for steps of `step` ranks that cover `range`. Each step begins at a multiple of `step`. isMasked is
/// false for the steps within [commonBegin, commonEnd), all of whose pairs are visible.
void forEachStep(KernelBuilder &kb, const ColumnRange &range, int64_t step,
                 function_ref<void(Value rank, bool isMasked)> body);
/// Returns the lanes (i1) in which row `row` of task.bounds sees the key of rank `key`.
Value buildLaneVisible(ResiduesTask &task, Value row, Value key);

/// Returns whether `finite`, which LaneRows::load returned, is 0 in all lanes (i1). If so, all rows that were loaded
/// are finite.
Value buildIsFinite(LanesTask &task, Value finite);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_LANES_RESIDUELANES_H
