//===- AttendTask.h - What tasks of attention and its gradient share -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A task of attention works at one batch, head and residue. What a pattern says of it is here: which ranks of keys a
// row sees, and which rows may see a key.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_KERNEL_ATTEND_ATTENDTASK_H
#define XF_COMPILER_TARGET_KERNEL_ATTEND_ATTENDTASK_H

#include "compiler/Target/Kernel/Code/AffineCode.h"

namespace mlir::xf::kernel {

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
  /// Row `row` of a buffer of `real` with `stride` elements in a row.
  Value at(Value buffer, Value row, int64_t stride) { return kb.at(real, buffer, kb.mul(row, stride)); }
  /// Scalar broadcast from memory.
  Value splat(Value pointer) { return kb.broadcastLoad(real, lanes, pointer); }
};

/// The head of keys or values, or of their gradients, that belongs to a head of q.
Value headOf(AttendTask &task, const View &keys, Value head);

/// Element (b, h) of a clause's integer operand whose dimensions are the leading ones of (b, h), or one for all.
Value loadPerHead(AttendTask &task, Value operand);

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

/// The ranks (begin, end), counted from the first row, of the queries that may see a key of ranks [first, last); all
/// where the piece has no bounds of queries, begin >= end for none.
std::pair<Value, Value> buildQueryRange(AttendTask &task, PieceAttr piece, Value first, Value last);

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_ATTEND_ATTENDTASK_H
