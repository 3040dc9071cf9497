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
// over. What a product of tensor cores does to values of hidden pairs that are not finite is noticed at the end, and the
// task left to the kernel that takes care (`suspects`, AttendGroupCare.cpp).
//
// All threads of a warpgroup walk the same blocks, in both roles: they derive them from the rows of the task alike.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_NVGPU_ATTENDGROUP_H
#define XF_COMPILER_TARGET_NVGPU_ATTENDGROUP_H

#include "compiler/Target/NVGPU/AttendKernel.h"
#include "compiler/Target/NVGPU/Warpgroup.h"

namespace mlir::xf::nvgpu {

/// Rows of a group: those of an instruction.
constexpr int64_t groupRows = 64;

/// The stages of keys and of values, and the barriers that hand them over.
class KeyStages {
public:
  KeyStages(ThreadBlock &block, int64_t stages, const BoxMatrix &keys, const BoxMatrix &values)
      : stages(stages), keys(keys), values(values), barriers(block, 4 * stages), kb(block.kb) {}

  /// `arrivals` make a stage empty.
  void init(int64_t arrivals);

  int64_t stages;
  enum Matrix { Keys, Values };

  /// By all lanes of a warp.
  BoxMatrix at(Matrix matrix, Value stage);
  void waitFull(Matrix matrix, const RingPlace &place);
  void waitEmpty(Matrix matrix, const RingPlace &place);
  /// In one lane of each warp that has read the stage.
  void release(Matrix matrix, const RingPlace &place);
  /// Announces what copies bring, and the barrier they arrive at.
  Value expect(Matrix matrix, const RingPlace &place);

private:
  Value number(Matrix matrix, bool isEmpty, Value stage);

  BoxMatrix keys, values;
  SharedBarriers barriers;
  KernelBuilder &kb;
};

struct AttendGroupKernel : AttendKernel {
  AttendGroupKernel(xft::AttendOp op, KernelBuilder &kb);

  int64_t consumers;
  bool isCareful;
  BoxMatrix queryBoxes;
  std::optional<KeyStages> ring;
  WarpgroupProduct groups;
  SmallVector<Value> maps; ///< as `xft.tensor_maps` of the kernel lists them

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
/// Starts copies of the keys, or values, of ranks [rank, rank + blockKeys) of a piece. By one thread.
void copyRanks(AttendGroupKernel &k, PieceAttr piece, KeyStages::Matrix matrix, Value rank, const BoxMatrix &to,
               Value barrier);
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
/// Leaves whether some state of the warp is not finite.
void noteSuspect(AttendGroupKernel &k, Value tile, const RowStates &rows);
/// Whether a warp has left that of the tile.
Value isSuspect(AttendGroupKernel &k, Value tile);
/// Values that are not finite become zeros. By all computing groups.
void clearSpecialValues(AttendGroupKernel &k, const BoxMatrix &values);
/// Adds those that rows see to their sums, once all products have been added.
void addSpecialValues(AttendGroupKernel &k, RowStates &rows);

} // namespace mlir::xf::nvgpu

#endif // XF_COMPILER_TARGET_NVGPU_ATTENDGROUP_H
