//===- AttendKernel.h - Shared code of an attention kernel ---- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A task of `xft.attend` is a block of query rows. Its code is
//
//   rows, pieces         AttendPieces.cpp   rows of q; for each piece, the keys that each row sees (AttendBlock.h)
//   keys and values      AttendGather.cpp   packing, where a task has a residue of its own
//   prefetches           AttendPrefetch.cpp the rows of the next task, see PrefetchRows.h
//   softmax state        AttendSoftmax.cpp  m, l, o of every row: start, rescale, finish
//   for each piece, key block, group of rows:
//     scores             AttendScores.cpp   S = Q K^T - m on a register tile, P = 2^S to a buffer in L1
//                        DropoutMask.cpp    the dropout mask
//                        AttendModify.cpp   S = score(Q K^T, b, h, i, j) - m, for an op with a score region
//     values             AttendValues.cpp   o += P V
//     both, by tiles     AttendTiles.cpp    where a predicate decides which pairs of a tile are masked
//
// Three rules make the results of a row independent, bit for bit, of everything but the row itself: key blocks and
// tiles lie at absolute ranks, whatever rows share a task; a row is rescaled by its own scores only; a masked pair has
// P = -0. Adding -0 leaves a sum as it is, and the sign bit marks the values that must be kept out of the product (0
// times NaN is NaN).
//
// Scores are natural logarithms. They are multiplied by log2 e only after m is subtracted, so that large scores lose no
// digits.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_ATTEND_ATTENDKERNEL_H
#define XF_COMPILER_TARGET_CPU_ATTEND_ATTENDKERNEL_H

#include "compiler/Target/CPU/Attend/DropoutMask.h"
#include "compiler/Target/CPU/Attend/GroupTiles.h"
#include "compiler/Target/CPU/Attend/PrefetchRows.h"
#include "compiler/Target/CPU/Operands/SharedKernels.h"

namespace mlir::xf::cpu {
using namespace kernel;

/// A piece at run time: one entry of the table of pieces.
struct PieceValues {
  Value keys, values, valueStride; ///< key panels and value rows of this (b, h, r); elements between rows
  Value begin, end;                ///< ranks that some row of the task sees
  Value rowBounds, groupBounds;    ///< see buildRowBounds, buildGroupBounds
  KeyMap map;
};

/// The index of a task: a head (b, h), a residue r, and a block of its queries.
struct AttendTaskIndex {
  Value b, h, r, block;
};

/// The state of the code of an `xft.attend` while it is built.
struct AttendKernel : AttendBlock {
  AttendKernel(xft::AttendOp op, const SharedOps &shared, KernelBuilder &kb);

  xft::AttendOp op;
  func::FuncOp kernel;
  const SharedOps &shared; ///< the ops that share this kernel; `op` is the first
  ChosenMap queries;       ///< index map of all pieces
  Value firstHead;
  int64_t depth, valueDepth, valueColumns; ///< D, Dv, Dv rounded up to whole registers
  View o;

  //===--- buffers in scratch, by row of the task unless said otherwise ---===//
  Value query;  ///< [row][D], times scale
  Value output; ///< [row][valueColumns], unnormalised
  Value sums;   ///< [row][lanes], partial sums of P
  Value shift;  ///< -m
  Value guard;  ///< of a group, at its first row: open until all rows have seen a key; see AttendSoftmax.cpp
  Value p;      ///< [row of a tile][blockKeys]
  Value spill;  ///< [row of a tile][width]: a tile of scores, for the rescaling function
  Value keyOf;  ///< i64 [blockKeys]: keys of the key block, for a score region or dropout
  Value kept;   ///< [row of a tile][blockKeys]: dropout mask, all bits or none
  Value pieceTable, rowBounds, groupBounds;
  Value tileStates;           ///< i64 [tile of a key block], see GroupTiles.h
  Value keyPanels, valueRows; ///< packed keys and values of the task's residue, if gathered

  BlockScores score;
  TilePredicate predicate;
  DropoutMask dropout;

  PrefetchRows prefetches; ///< rows of the next task

  /// Converts a difference of scores to an exponent of 2.
  Value toLog2(Value x) { return kb.mulf(x, kb.real(x.getType(), M_LOG2E)); }
};

//===--- AttendGather.cpp ---===//
/// Return the rows of k or v at the residue of a task that gathers them.
GatheredRows keysOf(AttendKernel &k, const AttendTaskIndex &task);
GatheredRows valuesOf(AttendKernel &k, const AttendTaskIndex &task);
/// Packs the keys (panels) and values (rows) of the residue of a task that gathers them.
void buildGathered(AttendKernel &k);

//===--- AttendPrefetch.cpp ---===//
/// Sets up the software prefetch of the rows of task `next`.
void buildNextRows(AttendKernel &k, const AttendTaskIndex &next);

//===--- AttendPieces.cpp ---===//
/// Fills rowOf and loads the rows of q, times scale, to scratch. Builds `body` under the condition that the task has
/// rows.
void buildRows(AttendKernel &k, Value block, function_ref<void()> body);
/// Fills the table of pieces and the bounds of rows and groups for each piece.
void buildPieceTable(AttendKernel &k);
/// Loads an entry of the table of pieces.
PieceValues readPiece(AttendKernel &k, Value number);

//===--- AttendSoftmax.cpp ---===//
/// Starts the softmax state of the rows: zeros, or the saved state of an earlier kernel.
void buildStart(AttendKernel &k);
/// Rescales the rows whose running maximum must grow (or be set) for this tile; returns the scores relative to the new
/// maxima. `p` holds earlier columns of the block in [firstColumn, column), which are rescaled with the rows.
SmallVector<Value> buildRescale(AttendKernel &k, RegisterTile shape, ValueRange scores, Value row, Value firstColumn,
                                Value column);
/// Stores the results of the rows: o and lse, or the state for a later kernel.
void buildFinish(AttendKernel &k);

//===--- AttendScores.cpp ---===//
/// Returns the scores, less m, of a tile at `column` of a key block.
SmallVector<Value> buildTileScores(AttendKernel &k, const PieceValues &piece, RegisterTile shape, Value row,
                                   Value keyBlock, Value column);
/// Stores P of a tile to its buffer and adds it to the row sums. `visible` has a mask for every register, or is empty.
/// Columns of P from firstColumn on are rescaled if the running maximum grows. Returns an i1, whether a score of -inf
/// masks some pair; null for ops without a score region.
Value buildProbabilities(AttendKernel &k, RegisterTile shape, SmallVector<Value> scores, Value row, Value firstColumn,
                         Value column, SmallVector<Value> visible);
/// Stores P of a group of rows for the columns in `range`. Returns whether a score of -inf masks some pair, as
/// buildProbabilities does.
Value buildScores(AttendKernel &k, const PieceValues &piece, Value row, Value keyBlock, const ColumnRange &range);

//===--- AttendModify.cpp ---===//
/// Applies the score region to a tile of scores at `column` of a key block; returns the results, less m.
SmallVector<Value> buildModified(AttendKernel &k, const PieceValues &piece, RegisterTile shape, ValueRange scores,
                                 Value row, Value keyBlock, Value column);

//===--- AttendValues.cpp ---===//
/// Builds code that adds P V of columns [begin, end) to the accumulators `sums`.
using ValueSums = function_ref<SmallVector<Value>(ValueRange sums, Value begin, Value end)>;
/// Builds the loops over the columns of a group of rows: with `careful` where a pair may be masked, else with `whole`.
using ValueLoop = function_ref<SmallVector<Value>(ValueRange sums, ValueSums careful, ValueSums whole)>;
/// Computes o += P V of a group of rows and a key block; `loop` builds the loops over its columns.
void buildValues(AttendKernel &k, const PieceValues &piece, Value row, Value keyBlock, ValueLoop loop);
/// Returns an i1, whether all values in these intervals of columns are finite: then masked pairs need no care.
Value buildHasFiniteValues(AttendKernel &k, const PieceValues &piece, Value keyBlock,
                           ArrayRef<std::pair<Value, Value>> columns);

//===--- AttendTiles.cpp ---===//
/// Builds scores and values of a group of rows by tiles. `hasFinite`, an i1 or null: whether all values of the key
/// block are finite.
void buildTiles(AttendKernel &k, const PieceValues &piece, Value row, Value keyBlock, const ColumnRange &range,
                Value hasFinite);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_ATTEND_ATTENDKERNEL_H
