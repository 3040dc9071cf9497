//===- AttendVjpKernel.h - State of a gradient kernel --------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel has one *side* (xft.attend_vjp): a block of its rows stays in shared memory, 16 for each warp, and blocks of
// the other side pass by. Where two meet, with S and dP as tiles of warps:
//
//   side rows   S = Q K^T     dP = dO V^T     P = exp(S - m - log l)   dS = P (dP - delta)   dQ += dS K
//   side keys   S = K Q^T     dP = V dO^T     P = exp(S - m - log l)   dS = P (dP - delta)   dK += dS Q,  dV += P dO
//
// The side of captures goes through all pairs of a head as that of rows does, and adds P (dP - delta) ds/d(element) to
// the elements that score regions read; see AttendVjpCaptures.cpp.
//
// P and dS are left operands as they come out of the sums. Nothing else is written than what a task owns, so no order
// of tasks can show. As for the forward kernel, a task whose sums are not finite is computed again, carefully.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_NVGPU_ATTENDVJP_ATTENDVJPKERNEL_H
#define XF_COMPILER_TARGET_NVGPU_ATTENDVJP_ATTENDVJPKERNEL_H

#include "compiler/Target/NVGPU/Attend/AttendRows.h"

namespace mlir::xf::nvgpu {

struct AttendVjpKernel : AttendRows {
  /// A kernel of blocks of `threads` threads.
  AttendVjpKernel(xft::AttendVjpOp op, KernelBuilder &kb, int64_t threads);

  xft::AttendVjpOp op;
  PieceAttr piece;
  bool hasKeys; ///< the side of keys
  bool isLinear;
  View k, v, dOut, lse, delta, dQ, dK, dV;
  int64_t depth, valueDepth, columns, valueColumns;
  ScoreRegion derivative;
  SmallVector<View> dCaptures; ///< side of captures: [b or 1, group or 1, sizes..]

  SharedMatrix query, cotangent, key, value; ///< Q and dO of the block of rows, K and V of the block of keys
  int64_t matrixPlace, valuePlace;           ///< in a stage: of those that pass, Q and dO or K and V
  SharedMatrix factors;                      ///< of the warp, as `scores`: ds/d<q,k>

  //===--- side of keys: what the rows of the streamed block have, in shared memory ---===//
  Value lowers, uppers;                 ///< i32 [row]: which keys of the block it sees
  Value rows;                           ///< i64 [row]: of q
  Value largest, logSums, deltas;       ///< real [row]: m, log l, delta
  SmallVector<int64_t, 6> numberPlaces; ///< of these in a stage, in this order

  //===--- the task ---===//
  ResidueMap keys;
  Value group;
  Value firstKey, keyEnd; ///< ranks of the block of keys
  Value keyHead, valueHead;
  std::optional<SeenKeys> seen;                   ///< side of rows
  Value rowLargest[2], rowLogSum[2], rowDelta[2]; ///< side of rows: the same of the lane's rows

  int64_t streamed() const { return hasKeys ? blockRows : blockKeys; }
  /// Takes shared memory for the matrices, and the numbers of rows.
  void shareMatrices();
  /// Defines what passes as that of the stage that begins at byte `stage`.
  void enter(Value stage);

  /// Defines b, h, r and the block of rows of a tile of the grid: (b, t, r, block), the block fastest and from the last
  /// one down.
  void locateRows(Value tile);
  /// Defines b, group, r and the block of keys of a tile of the grid: (b, group, r, block), the block fastest.
  void locateKeys(Value tile);
  /// The heads of the group that have this solution: from a first one to a last one, by steps of the op.
  std::pair<Value, Value> headsOfGroup();
  /// The blocks of rows (begin, end) that may see the keys of the block, found by the lanes of each warp alike.
  std::pair<Value, Value> streamedBlocks();
};

//===--- AttendVjpPairs.cpp ---===//
/// P (for dV; with dropout what stays of it) and dS of the warp where two blocks meet.
struct PairTiles {
  TileSums probabilities, gradients;
  TileSums products; ///< scale <q, k>
};
PairTiles buildPairs(AttendVjpKernel &k);

/// m and log l of a row.
std::pair<Value, Value> loadLse(AttendVjpKernel &k, Value row);

//===--- AttendVjpCaptures.cpp ---===//
/// Adds the gradients of what the pairs of a block of rows and keys read; dS without ds/d<q,k>.
void addCaptures(AttendVjpKernel &k, const PairTiles &pairs);

//===--- AttendVjpSums.cpp ---===//
/// body(sums, isCareful) from zeros; again and carefully where the sums are not finite. At once carefully where another
/// kernel has found that they are not.
SmallVector<Value> attempt(AttendVjpKernel &k, size_t size,
                           function_ref<SmallVector<Value>(ArrayRef<Value> zeros, Value isCareful)> body);
/// sums += tile b. Careful sums leave out terms of which `isMasked` says so.
SmallVector<Value> addProduct(AttendVjpKernel &k, ArrayRef<Value> sums, ArrayRef<Value> tile, const SharedMatrix &b,
                              Value isCareful, function_ref<Value(Value)> isMasked);
/// Writes the lane's sums of a row of a gradient, times `factor`; adds them unless `assigns` (i1).
void storeRow(AttendVjpKernel &k, const View &view, Value pointer, ArrayRef<Value> sums, int64_t half, int64_t depth,
              double factor, Value assigns);

//===--- AttendVjpRows.cpp ---===//
/// What a block of rows needs of its rows, in registers and shared memory.
void startRows(AttendVjpKernel &k);
/// All blocks of keys that they see.
SmallVector<Value> addKeyBlocks(AttendVjpKernel &k, ArrayRef<Value> zeros, Value isCareful);
void buildRowsTask(AttendVjpKernel &k);

//===--- AttendVjpKeys.cpp ---===//
/// The block of keys of the task and head h.
void buildKeysHead(AttendVjpKernel &k);

} // namespace mlir::xf::nvgpu

#endif // XF_COMPILER_TARGET_NVGPU_ATTENDVJP_ATTENDVJPKERNEL_H
