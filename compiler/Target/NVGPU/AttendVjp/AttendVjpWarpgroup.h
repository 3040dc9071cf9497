//===- AttendVjpWarpgroup.h - Gradients by warpgroups --------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The warp-specialised form of AttendVjpKernel.h, for `xft.attend_vjp` with `warpgroups`: a producer warpgroup copies,
// consumer warpgroups compute 64 rows of the resident block each.
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
// Q, dO, K and V lie in shared memory once, for all products. P and dS stay in registers. Masked pairs have P = 0; if
// this meets non-finite values, results are non-finite, and the tile is flagged for the recheck kernel.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_NVGPU_ATTENDVJP_ATTENDVJPWARPGROUP_H
#define XF_COMPILER_TARGET_NVGPU_ATTENDVJP_ATTENDVJPWARPGROUP_H

#include "compiler/Target/GPU/AttendVjp/AttendVjpKernel.h"
#include "compiler/Target/NVGPU/Operands/MbarrierPipeline.h"
#include "compiler/Target/NVGPU/Operands/TmaCopies.h"

namespace mlir::xf::nvgpu {

/// The numbers of the rows of a streamed block, in each stage: arrays of 32-bit numbers, and a flag for each warp that
/// writes them.
struct RowNumbers {
  /// Shift: see loadShift. First, Count: the range of visible keys, relative to the block's first key.
  enum Array { Shift, Delta, First, Count };

  Value pointer;
  int64_t rows;

  static constexpr int64_t arrays = 4, flagBytes = 16;
  int64_t warps() const { return llvm::divideCeil(rows, ThreadBlock::warpSize); }
  int64_t bytes() const { return arrays * rows * 4 + warps() * flagBytes; }
  Value stage(KernelBuilder &kb, Value stage) const;
  Value at(KernelBuilder &kb, Value stagePointer, Array array, Value row) const;
  /// Returns a pointer to the flag of a warp: not 0 if some of its rows sees only a part of the block's keys.
  Value flag(KernelBuilder &kb, Value stagePointer, Value warp) const;
};

struct AttendVjpWarpgroupKernel : AttendVjpKernel {
  AttendVjpWarpgroupKernel(xft::AttendVjpSide op, KernelBuilder &kb);

  /// Names the parts of a pipeline stage. Scores: Q or K, an operand of S. Cotangents: dO or V, an operand of dP.
  /// Numbers: the scalars of each streamed row (RowNumbers), only where keys are resident.
  enum Part { Scores, Cotangents, Numbers };

  int64_t consumers;
  SwizzledMatrix resident[2];
  std::optional<MbarrierPipeline> ring;
  RowNumbers numbers;
  Value flags; ///< of consumer warps: whether their results are non-finite
  WarpgroupProduct groups;
  TensorMaps maps;

  // In consumer warpgroups:
  Value warpgroup;   ///< the warpgroup's number, i32
  Value groupRow;    ///< its first row in the block, i32
  Value scale;       ///< of scores, in units of log2
  Value rowShift[2]; ///< side of rows: shifts of the lane's rows (loadShift)

  /// Synchronizes the warps of this warpgroup.
  void synchronizeWarpgroup();

  /// Locates the task of a tile; returns whether it has rows, or keys (i1).
  Value locate(Value tile);
  /// Locates the task again, from an opaque tile number, so that nothing but this number is kept in registers
  /// meanwhile.
  void locateAgain(Value tile);
  /// Walks all streamed blocks of a task: body(block, its pipeline state, sums) returns the next sums. Returns the
  /// final pipeline state and sums.
  using StreamedBody = function_ref<SmallVector<Value>(Value streamed, const PipelineState &place, ValueRange sums)>;
  SmallVector<Value> forStreamed(Value tile, ValueRange placeAndSums, StreamedBody body);
};

/// Returns the shift -(m + log l) log2 e of a row, and whether the row saw no key. The shift is NaN if it is too large
/// for f32 (isLarge): the results are then non-finite, which leaves the tile to the recheck kernel.
std::pair<Value, Value> loadShift(AttendVjpWarpgroupKernel &k, Value row);
/// Copies a part of a streamed block to `to`, its place in a stage, as soon as that is empty. Called by one thread.
void copyStreamed(AttendVjpWarpgroupKernel &k, AttendVjpWarpgroupKernel::Part part, Value streamed,
                  const PipelineState &place, const SwizzledMatrix &to);
/// Writes the numbers of the 32 rows of a streamed block that belong to producer warp `warp`.
void writeNumbers(AttendVjpWarpgroupKernel &k, PieceBounds &bounds, Value warp, const PipelineState &place);

//===--- AttendVjpWarpgroupPairs.cpp ---===//
/// Adds the pairs of the resident and a streamed block to the sums of a task: dQ, or dK and dV.
SmallVector<Value> addWarpgroupPairs(AttendVjpWarpgroupKernel &k, Value streamed, const PipelineState &place,
                                     ValueRange sums);

} // namespace mlir::xf::nvgpu

#endif // XF_COMPILER_TARGET_NVGPU_ATTENDVJP_ATTENDVJPWARPGROUP_H
