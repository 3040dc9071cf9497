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

/// The online-softmax state of a warp's 16 rows. A lane has the running maximum m of its two rows, its own partial sums
/// of l, and its elements of the unnormalised output o.
struct RowStates {
  Value largest[2], sum[2]; ///< m and l of the lane's two rows
  TileSums output;

  SmallVector<Value> flat() const;
  static RowStates of(ValueRange values);
};

struct AttendKernel : AttendRows {
  /// Reads the op's operands and attributes, for a kernel with `threads` threads per block.
  AttendKernel(xft::AttendOp op, KernelBuilder &kb, int64_t threads);

  xft::AttendOp op;
  View k, v, o;
  int64_t depth, valueDepth;     ///< D, Dv
  int64_t columns, valueColumns; ///< D and Dv in shared memory: rounded up to multiples of WarpProduct::unit
  bool isLinear;

  SharedMatrix query;
  SharedMatrix key, value;      ///< K and V of the current block of keys
  int64_t keyPlace, valuePlace; ///< offsets of `key` and `value` in a stage
  Value keyHead, valueHead;     ///< heads of K and V of the task (grouped-query attention)
  /// The ranks [sliceBegin, sliceEnd) of the keys that the task computes, multiples of blockKeys. Null if it computes
  /// all keys.
  Value sliceBegin, sliceEnd;

  /// Sets `predicate`, `score` and `dropout` from the op's operands. Builds the values that all their evaluations share
  /// at the insertion point, not at the head of the kernel.
  void readPairOperands();
  /// Allocates shared memory for `query`, `scores` and at most `mostStages` stages of `key` and `value`.
  void shareMatrices(int64_t mostStages = 2);
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

//===--- ExpandAttend.cpp ---===//
/// Computes a task as if all values were finite and, if its results are non-finite, again with careful products.
/// Returns the final states. Ends with a barrier of the block.
RowStates buildAttempts(AttendKernel &k);

//===--- AttendKeys.cpp ---===//
/// Returns the ranks of the keys that the block's rows see in a piece. `number` (i64) is the piece's index in the op.
SeenKeys buildSeenKeys(AttendKernel &k, Value number);
/// Returns the same ranks, where seenOf(piece) builds those of one piece.
SeenKeys buildSeenKeys(AttendKernel &k, Value number, function_ref<SeenKeys(PieceAttr piece)> seenOf);
/// Streams the visible blocks of keys of a piece through shared memory and updates the states with each (addValues).
/// Returns the updated states.
RowStates buildKeyBlocks(AttendKernel &k, const SeenKeys &seen, RowStates states, Value isCareful);

//===--- AttendScores.cpp ---===//
/// Returns the warp's tile of scores: its 16 rows by its keys of the block that begins at rank `keyBlock`. Masked pairs
/// get -inf, or -0 in linear attention.
TileSums buildScores(AttendKernel &k, const SeenKeys &seen, Value keyBlock);
/// Applies the dropout mask to a tile of probabilities: dropped pairs become -0, like masked pairs.
TileSums dropPairs(AttendKernel &k, const SeenKeys &seen, Value keyBlock, TileSums probabilities);

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
/// Updates the states with the warp's keys and values of the block that begins at rank `keyBlock`. Computes scores,
/// rescales m, l and o, and adds P V to o. If `isCareful` (i1), non-finite values reach only the rows that see them
/// (addCarefully).
RowStates addValues(AttendKernel &k, const SeenKeys &seen, Value keyBlock, const RowStates &states, Value isCareful);
/// Returns whether l or o of some row of the block is non-finite (i1, the same in all threads). Then the task must be
/// computed again with care. Contains a barrier.
Value buildNeedsCare(AttendKernel &k, const RowStates &states);
/// Normalises and stores o, and stores lse. If the op saves, stores the states for a later kernel instead.
void buildFinish(AttendKernel &k, const RowStates &states);

} // namespace mlir::xf::gpu

#endif // XF_COMPILER_TARGET_GPU_ATTEND_ATTENDKERNEL_H
