//===- AttendVjpKernel.h - State of a gradient kernel --------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The gradient of attention has three *sides*, each with a kernel of its own (xft.attend_vjp_rows, ..): rows, keys, and
// captured tensors. On the side of rows, a block of rows is resident in shared memory, and blocks of keys are streamed.
// On the side of keys, a block of keys is resident, and blocks of rows are streamed. For each pair of blocks, with S
// and dP as tiles of warps:
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

/// The operands of one side of `xft.attend_vjp`, except q, and the gradients that the side computes.
struct AttendVjpOperands {
  AttendVjpOperands(xft::AttendVjpSide op, KernelBuilder &kb);

  View k, v, dOut, lse, delta;
  View dQ;                     ///< side of rows
  View dK, dV;                 ///< side of keys
  SmallVector<View> dCaptures; ///< side of captures: [b or 1, group or 1, sizes..]
  HeadSizes sizes;
};

/// The keys of a task: their map, the heads that use them, and the task's block of keys.
struct TaskKeys {
  ResidueMap map;   ///< from ranks to keys
  Value group;      ///< the group of heads of q that share keys
  Value first, end; ///< ranks of the block of keys
  KeyHeads heads;
};

struct AttendVjpKernel : AttendRows {
  /// Reads the op's operands and attributes, for a kernel with `threads` threads per thread block.
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
  /// Return the number of rows (or keys) of a resident block, and of a streamed block.
  int64_t resident() { return hasKeys() ? tile.getKeys() : tile.getQueries(); }
  int64_t streamed() { return hasKeys() ? tile.getQueries() : tile.getKeys(); }

  /// Sets the task of index `tile` on the side of rows: batch entry `b`, head `h`, residue `r`, and the block of rows.
  /// Within a section of heads (TileOrder.h), the last blocks come first.
  void locateRows(Value tile);
  /// Sets the task of index `tile` on the side of keys: batch entry `b`, the group of heads that share keys, residue
  /// `r`, and the block of keys. Within a section of heads, blocks come in the order of keys, because most rows see the
  /// first keys in causal attention.
  void locateKeys(Value tile);
  /// Sets `keys.heads` to the heads of K and V that the task's head `h` uses.
  void locateKeyHeads();
  /// Returns the range (first, end) of the heads that this kernel computes in the task's group. They are every n-th
  /// head of the range, where n is the op's head step. Other heads of the group have other patterns, and kernels of
  /// their own.
  std::pair<Value, Value> headsOfGroup();
  /// Returns the range (begin, end) of the indices of row blocks that may see keys of the task's key block. Each warp
  /// computes the range, so no barrier is needed.
  std::pair<Value, Value> streamedBlocks();
};

/// Loads m and log l of row `row` of q.
std::pair<Value, Value> loadLse(AttendVjpKernel &k, Value row);

} // namespace mlir::xf::gpu

#endif // XF_COMPILER_TARGET_GPU_ATTENDVJP_ATTENDVJPKERNEL_H
