//===- AttendWarpgroup.h - Attention by warpgroups with roles - -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Warp-specialised attention in the manner of FlashAttention-3 (Shah et al., arXiv 2407.08608), for `xft.attend` with
// `warpgroups`. A producer warp copies by TMA; consumer warpgroups compute 64 query rows each. A block is persistent:
// it runs many tasks one after the other.
//
//   producer warp                                  consumer warpgroups
//     for each task, piece, block of keys:           for each task:
//       wait until the stage of K is empty             Q to shared memory
//       start copies of K                              for each piece:
//       wait until the stage of V is empty               S = Q K_0^T; P, m, l of it
//       start copies of V                                for each next block n:
//                                                          start S' = Q K_n^T, then O += P V_(n-1)
//                                                          wait for S'; P', m, l of it, while the tensor cores go on
//                                                          wait for O; rescale it
//                                                        O += P V_last
//                                                      o / l, m + log l
//
// Two consumer warpgroups take turns (ping-pong scheduling by named barriers): one starts its products while the other
// computes exponentials. Non-finite values of masked pairs spoil tensor-core products; this shows at the end of a task,
// whose tile is then flagged for the recheck kernel (`flags`, AttendWarpgroupNonFinite.cpp).
//
// Producers and consumers walk the same blocks of keys: both derive them from the rows of the task.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_NVGPU_ATTEND_ATTENDWARPGROUP_H
#define XF_COMPILER_TARGET_NVGPU_ATTEND_ATTENDWARPGROUP_H

#include "compiler/Target/GPU/Attend/AttendKernel.h"
#include "compiler/Target/NVGPU/Operands/MbarrierPipeline.h"
#include "compiler/Target/NVGPU/Operands/TmaCopies.h"

namespace mlir::xf::nvgpu {

struct AttendWarpgroupKernel : AttendKernel {
  AttendWarpgroupKernel(xft::AttendOp op, KernelBuilder &kb);

  enum Part { Keys, Values }; ///< parts of a stage

  int64_t consumers;
  bool isCareful;
  SwizzledMatrix queryBoxes;
  std::optional<MbarrierPipeline> ring;
  WarpgroupProduct groups;
  TensorMaps maps;

  // In consumer warpgroups:
  Value group;    ///< the warpgroup's number, i32
  Value groupRow; ///< its first row in the block, i32
  Value scale;    ///< of scores, in units of log2

  /// Whether consumer warpgroups take turns; not in the recheck kernel, where they wait for each other within a turn.
  bool takesTurns() const { return consumers == 2 && !isCareful; }
  /// Synchronizes the warps of this warpgroup.
  void synchronizeWarpgroup();
  /// Synchronizes all consumer warpgroups.
  void synchronizeConsumers();
  void waitForTurn();
  void passTurn();

  Value firstBlock(Value begin) { return kb.mul(kb.div(begin, kb.integer(blockKeys)), blockKeys); }
};

//===--- AttendWarpgroup.cpp ---===//
/// Copies the warpgroup's rows of Q to shared memory.
void copyWarpgroupQueries(AttendWarpgroupKernel &k);
/// Copies the keys, or values, of ranks [rank, rank + blockKeys) of a piece to `to`, their part of a stage, as soon as
/// it is empty. Called by one thread.
void copyRanks(AttendWarpgroupKernel &k, PieceAttr piece, AttendWarpgroupKernel::Part part, Value rank,
               const PipelineState &place, const SwizzledMatrix &to);
/// Stores a tile of Dv columns, rounded, to the warpgroup's rows of o.
void storeWarpgroupOutput(AttendWarpgroupKernel &k, ArrayRef<Value> tile);

//===--- AttendWarpgroupSoftmax.cpp ---===//
/// The state that is carried from block to block, and from task to task: the pipeline state and the states of rows,
/// with m in units of unscaled scores.
struct WarpgroupStates {
  PipelineState place;
  RowStates rows;

  SmallVector<Value> flat() const;
  static WarpgroupStates of(ValueRange values);
};
/// Streams all blocks of keys of the piece that `seen` describes; returns the updated states.
WarpgroupStates buildWarpgroupBlocks(AttendWarpgroupKernel &k, const SeenKeys &seen, const WarpgroupStates &states);

//===--- AttendWarpgroupNonFinite.cpp ---===//
/// Replaces non-finite values of a stage by zeros. Called by all consumer warpgroups; contains a barrier of them.
void clearNonFinite(AttendWarpgroupKernel &k, const SwizzledMatrix &values);
/// Adds the non-finite values that rows see to their outputs, after all products.
void addNonFinite(AttendWarpgroupKernel &k, RowStates &rows);

} // namespace mlir::xf::nvgpu

#endif // XF_COMPILER_TARGET_NVGPU_ATTEND_ATTENDWARPGROUP_H
