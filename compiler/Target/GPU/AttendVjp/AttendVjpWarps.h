//===- AttendVjpWarps.h - Gradients of attention by warps ----- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The form of AttendVjpKernel.h whose warps work on their own, 16 rows of the resident block each.
//
// P and dS become left operands without leaving registers. A task writes only what it owns, so results do not depend on
// the order of tasks. As in the forward kernel, a task with non-finite sums is computed again, carefully.
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

/// Numbers of the streamed rows in shared memory, on the side of keys.
struct StreamedNumbers {
  Value lowers, uppers;           ///< i32 [row]: range of the block's keys that the row sees
  Value rows;                     ///< i64 [row]: row of q
  Value largest, logSums, deltas; ///< real [row]: m, log l, delta
};

/// What lies in a stage of the pipeline.
struct VjpStage {
  VjpMatrices matrices;
  StreamedNumbers numbers;
};

/// Numbers of the lane's two resident rows, on the side of rows.
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
  /// pipeline. A stage holds the streamed matrices and, on the side of keys, numbers of the streamed rows.
  void shareMatrices();
  /// Returns what lies in the stage that begins at byte `stage`.
  VjpStage stageAt(Value stage);
};

//===--- AttendVjpPairs.cpp ---===//
/// Tiles of pairs of the warp's 16 rows of the resident block and all rows of the streamed block. `probabilities` are P
/// for dV, with dropout applied, and `gradients` are dS.
struct PairTiles {
  TileSums probabilities, gradients;
  TileSums products; ///< scale <q, k>
};
/// Builds the tiles of the resident block and the block in `stage`. `lane` is null on the side of keys.
PairTiles buildPairs(AttendVjpWarpKernel &k, const VjpStage &stage, const LaneNumbers *lane);

//===--- AttendVjpCaptures.cpp ---===//
/// Adds what the pairs of a block of rows and a block of keys contribute to the gradients of captured tensors. `pairs`
/// holds the gradients of scores s, which are not yet multiplied by ds/d<q,k>.
void addCaptures(AttendVjpWarpKernel &k, const PairTiles &pairs);

//===--- AttendVjpSums.cpp ---===//
/// Returns the sums body(zeros, isCareful = false). If they are non-finite in some thread of the block, returns
/// body(zeros, isCareful = true) instead. A recheck kernel computes only the careful sums. `zeros` has `size` elements.
SmallVector<Value> attempt(AttendVjpWarpKernel &k, size_t size,
                           function_ref<SmallVector<Value>(ArrayRef<Value> zeros, Value isCareful)> body);
/// Returns sums + tile b, by addTile or, if `isCareful` (i1), by addCarefully with `isMasked`.
SmallVector<Value> addProduct(AttendVjpWarpKernel &k, ArrayRef<Value> sums, const TileProduct &factors, Value isCareful,
                              function_ref<Value(Value)> isMasked);
/// The lane's elements of one row of a gradient: those of `sums` in row `half` of the lane's two rows, times `factor`.
struct LaneRow {
  ArrayRef<Value> sums;
  int64_t half;
  double factor;
};
/// Stores a lane's elements to the row at `pointer` of a gradient, which has `depth` elements. Unless `assigns` (i1),
/// adds them to what the row holds. If the gradient has another type than the sums, always overwrites the row.
void storeRow(AttendVjpWarpKernel &k, const View &view, Value pointer, const LaneRow &row, int64_t depth,
              Value assigns);

//===--- AttendVjpRows.cpp ---===//
/// Loads a resident block of rows. Q and dO go to shared memory. Returns numbers of the lane's rows.
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
