//===- AttendVjpKernel.h - State of a gradient kernel --------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel computes one *side* (xft.attend_vjp_rows, ..): a block of its rows is resident in shared memory, 16 rows for
// each warp, and blocks of the other side are streamed. For each pair of blocks, with S and dP as tiles of warps:
//
//   side rows   S = Q K^T     dP = dO V^T     P = exp(S - m - log l)   dS = P (dP - delta)   dQ += dS K
//   side keys   S = K Q^T     dP = V dO^T     P = exp(S - m - log l)   dS = P (dP - delta)   dK += dS Q,  dV += P dO
//
// The side of captures walks all pairs of a head as the side of rows does, and adds P (dP - delta) ds/d(element) to the
// gradients of the elements that score regions read (AttendVjpCaptures.cpp).
//
// P and dS become left operands without leaving registers. A task writes only what it owns, so results do not depend on
// the order of tasks. As in the forward kernel, a task with non-finite sums is computed again, carefully.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_GPU_ATTENDVJP_ATTENDVJPKERNEL_H
#define XF_COMPILER_TARGET_GPU_ATTENDVJP_ATTENDVJPKERNEL_H

#include "compiler/Target/GPU/Attend/AttendRows.h"

namespace mlir::xf::gpu {

struct AttendVjpKernel : AttendRows {
  /// Describes a kernel with `threads` threads per block.
  AttendVjpKernel(xft::AttendVjpSide op, KernelBuilder &kb, int64_t threads);

  xft::AttendVjpSide op;
  PieceAttr piece;
  bool hasKeys; ///< the side of keys
  bool isLinear;
  View k, v, dOut, lse, delta;
  xft::VjpSide side;
  View dQ;     ///< side of rows
  View dK, dV; ///< side of keys
  int64_t depth, valueDepth, columns, valueColumns;
  ScoreRegion derivative;
  SmallVector<View> dCaptures; ///< side of captures: [b or 1, group or 1, sizes..]

  SharedMatrix query, cotangent, key, value; ///< Q and dO of the block of rows, K and V of the block of keys
  int64_t matrixPlace, valuePlace;           ///< offsets in a stage of the streamed matrices: Q and dO, or K and V
  SharedMatrix factors;                      ///< ds/d<q,k> of the warp's tile, laid out as `scores`

  //===--- side of keys: numbers of the streamed rows, in shared memory ---===//
  Value lowers, uppers;                 ///< i32 [row]: range of the block's keys that the row sees
  Value rows;                           ///< i64 [row]: row of q
  Value largest, logSums, deltas;       ///< real [row]: m, log l, delta
  SmallVector<int64_t, 6> numberPlaces; ///< offsets of these in a stage, in this order

  //===--- the task ---===//
  ResidueMap keys;
  Value group;
  Value firstKey, keyEnd; ///< ranks of the block of keys
  Value keyHead, valueHead;
  std::optional<SeenKeys> seen;                   ///< side of rows
  Value rowLargest[2], rowLogSum[2], rowDelta[2]; ///< side of rows: m, log l and delta of the lane's rows

  int64_t streamed() const { return hasKeys ? blockRows : blockKeys; }
  /// Allocates shared memory for the matrices and the numbers of rows.
  void shareMatrices();
  /// Selects the streamed operands of the stage that begins at byte `stage`.
  void enter(Value stage);

  /// Locates a tile of the grid, side of rows: defines b, h, r and the block of rows. Order (b, t, r, block), block the
  /// fastest, from the last one down.
  void locateRows(Value tile);
  /// Locates a tile of the grid, side of keys: defines b, group, r and the block of keys. Order (b, group, r, block),
  /// block the fastest.
  void locateKeys(Value tile);
  /// Returns the heads of the group that have this solution, as (first, end) with the op's step of heads.
  std::pair<Value, Value> headsOfGroup();
  /// Returns the range (begin, end) of blocks of rows that may see keys of the block. Each warp computes it for itself,
  /// without a barrier.
  std::pair<Value, Value> streamedBlocks();
};

//===--- AttendVjpPairs.cpp ---===//
/// P (for dV; with dropout applied) and dS of the warp's rows of the resident block and all rows of the streamed block.
struct PairTiles {
  TileSums probabilities, gradients;
  TileSums products; ///< scale <q, k>
};
PairTiles buildPairs(AttendVjpKernel &k);

/// Loads m and log l of a row.
std::pair<Value, Value> loadLse(AttendVjpKernel &k, Value row);

//===--- AttendVjpCaptures.cpp ---===//
/// Adds the gradients of the captured elements that the pairs of two blocks read; `pairs` has dS without ds/d<q,k>.
void addCaptures(AttendVjpKernel &k, const PairTiles &pairs);

//===--- AttendVjpSums.cpp ---===//
/// Returns body(zeros, isCareful = false), or if that is non-finite body(zeros, true). In a recheck kernel, calls only
/// body(zeros, true).
SmallVector<Value> attempt(AttendVjpKernel &k, size_t size,
                           function_ref<SmallVector<Value>(ArrayRef<Value> zeros, Value isCareful)> body);
/// Returns sums + tile b. Careful sums skip the terms that are masked according to `isMasked`.
SmallVector<Value> addProduct(AttendVjpKernel &k, ArrayRef<Value> sums, ArrayRef<Value> tile, const SharedMatrix &b,
                              Value isCareful, function_ref<Value(Value)> isMasked);
/// Stores the lane's sums of a row of a gradient, times `factor`; adds to the row unless `assigns` (i1).
void storeRow(AttendVjpKernel &k, const View &view, Value pointer, ArrayRef<Value> sums, int64_t half, int64_t depth,
              double factor, Value assigns);

//===--- AttendVjpRows.cpp ---===//
/// Loads a resident block of rows: Q and dO to shared memory; visible keys, m, log l and delta to registers.
void startRows(AttendVjpKernel &k);
/// Streams all blocks of keys that these rows see; returns the sums of dQ.
SmallVector<Value> addKeyBlocks(AttendVjpKernel &k, ArrayRef<Value> zeros, Value isCareful);
/// Computes a task of the side of rows: dQ of a resident block of rows.
void buildRowsTask(AttendVjpKernel &k);

//===--- AttendVjpKeys.cpp ---===//
/// Computes the gradients of the task's block of keys from the queries of head h.
void buildKeysHead(AttendVjpKernel &k);

} // namespace mlir::xf::gpu

#endif // XF_COMPILER_TARGET_GPU_ATTENDVJP_ATTENDVJPKERNEL_H
