//===- SharedMemoryPipeline.h - Buffering in shared memory ------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Streams matrix blocks through shared memory with asynchronous copies. A thread block computes with one matrix block
// after the other. With S *stages* of shared memory, S - 1 matrix blocks are in flight while another one is computed
// with. (Two stages are double buffering.)
//
//   fetch block 0 .. S - 2
//   for each block n
//     wait for block n; barrier: it has arrived, and block n - 1 has been read, for all threads
//     fetch block n + S - 1, to where block n - 1 was
//     compute with block n
//
// With one stage, a block is fetched after a second barrier, when all threads have read the previous block.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_GPU_OPERANDS_SHAREDMEMORYPIPELINE_H
#define XF_COMPILER_TARGET_GPU_OPERANDS_SHAREDMEMORYPIPELINE_H

#include "compiler/Target/GPU/Machine/WarpProduct.h"

namespace mlir::xf::gpu {

/// The shared memory of streamed matrix blocks: `count()` stages of the same layout. A stage is identified by the
/// offset of its first byte (i64).
class Stages {
public:
  explicit Stages(ThreadBlock &block) : block(block) {}

  /// Reserves `bytes` bytes in each stage. Returns their offset in a stage. Must be called before `allocate`.
  int64_t add(int64_t bytes);
  /// Allocates as many stages as fit the thread block's shared memory, at least 1 and at most `most`. All other shared
  /// memory must have been allocated before.
  void allocate(int64_t most);

  int64_t count() const { return stages; }
  /// Returns a pointer to byte `place` of the stage that begins at byte `stage`.
  Value at(Value stage, int64_t place) const;
  /// Returns the stage after `stage` in cyclic order.
  Value next(Value stage) const;
  /// Returns the stage before `stage` in cyclic order.
  Value previous(Value stage) const;

private:
  ThreadBlock &block;
  Value memory;
  int64_t bytes = 0, stages = 0;
};

/// A matrix block to stream. The first element is the block's position (i64): its index, or the rank of its first key.
/// The other elements are any values that `find` passes to the other callbacks.
using FoundBlock = SmallVector<Value>;

/// The callbacks from which streamBlocks builds its loop. A block is a matrix block.
struct StreamedBlocks {
  /// Finds the next block to compute with, at position `from` or later. If there is none, returns a block whose
  /// position is `end` or more. Must contain a barrier of the thread block, after which the stage of the previous block
  /// may be overwritten.
  function_ref<FoundBlock(Value from)> find;
  /// Starts the asynchronous copies of a block to a stage.
  function_ref<void(ArrayRef<Value> found, Value stage)> fetch;
  /// Computes with a block that has arrived in a stage. Returns the next state.
  function_ref<SmallVector<Value>(ArrayRef<Value> found, Value stage, ValueRange state)> compute;
  /// Writes the rest of a block to its stage with ordinary stores. Is called when this thread's cp.async copies of the
  /// block have arrived, before the barrier after which `compute` reads the stage. Null if the copies bring the whole
  /// block.
  function_ref<void(ArrayRef<Value> found, Value stage)> settle = nullptr;
};

/// The positions of matrix blocks: first, first + step, .. below `end`.
struct BlockPositions {
  Value first, end;
  int64_t step;
};

/// Builds a loop over the matrix blocks that `find` returns, from position `positions.first` up to `positions.end`, and
/// computes with each of them. Returns the final state. cp.async copies started before the call are complete when
/// `compute` gets the first block. If there is no block, they may still be in flight.
SmallVector<Value> streamBlocks(ThreadBlock &block, const Stages &stages, const BlockPositions &positions,
                                ValueRange state, const StreamedBlocks &streamed);

} // namespace mlir::xf::gpu

#endif // XF_COMPILER_TARGET_GPU_OPERANDS_SHAREDMEMORYPIPELINE_H
