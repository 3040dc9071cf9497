//===- AttendTask.h - Shared code of attention tasks ---------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Evaluates the pattern of an attention task: the ranks of keys that a row sees, and the rows that may see a key. A
// task is one batch entry, head and residue. A rank is the place of a query or key in its residue.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_KERNEL_ATTEND_ATTENDTASK_H
#define XF_COMPILER_TARGET_KERNEL_ATTEND_ATTENDTASK_H

#include "compiler/Target/Kernel/Code/AffineCode.h"
#include "compiler/Target/Kernel/Code/ProductForm.h"

namespace mlir::xf::kernel {

/// The clauses of an op that limit which keys its rows see. They are memref operands, or null if the op lacks the
/// clause.
struct AttendLimits {
  Value lengths, queryLengths;
  ValueRange symbols;
};

/// Which part of all queries is in q. `all` is the number of all queries. `first` is the index of q's first row among
/// them. Both are null if q has all queries.
struct QueryPart {
  Value all, first;
};

/// The number of rows and of keys in a group of xft.tabulate.
struct TableGroups {
  int64_t rows, keys;
};

/// The values that the code of every attention task shares.
struct AttendTask {
  template <typename OpTy>
  AttendTask(KernelBuilder &kb, OpTy op)
      : kb(kb), q(View::of(kb, op.getQ())), nq(q.sizes[2]),
        limits{op.getLengths(), op.getQueryLengths(), op.getSymbols()} {}

  KernelBuilder &kb;
  View q;
  Type real; ///< f32 or f64
  int64_t lanes = 1;
  TableGroups tableGroups = {1, 1};

  Value nq, nk;
  QueryPart part;
  AttendLimits limits;

  Value b, h, r;

  /// Returns i32 or i64, as wide as `real`.
  Type integer() const { return real.isF64() ? kb.b.getI64Type() : kb.b.getI32Type(); }
  /// Sets `part` from `clause`, the op's part of queries, which may be null.
  void setPart(Value clause);
  /// Returns the number of all queries, also if q is only a part of them.
  Value queryCount() const { return part.all ? part.all : nq; }
  /// Returns the index of row `row` of q among all queries.
  Value rowNumber(Value row) { return part.first ? kb.add(row, part.first) : row; }
  /// Return the position of the first row of q on the axis of keys, and the end of the positions of its rows.
  Value firstPosition() {
    Value first = kb.sub(nk, queryCount());
    return part.first ? kb.add(first, part.first) : first;
  }
  Value endPosition() { return part.first ? kb.add(firstPosition(), nq) : nk; }

  VectorType vector() const { return kb.vector(real, lanes); }
  /// Returns the form of the task's products, a fused multiply-add of `real`.
  ProductForm form() const { return ProductForm::multiplyAdd(real); }
  /// Returns a pointer to row `row` of a buffer of `real` with `stride` elements per row.
  Value at(Value buffer, Value row, int64_t stride) { return kb.at(real, buffer, kb.mul(row, stride)); }
  /// Loads the element of type `real` at `pointer` to all lanes of a register.
  Value splat(Value pointer) { return kb.broadcastLoad(real, lanes, pointer); }
};

/// Returns the head of `keys` that head `head` of q uses. `keys` are keys, values or their gradients. Several heads of
/// q may share one head of keys.
Value headOf(AttendTask &task, const View &keys, Value head);

/// Loads the element of a clause's integer operand (such as lengths) for the task's b and h. Returns it as i64. The
/// dimensions of the operand are (), (b) or (b, h). A dimension of size 1 has one element for all indices.
Value loadPerHead(AttendTask &task, Value operand);

/// The bounds of one piece, with the run-time values that they depend on.
struct PieceBounds {
  AttendTask &task;
  PieceAttr piece;
  SmallVector<Value> symbols; ///< Nq, Nk, and the run-time symbols of the op
  Value keyLimit, rowLimit;   ///< first key and first row that are padding, as are all after them; rowLimit may be null

  /// Returns the bounds of `piece`. Loads the symbols and limits for the task's b and h.
  static PieceBounds of(AttendTask &task, PieceAttr piece);
  /// Evaluates `map`, one of the piece's affine maps, at the position of a query or key. Returns its results, or none
  /// if the map is null.
  SmallVector<Value> evaluate(AffineMap map, Value position);
  /// Returns the interval [lower, upper) of the ranks that row `row` of q sees among `keys`. It is empty (lower =
  /// upper) if the row sees no key.
  std::pair<Value, Value> interval(const ResidueMap &keys, Value row);
};

/// Returns an interval [begin, end) of ranks that contains all queries that see some key of ranks [first, last). Ranks
/// of queries are counted from the rank of the first row of q. If the piece has no bounds of queries by key, the
/// interval contains all queries. If no query sees one of the keys, begin >= end. Several threads may share the work:
/// this thread evaluates the keys of ranks `first`, `first` + `step`, .. below `last`. Then `join` replaces `lower` by
/// the least `lower` of all threads, and `upper` by the greatest `upper`.
std::pair<Value, Value> buildQueryRange(AttendTask &task, PieceAttr piece, Value first, Value last, int64_t step = 1,
                                        function_ref<void(Value &lower, Value &upper)> join = nullptr);

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_ATTEND_ATTENDTASK_H
