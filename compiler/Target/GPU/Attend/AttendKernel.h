//===- AttendKernel.h - State of an attention kernel ---------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declares what all kernels of `xft.attend` on GPUs share. In some kernels, each warp works on its own (AttendWarps.h).
// In others, warpgroups have roles: one copies, the others compute (NVGPU/Attend/AttendWarpgroup.h).
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
  /// Reads the op's operands and attributes, for a kernel with `threads` threads per thread block.
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
  /// Returns the place of tile `tile` of the launch. Within a section of heads (TileOrder.h), the last blocks of rows
  /// come first, because the last rows see most keys in causal attention.
  Place placeOf(Value tile);
  /// Makes `place` the place of the current task: sets b, h, r, the heads of K and V, and the block of rows.
  void locate(const Place &place);

  /// Sets `heads` to the heads of K and V that the task's head `h` uses.
  void locateKeys();

  Value keyAt(const SeenKeys &seen, Value rank);
  /// Returns whether all pieces have the same map from ranks to keys.
  bool hasOneKeyMap();
  /// Returns the distance between the keys of consecutive ranks. Returns 0 if it varies, or if the pieces have
  /// different maps.
  int64_t keyStep();
};

//===--- AttendKeys.cpp ---===//
/// Builds the choice of piece `number` at run time. Returns the ranks of this piece's keys that rows of the task see.
/// `number` (i64) is an index among the op's pieces. seenOf(piece) builds the ranks for one piece.
SeenKeys buildSeenKeys(AttendKernel &k, Value number, function_ref<SeenKeys(PieceAttr piece)> seenOf);

//===--- AttendSoftmax.cpp ---===//
/// Returns the initial states of the warp's rows. If the op resumes, these are the states that an earlier kernel saved.
/// Otherwise, m = -inf and l = o = 0.
RowStates buildStart(AttendKernel &k);
/// Saves m, l and the unnormalised o for a later kernel that resumes. `sums` holds l of the lane's two rows, already
/// added over the lanes of each row.
void saveStates(AttendKernel &k, const RowStates &states, ArrayRef<Value> sums);
/// Stores lse = m + log l (-inf if l is 0) of row `half` of the lane's two rows. Also stores m and log l separately,
/// for the gradient. Stores each of the three only if the op has it as a result. `largest` is m, and `sum` is l.
void storeLse(AttendKernel &k, int64_t half, Value largest, Value sum);
/// Stores lse of one row to `lse`, unless `lse` is null. Stores m and log l of the row to the first two memrefs of
/// `kept`, unless `kept` is empty. `row` holds the row's indices: b, h and row of q. `largest` is m, and `sum` is l.
void storeLse(KernelBuilder &kb, ArrayRef<Value> row, Value lse, ValueRange kept, Value largest, Value sum);
/// Returns whether l or o is non-finite in some row of the row block (i1, the same in all threads). If so, the task
/// must be computed again, with careful products. Contains a barrier of the thread block.
Value buildNeedsCare(AttendKernel &k, const RowStates &states);
/// Stores the results of the warp's rows: the normalised o, and lse. If the op saves, stores the states instead, for a
/// later kernel that resumes.
void buildFinish(AttendKernel &k, const RowStates &states);

} // namespace mlir::xf::gpu

#endif // XF_COMPILER_TARGET_GPU_ATTEND_ATTENDKERNEL_H
