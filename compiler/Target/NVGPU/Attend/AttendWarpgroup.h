//===- AttendWarpgroup.h - Attention by warpgroups with roles - -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The form of FlashAttention-3 (Shah et al., arXiv 2407.08608) for `xft.attend` with `warpgroups`. One group of warps
// copies, others compute 64 rows of queries each; a block runs many tasks one after the other.
//
//   copying group, one warp                        computing groups
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
// Of two computing groups one starts its products while the other computes exponentials: named barriers hand the turn
// over. What a product of tensor cores does to values of masked pairs that are not finite is noticed at the end, and
// the task left to the kernel that takes care (`suspects`, AttendWarpgroupNonFinite.cpp).
//
// All threads of a warpgroup walk the same blocks, in both roles: they derive them from the rows of the task alike.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_NVGPU_ATTEND_ATTENDWARPGROUP_H
#define XF_COMPILER_TARGET_NVGPU_ATTEND_ATTENDWARPGROUP_H

#include "compiler/Target/NVGPU/Attend/AttendKernel.h"
#include "compiler/Target/NVGPU/Operands/MbarrierPipeline.h"
#include "compiler/Target/NVGPU/Operands/TmaCopies.h"

namespace mlir::xf::nvgpu {

struct AttendWarpgroupKernel : AttendKernel {
  AttendWarpgroupKernel(xft::AttendOp op, KernelBuilder &kb);

  enum Part { Keys, Values }; ///< of a stage

  int64_t consumers;
  bool isCareful;
  SwizzledMatrix queryBoxes;
  std::optional<MbarrierPipeline> ring;
  WarpgroupProduct groups;
  TensorMaps maps;

  // In computing groups:
  Value group;    ///< number, i32
  Value groupRow; ///< its first row in the block, i32
  Value scale;    ///< of scores, in units of log2

  /// Not where groups wait for each other within a turn.
  bool takesTurns() const { return consumers == 2 && !isCareful; }
  /// All warps of the group get here before one goes on.
  void synchronizeWarpgroup();
  /// The same for all warps that compute.
  void synchronizeConsumers();
  void waitForTurn();
  void passTurn();

  Value firstBlock(Value begin) { return kb.mul(kb.div(begin, kb.integer(blockKeys)), blockKeys); }
};

//===--- AttendWarpgroup.cpp ---===//
/// Copies Q of the group's rows to its boxes.
void copyWarpgroupQueries(AttendWarpgroupKernel &k);
/// Copies the keys, or values, of ranks [rank, rank + blockKeys) of a piece to their stage, which `to` is, as soon as
/// it is empty; by one thread.
void copyRanks(AttendWarpgroupKernel &k, PieceAttr piece, AttendWarpgroupKernel::Part part, Value rank,
               const PipelineState &place, const SwizzledMatrix &to);
/// Writes a tile of Dv columns, rounded, to the group's rows of o.
void storeWarpgroupOutput(AttendWarpgroupKernel &k, ArrayRef<Value> tile);

//===--- AttendWarpgroupSoftmax.cpp ---===//
/// What is carried from task to task, and from block to block. m is in units of unscaled scores.
struct WarpgroupStates {
  PipelineState place;
  RowStates rows;

  SmallVector<Value> flat() const;
  static WarpgroupStates of(ValueRange values);
};
/// All blocks of a piece of which `seen` tells.
WarpgroupStates buildWarpgroupBlocks(AttendWarpgroupKernel &k, const SeenKeys &seen, const WarpgroupStates &states);

//===--- AttendWarpgroupNonFinite.cpp ---===//
/// Values that are not finite become zeros. By all computing groups.
void clearNonFinite(AttendWarpgroupKernel &k, const SwizzledMatrix &values);
/// Adds those that rows see to their sums, once all products have been added.
void addNonFinite(AttendWarpgroupKernel &k, RowStates &rows);

} // namespace mlir::xf::nvgpu

#endif // XF_COMPILER_TARGET_NVGPU_ATTEND_ATTENDWARPGROUP_H
