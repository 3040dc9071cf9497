//===- AttendTask.h - Shared code of attention tasks ---------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A task of attention works on one batch entry, head and residue. The code here evaluates the pattern: the ranks of
// keys that a row sees, and the rows that may see a key.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_KERNEL_ATTEND_ATTENDTASK_H
#define XF_COMPILER_TARGET_KERNEL_ATTEND_ATTENDTASK_H

#include "compiler/Target/Kernel/Code/AffineCode.h"
#include "compiler/Target/Kernel/Code/ProductForm.h"

namespace mlir::xf::kernel {

/// The values that the code of every attention task shares.
struct AttendTask {
  AttendTask(KernelBuilder &kb, Value q) : kb(kb), q(View::of(kb, q)) {}

  KernelBuilder &kb;
  View q;
  Type real, integer; ///< f32 and i32, or f64 and i64
  int64_t lanes;
  int64_t rowGroup, keyGroup; ///< rows and keys in a group of xft.tabulate

  Value nq, nk;
  Value lengths, queryLengths; ///< memref operands of the op, or null
  ValueRange symbols;

  Value b, h, r;

  VectorType vector() const { return kb.vector(real, lanes); }
  /// Returns the form of products of weights with rows.
  ProductForm form() const { return ProductForm::multiplyAdd(real); }
  /// Returns a pointer to row `row` of a buffer of `real` with `stride` elements per row.
  Value at(Value buffer, Value row, int64_t stride) { return kb.at(real, buffer, kb.mul(row, stride)); }
  /// Loads a scalar and broadcasts it.
  Value splat(Value pointer) { return kb.broadcastLoad(real, lanes, pointer); }
};

/// Returns the head of keys or values, or of their gradients, that a head of q uses.
Value headOf(AttendTask &task, const View &keys, Value head);

/// Loads element (b, h) of an integer operand of a clause. Its dimensions are the leading ones of (b, h); a size of 1
/// serves all.
Value loadPerHead(AttendTask &task, Value operand);

/// The operands of the bounds of one piece.
struct PieceBounds {
  AttendTask &task;
  PieceAttr piece;
  SmallVector<Value> symbols; ///< Nq, Nk, p..
  Value keyLimit, rowLimit;   ///< keys, rows from here on are padding; rowLimit may be null

  /// Loads the symbols and limits of the task.
  static PieceBounds of(AttendTask &task, PieceAttr piece);
  /// Returns the results of one of the piece's maps.
  SmallVector<Value> evaluate(AffineMap map, Value position);
  /// Returns the ranks [lower, upper) of `keys` that the row sees, lower = upper for none.
  std::pair<Value, Value> interval(const ResidueMap &keys, Value row);
};

/// Returns the ranks (begin, end), counted from the first row, of the queries that may see a key of ranks [first,
/// last); all for a piece without bounds of queries, begin >= end for none.
std::pair<Value, Value> buildQueryRange(AttendTask &task, PieceAttr piece, Value first, Value last);

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_ATTEND_ATTENDTASK_H
