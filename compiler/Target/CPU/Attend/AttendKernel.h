//===- AttendKernel.h - What the code of one attention kernel shares -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A task of `xft.attend` is a block of query rows. Its code is
//
//   rows, pieces         AttendPieces.cpp   rows of q; for each piece, which keys the rows see (AttendBlock.h)
//   keys and values      AttendGather.cpp   where a task has a residue of its own
//   prefetches           AttendPrefetch.cpp the rows of the next task, see PrefetchRows.h
//   softmax state        AttendSoftmax.cpp  m, l, o of every row: start, rescale, finish
//   for each piece, key block, group of rows:
//     scores             AttendScores.cpp   S = Q K^T - m on a register tile, P = 2^S to a buffer in L1
//                        DropoutMask.cpp    which P dropout keeps
//                        AttendModify.cpp   S = score(Q K^T, b, h, i, j) - m, where there is a score region
//     values             AttendValues.cpp   o += P V
//     both, by tiles     AttendTiles.cpp    where a predicate says which pairs of a tile there are
//
// Three rules make results independent of everything but the row itself, bit for bit: key blocks and tiles lie at
// absolute ranks, whatever rows share a task; a row is rescaled by its own scores only; a masked pair has P = -0, which
// no sum sees and which, as a sign, keeps the masked value out of the product (0 times NaN would not).
//
// Scores are natural logarithms, scaled by log2 e only after m is subtracted, so that large scores lose nothing.
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

/// A piece at run time, as its entry in the table of pieces.
struct PieceValues {
  Value keys, values, valueStride; ///< panels of this (b, h, r); rows of values and the elements between them
  Value begin, end;                ///< ranks that some row of the task sees
  Value rowBounds, groupBounds;    ///< see buildBounds
  KeyMap map;
};

/// A task: block of queries at a residue, of a head.
struct AttendTaskIndex {
  Value b, h, r, block;
};

struct AttendKernel : AttendBlock {
  AttendKernel(xft::AttendOp op, const SharedOps &shared, KernelBuilder &kb);

  xft::AttendOp op;
  func::FuncOp kernel;
  const SharedOps &shared; ///< of which `op` is the first
  ChosenMap queries;       ///< index map of all pieces
  Value firstHead;
  int64_t depth, valueDepth, valueColumns; ///< D, Dv, Dv rounded up to whole registers
  View o;

  //===--- buffers in scratch, by row of the task unless said otherwise ---===//
  Value query;  ///< [row][D], times scale
  Value output; ///< [row][valueColumns], unnormalised
  Value sums;   ///< [row][lanes], partial sums of P
  Value shift;  ///< -m
  Value guard;  ///< open until all rows of a group (at its first row) have seen a key; see AttendSoftmax.cpp
  Value p;      ///< [row of a tile][blockKeys]
  Value spill;  ///< [row of a tile][width]: a tile of scores, for the rescaling function
  Value keyOf;  ///< i64 [blockKeys]: keys of the key block, where a score region or dropout needs them
  Value kept;   ///< [row of a tile][blockKeys], all bits or none: what dropout keeps
  Value pieceTable, rowBounds, groupBounds;
  Value tileStates;           ///< i64 [tile of a key block], see GroupTiles.h
  Value keyPanels, valueRows; ///< of the task's residue, where the task gathers them

  BlockScores score;
  TilePredicate predicate;
  DropoutMask dropout;

  PrefetchRows prefetches; ///< of the next task

  /// Differences of scores as exponents of 2.
  Value toLog2(Value x) { return kb.mulf(x, kb.real(x.getType(), M_LOG2E)); }
};

//===--- AttendGather.cpp ---===//
/// The rows of k or v at the residue of a task that gathers them.
GatheredRows keysOf(AttendKernel &k, const AttendTaskIndex &task);
GatheredRows valuesOf(AttendKernel &k, const AttendTaskIndex &task);
/// Gathers the keys and values of residue r, where that is the task's.
void buildGathered(AttendKernel &k);

//===--- AttendPrefetch.cpp ---===//
/// Where the rows of the next task lie.
void buildNextRows(AttendKernel &k, const AttendTaskIndex &next);

//===--- AttendPieces.cpp ---===//
/// Fills rowOf, and loads the rows of q. `body` runs where the task has rows.
void buildRows(AttendKernel &k, Value block, function_ref<void()> body);
/// Fills the table of pieces.
void buildPieceTable(AttendKernel &k);
PieceValues readPiece(AttendKernel &k, Value number);

//===--- AttendSoftmax.cpp ---===//
void buildStart(AttendKernel &k);
/// Rescales the rows of a tile that need it; gives the tile relative to the new maxima.
SmallVector<Value> buildRescale(AttendKernel &k, RegisterTile shape, ValueRange scores, Value row, Value firstColumn,
                                Value column);
void buildFinish(AttendKernel &k);

//===--- AttendScores.cpp ---===//
/// The scores of a tile at `column` of a key block, less m.
SmallVector<Value> buildTileScores(AttendKernel &k, const PieceValues &piece, RegisterTile shape, Value row,
                                   Value keyBlock, Value column);
/// P of a tile to its buffer, its sums to those of the rows. `visible` has a mask for every register, or none. Returns
/// whether a score of -inf hides some pair, an i1, or null where none can. P from firstColumn on is rescaled if need
/// be.
Value buildProbabilities(AttendKernel &k, RegisterTile shape, SmallVector<Value> scores, Value row, Value firstColumn,
                         Value column, SmallVector<Value> visible);
/// P of a group of rows. Returns whether a score of -inf hides some pair, as above.
Value buildScores(AttendKernel &k, const PieceValues &piece, Value row, Value keyBlock, const ColumnRange &range);

//===--- AttendModify.cpp ---===//
/// What the score region makes of a tile of scores at `column` of a key block, less m.
SmallVector<Value> buildModified(AttendKernel &k, const PieceValues &piece, RegisterTile shape, ValueRange scores,
                                 Value row, Value keyBlock, Value column);

//===--- AttendValues.cpp ---===//
/// Adds the products with the values of columns [begin, end) to accumulators.
using ValueSums = function_ref<SmallVector<Value>(ValueRange sums, Value begin, Value end)>;
/// The columns of a group of rows: `careful` where a pair may be masked, else `whole`.
using ValueLoop = function_ref<SmallVector<Value>(ValueRange sums, ValueSums careful, ValueSums whole)>;
void buildValues(AttendKernel &k, const PieceValues &piece, Value row, Value keyBlock, ValueLoop loop);
/// Whether no value of these intervals of columns is infinite or NaN: then masked pairs need no care.
Value buildHasFiniteValues(AttendKernel &k, const PieceValues &piece, Value keyBlock,
                           ArrayRef<std::pair<Value, Value>> columns);

//===--- AttendTiles.cpp ---===//
/// Scores and values of a group of rows by tiles; `hasFinite` says that of all values of the key block, or is null.
void buildTiles(AttendKernel &k, const PieceValues &piece, Value row, Value keyBlock, const ColumnRange &range,
                Value hasFinite);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_ATTEND_ATTENDKERNEL_H
