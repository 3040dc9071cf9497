//===- AttendVjpKernel.h - State of a gradient kernel --------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel computes one *side* (xft.attend_vjp_rows, ..): a block of its rows is resident in shared memory, and blocks
// of the other side are streamed. For each pair of blocks, with S and dP as tiles of warps:
//
//   side rows   S = Q K^T     dP = dO V^T     P = exp(S - m - log l)   dS = P (dP - delta)   dQ += dS K
//   side keys   S = K Q^T     dP = V dO^T     P = exp(S - m - log l)   dS = P (dP - delta)   dK += dS Q,  dV += P dO
//
// The side of captures visits all pairs of a head, as the side of rows does. It adds P (dP - delta) ds/d(element) to
// the gradients of the elements that score regions read (AttendVjpCaptures.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_GPU_ATTENDVJP_ATTENDVJPKERNEL_H
#define XF_COMPILER_TARGET_GPU_ATTENDVJP_ATTENDVJPKERNEL_H

#include "compiler/Target/GPU/Attend/AttendRows.h"

namespace mlir::xf::gpu {

/// The operands of one side of `xft.attend_vjp`, except q, and the gradients that it computes.
struct AttendVjpOperands {
  AttendVjpOperands(xft::AttendVjpSide op, KernelBuilder &kb);

  View k, v, dOut, lse, delta;
  View dQ;                     ///< side of rows
  View dK, dV;                 ///< side of keys
  SmallVector<View> dCaptures; ///< side of captures: [b or 1, group or 1, sizes..]
  HeadSizes sizes;
};

/// The keys of a task, and its block of keys.
struct TaskKeys {
  ResidueMap map;   ///< from ranks to keys
  Value group;      ///< the group of heads of q that share keys
  Value first, end; ///< ranks of the block of keys
  KeyHeads heads;
};

struct AttendVjpKernel : AttendRows {
  /// Reads the op's operands and attributes, for a kernel with `threads` threads per block.
  AttendVjpKernel(xft::AttendVjpSide op, KernelBuilder &kb, int64_t threads);

  xft::AttendVjpSide op;
  AttendVjpOperands operands;
  TaskKeys keys;

  /// Returns whether this is the side of keys.
  bool hasKeys() { return op.getSide() == xft::VjpSide::keys; }
  bool isLinear() { return op.getLinear(); }
  PieceAttr piece() { return op.getPiece(); }
  int64_t depth() const { return operands.sizes.depth; }
  int64_t valueDepth() const { return operands.sizes.valueDepth; }
  int64_t columns() const { return operands.sizes.columns(); }
  int64_t valueColumns() const { return operands.sizes.valueColumns(); }
  /// Return the number of rows or keys of a resident and of a streamed block.
  int64_t resident() { return hasKeys() ? tile.getKeys() : tile.getQueries(); }
  int64_t streamed() { return hasKeys() ? tile.getQueries() : tile.getKeys(); }

  /// Decodes the index of a tile on the side of rows: sets batch entry `b`, head `h`, residue `r` and the block of
  /// rows. Blocks of a section of heads (TileOrder.h) count down from the last one.
  void locateRows(Value tile);
  /// Decodes the index of a tile on the side of keys: sets batch entry `b`, the group of heads that share keys, residue
  /// `r` and the block of keys. Blocks of a section count up: the first keys have most causal rows.
  void locateKeys(Value tile);
  /// Selects the heads of K and V that the task's head h uses.
  void locateKeyHeads();
  /// Returns the range (first, end) of those heads of the group whose patterns have this kernel's solution. Within the
  /// range, they are every n-th head, where n is the op's head step.
  std::pair<Value, Value> headsOfGroup();
  /// Returns the range (begin, end) of indices of the row blocks that may see keys of the task's key block. Each warp
  /// computes the range, so no barrier is needed.
  std::pair<Value, Value> streamedBlocks();
};

/// Loads m and log l of row `row` of q.
std::pair<Value, Value> loadLse(AttendVjpKernel &k, Value row);

} // namespace mlir::xf::gpu

#endif // XF_COMPILER_TARGET_GPU_ATTENDVJP_ATTENDVJPKERNEL_H
