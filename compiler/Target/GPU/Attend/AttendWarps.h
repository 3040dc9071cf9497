//===- AttendWarps.h - Attention by warps --------------------- -*- C++ -*-===//
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
// Values of masked pairs must not affect results even if they are NaN, but tensor cores multiply them, too. So a task
// is first computed as if all values were finite. If its results are non-finite, the task is computed again,
// *carefully*: products leave out non-finite values, which are then added one by one to the rows that see them. All
// other terms are added as in the first attempt, so the result of a row has the same bits whatever keys other rows see.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_GPU_ATTEND_ATTENDWARPS_H
#define XF_COMPILER_TARGET_GPU_ATTEND_ATTENDWARPS_H

#include "compiler/Target/GPU/Attend/AttendKernel.h"

namespace mlir::xf::gpu {

/// The shared memory of a kernel.
struct AttendBuffers {
  explicit AttendBuffers(ThreadBlock &block) : stages(block) {}

  SharedMatrix query;  ///< Q of the block of rows
  SharedMatrix scores; ///< the warp's tile of scores (AttendRows::shareTiles)
  Stages stages;
  int64_t keyPlace = 0, valuePlace = 0; ///< offsets of K and V in a stage
};

/// The matrices K and V of the warp's keys in a key block. They lie in a stage of the pipeline.
struct KeyMatrices {
  SharedMatrix key, value;
};

/// The slice of keys that a task computes: ranks [begin, end). Both are multiples of the number of keys of a key block.
/// Both are null if the task computes all keys.
struct KeySlice {
  Value number, begin, end;
};

struct AttendWarpKernel : AttendKernel {
  AttendWarpKernel(xft::AttendOp op, KernelBuilder &kb, int64_t threads);

  WarpKeys keys;
  KeySlice slice;
  AttendBuffers buffers;

  /// Allocates the buffers, with at most `mostStages` stages.
  void shareMatrices(int64_t mostStages = 2);
};

//===--- ExpandAttend.cpp ---===//
/// Computes a task as if all values were finite. If its results are non-finite, computes it again with careful
/// products. Returns the final states. Ends with a barrier of the thread block.
RowStates buildAttempts(AttendWarpKernel &k);

//===--- AttendKeys.cpp ---===//
/// Returns the ranks of the keys of a piece that rows of the task see, within the task's slice. `number` (i64) is the
/// piece's index in the op.
SeenKeys buildSeenKeys(AttendWarpKernel &k, Value number);
/// Streams the visible key blocks of a piece through shared memory, and updates the states with each of them
/// (addValues). `seen` has the visible ranks of the piece. Returns the updated states.
RowStates buildKeyBlocks(AttendWarpKernel &k, const SeenKeys &seen, RowStates states, Value isCareful);

//===--- AttendScores.cpp ---===//
/// Returns the warp's tile of scores: its 16 rows by its keys of a key block. `keyBlock` is the rank of the first of
/// these keys, and `key` is their matrix K. Masked pairs get -inf, or -0 in linear attention.
TileSums buildScores(AttendWarpKernel &k, const SharedMatrix &key, const SeenKeys &seen, Value keyBlock);
/// Applies the dropout mask to a tile of probabilities: dropped pairs become -0, like masked pairs.
TileSums dropPairs(AttendWarpKernel &k, const SeenKeys &seen, Value keyBlock, TileSums probabilities);

//===--- AttendSoftmax.cpp ---===//
/// Updates the states with the warp's keys of a key block: computes scores, updates m, rescales l and o, and adds P V
/// to o. `block` has K and V of these keys, and `keyBlock` is the rank of the first one. If `isCareful` (i1),
/// non-finite values reach only the rows that see them (addCarefully). Returns the updated states.
RowStates addValues(AttendWarpKernel &k, const KeyMatrices &block, const SeenKeys &seen, Value keyBlock,
                    const RowStates &states, Value isCareful);

} // namespace mlir::xf::gpu

#endif // XF_COMPILER_TARGET_GPU_ATTEND_ATTENDWARPS_H
