//===- AttendVjpWarps.h - Gradients of attention by warps ----- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernels of AttendVjpKernel.h in which each warp works on its own. A warp computes 16 rows of the resident block.
//
// P and dS become left operands of products without leaving registers. A task writes only gradients that no other task
// writes, so results do not depend on the order of tasks. As in the forward kernel, a task with non-finite sums is
// computed again, carefully.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_GPU_ATTENDVJP_ATTENDVJPWARPS_H
#define XF_COMPILER_TARGET_GPU_ATTENDVJP_ATTENDVJPWARPS_H

#include "compiler/Target/GPU/AttendVjp/AttendVjpKernel.h"

namespace mlir::xf::gpu {

/// Q and dO of a block of rows, or K and V of a block of keys: operands of S and of dP.
struct VjpMatrices {
  SharedMatrix ofScores, ofCotangents;
};

/// The scalars of the rows of a streamed block, as arrays in shared memory. Only the side of keys has them.
struct StreamedNumbers {
  Value lowers, uppers;           ///< i32 [row]: range of the block's keys that the row sees
  Value rows;                     ///< i64 [row]: row of q
  Value largest, logSums, deltas; ///< real [row]: m, log l, delta
};

/// The contents of a stage of the pipeline.
struct VjpStage {
  VjpMatrices matrices;
  StreamedNumbers numbers;
};

/// The scalars of the lane's two resident rows, in registers. Only the side of rows has them.
struct LaneNumbers {
  SeenKeys seen;
  Value largest[2], logSum[2], delta[2]; ///< m, log l, delta
};

/// The shared memory of a kernel.
struct AttendVjpBuffers {
  explicit AttendVjpBuffers(ThreadBlock &block) : stages(block) {}

  VjpMatrices resident;
  SharedMatrix scores;  ///< the warp's tile of scores (AttendRows::shareTiles)
  SharedMatrix factors; ///< ds/d<q,k> of the warp's tile, laid out as `scores`
  Stages stages;
  int64_t matrixPlace = 0, valuePlace = 0; ///< offsets in a stage of the streamed matrices
  SmallVector<int64_t, 6> numberPlaces;    ///< offsets in a stage of the arrays of StreamedNumbers
};

struct AttendVjpWarpKernel : AttendVjpKernel {
  AttendVjpWarpKernel(xft::AttendVjpSide op, KernelBuilder &kb, int64_t threads);

  AttendVjpBuffers buffers;

  /// Allocates shared memory for the resident matrices, for a tile of scores per warp, and for the stages of the
  /// pipeline. A stage holds the streamed matrices and, on the side of keys, the scalars of the streamed rows.
  void shareMatrices();
  /// Returns the contents of the stage that begins at byte `stage`.
  VjpStage stageAt(Value stage);
};

//===--- AttendVjpPairs.cpp ---===//
/// Tiles of pairs: the warp's 16 rows of the resident block by all rows of the streamed block. `probabilities` are P
/// after dropout, the left operand of dV. `gradients` are dS.
struct PairTiles {
  TileSums probabilities, gradients;
  TileSums products; ///< scale <q, k>
};
/// Builds the tiles of the resident block and the block in `stage`. `lane` is null on the side of keys.
PairTiles buildPairs(AttendVjpWarpKernel &k, const VjpStage &stage, const LaneNumbers *lane);

//===--- AttendVjpCaptures.cpp ---===//
/// Adds the contributions of the pairs of a row block and a key block to the gradients of captured tensors.
/// `pairs.gradients` must be the gradients of scores s, not yet multiplied by ds/d<q,k>.
void addCaptures(AttendVjpWarpKernel &k, const PairTiles &pairs);

//===--- AttendVjpSums.cpp ---===//
/// Returns the sums body(zeros, isCareful = false). If they are non-finite in some thread of the thread block, returns
/// body(zeros, isCareful = true) instead. A recheck kernel computes only the careful sums. `zeros` has `size` elements.
SmallVector<Value> attempt(AttendVjpWarpKernel &k, size_t size,
                           function_ref<SmallVector<Value>(ArrayRef<Value> zeros, Value isCareful)> body);
/// Returns `sums` plus the product of `factors`: by addCarefully with `isMasked` if `isCareful` (i1), else by addTile.
SmallVector<Value> addProduct(AttendVjpWarpKernel &k, ArrayRef<Value> sums, const TileProduct &factors, Value isCareful,
                              function_ref<Value(Value)> isMasked);
/// The lane's elements of one row of a gradient: those of `sums` in row `half` of the lane's two rows, times `factor`.
struct LaneRow {
  ArrayRef<Value> sums;
  int64_t half;
  double factor;
};
/// Stores the lane's elements `row` to one row of the gradient `view`. The row begins at `pointer` and has `depth`
/// elements. Unless `assigns` (i1), adds the elements to what the row holds. If the type of the gradient is not the
/// type of the sums, always overwrites the row.
void storeRow(AttendVjpWarpKernel &k, const View &view, Value pointer, const LaneRow &row, int64_t depth,
              Value assigns);

//===--- AttendVjpRows.cpp ---===//
/// Starts a resident block of rows: copies its Q and dO to shared memory. Returns the scalars of the lane's rows.
LaneNumbers startRows(AttendVjpWarpKernel &k);
/// Streams all blocks of keys that the resident rows see. Returns the lane's sums of dQ. On the side of captures, adds
/// to the gradients of captured elements instead and returns nothing.
SmallVector<Value> addKeyBlocks(AttendVjpWarpKernel &k, const LaneNumbers &lane, ArrayRef<Value> zeros,
                                Value isCareful);
/// Computes a task of the side of rows: dQ of a resident block of rows.
void buildRowsTask(AttendVjpWarpKernel &k);

//===--- AttendVjpKeys.cpp ---===//
/// Adds what the queries of head `h` contribute to dK and dV of the task's block of keys.
void buildKeysHead(AttendVjpWarpKernel &k);

} // namespace mlir::xf::gpu

#endif // XF_COMPILER_TARGET_GPU_ATTENDVJP_ATTENDVJPWARPS_H
