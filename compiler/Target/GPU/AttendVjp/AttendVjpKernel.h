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
  /// Reads the op's operands and attributes, for a kernel with `threads` threads per block.
  AttendVjpKernel(xft::AttendVjpSide op, KernelBuilder &kb, int64_t threads);

  xft::AttendVjpSide op;
  PieceAttr piece;
  bool hasKeys; ///< whether this is the side of keys
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
  SmallVector<int64_t, 6> numberPlaces; ///< offsets of `lowers` to `deltas` in a stage

  //===--- the task ---===//
  ResidueMap keys;
  Value group;
  Value firstKey, keyEnd; ///< ranks of the block of keys
  Value keyHead, valueHead;
  std::optional<SeenKeys> seen;                   ///< side of rows: the keys that the rows see
  Value rowLargest[2], rowLogSum[2], rowDelta[2]; ///< side of rows: m, log l and delta of the lane's rows

  /// Sets `predicate`, `derivative` and `dropout` from the op's operands. Builds the values that all their evaluations
  /// share at the insertion point, not at the head of the kernel.
  void readPairOperands();
  int64_t streamed() const { return hasKeys ? blockRows : blockKeys; }
  /// Allocates shared memory for the resident matrices, for a tile of scores per warp, and for the stages of the
  /// pipeline. A stage holds the streamed matrices and, on the side of keys, scalars of the streamed rows.
  void shareMatrices();
  /// Makes the streamed matrices, and the scalars of the streamed rows, refer to the stage that begins at byte `stage`.
  void enter(Value stage);

  /// Decodes the index of a tile on the side of rows: sets batch entry `b`, head `h`, residue `r` and the block of
  /// rows. Blocks of a section of heads (TileOrder.h) count down from the last one.
  void locateRows(Value tile);
  /// Decodes the index of a tile on the side of keys: sets batch entry `b`, the group of heads that share keys
  /// (`group`), residue `r` and the block of keys. Blocks of a section count up: the first keys have most causal rows.
  void locateKeys(Value tile);
  /// Returns the range (first, end) of those heads of the group whose patterns have this kernel's solution. Within the
  /// range, they are every n-th head, where n is the op's head step.
  std::pair<Value, Value> headsOfGroup();
  /// Returns the range (begin, end) of indices of the blocks of rows that may see keys of the task's block. Each warp
  /// computes it, so that no barrier is needed.
  std::pair<Value, Value> streamedBlocks();
};

//===--- AttendVjpPairs.cpp ---===//
/// Tiles of pairs of the warp's 16 rows of the resident block and all rows of the streamed block. `probabilities` are P
/// for dV, with dropout applied, and `gradients` are dS.
struct PairTiles {
  TileSums probabilities, gradients;
  TileSums products; ///< scale <q, k>
};
PairTiles buildPairs(AttendVjpKernel &k);

/// Loads m and log l of row `row` of q.
std::pair<Value, Value> loadLse(AttendVjpKernel &k, Value row);

//===--- AttendVjpCaptures.cpp ---===//
/// Adds what the pairs of a block of rows and a block of keys contribute to the gradients of captured tensors. `pairs`
/// holds the gradients of scores s, which are not yet multiplied by ds/d<q,k>.
void addCaptures(AttendVjpKernel &k, const PairTiles &pairs);

//===--- AttendVjpSums.cpp ---===//
/// Returns the sums body(zeros, isCareful = false). If they are non-finite in some thread of the block, returns
/// body(zeros, isCareful = true) instead. A recheck kernel computes only the careful sums. `zeros` has `size` elements.
SmallVector<Value> attempt(AttendVjpKernel &k, size_t size,
                           function_ref<SmallVector<Value>(ArrayRef<Value> zeros, Value isCareful)> body);
/// Returns sums + tile b, by addTile or, if `isCareful` (i1), by addCarefully with `isMasked`.
SmallVector<Value> addProduct(AttendVjpKernel &k, ArrayRef<Value> sums, ArrayRef<Value> tile, const SharedMatrix &b,
                              Value isCareful, function_ref<Value(Value)> isMasked);
/// The lane's elements of one row of a gradient: those of `sums` in row `half` of the lane's two rows, times `factor`.
struct LaneRow {
  ArrayRef<Value> sums;
  int64_t half;
  double factor;
};
/// Stores a lane's elements to the row at `pointer` of a gradient, which has `depth` elements. Unless `assigns` (i1),
/// adds them to what the row holds. If the gradient has another type than the sums, always overwrites the row.
void storeRow(AttendVjpKernel &k, const View &view, Value pointer, const LaneRow &row, int64_t depth, Value assigns);

//===--- AttendVjpRows.cpp ---===//
/// Loads a resident block of rows. Q and dO go to shared memory, and visible keys, m, log l and delta to registers.
void startRows(AttendVjpKernel &k);
/// Streams all blocks of keys that the resident rows see. Returns the lane's sums of dQ. On the side of captures, adds
/// to the gradients of captured elements instead and returns nothing.
SmallVector<Value> addKeyBlocks(AttendVjpKernel &k, ArrayRef<Value> zeros, Value isCareful);
/// Computes a task of the side of rows: dQ of a resident block of rows.
void buildRowsTask(AttendVjpKernel &k);

//===--- AttendVjpKeys.cpp ---===//
/// Adds what the queries of head `h` contribute to dK and dV of the task's block of keys.
void buildKeysHead(AttendVjpKernel &k);

} // namespace mlir::xf::gpu

#endif // XF_COMPILER_TARGET_GPU_ATTENDVJP_ATTENDVJPKERNEL_H
