//===- AttendTask.h - What tasks of attention and its gradient share -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Both kernels of attention, forward and gradient, work on a block of query rows and a block of key ranks of one piece:
// which rows the block has, and which ranks each of them sees.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_ATTENDTASK_H
#define XF_COMPILER_TARGET_CPU_ATTENDTASK_H

#include "compiler/Target/CPU/GatherRows.h"
#include "compiler/Target/CPU/RegisterTile.h"
#include "dialects/xft/IR/XftOps.h"

namespace mlir::xf::cpu {
using namespace kernel;

/// Columns [begin, end) of a key block, of which all rows of a group see [commonBegin, commonEnd).
struct ColumnRange {
  Value begin, commonBegin, commonEnd, end;
};

struct AttendTask {
  AttendTask(KernelBuilder &kb, Value q) : kb(kb), q(View::of(kb, q)) {}

  KernelBuilder &kb;
  View q;
  Type real, integer; ///< f32 and i32, or f64 and i64
  int64_t lanes;
  int64_t tileRows, tileRegisters, blockRows, blockKeys; ///< xft.attend_tile

  Value nq, nk;
  Value lengths, queryLengths; ///< memref operands of the op, or null
  ValueRange symbols;

  Value b, h, r;
  Value rowOf;                ///< i64 [row]: row of q
  Value rowCount, paddedRows; ///< rows of the block; the same rounded up to whole tiles

  int64_t width() const { return tileRegisters * lanes; }
  VectorType vector() const { return kb.vector(real, lanes); }
  /// Row `row` of a buffer of `real` with `stride` elements in a row.
  Value at(Value buffer, Value row, int64_t stride) { return kb.at(real, buffer, kb.mul(row, stride)); }
  /// Scalar broadcast from memory.
  Value splat(Value pointer) { return kb.broadcastLoad(real, lanes, pointer); }
  Value rowIndex(Value row) { return kb.load(kb.i64(), kb.at(kb.i64(), rowOf, row)); }

  void setTile(xft::AttendTileAttr tile, Type type);
};

/// The head of keys or values, or of their gradients, that belongs to a head of q.
Value headOf(AttendTask &task, const View &keys, Value head);

/// The rows of q, o, or their gradients by rank of a position; those before the first row do not exist.
GatheredRows positionsOf(AttendTask &task, const ResidueMap &map, const View &view, int64_t columns, Value b, Value h);

/// Fills rowOf with block `block` of the rows that `queries` walks, padded with its last row; defines rowCount and
/// paddedRows. `body` runs where the block has rows.
void buildRowsOf(AttendTask &task, IndexMapAttr queries, Value block, function_ref<void()> body);

/// What the bounds of one piece are evaluated with.
struct PieceBounds {
  AttendTask &task;
  PieceAttr piece;
  SmallVector<Value> symbols; ///< Nq, Nk, p..
  Value keyLimit, rowLimit;   ///< keys and rows beyond are padding; the latter may be null

  static PieceBounds of(AttendTask &task, PieceAttr piece);
  /// The results of one of the piece's maps.
  SmallVector<Value> evaluate(AffineMap map, Value position);
  /// Ranks [lower, upper) in `keys` that the row sees, lower = upper for none.
  std::pair<Value, Value> interval(const ResidueMap &keys, Value row);
};

/// Evaluates the bounds of `piece`: `rows` gets (lower, upper) of the key ranks that each row sees, lower = upper for
/// none; `groups` (begin, commonBegin, commonEnd, end) for each group of tileRows rows: the ranks that some row sees
/// and those that all see. Returns the ranks (begin, end) that some row of the block sees, (INT64_MAX, 0) for none.
/// With `paddingSees`, rows beyond rowCount see what the last row sees; otherwise nothing.
std::pair<Value, Value> buildBounds(AttendTask &task, PieceAttr piece, Value rows, Value groups, bool paddingSees);

/// The columns of the key block at rank `keyBlock` that the group at `row` sees.
ColumnRange buildColumnRange(AttendTask &task, Value groups, Value row, Value keyBlock);

/// Lanes of the register at rank `rank` that `row` sees.
Value buildVisible(AttendTask &task, Value rows, Value row, Value rank);

/// The ranks (begin, end), counted from the first row, of the queries that may see a key of ranks [first, last); all
/// where the piece has no bounds of queries, begin >= end for none.
std::pair<Value, Value> buildQueryRange(AttendTask &task, PieceAttr piece, Value first, Value last);

/// Element (b, h) of a clause's integer operand whose dimensions are the leading ones of (b, h), or one for all.
Value loadPerHead(AttendTask &task, Value operand);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_ATTENDTASK_H
