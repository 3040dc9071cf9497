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
// Values of masked pairs must not affect results even if they are NaN, but tensor cores multiply them too. So a task is
// first computed as if all values were finite. If its results are non-finite, it is computed again, *carefully*:
// products skip non-finite values, which are then added one by one for pairs that are not masked. All other sums are
// the same products in both attempts, so that the result of a row does not depend on the keys that other rows see.
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

/// K and V of the warp's keys of a block, in a stage.
struct KeyMatrices {
  SharedMatrix key, value;
};

/// The slice of keys that a task computes, ranks [begin, end), multiples of the keys of a block. `begin` and `end` are
/// null if the task computes all keys.
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
/// Computes a task as if all values were finite and, if its results are non-finite, again with careful products.
/// Returns the final states. Ends with a barrier of the block.
RowStates buildAttempts(AttendWarpKernel &k);

//===--- AttendKeys.cpp ---===//
/// Returns the ranks of the keys that the block's rows see in a piece, within the task's slice. `number` (i64) is the
/// piece's index in the op.
SeenKeys buildSeenKeys(AttendWarpKernel &k, Value number);
/// Streams the visible blocks of keys of a piece through shared memory and updates the states with each (addValues).
/// Returns the updated states.
RowStates buildKeyBlocks(AttendWarpKernel &k, const SeenKeys &seen, RowStates states, Value isCareful);

//===--- AttendScores.cpp ---===//
/// Returns the warp's tile of scores: its 16 rows by its keys, the first of which has rank `keyBlock`. `key` is K of
/// these keys. Masked pairs get -inf, or -0 in linear attention.
TileSums buildScores(AttendWarpKernel &k, const SharedMatrix &key, const SeenKeys &seen, Value keyBlock);
/// Applies the dropout mask to a tile of probabilities: dropped pairs become -0, like masked pairs.
TileSums dropPairs(AttendWarpKernel &k, const SeenKeys &seen, Value keyBlock, TileSums probabilities);

//===--- AttendSoftmax.cpp ---===//
/// Updates the states with the warp's keys and values of a block, the first of which has rank `keyBlock`. Computes
/// scores, rescales m, l and o, and adds P V to o. If `isCareful` (i1), non-finite values reach only the rows that see
/// them (addCarefully).
RowStates addValues(AttendWarpKernel &k, const KeyMatrices &block, const SeenKeys &seen, Value keyBlock,
                    const RowStates &states, Value isCareful);

} // namespace mlir::xf::gpu

#endif // XF_COMPILER_TARGET_GPU_ATTEND_ATTENDWARPS_H
