//===- AttendWarpgroup.h - Attention by warpgroups with roles - -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Warp-specialised attention in the manner of FlashAttention-3 (Shah et al., arXiv 2407.08608), for `xft.attend` with
// `warpgroups`. A producer warp copies by TMA; consumer warpgroups compute 64 query rows each. A block is persistent:
// it takes one task after the other (TileQueue.h).
//
//   producer warp                                  consumer warpgroups
//     for each task:                                 for each task:
//       its place, and the keys that its rows see      wait until the task is full
//       wait until the task's memory is empty          for each piece:
//       write them there; start copies of Q              S = Q K_0^T; P, m, l of it
//       for each piece, block of keys:                   for each next block n:
//         wait until the stage of K is empty               start S' = Q K_n^T, then O += P V_(n-1)
//         start copies of K                                wait for S'; P', m, l of it, while the tensor cores go on
//         wait until the stage of V is empty               wait for O; rescale it
//         start copies of V                              Q is empty: the next task's may come; O += P V_last
//                                                      o / l by TMA, m + log l
//
// What is the same for all rows of a task is so computed once, by the producer, ahead of time.
//
// Two consumer warpgroups take turns (ping-pong scheduling by named barriers): one starts its products while the other
// computes exponentials. Non-finite values of masked pairs spoil tensor-core products; this shows at the end of a task,
// whose tile is then flagged for the recheck kernel (`flags`, AttendWarpgroupNonFinite.cpp).
//
// Producers and consumers walk the same blocks of keys: both derive them from the rows of the task. With a predicate
// the producer finds those with a pair in it, and the record of a stage names its block (ListedBlock).
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_NVGPU_ATTEND_ATTENDWARPGROUP_H
#define XF_COMPILER_TARGET_NVGPU_ATTEND_ATTENDWARPGROUP_H

#include "compiler/Target/GPU/Attend/AttendKernel.h"
#include "compiler/Target/NVGPU/Operands/ListedBlocks.h"
#include "compiler/Target/NVGPU/Operands/MbarrierPipeline.h"
#include "compiler/Target/NVGPU/Operands/TileQueue.h"
#include "compiler/Target/NVGPU/Operands/TmaCopies.h"

namespace mlir::xf::nvgpu {

struct AttendWarpgroupKernel : AttendKernel {
  AttendWarpgroupKernel(xft::AttendOp op, KernelBuilder &kb);

  enum Part { Keys, Values };    ///< parts of a stage of `ring`
  enum TaskPart { Queries = 0 }; ///< parts of a stage of `tasks`

  int64_t consumers;
  bool isCareful;
  bool copiesByTma;  ///< TMA copies the rows of q and o; else warpgroups do
  bool hasOwnOutput; ///< o has memory of its own; else it takes that of q
  /// How many powers of 2 a weight may be above that of the row's reference before this follows, and by how many all
  /// weights are smaller: bf16 keeps them at most 1, so that sums of values next to the largest number stay finite; f16
  /// has no such values, but small weights would lose bits. Kernels that pass states on keep the maximum itself.
  int64_t headroom, bias;
  SwizzledMatrix queryBoxes, outputBoxes;
  std::optional<MbarrierPipeline> ring, tasks;
  Value taskMemory;                    ///< two records of a task, which tasks use in turn
  std::optional<BlockRecords> records; ///< of the blocks of keys in the stages of `ring`, by ranks; with a predicate
  Value predicateMasks, dropoutMasks;  ///< masks of pairs, by the predicate and by dropout; null without
  std::optional<TileQueue> queue;      ///< unused by the recheck kernel, which looks at all tiles for flagged ones
  WarpgroupProduct groups;
  TensorMaps maps;

  /// What the softmax multiplies scores by: the op's scale, or 1 behind a score region, whose operands are scaled.
  double scoreScale;

  // In consumer warpgroups:
  Value group;    ///< index of the warpgroup, i32
  Value groupRow; ///< its first row in the block, i32
  Value scale;    ///< `scoreScale` in units of log2

  /// Returns whether single pairs are asked for more than their bounds: by a score region, a predicate or dropout.
  bool asksPairs() const { return score || predicate || dropout; }
  /// Returns whether consumer warpgroups take turns (ping-pong scheduling). They must not in the recheck kernel, where
  /// all meet at a barrier between waitForTurn and passTurn (clearNonFinite).
  bool takesTurns() const { return consumers > 1 && !isCareful; }
  /// Synchronizes the warps of this warpgroup.
  void synchronizeWarpgroup();
  /// Synchronizes all consumer warpgroups.
  void synchronizeConsumers();
  /// Waits for this warpgroup's turn to start products. Does nothing unless takesTurns().
  void waitForTurn();
  /// Passes the turn to start products to the next warpgroup. Does nothing unless takesTurns().
  void passTurn();

  Value firstBlock(Value begin) { return kb.mul(kb.div(begin, kb.integer(blockKeys)), blockKeys); }
};

/// What a producer tells consumers about a task.
struct TaskRecord {
  AttendKernel::Place place;
  SmallVector<SeenRange> ranges; ///< of each piece
};

//===--- AttendWarpgroup.cpp ---===//
/// Returns the range of ranks of a piece that the task's rows see. It begins at 0 without a lower bound.
SeenRange findRange(AttendWarpgroupKernel &k, PieceAttr piece);
/// Writes the record of the task of parity `parity`, whose memory is empty, and starts copies of its rows of q. Called
/// by one thread.
void publishTask(AttendWarpgroupKernel &k, const TaskRecord &record, Value parity);
/// Returns the place of the task in its record.
AttendKernel::Place readPlace(AttendWarpgroupKernel &k, Value parity);
/// Returns the range of piece `number` (i64) in the task's record.
SeenRange readRange(AttendWarpgroupKernel &k, Value parity, Value number);
/// Copies the warpgroup's rows of Q to shared memory. Called by all threads of the warpgroup; contains barriers of it.
void copyWarpgroupQueries(AttendWarpgroupKernel &k);
/// Waits until part `part` of the stage at `place` is empty, then starts the TMA copies of a block of keys or values
/// into it. The block has the ranks [rank, rank + blockKeys) of a piece; `to` is the memory of the part. Called by one
/// thread.
void copyRanks(AttendWarpgroupKernel &k, PieceAttr piece, AttendWarpgroupKernel::Part part, Value rank,
               const PipelineState &place, const SwizzledMatrix &to);
/// Stores a tile of Dv columns, packed, to the warpgroup's rows of o through shared memory.
void storeWarpgroupOutput(AttendWarpgroupKernel &k, ArrayRef<Value> packed);
/// Waits until the copies that storeWarpgroupOutput has started have read shared memory. Called by all lanes of a warp.
void awaitOutput(AttendWarpgroupKernel &k);

//===--- AttendWarpgroupBlocks.cpp ---===//
/// The state carried from one block of keys to the next: the position in the pipeline, and the states of rows. Unlike
/// in AttendKernel, m is that of scores without `scoreScale`, and need not be their maximum: a score that is at most
/// 2^8 times less probable.
struct WarpgroupStates {
  PipelineState place;
  RowStates rows;

  SmallVector<Value> flat() const;
  static WarpgroupStates of(ValueRange values);
};
/// Updates the states with all visible blocks of keys of the piece that `seen` describes, which the producer warp
/// copies to the pipeline's stages. With a predicate these are the listed ones, at least one. Returns the updated
/// states. `hasSums` (i1; null: true) says whether the output in `states` holds sums to add to; where it does not, the
/// first product overwrites it unread. Calls readQueries() behind the last product that reads Q.
WarpgroupStates buildWarpgroupBlocks(AttendWarpgroupKernel &k, const SeenKeys &seen, const WarpgroupStates &states,
                                     Value hasSums, function_ref<void()> readQueries);
/// Returns sums that no product has begun yet: their first one does not read them.
TileSums undefinedSums(AttendWarpgroupKernel &k, size_t count);

//===--- AttendWarpgroupSoftmax.cpp ---===//
/// The intervals of SeenKeys as 32-bit values, in the form that the loop over blocks of keys uses.
struct GroupBounds {
  /// Visible ranks [begin, end) of the lane's two rows, relative to the lane's column. `begin` is null without a lower
  /// bound.
  Value begin[2], end[2];
  Value commonBegin, commonEnd; ///< ranks that all rows of the warp see
  Value firstBlock, lastEnd;    ///< the first rank of the first block, and the end of ranks

  GroupBounds(AttendWarpgroupKernel &k, const SeenKeys &seen);
};
/// The factors of the output in the lane's two rows, and whether one of the warp's is not 1 or a sum is NaN (i1).
struct Rescaling {
  Value factors[2], isNeeded;
};
/// Turns a tile of scores into unnormalised probabilities, 0 for pairs that rows do not see, and updates the rows'
/// references and sums. Returns the factors by which the accumulated output must be rescaled.
Rescaling updateSoftmax(AttendWarpgroupKernel &k, const GroupBounds &bounds, Value keyBlock, RowStates &rows,
                        TileSums &scores);
/// Multiplies the output by the factors.
void rescale(AttendWarpgroupKernel &k, TileSums &output, const Rescaling &by);

//===--- AttendWarpgroupPairs.cpp ---===//
/// Returns a tile of products <q, k> over the keys of ranks [keyBlock, keyBlock + blockKeys) as scores: scaled and
/// through the score region, if there is one. `keyBlock` is an i32.
TileSums modifyScores(AttendWarpgroupKernel &k, const SeenKeys &seen, Value keyBlock, ArrayRef<Value> products);
/// Returns whether the pair of the lane's row `half` and the key at `rank` counts (i1) among those that bounds permit:
/// the predicate holds for it, dropout keeps it, and its modified score, computed anew from q and k, is not -inf.
Value hasPair(AttendWarpgroupKernel &k, const SeenKeys &seen, int64_t half, Value rank);

//===--- AttendWarpgroupMasks.cpp ---===//
/// Finds which pairs of the warp's rows and the keys of ranks [keyBlock, keyBlock + blockKeys) the predicate holds for,
/// and writes them to the warp's part of `predicateMasks`. Called by all lanes of a warp.
void findPredicateMask(AttendWarpgroupKernel &k, Value keyBlock);
/// Finds which pairs of the same rows and keys dropout keeps, and writes them to the warp's part of `dropoutMasks`.
/// Called by all lanes.
void findDropoutMask(AttendWarpgroupKernel &k, const SeenKeys &seen, Value keyBlock);
/// Returns the tile with `otherwise` for each element whose bit in `masks` is not set.
TileSums applyMasks(AttendWarpgroupKernel &k, Value masks, ArrayRef<Value> tile, double otherwise);

//===--- AttendWarpgroupNonFinite.cpp ---===//
/// Replaces non-finite elements of `values`, the matrix V in a stage, by zeros. Called by all consumer warpgroups;
/// contains a barrier of them.
void clearNonFinite(AttendWarpgroupKernel &k, const SwizzledMatrix &values);
/// Adds the contributions of non-finite elements of V to the outputs of the rows that see them. Runs after all products
/// of the task.
void addNonFinite(AttendWarpgroupKernel &k, RowStates &rows);

} // namespace mlir::xf::nvgpu

#endif // XF_COMPILER_TARGET_NVGPU_ATTEND_ATTENDWARPGROUP_H
