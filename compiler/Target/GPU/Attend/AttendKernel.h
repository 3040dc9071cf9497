//===- AttendKernel.h - State of an attention kernel ---------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What all kernels of `xft.attend` on GPUs share: those whose warps work on their own (AttendWarps.h), and those of
// warpgroups with roles.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_GPU_ATTEND_ATTENDKERNEL_H
#define XF_COMPILER_TARGET_GPU_ATTEND_ATTENDKERNEL_H

#include "compiler/Target/GPU/Attend/AttendRows.h"

namespace mlir::xf::gpu {

/// The online-softmax state of a warp's 16 rows. A lane has the running maximum m of its two rows, its own partial sums
/// of l, and its elements of the unnormalised output o.
struct RowStates {
  Value largest[2], sum[2]; ///< m and l of the lane's two rows
  TileSums output;

  SmallVector<Value> flat() const;
  static RowStates of(ValueRange values);
};

/// The operands of `xft.attend`, except q, and its result o.
struct AttendOperands {
  AttendOperands(xft::AttendOp op, KernelBuilder &kb);

  View k, v, o;
  HeadSizes sizes;
};

struct AttendKernel : AttendRows {
  /// Reads the op's operands and attributes, for a kernel with `threads` threads per block.
  AttendKernel(xft::AttendOp op, KernelBuilder &kb, int64_t threads);

  xft::AttendOp op;
  AttendOperands operands;
  KeyHeads heads; ///< of the task

  bool isLinear() { return op.getLinear(); }
  int64_t depth() const { return operands.sizes.depth; }
  int64_t valueDepth() const { return operands.sizes.valueDepth; }
  int64_t columns() const { return operands.sizes.columns(); }
  int64_t valueColumns() const { return operands.sizes.valueColumns(); }

  /// A task's place in the grid: batch entry, head, residue and block of rows.
  struct Place {
    Value b, h, r, number;
  };
  /// Returns the place of tile `tile` of the launch. In a section of heads (TileOrder.h), blocks of rows count down
  /// from the last one, so that the longest causal rows start first.
  Place placeOf(Value tile);
  /// Selects the batch entry, the heads, the residue and the block of rows of `place`.
  void locate(const Place &place);

  /// Selects the heads of K and V that the task's head h uses.
  void locateKeys();

  Value keyAt(const SeenKeys &seen, Value rank);
  /// Returns true if the pieces have the same map from ranks to keys.
  bool hasOneKeyMap();
  /// Returns the distance between the keys of consecutive ranks, or 0 if it varies.
  int64_t keyStep();
};

//===--- AttendKeys.cpp ---===//
/// Returns the ranks of the keys that the block's rows see in a piece. `number` (i64) is the piece's index in the op,
/// and seenOf(piece) builds the ranks of one piece.
SeenKeys buildSeenKeys(AttendKernel &k, Value number, function_ref<SeenKeys(PieceAttr piece)> seenOf);

//===--- AttendSoftmax.cpp ---===//
/// Returns the initial states of the warp's rows: m = -inf and l = o = 0 or, if the op resumes, the states that an
/// earlier kernel saved.
RowStates buildStart(AttendKernel &k);
/// Saves m, l and the unnormalised o for a later kernel that resumes. `sums` holds l of the lane's two rows, already
/// added over the lanes of each row.
void saveStates(AttendKernel &k, const RowStates &states, ArrayRef<Value> sums);
/// Stores lse = m + log l of row `half` of the lane's two rows (-inf if l is 0). For the gradient, also stores m and
/// log l separately. Each of the three is stored only if the op has it as a result.
void storeLse(AttendKernel &k, int64_t half, Value largest, Value sum);
/// Stores lse of the row at indices `row` (b, h, row) to `lse`, unless `lse` is null. Stores m and log l of the row to
/// the first two of `kept`, unless `kept` is empty. `largest` is m, and `sum` is l.
void storeLse(KernelBuilder &kb, ArrayRef<Value> row, Value lse, ValueRange kept, Value largest, Value sum);
/// Returns whether l or o of some row of the block is non-finite (i1, the same in all threads). Then the task must be
/// computed again with care. Contains a barrier.
Value buildNeedsCare(AttendKernel &k, const RowStates &states);
/// Normalises and stores o, and stores lse. If the op saves, stores the states for a later kernel instead.
void buildFinish(AttendKernel &k, const RowStates &states);

} // namespace mlir::xf::gpu

#endif // XF_COMPILER_TARGET_GPU_ATTEND_ATTENDKERNEL_H
