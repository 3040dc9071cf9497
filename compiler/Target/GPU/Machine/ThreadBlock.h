//===- ThreadBlock.h - The threads that run a kernel's tile --- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gives the code of a kernel access to the thread block that runs it: thread numbers, tiles, barriers, asynchronous
// copies, warp shuffles, shared memory. All code is built with a KernelBuilder, whose vectors have one element on GPUs,
// and with the instructions of its machine.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_GPU_MACHINE_THREADBLOCK_H
#define XF_COMPILER_TARGET_GPU_MACHINE_THREADBLOCK_H

#include "compiler/Target/GPU/Machine/GpuMachine.h"

namespace mlir::xf::gpu {
using namespace kernel;

class ThreadBlock {
public:
  static constexpr int64_t warpSize = 32;
  /// The number of bytes of one asynchronous copy.
  static constexpr int64_t copyBytes = 16;

  /// Describes a thread block of `threads` threads, a multiple of warpSize, which runs the kernel that `kb` builds.
  ThreadBlock(func::FuncOp kernel, KernelBuilder &kb, int64_t threads);

  KernelBuilder &kb;
  int64_t threads;
  int64_t warps() const { return threads / warpSize; }
  Value thread; ///< index in the thread block, i64
  Value lane;   ///< index in the warp
  Value warp;   ///< index of the warp in the thread block, uniform over its lanes

  /// Return the index of the thread block in the launch, and the number of thread blocks.
  Value number() { return readRegister(gpu.blockNumber(kb)); }
  Value count() { return readRegister(gpu.blockCount(kb)); }
  /// Returns the number of tiles of the launch.
  Value tiles();
  void forTiles(function_ref<void(Value tile)> body);
  /// Builds the loop over this thread block's tiles. `state` is carried from tile to tile: body(tile, state) returns
  /// the next state. Returns the final state.
  SmallVector<Value> forTiles(ValueRange state, KernelBuilder::LoopBody body);
  /// Returns whether holds(tile) (i1) is true for one of this thread block's tiles (i1). Each thread checks some of the
  /// tiles. Acts as a barrier of the thread block.
  Value anyTile(function_ref<Value(Value tile)> holds);
  /// Runs `body` in the first lane of the warp.
  void onFirstLane(function_ref<void()> body);

  /// Builds a barrier of the thread block. What a thread wrote before the barrier is visible to the other threads after
  /// it.
  void synchronize();
  /// Builds a barrier of the warp. What a lane wrote before the barrier is visible to the other lanes after it.
  void synchronizeWarp();
  /// Returns whether `condition` (i1) holds in any thread of the thread block (i1). Acts as a barrier of the thread
  /// block.
  Value any(Value condition);
  /// Returns an i32 whose bit n says whether `condition` (i1) holds in lane n of the warp.
  Value ballot(Value condition);
  /// Return the least and the greatest x (i32, signed) of the lanes of the warp.
  Value leastOfWarp(Value x);
  Value greatestOfWarp(Value x);
  /// Returns an i32 whose bit n says whether lane n of the warp has the same x (i64) as this lane.
  Value matchLanes(Value x);
  /// Starts a copy of 16 bytes from global to shared memory, both 16-byte aligned. Reads only the first `bytes` bytes
  /// (0 to 16), and fills the rest with zeros.
  void startCopy(Value to, Value from, Value bytes);
  /// Commits the copies that this thread has started since its last commit, as one group.
  void groupCopies();
  /// Waits until at most the last `pending` groups of this thread's copies are in flight. Other threads see the data
  /// only after a barrier.
  void awaitCopies(int64_t pending = 0);
  /// Returns the value that x has in lane (n xor `mask`), where n is the index of this lane. x is an integer or float
  /// of 16, 32 or 64 bits, or a vector of one element.
  Value exchange(Value x, int64_t mask);
  /// Returns the value that x has in lane `from` (i64).
  Value fromLane(Value x, Value from);

  /// Allocates `bytes` bytes of dynamic shared memory and returns a pointer to them. `sharedBytes` counts all bytes so
  /// far.
  Value shared(int64_t bytes, int64_t alignment = 16);
  int64_t sharedBytes = 0;
  /// The number of thread blocks that should run on a multiprocessor at the same time. The registers of a thread are
  /// limited, so that the multiprocessor has enough for these blocks, or for as many of them as its shared memory
  /// holds.
  int64_t residentBlocks = 1;

  /// Sets the kernel's attributes for the launch (KernelOperands.h). Must be called last, after all shared memory has
  /// been allocated.
  void finish();

private:
  Value readRegister(Value special);
  /// Moves x between lanes. Calls `move` for the bits of x, 32 bits at a time.
  Value shuffle(Value x, function_ref<Value(Value bits)> move);

  func::FuncOp kernel;
  const GpuInstructions &gpu;
};

} // namespace mlir::xf::gpu

#endif // XF_COMPILER_TARGET_GPU_MACHINE_THREADBLOCK_H
