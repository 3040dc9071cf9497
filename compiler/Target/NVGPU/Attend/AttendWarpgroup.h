//===- AttendWarpgroup.h - Attention by warpgroups with roles - -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Warp-specialised attention in the manner of FlashAttention-3 (Shah et al., arXiv 2407.08608), for `xft.attend` with
// `warpgroups`. A producer warp copies by TMA. Consumer warpgroups compute 64 query rows each. A thread block is
// persistent: it takes one task after the other (TileQueue.h).
//
//   producer warp                                  consumer warpgroups
//     for each task:                                 for each task:
//       its place, and the keys that its rows see      wait until the task's record and Q are full
//       wait until the task's memory is empty          for each piece:
//       write the record; start copies of Q              S = Q K_0^T; P, m, l of it
//       for each piece, block of keys:                   for each next block n:
//         wait until the stage of K is empty               start S' = Q K_n^T, then O += P V_(n-1)
//         start copies of K                                wait for S'; P', m, l of it, while the tensor cores go on
//         wait until the stage of V is empty               wait for O; rescale it
//         start copies of V                              Q is empty: the next task's Q may come; O += P V_last
//                                                      o / l by TMA, m + log l
//
// So the producer computes what is the same for all rows of a task once, ahead of time.
//
// Two consumer warpgroups take turns (ping-pong scheduling by named barriers): one starts its products while the other
// computes exponentials. A non-finite value of a masked pair spoils tensor-core products, so the results of the task
// are non-finite. Its tile is then flagged for the recheck kernel (`flags`, AttendWarpgroupNonFinite.cpp).
//
// Producers and consumers visit the same key blocks, because both derive them from the rows of the task. If there is a
// predicate, only the producer finds the key blocks in which it holds for some pair. The record of a stage then names
// its key block (ListedBlock).
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

/// The shared memory of a thread block, and the barriers by which its warpgroups wait for each other.
struct AttendWarpgroupBuffers {
  explicit AttendWarpgroupBuffers(AttendKernel &k);

  bool hasOwnOutput; ///< whether o has shared memory of its own; if not, it takes the memory of q
  SwizzledMatrix query, output;
  std::optional<MbarrierPipeline> ring, tasks;
  Value taskMemory;                    ///< two task records, which tasks use in turn
  std::optional<BlockRecords> records; ///< which key blocks are in the stages of `ring`; with a predicate
  Value predicateMasks, dropoutMasks;  ///< masks of pairs by the predicate and by dropout, or null
  std::optional<TileQueue> queue;      ///< unused by the recheck kernel, which looks for flagged tiles among all
};

struct AttendWarpgroupKernel : AttendKernel {
  AttendWarpgroupKernel(xft::AttendOp op, KernelBuilder &kb);

  enum Part { Keys, Values };    ///< parts of a stage of `buffers.ring`
  enum TaskPart { Queries = 0 }; ///< parts of a stage of `buffers.tasks`

  WarpgroupProduct groups;
  TensorMaps maps;
  AttendWarpgroupBuffers buffers;

  // In consumer warpgroups:
  ConsumerGroup group;
  Value scale; ///< scoreScale() in units of log2

  int64_t consumers() { return op.getWarpgroups().getConsumers(); }
  bool isCareful() { return op.getSchedule().getRecheck(); }
  /// Returns whether TMA copies the rows of q and o. If not, warpgroups copy them by loads and stores.
  bool copiesByTma() { return xft::RankBoxes{op.getQueries(), tile.getQueries()}.existAnywhere(); }
  /// The weights of a row are powers of 2 of scores minus the row's *reference*. The reference moves to the row's
  /// maximum only when a weight would exceed 2^headroom. All weights are also multiplied by 2^-bias. With bf16, the
  /// bias is the headroom, so weights are at most 1, and sums of values next to the largest number stay finite. With
  /// f16, it is 0: f16 has no such values, but small weights would lose bits. In kernels that pass states on, the
  /// reference is always the maximum.
  int64_t headroom() { return op.getSave() || op.getResume() ? 0 : 8; }
  int64_t bias() { return product.element.isBF16() ? headroom() : 0; }
  /// Returns the factor of scores in the softmax. It is the op's scale or, with a score region, 1, because the scores
  /// that the region gets are already scaled.
  double scoreScale() { return pairs.region ? 1 : op.getScale(); }
  /// Returns whether kernels have code for single pairs, besides the bounds of their piece: a score region, a predicate
  /// or dropout.
  bool asksPairs() const { return pairs.region || pairs.predicate || pairs.dropout; }
  /// Returns whether consumer warpgroups take turns (ping-pong scheduling). In the recheck kernel they must not,
  /// because all of them meet at a barrier between waitForTurn and passTurn (clearNonFinite).
  bool takesTurns() { return consumers() > 1 && !isCareful(); }
  /// Synchronizes the warps of this warpgroup.
  void synchronizeWarpgroup();
  /// Synchronizes all consumer warpgroups.
  void synchronizeConsumers();
  /// Waits for this warpgroup's turn to start products. Does nothing unless takesTurns().
  void waitForTurn();
  /// Passes the turn to start products to the next warpgroup. Does nothing unless takesTurns().
  void passTurn();

  Value firstBlock(Value begin) { return kb.mul(kb.div(begin, kb.integer(tile.getKeys())), tile.getKeys()); }
};

/// The description of a task that the producer passes to consumers.
struct TaskRecord {
  AttendKernel::Place place;
  SmallVector<SeenRange> ranges; ///< range of ranks of each piece
};

//===--- AttendWarpgroup.cpp ---===//
/// Returns the range of ranks of keys of `piece` that the task's rows see. The range begins at 0 if the piece has no
/// lower bound.
SeenRange findRange(AttendWarpgroupKernel &k, PieceAttr piece);
/// Writes the record of a task and starts the copies of its rows of q. `parity` is the number of the task modulo 2. The
/// record and the memory of q of this parity must be empty. Called by one thread.
void publishTask(AttendWarpgroupKernel &k, const TaskRecord &record, Value parity);
/// Reads the place in the grid of the task of parity `parity` from its record.
AttendKernel::Place readPlace(AttendWarpgroupKernel &k, Value parity);
/// Reads the range of ranks of piece `number` (i64) from the record of the task of parity `parity`.
SeenRange readRange(AttendWarpgroupKernel &k, Value parity, Value number);
/// Copies the warpgroup's rows of Q to shared memory. Called by all threads of the warpgroup. Contains barriers of the
/// warpgroup.
void copyWarpgroupQueries(AttendWarpgroupKernel &k);
/// Waits until part `part` of the stage at `place` is empty. Then starts the TMA copies of a block of keys or values
/// into this part: the ranks of `piece` from `rank` on. `to` is the memory of the part. Called by one thread.
void copyRanks(AttendWarpgroupKernel &k, PieceAttr piece, AttendWarpgroupKernel::Part part, Value rank,
               const PipelineState &place, const SwizzledMatrix &to);
/// Stores `packed`, a tile of Dv columns, to the warpgroup's rows of o through shared memory.
void storeWarpgroupOutput(AttendWarpgroupKernel &k, ArrayRef<Value> packed);
/// Waits until the copies that storeWarpgroupOutput has started no longer read shared memory. Called by all lanes of a
/// warp.
void awaitOutput(AttendWarpgroupKernel &k);

//===--- AttendWarpgroupBlocks.cpp ---===//
/// The state carried from one key block to the next: the position in the pipeline, and the states of rows. Unlike in
/// AttendKernel, m is not the maximum of a row but its reference (headroom), a score before it is multiplied by
/// `scoreScale`. A pair with the maximum is at most 2^headroom times as probable as a pair with the reference.
struct WarpgroupStates {
  PipelineState place;
  RowStates rows;

  SmallVector<Value> flat() const;
  static WarpgroupStates of(ValueRange values);
};
/// Updates the states with all visible key blocks of the piece that `seen` describes. With a predicate, these are the
/// listed blocks, at least one. The producer warp copies them to the pipeline's stages. `hasSums` (i1) says that the
/// output in `states` holds sums to add to. If not, the first product overwrites the output unread. A null `hasSums`
/// stands for true. Calls readQueries() after the last product that reads Q. Returns the updated states.
WarpgroupStates buildWarpgroupBlocks(AttendWarpgroupKernel &k, const SeenKeys &seen, const WarpgroupStates &states,
                                     Value hasSums, function_ref<void()> readQueries);
/// Returns `count` undefined values, as sums of a product that overwrites them unread.
TileSums undefinedSums(AttendWarpgroupKernel &k, size_t count);

//===--- AttendWarpgroupSoftmax.cpp ---===//
/// The intervals of SeenKeys as 32-bit values, in the form in which the loop over key blocks uses them.
struct GroupBounds {
  /// Visible ranks [begin, end) of the lane's two rows, relative to the lane's column. `begin` is null without a lower
  /// bound.
  Value begin[2], end[2];
  Value commonBegin, commonEnd; ///< ranks that all rows of the warp see
  Value firstBlock, lastEnd;    ///< the rank at which the first block begins, and the end of the ranks

  GroupBounds(AttendWarpgroupKernel &k, const SeenKeys &seen);
};
/// The factors by which the output in the lane's two rows is rescaled. `isNeeded` (i1, the same in all lanes of the
/// warp) says that some factor of the warp is not 1, or some sum is NaN.
struct Rescaling {
  Value factors[2], isNeeded;
};
/// Turns `scores`, a tile of scores over the key block at rank `keyBlock`, into unnormalised probabilities. They are 0
/// for pairs that rows do not see. Updates the references and sums of `rows`. Returns the factors by which the
/// accumulated output must be rescaled.
Rescaling updateSoftmax(AttendWarpgroupKernel &k, const GroupBounds &bounds, Value keyBlock, RowStates &rows,
                        TileSums &scores);
/// Multiplies `output` by the factors of `by`, if by.isNeeded.
void rescale(AttendWarpgroupKernel &k, TileSums &output, const Rescaling &by);

//===--- AttendWarpgroupPairs.cpp ---===//
/// `products` is a tile of products <q, k> over the key block from rank `keyBlock` on (i32). If there is a score
/// region, scales the products, and returns the scores that the region gives. If not, returns the products as they are.
TileSums modifyScores(AttendWarpgroupKernel &k, const SeenKeys &seen, Value keyBlock, ArrayRef<Value> products);
/// Returns whether the pair of the lane's row `half` and the key at `rank` counts (i1). The pair must lie within the
/// bounds of its piece. It counts if the predicate holds for it, dropout keeps it, and its modified score, computed
/// anew from q and k, is not -inf.
Value hasPair(AttendWarpgroupKernel &k, const SeenKeys &seen, int64_t half, Value rank);

//===--- AttendWarpgroupMasks.cpp ---===//
/// Finds the pairs of the warp's rows and the keys of ranks [keyBlock, keyBlock + blockKeys) for which the predicate
/// holds. Writes a bit for each pair to the warp's part of `predicateMasks`. Called by all lanes of a warp.
void findPredicateMask(AttendWarpgroupKernel &k, Value keyBlock);
/// Finds the pairs of the warp's rows and the keys of ranks [keyBlock, keyBlock + blockKeys) that dropout keeps. Writes
/// a bit for each pair to the warp's part of `dropoutMasks`. Called by all lanes of a warp.
void findDropoutMask(AttendWarpgroupKernel &k, const SeenKeys &seen, Value keyBlock);
/// Returns the tile with `otherwise` in place of each element whose bit in `masks` is 0.
TileSums applyMasks(AttendWarpgroupKernel &k, Value masks, ArrayRef<Value> tile, double otherwise);

//===--- AttendWarpgroupNonFinite.cpp ---===//
/// Replaces non-finite elements of `values`, the matrix V in a stage, by zeros. Called by all consumer warpgroups.
/// Contains a barrier of all consumers.
void clearNonFinite(AttendWarpgroupKernel &k, const SwizzledMatrix &values);
/// Adds the contributions of non-finite elements of V to the outputs in `rows`. An element reaches only the rows that
/// see its key. Must be called after all products of the task.
void addNonFinite(AttendWarpgroupKernel &k, RowStates &rows);

} // namespace mlir::xf::nvgpu

#endif // XF_COMPILER_TARGET_NVGPU_ATTEND_ATTENDWARPGROUP_H
