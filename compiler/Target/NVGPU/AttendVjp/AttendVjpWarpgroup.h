//===- AttendVjpWarpgroup.h - Gradients by warpgroups --------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The warp-specialised form of AttendVjpKernel.h, for `xft.attend_vjp` with `warpgroups`. A producer warpgroup copies.
// Each consumer warpgroup computes 64 rows of the resident block.
//
//   producer warpgroup                             consumer warpgroups
//     for each task, streamed block:                 for each task:
//       one warp, as stages get empty:                 the resident block, to shared memory
//         side rows: K, then V                         for each streamed block:
//         side keys: Q, then dO                          side rows:                  side keys:
//       side keys, one lane for each row:                  S = Q K^T                   S = K Q^T
//         lse, delta, visible keys                         dP = dO V^T                 dP = V dO^T
//                                                          P, while dP is computed     P; dV += P dO
//                                                          dQ += dS K                  dK += dS Q
//
// The last product of a block (of dQ or dK) is still running when the next block's S and dP are started. The consumers
// wait for this last product together with the next S, and then release the stage of the earlier block.
//
// Q, dO, K and V lie in shared memory once, for all products. P and dS stay in registers. Masked pairs have P = 0. If
// this 0 meets non-finite values, results are non-finite, and the tile is flagged for the recheck kernel.
//
// With a predicate, the copying warps find the streamed blocks with a pair for which the predicate holds. The record of
// a stage then names its block (ListedBlocks.h).
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_NVGPU_ATTENDVJP_ATTENDVJPWARPGROUP_H
#define XF_COMPILER_TARGET_NVGPU_ATTENDVJP_ATTENDVJPWARPGROUP_H

#include "compiler/Target/GPU/AttendVjp/AttendVjpKernel.h"
#include "compiler/Target/NVGPU/Operands/ListedBlocks.h"
#include "compiler/Target/NVGPU/Operands/MbarrierPipeline.h"
#include "compiler/Target/NVGPU/Operands/TileQueue.h"
#include "compiler/Target/NVGPU/Operands/TmaCopies.h"

namespace mlir::xf::nvgpu {

/// The scalars of the rows of a streamed block. A stage of the pipeline has an array of 32-bit values in shared memory
/// for each scalar, and a flag for each producer warp that writes the scalars.
struct RowNumbers {
  /// Shift: -(m + log l) log2 e (loadShift). Delta: delta. First: the first key that the row sees, relative to the
  /// resident block's first key. Count: the number of keys that the row sees.
  enum Array { Shift, Delta, First, Count };

  Value pointer;
  int64_t rows;

  static constexpr int64_t arrays = 4, flagBytes = 16;
  int64_t warps() const { return llvm::divideCeil(rows, ThreadBlock::warpSize); }
  int64_t bytes() const { return arrays * rows * 4 + warps() * flagBytes; }
  Value stage(KernelBuilder &kb, Value stage) const;
  Value at(KernelBuilder &kb, Value stagePointer, Array array, Value row) const;
  /// Returns a pointer to the flag of producer warp `warp`. The flag is not 0 if one of the warp's 32 rows sees only a
  /// part of the resident block's keys.
  Value flag(KernelBuilder &kb, Value stagePointer, Value warp) const;
};

/// A streamed block of rows or keys, and its stage.
struct StreamedBlock {
  Value first; ///< side of rows: rank of the block's first key
  PipelineState place;
  Value isLater;      ///< in consumers: whether another block of the walk came before it (i1)
  ListedBlock listed; ///< the block's record, with a predicate
};

/// Whether a warp copies streamed blocks or computes with them.
enum class Role { Copies, Computes };

/// A walk over all streamed blocks of a tile.
struct StreamedWalk {
  Role role;
  Value n;                       ///< the tile is the thread block's n-th (TileQueue)
  std::optional<SeenRange> seen; ///< side of rows: the keys that the rows see, if they are known
};

/// The scalars of the lane's two resident rows. Only the side of rows has them.
struct LaneShifts {
  SeenKeys seen;
  Value shift[2], delta[2]; ///< loadShift; delta
};

/// The shared memory of a thread block, and the barriers by which its warpgroups wait for each other.
struct AttendVjpWarpgroupBuffers {
  explicit AttendVjpWarpgroupBuffers(AttendVjpKernel &k);

  SwizzledMatrix resident[2]; ///< by Part
  std::optional<MbarrierPipeline> ring;
  RowNumbers numbers;
  Value flags;                         ///< [consumer warp] whether the warp's results are non-finite
  Value predicateMasks, dropoutMasks;  ///< masks of pairs, 16 bytes for each resident row, or null
  std::optional<BlockRecords> records; ///< which streamed blocks are in the stages of `ring`; with a predicate
  std::optional<TileQueue> queue;
};

struct AttendVjpWarpgroupKernel : AttendVjpKernel {
  AttendVjpWarpgroupKernel(xft::AttendVjpSide op, KernelBuilder &kb);

  /// The parts of a pipeline stage. Part Scores has Q or K, an operand of S. If keys are resident, part Scores also has
  /// the scalars of each streamed row (RowNumbers). Part Cotangents has dO or V, an operand of dP.
  enum Part { Scores, Cotangents };

  WarpgroupProduct groups;
  TensorMaps maps;
  AttendVjpWarpgroupBuffers buffers;

  // In consumer warpgroups:
  ConsumerGroup group;
  Value scale; ///< factor of products <q, k> or, with a derivative region, of scores, in units of log2

  int64_t consumers() { return op.getWarpgroups().getConsumers(); }
  /// Returns whether a thread has registers to spare, besides those for the sums of a task, S, dP, and the left operand
  /// of a product in flight.
  bool hasSpareRegisters();
  /// Synchronizes the warps of this warpgroup.
  void synchronizeWarpgroup();

  /// Sets the task of tile `tile` by locateRows or locateKeys. Returns whether the tile's resident block has any rows
  /// or keys (i1).
  Value locate(Value tile);
  /// Sets the task of the thread block's n-th tile once more. Reads the index of the tile from the TileQueue, as a new
  /// opaque value. So since `locate`, no register had to hold the index or a value that was derived from it.
  void locateAgain(Value n);
  /// Builds the loops over the streamed blocks of `walk`, one pass for each head. The loops carry the pipeline state
  /// and the sums, which begin as `placeAndSums`. body(block, sums) returns the next sums. After each pass,
  /// end(hasBlocks, pipeline state, sums) returns the next sums, where `hasBlocks` (i1) tells whether the pass had any
  /// blocks. Returns the final pipeline state and sums.
  using StreamedBody = function_ref<SmallVector<Value>(const StreamedBlock &block, ValueRange sums)>;
  using WalkEnd = function_ref<SmallVector<Value>(Value hasBlocks, const PipelineState &behind, ValueRange sums)>;
  SmallVector<Value> forStreamed(const StreamedWalk &walk, ValueRange placeAndSums, StreamedBody body, WalkEnd end);

private:
  /// Decides whether the predicate holds for no pair, or for all pairs, of the resident block and the streamed block
  /// `number` (BlockNumbers).
  BlockDecision decideBlock(Value number);
  /// Builds the walk over the streamed blocks of a range in which the predicate holds for some pair. If there are none,
  /// the walk has one block of the range. Consumers read a block's record when part Scores of its stage is full.
  SmallVector<Value> forListed(Role role, const BlockNumbers &range, ValueRange placeAndSums, StreamedBody body);
};

/// Returns the shift -(m + log l) log2 e of row `row`, and whether the row saw no key (i1). The shift is NaN if it is
/// too large for f32 (isLarge). The results are then non-finite, so the recheck kernel computes the tile.
std::pair<Value, Value> loadShift(AttendVjpWarpgroupKernel &k, Value row);
/// Waits until part `part` of the stage at `place` is empty. Then starts the TMA copies of this part of a streamed
/// block. On the side of rows, `streamed` is the rank of the block's first key. `to` is the memory of the part. Called
/// by one thread.
void copyStreamed(AttendVjpWarpgroupKernel &k, AttendVjpWarpgroupKernel::Part part, Value streamed,
                  const PipelineState &place, const SwizzledMatrix &to);
/// Waits until the stage at `place` is empty. Then writes the scalars (RowNumbers) of 32 rows of a streamed block to
/// it: the rows of producer warp `warp`.
void writeNumbers(AttendVjpWarpgroupKernel &k, PieceBounds &bounds, Value warp, const PipelineState &place);

//===--- AttendVjpWarpgroupScores.cpp ---===//
/// The modified scores s' of a tile, and their derivatives ds'/ds.
struct DerivedScores {
  TileSums scores, slopes;
};
/// Applies the derivative region to a tile of products <q, k> of the resident block and a streamed block.
DerivedScores deriveScores(AttendVjpWarpgroupKernel &k, const StreamedBlock &block, ArrayRef<Value> products);
/// Returns P ds'/ds for each element, or 0 where P is 0, because derivatives of masked pairs may be NaN. `slopes` are
/// ds'/ds.
TileSums weightSlopes(AttendVjpWarpgroupKernel &k, ArrayRef<Value> probabilities, ArrayRef<Value> slopes);

//===--- AttendVjpWarpgroupMasks.cpp ---===//
/// The number of bytes of a mask of pairs for each resident row.
constexpr int64_t vjpMaskBytes = 16;
/// Finds the pairs of the warp's rows and a streamed block that the predicate and dropout keep. Writes their bits to
/// the warp's parts of `predicateMasks` (unless the predicate holds for the whole block) and of `dropoutMasks`. Called
/// by all lanes of a warp.
void findMasks(AttendVjpWarpgroupKernel &k, const StreamedBlock &block);
/// For each of the `size` elements of the lane's tile, returns whether its bit in `masks` is 1 (i1).
SmallVector<Value> keptPairs(AttendVjpWarpgroupKernel &k, Value masks, size_t size);
/// Returns `tile`, with 0 for pairs that the predicate excludes.
TileSums hideUnlisted(AttendVjpWarpgroupKernel &k, const StreamedBlock &block, ArrayRef<Value> tile);
/// Returns the tile with elements that are `kept` (i1) divided by the rate at which pairs are kept, and 0 for all
/// others.
TileSums dropPairs(AttendVjpWarpgroupKernel &k, ArrayRef<Value> tile, ArrayRef<Value> kept);

//===--- AttendVjpWarpgroupPairs.cpp ---===//
/// Returns the values that a loop over streamed blocks carries, as a task starts: zeros for dQ, or for dK and dV, then
/// registers for the left operand dS. A product of this operand (of dQ or dK) may be in flight between two blocks.
SmallVector<Value> startWarpgroupSums(AttendVjpWarpgroupKernel &k);
/// Adds the contributions of all pairs of the resident block and a streamed block to the sums of a task. `rows` is null
/// on the side of keys.
SmallVector<Value> addWarpgroupPairs(AttendVjpWarpgroupKernel &k, const LaneShifts *rows, const StreamedBlock &block,
                                     ValueRange sums);
/// Ends a walk of forStreamed: waits for the last product. If the walk has blocks (`hasBlocks`, i1), also releases the
/// stage of the last one, which is the stage before `behind`. Returns the sums.
SmallVector<Value> endWarpgroupPairs(AttendVjpWarpgroupKernel &k, Value hasBlocks, const PipelineState &behind,
                                     ValueRange sums);
/// Returns the gradients dQ, or dK and dV, among the sums that loops carry.
ValueRange gradientsOf(AttendVjpWarpgroupKernel &k, ValueRange sums);

} // namespace mlir::xf::nvgpu

#endif // XF_COMPILER_TARGET_NVGPU_ATTENDVJP_ATTENDVJPWARPGROUP_H
