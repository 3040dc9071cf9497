//===- AttendGroup.h - Attention by warpgroups with roles --------*- C++ -*-===//
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
// over. What a product of tensor cores does to values of hidden pairs that are not finite is noticed at the end, and
// the task left to the kernel that takes care (`suspects`, AttendGroupCare.cpp).
//
// All threads of a warpgroup walk the same blocks, in both roles: they derive them from the rows of the task alike.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_NVGPU_ATTENDGROUP_H
#define XF_COMPILER_TARGET_NVGPU_ATTENDGROUP_H

#include "compiler/Target/NVGPU/AttendKernel.h"
#include "compiler/Target/NVGPU/BoxCopies.h"
#include "compiler/Target/NVGPU/StageRing.h"

namespace mlir::xf::nvgpu {

struct AttendGroupKernel : AttendKernel {
  AttendGroupKernel(xft::AttendOp op, KernelBuilder &kb);

  enum Part { Keys, Values }; ///< of a stage

  int64_t consumers;
  bool isCareful;
  BoxMatrix queryBoxes;
  std::optional<StageRing> ring;
  WarpgroupProduct groups;
  TensorMaps maps;

  // In computing groups:
  Value group;    ///< number, i32
  Value groupRow; ///< its first row in the block, i32
  Value scale;    ///< of scores, in units of log2

  /// Not where groups wait for each other within a turn.
  bool takesTurns() const { return consumers == 2 && !isCareful; }
  /// All warps of the group get here before one goes on.
  void synchronizeGroup();
  /// The same for all warps that compute.
  void synchronizeConsumers();
  void waitForTurn();
  void passTurn();

  Value firstBlock(Value begin) { return kb.mul(kb.div(begin, kb.integer(blockKeys)), blockKeys); }
};

//===--- AttendGroup.cpp ---===//
/// Copies Q of the group's rows to its boxes.
void copyGroupQueries(AttendGroupKernel &k);
/// Copies the keys, or values, of ranks [rank, rank + blockKeys) of a piece to their stage, which `to` is, as soon as
/// it is empty; by one thread.
void copyRanks(AttendGroupKernel &k, PieceAttr piece, AttendGroupKernel::Part part, Value rank, const RingPlace &place,
               const BoxMatrix &to);
/// Writes a tile of Dv columns, rounded, to the group's rows of o.
void storeGroupOutput(AttendGroupKernel &k, ArrayRef<Value> tile);

//===--- AttendGroupSoftmax.cpp ---===//
/// What is carried from task to task, and from block to block. m is in units of unscaled scores.
struct GroupStates {
  RingPlace place;
  RowStates rows;

  SmallVector<Value> flat() const;
  static GroupStates of(ValueRange values);
};
/// All blocks of a piece of which `seen` tells.
GroupStates buildGroupBlocks(AttendGroupKernel &k, const SeenKeys &seen, const GroupStates &states);

//===--- AttendGroupCare.cpp ---===//
/// Values that are not finite become zeros. By all computing groups.
void clearSpecialValues(AttendGroupKernel &k, const BoxMatrix &values);
/// Adds those that rows see to their sums, once all products have been added.
void addSpecialValues(AttendGroupKernel &k, RowStates &rows);

} // namespace mlir::xf::nvgpu

#endif // XF_COMPILER_TARGET_NVGPU_ATTENDGROUP_H
