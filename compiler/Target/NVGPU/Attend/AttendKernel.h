//===- AttendKernel.h - State of an attention kernel ---------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A task of `xft.attend` is a block of query rows, 16 for each warp; ranks of keys pass in blocks:
//
//   Q to shared memory                                                          ExpandAttend.cpp
//   for each piece, block of keys that some row sees                            AttendKeys.cpp
//     K, V of a block behind it on their way to shared memory, by all threads
//     each warp whose rows see some of its keys:
//       S = scale Q K^T, through the score region; masked pairs: -inf           AttendScores.cpp
//       P = exp(S - m), with m, l and o rescaled; o += P V                      AttendSoftmax.cpp
//   o / l, m + log l
//
// Values of masked pairs must not be seen, be they NaN: a product of tensor cores would see them. So a task is computed
// as if all values were finite; where its results are not, it is computed again, *carefully*: products leave values
// that are not finite out, and these are added pair by pair where pairs are not masked. All other sums are the same
// products in both attempts, so that no row notices what others see.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_NVGPU_ATTEND_ATTENDKERNEL_H
#define XF_COMPILER_TARGET_NVGPU_ATTEND_ATTENDKERNEL_H

#include "compiler/Target/NVGPU/Attend/AttendRows.h"

namespace mlir::xf::nvgpu {

/// What a warp knows of its 16 rows: m, partial sums l of this lane, unnormalised o.
struct RowStates {
  Value largest[2], sum[2]; ///< of the lane's two rows
  TileSums output;

  SmallVector<Value> flat() const;
  static RowStates of(ValueRange values);
};

struct AttendKernel : AttendRows {
  /// A kernel of blocks of `threads` threads.
  AttendKernel(xft::AttendOp op, KernelBuilder &kb, int64_t threads);

  xft::AttendOp op;
  View k, v, o;
  int64_t depth, valueDepth;     ///< D, Dv
  int64_t columns, valueColumns; ///< of them in shared memory: rounded up to whole units
  bool isLinear;

  SharedMatrix query;
  SharedMatrix key, value;      ///< of the block of keys that is computed with
  int64_t keyPlace, valuePlace; ///< of them in a stage
  Value keyHead, valueHead;     ///< of the task

  /// Takes shared memory for `query`, `key`, `value` and `scores`.
  void shareMatrices();
  /// Defines b, h, r and the block of rows of a tile: (block, b, t, r), r the fastest and blocks from the last one
  /// down, so that the longest causal rows come first.
  void locate(Value tile);

  Value keyAt(const SeenKeys &seen, Value rank);
};

//===--- AttendKeys.cpp ---===//
/// Which ranks of the keys of piece `number` (i64) are seen.
SeenKeys buildSeenKeys(AttendKernel &k, Value number);
/// All blocks of keys of a piece.
RowStates buildKeyBlocks(AttendKernel &k, const SeenKeys &seen, RowStates states, Value isCareful);

//===--- AttendScores.cpp ---===//
/// The scores of the warp's rows and a block of keys; -inf for masked pairs (linear: -0).
TileSums buildScores(AttendKernel &k, const SeenKeys &seen, Value keyBlock);
/// The probabilities that dropout keeps; the others become those of masked pairs.
TileSums dropPairs(AttendKernel &k, const SeenKeys &seen, Value keyBlock, TileSums probabilities);

//===--- AttendSoftmax.cpp ---===//
RowStates buildStart(AttendKernel &k);
/// Leaves m, l (whole) and o to the stage that follows.
void saveStates(AttendKernel &k, const RowStates &states, ArrayRef<Value> sums);
/// m + log l of one of the lane's two rows, -inf where l is 0.
void storeLse(AttendKernel &k, int64_t half, Value largest, Value sum);
RowStates addValues(AttendKernel &k, const SeenKeys &seen, Value keyBlock, const RowStates &states, Value isCareful);
/// Whether some state of the block is not finite (i1, the same in all threads).
Value buildNeedsCare(AttendKernel &k, const RowStates &states);
void buildFinish(AttendKernel &k, const RowStates &states);

} // namespace mlir::xf::nvgpu

#endif // XF_COMPILER_TARGET_NVGPU_ATTEND_ATTENDKERNEL_H
