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
// So the producer computes what is the same for all rows of a task once, ahead of time.
//
// Two consumer warpgroups take turns (ping-pong scheduling by named barriers): one starts its products while the other
// computes exponentials. A non-finite value of a masked pair spoils tensor-core products. This shows at the end of a
// task. The tile is then flagged for the recheck kernel (`flags`, AttendWarpgroupNonFinite.cpp).
//
// Producers and consumers visit the same key blocks, because both derive them from the rows of the task. With a
// predicate, the producer finds the key blocks with a pair in it, and the record of a stage names its block
// (ListedBlock).
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

/// The shared memory of a block, and what its warpgroups meet at.
struct AttendWarpgroupBuffers {
  explicit AttendWarpgroupBuffers(AttendKernel &k);

  bool hasOwnOutput; ///< whether o has shared memory of its own, else it takes that of q
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
  /// Returns whether TMA copies the rows of q and o, else warpgroups do.
  bool copiesByTma() { return xft::RankBoxes{op.getQueries(), tile.getQueries()}.existAnywhere(); }
  /// A row's reference follows its maximum once weights would exceed 2^headroom, and all weights are made 2^bias times
  /// smaller. In bf16, weights are thereby at most 1, so that sums of values next to the largest number stay finite.
  /// f16 has no such values, but small weights would lose bits. Kernels that pass states on keep the maximum itself.
  int64_t headroom() { return op.getSave() || op.getResume() ? 0 : 8; }
  int64_t bias() { return product.element.isBF16() ? headroom() : 0; }
  /// Returns the factor of scores in the softmax: the op's scale, or 1 if there is a score region, because its operands
  /// are scaled.
  double scoreScale() { return pairs.region ? 1 : op.getScale(); }
  /// Returns whether pairs within the bounds of their piece have code of their own: a score region, a predicate or
  /// dropout.
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
/// Writes the record of a task and starts the copies of its rows of q. `parity` is the task's parity. The record and
/// the memory of q of this parity must be empty. Called by one thread.
void publishTask(AttendWarpgroupKernel &k, const TaskRecord &record, Value parity);
/// Reads the place in the grid of the task of parity `parity` from its record.
AttendKernel::Place readPlace(AttendWarpgroupKernel &k, Value parity);
/// Reads the range of ranks of piece `number` (i64) from the record of the task of parity `parity`.
SeenRange readRange(AttendWarpgroupKernel &k, Value parity, Value number);
/// Copies the warpgroup's rows of Q to shared memory. Called by all threads of the warpgroup. Contains barriers of the
/// warpgroup.
void copyWarpgroupQueries(AttendWarpgroupKernel &k);
/// Waits until part `part` of the stage at `place` is empty, then starts the TMA copies of a block of keys or values
/// into it: those from rank `rank` of a piece on. `to` is the memory of the part. Called by one thread.
void copyRanks(AttendWarpgroupKernel &k, PieceAttr piece, AttendWarpgroupKernel::Part part, Value rank,
               const PipelineState &place, const SwizzledMatrix &to);
/// Stores `packed`, a tile of Dv columns, to the warpgroup's rows of o through shared memory.
void storeWarpgroupOutput(AttendWarpgroupKernel &k, ArrayRef<Value> packed);
/// Waits until the copies that storeWarpgroupOutput has started no longer read shared memory. Called by all lanes of a
/// warp.
void awaitOutput(AttendWarpgroupKernel &k);

//===--- AttendWarpgroupBlocks.cpp ---===//
/// The state carried from one key block to the next: the position in the pipeline, and the states of rows. Unlike in
/// AttendKernel, m is a score before it is multiplied by `scoreScale`. It may be less than the maximum of the row,
/// which is then at most 2^headroom times as probable.
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
/// The factors by which the output in the lane's two rows is rescaled. `isNeeded` (i1) says that a factor of the warp
/// is not 1, or a sum is NaN.
struct Rescaling {
  Value factors[2], isNeeded;
};
/// Turns `scores`, a tile of scores, into unnormalised probabilities, which are 0 for pairs that rows do not see.
/// Updates the references and sums of `rows`. Returns the factors by which the accumulated output must be rescaled.
Rescaling updateSoftmax(AttendWarpgroupKernel &k, const GroupBounds &bounds, Value keyBlock, RowStates &rows,
                        TileSums &scores);
/// Multiplies `output` by the factors of `by`, if by.isNeeded.
void rescale(AttendWarpgroupKernel &k, TileSums &output, const Rescaling &by);

//===--- AttendWarpgroupPairs.cpp ---===//
/// Turns a tile of products <q, k> over the block of keys from rank `keyBlock` on (i32) into scores: scales them, and
/// applies the score region. Without a score region, returns the products as they are.
TileSums modifyScores(AttendWarpgroupKernel &k, const SeenKeys &seen, Value keyBlock, ArrayRef<Value> products);
/// Returns whether a pair within the bounds of its piece counts (i1). It consists of the lane's row `half` and the key
/// at `rank`. It counts if the predicate holds for it, dropout keeps it, and its modified score, computed anew from q
/// and k, is not -inf.
Value hasPair(AttendWarpgroupKernel &k, const SeenKeys &seen, int64_t half, Value rank);

//===--- AttendWarpgroupMasks.cpp ---===//
/// Finds for which pairs of the warp's rows and the block of keys from rank `keyBlock` on the predicate holds. Writes a
/// bit for each to the warp's part of `predicateMasks`. Called by all lanes of a warp.
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
/// Adds the contributions of non-finite elements of V to the outputs in `rows`, for rows that see them. Is called after
/// all products of the task.
void addNonFinite(AttendWarpgroupKernel &k, RowStates &rows);

} // namespace mlir::xf::nvgpu

#endif // XF_COMPILER_TARGET_NVGPU_ATTEND_ATTENDWARPGROUP_H
