//===- SharedMemoryPipeline.h - Buffering in shared memory ------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Multi-stage buffering with asynchronous copies (double buffering with two stages) of the blocks of matrices that a
// thread block computes with one after the other. With S *stages* of shared memory, S - 1 blocks are in flight while
// another one is computed with:
//
//   fetch block 0 .. S - 2
//   for each block n
//     wait for block n; barrier: it has arrived, and block n - 1 has been read, for all threads
//     fetch block n + S - 1, to where block n - 1 was
//     compute with block n
//
// With one stage, a block is fetched behind a second barrier, once the previous one has been read.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_GPU_OPERANDS_SHAREDMEMORYPIPELINE_H
#define XF_COMPILER_TARGET_GPU_OPERANDS_SHAREDMEMORYPIPELINE_H

#include "compiler/Target/GPU/Machine/WarpProduct.h"

namespace mlir::xf::gpu {

/// The shared memory of streamed blocks: `count()` stages of the same layout. A stage is named by its first byte (i64).
class Stages {
public:
  explicit Stages(ThreadBlock &block) : block(block) {}

  /// Reserves `bytes` in each stage; returns their offset in a stage. Only before allocate.
  int64_t add(int64_t bytes);
  /// Allocates as many stages as fit the block's shared memory, at least 1 and at most `most`. Everything that is not
  /// streamed must have been allocated before.
  void allocate(int64_t most);

  int64_t count() const { return stages; }
  /// Returns a pointer to offset `place` of the stage that begins at byte `stage`.
  Value at(Value stage, int64_t place) const;
  /// Return the stage after, or before, `stage` in cyclic order.
  Value next(Value stage) const;
  Value previous(Value stage) const;

private:
  ThreadBlock &block;
  Value memory;
  int64_t bytes = 0, stages = 0;
};

/// A block to stream: its number (i64), followed by any values that `find` computes for the other functions.
using FoundBlock = SmallVector<Value>;

/// The callbacks that streamBlocks builds its loop from.
struct StreamedBlocks {
  /// Returns the first block to compute with that has number `from` or more; a number of `end` or more if there is
  /// none. Must contain a barrier of the block, behind which the previous block has been read.
  function_ref<FoundBlock(Value from)> find;
  /// Starts the asynchronous copies of a block to a stage.
  function_ref<void(ArrayRef<Value> found, Value stage)> fetch;
  function_ref<SmallVector<Value>(ArrayRef<Value> found, Value stage, ValueRange state)> compute;
  /// Completes a block with ordinary stores, after its copies have arrived and before the barrier behind which it is
  /// computed with; null for nothing.
  function_ref<void(ArrayRef<Value> found, Value stage)> settle = nullptr;
};

/// Streams the blocks first, first + step, .. below `end`; returns the final state. Copies started before the call are
/// complete when `compute` gets the first block, but may still be in flight if there is none.
SmallVector<Value> streamBlocks(ThreadBlock &block, const Stages &stages, Value first, Value end, int64_t step,
                                ValueRange state, const StreamedBlocks &streamed);

} // namespace mlir::xf::gpu

#endif // XF_COMPILER_TARGET_GPU_OPERANDS_SHAREDMEMORYPIPELINE_H
