//===- AttendVjpWarpgroup.h - Gradients by warpgroups --------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What AttendVjpKernel.h describes, for `xft.attend_vjp` with `warpgroups`: one group of warps copies, others compute
// 64 rows of the block that stays, each.
//
//   copying group                                  computing groups
//     for each task, block that passes:              for each task:
//       one warp, as stages get empty:                 the block that stays, to shared memory
//         side rows: K, then V                         for each block that passes:
//         side keys: Q, then dO                          side rows:                  side keys:
//       side keys, one lane for each row:                  S = Q K^T                   S = K Q^T
//         lse, delta, what it sees                         dP = dO V^T                 dP = V dO^T
//                                                          P, while dP is computed     P; dV += P dO
//                                                          dQ += dS K                  dK += dS Q
//
// Of Q, dO, K and V each product reads what lies there once. P and dS stay in registers. Masked pairs have P = 0; where
// this meets values that are not finite, results are not, and the task is left to the kernel that takes care.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_NVGPU_ATTENDVJP_ATTENDVJPWARPGROUP_H
#define XF_COMPILER_TARGET_NVGPU_ATTENDVJP_ATTENDVJPWARPGROUP_H

#include "compiler/Target/NVGPU/AttendVjp/AttendVjpKernel.h"
#include "compiler/Target/NVGPU/Operands/MbarrierPipeline.h"
#include "compiler/Target/NVGPU/Operands/TmaCopies.h"

namespace mlir::xf::nvgpu {

/// What the rows of a streamed block have, in each stage: arrays of 32 bits, and for each warp that writes them a flag.
struct RowNumbers {
  enum Array { Shift, Delta, First, Count }; ///< see loadShift; delta; the keys seen, from the block's first one on

  Value pointer;
  int64_t rows;

  static constexpr int64_t arrays = 4, flagBytes = 16;
  int64_t warps() const { return llvm::divideCeil(rows, ThreadBlock::warpSize); }
  int64_t bytes() const { return arrays * rows * 4 + warps() * flagBytes; }
  Value stage(KernelBuilder &kb, Value stage) const;
  Value at(KernelBuilder &kb, Value stagePointer, Array array, Value row) const;
  /// Whether some row of a warp sees a part of the block's keys only: not 0.
  Value flag(KernelBuilder &kb, Value stagePointer, Value warp) const;
};

struct AttendVjpWarpgroupKernel : AttendVjpKernel {
  AttendVjpWarpgroupKernel(xft::AttendVjpOp op, KernelBuilder &kb);

  /// Q and K, whose products are scores; dO and V, whose products are dP; numbers of rows (side keys).
  enum Part { Scores, Cotangents, Numbers };

  int64_t consumers;
  SwizzledMatrix resident[2];
  std::optional<MbarrierPipeline> ring;
  RowNumbers numbers;
  Value flags; ///< of computing warps: whether their results are suspect
  WarpgroupProduct groups;
  TensorMaps maps;

  // In computing groups:
  Value warpgroup;   ///< number, i32
  Value groupRow;    ///< its first row in the block, i32
  Value scale;       ///< of scores, in units of log2
  Value rowShift[2]; ///< side of rows: of the lane's rows

  /// All warps of the group get here before one goes on.
  void synchronizeWarpgroup();

  /// Defines the task of a tile; whether there is one.
  Value locate(Value tile);
  /// The same once more, so that nothing but the tile's number takes registers in between.
  void locateAgain(Value tile);
  /// body(block that passes, its place, sums) gives the next sums: for all of a task.
  using StreamedBody = function_ref<SmallVector<Value>(Value streamed, const PipelineState &place, ValueRange sums)>;
  SmallVector<Value> forStreamed(Value tile, ValueRange placeAndSums, StreamedBody body);
};

/// -(m + log l) log2 e of a row, and whether it saw no key. Where one f32 would not hold that, NaN: results that are
/// not finite are left to the other form.
std::pair<Value, Value> loadShift(AttendVjpWarpgroupKernel &k, Value row);
/// Copies a part of a streamed block to its stage, which `to` is, as soon as it is empty; by one thread.
void copyStreamed(AttendVjpWarpgroupKernel &k, AttendVjpWarpgroupKernel::Part part, Value streamed,
                  const PipelineState &place, const SwizzledMatrix &to);
/// Warp `warp` of those that write numbers writes those of the streamed block of rows.
void writeNumbers(AttendVjpWarpgroupKernel &k, PieceBounds &bounds, Value warp, const PipelineState &place);

//===--- AttendVjpWarpgroupPairs.cpp ---===//
/// Sums of a task with the pairs of the resident and the streamed block: of dQ, or of dK and dV.
SmallVector<Value> addWarpgroupPairs(AttendVjpWarpgroupKernel &k, Value streamed, const PipelineState &place,
                                     ValueRange sums);

} // namespace mlir::xf::nvgpu

#endif // XF_COMPILER_TARGET_NVGPU_ATTENDVJP_ATTENDVJPWARPGROUP_H
