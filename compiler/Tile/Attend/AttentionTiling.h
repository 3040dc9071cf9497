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
  Region weights;               ///< of a linear op, instead of its score region
  SmallVector<Buffer, 3> state; ///< between launches: m, l and, if o is rounded, the unnormalised o
  SmallVector<Buffer, 3> kept;  ///< for a gradient: m, log l and, if o is rounded, the unrounded o

  /// `form` is how keys and values are packed, and nullopt if kernels read them in place.
  AttentionTiling(AttentionOp op, HostBuilder &host, xft::AttendTileAttr tile, std::optional<PackedKeys> form);
  SmallVector<Value> captures() {
    return op.getRelative() ? SmallVector<Value>{op.getRelative()} : SmallVector<Value>(op.getCaptures());
  }
  /// Allocates `state` for the rows of q, or for parts of these rows if `parts` is given.
  void allocateState(std::optional<Size> parts = {}, bool hasOutput = true);
  /// Returns the number of heads of `group` in a batch entry.
  Size headsOf(const HeadsOfSolution &group) const;
  /// Adds q, k, v and o as operands of a kernel that reads all of them in place, and returns their indices.
  SmallVector<unsigned> addMatrices(AttendOperands &operands, int64_t staticSizes = 1);
  /// Adds lse as an operand and returns its index. Returns an empty list if nothing reads lse, or if this is not the
  /// last query order, because only the last one completes lse.
  SmallVector<unsigned, 2> addLse(AttendOperands &operands, bool isLast);
  /// Adds the row state as operands. If `usesState`, adds m, l and unnormalised o, which one launch leaves to the next.
  /// If `isLast`, adds m, log l and unrounded o, which are kept for a gradient. Returns the indices by group: lse,
  /// sums, accumulator, kept.
  GroupNumbers addRowState(AttendOperands &operands, ArrayRef<unsigned> lseNumber, bool usesState, bool isLast);

  LogicalResult launchAll();

private:
  void keepForGradient();
  void foldHeads(HeadsOfSolution &group);
  void launchGroup(const HeadsOfSolution &group);
};

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_ATTEND_ATTENTIONTILING_H
