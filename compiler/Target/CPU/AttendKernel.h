//===- AttendKernel.h - What the code of one attention kernel shares -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A task of `xft.attend` is a block of query rows. Its code is
//
//   rows and bounds      AttendBounds.cpp   which keys each row sees, as intervals of ranks
//   softmax state        AttendSoftmax.cpp  m, l, o of every row: start, rescale, finish
//   for each piece, key block, group of rows:
//     scores             AttendScores.cpp   S = Q K^T - m on a register tile, P = 2^S to a buffer in L1
//     values             AttendValues.cpp   o += P V
//
// Three rules make results independent of everything but the row itself, bit for bit: key blocks and tiles lie at
// absolute ranks, whatever rows share a task; a row is rescaled by its own scores only; a hidden pair has P = -0, which
// no sum sees and which, as a sign, keeps the hidden value out of the product (0 times NaN would not).
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_ATTENDKERNEL_H
#define XF_COMPILER_TARGET_CPU_ATTENDKERNEL_H

#include "compiler/Target/CPU/KernelBuilder.h"
#include "compiler/Target/CPU/RegisterTile.h"
#include "dialects/xft/IR/XftOps.h"

namespace mlir::xf::cpu {

/// Columns [begin, end) of a key block, of which all rows of a group see [commonBegin, commonEnd).
struct ColumnRange {
  Value begin, commonBegin, commonEnd, end;
};

/// A piece at run time, as its entry in the table of pieces.
struct PieceValues {
  Value keys, values, valueStride; ///< panels of this (b, h, r); rows of values and the elements between them
  Value begin, end;                ///< ranks that some row of the task sees
  Value rowBounds, groupBounds;    ///< see AttendBounds.cpp
};

struct AttendKernel {
  AttendKernel(xft::AttendOp op, KernelBuilder &kb);

  KernelBuilder &kb;
  xft::AttendOp op;
  func::FuncOp kernel;
  Type real, integer; ///< f32 and i32, or f64 and i64
  int64_t lanes;
  int64_t tileRows, tileRegisters, blockRows, blockKeys; ///< xft.attend_tile
  int64_t depth, valueDepth, valueColumns;               ///< D, Dv, Dv rounded up to whole registers
  int64_t width() const { return tileRegisters * lanes; }
  VectorType vector() const { return kb.vector(real, lanes); }

  View q, o;
  Value nq, nk;

  //===--- buffers in scratch, by row of the task unless said otherwise ---===//
  Value rowOf;  ///< i64: row of q
  Value query;  ///< [row][D], times scale and log2 e
  Value output; ///< [row][valueColumns], unnormalised
  Value sums;   ///< [row][lanes], partial sums of P
  Value shift;  ///< -m, in units of log2
  Value guard;  ///< bits of the score above which a group (at its first row) is rescaled
  Value p;      ///< [row of a tile][blockKeys]
  Value spill;  ///< [row of a tile][width]: a tile of scores, for the rescaling function
  Value pieceTable, rowBounds, groupBounds;

  //===--- the task ---===//
  Value b, h, keyHead, r;
  Value rowCount, paddedRows; ///< rows; the same rounded up to whole tiles: rows beyond the last repeat it

  Value at(Value buffer, Value row, int64_t stride) { return kb.at(real, buffer, kb.mul(row, stride)); }
  /// Scalar broadcast from memory.
  Value splat(Value pointer) { return kb.broadcastLoad(real, lanes, pointer); }
};

//===--- AttendBounds.cpp ---===//
/// Fills rowOf, and loads the rows of q; defines rowCount and paddedRows. `body` runs where the task has rows.
void buildRows(AttendKernel &k, Value block, function_ref<void()> body);
/// Fills the table of pieces.
void buildPieceTable(AttendKernel &k);
PieceValues readPiece(AttendKernel &k, Value number);
/// The columns of a key block that the group at `row` sees.
ColumnRange buildColumnRange(AttendKernel &k, const PieceValues &piece, Value row, Value keyBlock);
/// Lanes of the register at `column` of a key block that `row` sees.
Value buildVisible(AttendKernel &k, const PieceValues &piece, Value row, Value column);

//===--- AttendSoftmax.cpp ---===//
void buildStart(AttendKernel &k);
/// Rescales the rows of a tile that need it; gives the tile relative to the new maxima.
SmallVector<Value> buildRescale(AttendKernel &k, RegisterTile shape, ValueRange scores, Value row, Value firstColumn,
                                Value column);
void buildFinish(AttendKernel &k);

//===--- AttendScores.cpp ---===//
void buildScores(AttendKernel &k, const PieceValues &piece, Value row, Value keyBlock, const ColumnRange &range);

//===--- AttendValues.cpp ---===//
void buildValues(AttendKernel &k, const PieceValues &piece, Value row, Value keyBlock, const ColumnRange &range);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_ATTENDKERNEL_H
