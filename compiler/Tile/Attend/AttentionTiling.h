//===- AttentionTiling.h - Tiling an attention -------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The state that the forms of an attention share when they launch its kernels.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TILE_ATTEND_ATTENTIONTILING_H
#define XF_COMPILER_TILE_ATTEND_ATTENTIONTILING_H

#include "compiler/Tile/Attend/AttentionForm.h"

namespace mlir::xf {

/// The tiling of one xf.attention into launches.
struct AttentionTiling {
  AttentionOp op;
  HostBuilder &host;
  Type real;
  PackedOperands packed;
  PredicateData data;
  double scale;
  Buffer q, k, v, o;
  std::optional<Buffer> lse;
  Region weights;               ///< the score region of a linear op, which has none of its own
  SmallVector<Buffer, 3> state; ///< kept between launches: m, l and, if o is rounded, the unnormalised o
  SmallVector<Buffer, 3> kept;  ///< kept for a gradient: m, log l and, if o is rounded, the unrounded o

  /// `form` describes how keys and values are packed. It is nullopt if kernels read keys and values in place.
  AttentionTiling(AttentionOp op, HostBuilder &host, xft::AttendTileAttr tile, std::optional<PackedKeys> form);
  SmallVector<Value> captures() {
    return op.getRelative() ? SmallVector<Value>{op.getRelative()} : SmallVector<Value>(op.getCaptures());
  }
  /// Allocates `state`, for each row of q: one state or, if `parts` is given, `parts` states. Allocates the
  /// unnormalised o only if `hasOutput`.
  void allocateState(std::optional<Size> parts = {}, bool hasOutput = true);
  /// Returns the number of heads of `group` in one batch entry.
  Size headsOf(const HeadsOfSolution &group) const;
  /// Adds q, k, v and o as operands of a kernel that reads all of them in place, and returns their indices.
  SmallVector<unsigned> addMatrices(AttendOperands &operands, int64_t staticSizes = 1);
  /// Adds lse as an operand and returns its index. Returns an empty list if nothing reads lse, or if not `isLast`: only
  /// the launch of the last query order completes lse.
  SmallVector<unsigned, 2> addLse(AttendOperands &operands, bool isLast);
  /// Adds the row state as operands. Returns their indices by group: lse, sums, accumulator, kept. If `usesState`, adds
  /// m, l and the unnormalised o, which one launch passes to the next. If `isLast`, adds m, log l and the unrounded o,
  /// which are kept for a gradient.
  GroupNumbers addRowState(AttendOperands &operands, ArrayRef<unsigned> lseNumber, bool usesState, bool isLast);

  LogicalResult launchAll();

private:
  void keepForGradient();
  void foldHeads(HeadsOfSolution &group);
  void launchGroup(const HeadsOfSolution &group);
};

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_ATTEND_ATTENTIONTILING_H
