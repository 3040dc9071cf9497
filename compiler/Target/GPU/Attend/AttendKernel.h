//===- AttendKernel.h - State of an attention kernel ---------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A task of `xft.attend` is a resident block of query rows, 16 for each warp; keys and values are streamed in blocks of
// ranks (online softmax):
//
//   Q to shared memory                                                          ExpandAttend.cpp
//   for each piece, visible block of keys                                       AttendKeys.cpp
//     copy K, V of a later block to shared memory, by all threads
//     each warp whose rows see keys of it:
//       S = scale Q K^T, through the score region; masked pairs: -inf           AttendScores.cpp
//       P = exp(S - m), with m, l and o rescaled; o += P V                      AttendSoftmax.cpp
//   o / l, m + log l
//
// Values of masked pairs must not affect results even if they are NaN, but tensor cores multiply them too. So a task is
// first computed as if all values were finite. If its results are non-finite, it is computed again, *carefully*:
// products skip non-finite values, which are then added one by one for pairs that are not masked. All other sums are
// the same products in both attempts, so that the result of a row does not depend on the keys that other rows see.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_GPU_ATTEND_ATTENDKERNEL_H
#define XF_COMPILER_TARGET_GPU_ATTEND_ATTENDKERNEL_H

#include "compiler/Target/GPU/Attend/AttendRows.h"

namespace mlir::xf::gpu {

/// The online-softmax state of a warp's 16 rows: running maximum m, this lane's partial sums l, unnormalised output o.
struct RowStates {
  Value largest[2], sum[2]; ///< m and l of the lane's two rows
  TileSums output;

  SmallVector<Value> flat() const;
  static RowStates of(ValueRange values);
};

struct AttendKernel : AttendRows {
  /// Describes a kernel with `threads` threads per block.
  AttendKernel(xft::AttendOp op, KernelBuilder &kb, int64_t threads);

  xft::AttendOp op;
  View k, v, o;
  int64_t depth, valueDepth;     ///< D, Dv
  int64_t columns, valueColumns; ///< D and Dv in shared memory: rounded up to multiples of WarpProduct::unit
  bool isLinear;

  SharedMatrix query;
  SharedMatrix key, value;      ///< of the current block of keys
  int64_t keyPlace, valuePlace; ///< their offsets in a stage
  Value keyHead, valueHead;     ///< heads of K and V of the task (grouped-query attention)

  /// Allocates shared memory for `query`, `key`, `value` and `scores`.
  void shareMatrices();
  /// Locates a tile of the grid: defines b, h, r and the block of rows. Order (block, b, t, r), r the fastest; blocks
  /// run from the last one down, so that the longest causal rows start first.
  void locate(Value tile);

  Value keyAt(const SeenKeys &seen, Value rank);
};

//===--- AttendKeys.cpp ---===//
/// Returns the ranks of the keys of piece `number` (i64) that the rows of the block see.
SeenKeys buildSeenKeys(AttendKernel &k, Value number);
/// Streams all visible blocks of keys of a piece; returns the updated states.
RowStates buildKeyBlocks(AttendKernel &k, const SeenKeys &seen, RowStates states, Value isCareful);

//===--- AttendScores.cpp ---===//
/// Returns the scores of the warp's rows and a block of keys; masked pairs have -inf (linear attention: -0).
TileSums buildScores(AttendKernel &k, const SeenKeys &seen, Value keyBlock);
/// Applies the dropout mask: dropped pairs become -0, like masked pairs.
TileSums dropPairs(AttendKernel &k, const SeenKeys &seen, Value keyBlock, TileSums probabilities);

//===--- AttendSoftmax.cpp ---===//
/// Returns the initial states: m = -inf, l = o = 0, or those that an earlier kernel saved.
RowStates buildStart(AttendKernel &k);
/// Saves m, l (complete sums) and unnormalised o for a later kernel that resumes.
void saveStates(AttendKernel &k, const RowStates &states, ArrayRef<Value> sums);
/// Stores lse = m + log l of one of the lane's two rows, -inf if l is 0, and m and log l for the gradient, if the op
/// has such results.
void storeLse(AttendKernel &k, int64_t half, Value largest, Value sum);
/// Adds a block of keys and values to the states: scores, P, then o += P V; carefully if `isCareful` (i1).
RowStates addValues(AttendKernel &k, const SeenKeys &seen, Value keyBlock, const RowStates &states, Value isCareful);
/// Returns whether l or o of some row of the block is non-finite (i1, the same in all threads).
Value buildNeedsCare(AttendKernel &k, const RowStates &states);
/// Stores o / l and lse, or saves the states for a later kernel.
void buildFinish(AttendKernel &k, const RowStates &states);

} // namespace mlir::xf::gpu

#endif // XF_COMPILER_TARGET_GPU_ATTEND_ATTENDKERNEL_H
