//===- SharedMemoryPipeline.h - Blocks that pass through shared memory --*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Blocks of matrices that the threads of a block need one after the other. With S *stages* of shared memory, S - 1
// blocks are under way while another one is computed with:
//
//   fetch block 0 .. S - 2
//   for each block n
//     wait for block n; barrier: it has arrived, and block n - 1 has been read, for all threads
//     fetch block n + S - 1, to where block n - 1 was
//     compute with block n
//
// With one stage a block is fetched behind a second barrier, once the one before has been read.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_NVGPU_OPERANDS_SHAREDMEMORYPIPELINE_H
#define XF_COMPILER_TARGET_NVGPU_OPERANDS_SHAREDMEMORYPIPELINE_H

#include "compiler/Target/NVGPU/Machine/WarpProduct.h"

namespace mlir::xf::nvgpu {

/// The shared memory of blocks that pass: of each stage the same.
class Stages {
public:
  explicit Stages(ThreadBlock &block) : block(block) {}

  /// Asks for `bytes` of each stage; returns where they begin. Before allocate.
  int64_t add(int64_t bytes);
  /// Takes the memory: of so many stages, but at most `most`, as the block has room for. What is not streamed has been
  /// asked for by now.
  void allocate(int64_t most);

  int64_t count() const { return stages; }
  /// What begins at `place` in the stage that begins at byte `stage`.
  Value at(Value stage, int64_t place) const;
  /// The stages behind and before one, in a ring.
  Value next(Value stage) const;
  Value previous(Value stage) const;

private:
  ThreadBlock &block;
  Value memory;
  int64_t bytes = 0, stages = 0;
};

/// What is known of a block: its number (i64), and anything else.
using FoundBlock = SmallVector<Value>;

struct StreamedBlocks {
  /// The first wanted block from number `from` on; a number from `end` on where there is none. Has a barrier.
  function_ref<FoundBlock(Value from)> find;
  /// Starts to copy a block to a stage.
  function_ref<void(ArrayRef<Value> found, Value stage)> fetch;
  function_ref<SmallVector<Value>(ArrayRef<Value> found, Value stage, ValueRange state)> compute;
  /// Does what fetch could not, before the barrier behind which a block is computed with; null for nothing.
  function_ref<void(ArrayRef<Value> found, Value stage)> settle = nullptr;
};

/// All blocks from number `first` on, by `step`, until `end`. What was started to be copied before has arrived with the
/// first one; where there is none, it is in a group that has not been awaited.
SmallVector<Value> streamBlocks(ThreadBlock &block, const Stages &stages, Value first, Value end, int64_t step,
                                ValueRange state, const StreamedBlocks &streamed);

} // namespace mlir::xf::nvgpu

#endif // XF_COMPILER_TARGET_NVGPU_OPERANDS_SHAREDMEMORYPIPELINE_H
