//===- ThreadBlock.h - The threads that run a kernel's tile --- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What code inside a kernel asks of the block that runs it: who am I, which tiles are ours, what do the others of my
// warp have. Everything is built with a KernelBuilder, whose vectors have one element here.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_NVGPU_MACHINE_THREADBLOCK_H
#define XF_COMPILER_TARGET_NVGPU_MACHINE_THREADBLOCK_H

#include "compiler/Target/Kernel/Code/KernelBuilder.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace mlir::xf::nvgpu {
using namespace kernel;

class ThreadBlock {
public:
  static constexpr int64_t warpSize = 32;
  /// Of an asynchronous copy.
  static constexpr int64_t copyBytes = 16;

  /// A block of `threads` threads, a multiple of warpSize, runs the kernel that `kb` builds.
  ThreadBlock(func::FuncOp kernel, KernelBuilder &kb, int64_t threads);

  KernelBuilder &kb;
  int64_t threads;
  int64_t warps() const { return threads / warpSize; }
  Value thread; ///< number within the block, i64
  Value lane;   ///< number within the warp
  Value warp;   ///< the warp's number within the block, known to be the same in all its lanes

  /// How many tiles the launch has, and those that this block runs, one after the other.
  Value tiles();
  void forTiles(function_ref<void(Value tile)> body);
  /// The same, carrying `state` from tile to tile.
  SmallVector<Value> forTiles(ValueRange state, KernelBuilder::LoopBody body);
  /// Where code runs in one thread of the warp, or of the block.
  void onFirstLane(function_ref<void()> body);

  /// All threads of the block, or of the warp, get here before one goes on; what they wrote is then seen.
  void synchronize();
  void synchronizeWarp();
  /// Whether `condition` (i1) holds in any thread of the block; synchronizes.
  Value any(Value condition);
  /// The lanes of the warp in which `condition` (i1) holds, as bits of an i32.
  Value ballot(Value condition);
  /// Starts to copy 16 bytes from global to shared memory, both aligned, of which the first `bytes` (0 .. 16) are read
  /// and the others become 0.
  void startCopy(Value to, Value from, Value bytes);
  /// Ends a group of copies; waits for all groups of this thread but the last `pending`. Others see what has arrived
  /// after a barrier.
  void groupCopies();
  void awaitCopies(int64_t pending = 0);
  /// x of the lane whose number differs from one's own in the bits of `mask`. x: an integer or float of 16, 32 or 64
  /// bits, or a vector of one.
  Value exchange(Value x, int64_t mask);
  /// x of lane `from` (i64).
  Value fromLane(Value x, Value from);

  /// Dynamic shared memory from byte `offset` on, and what the kernel has asked for so far.
  Value shared(int64_t bytes, int64_t alignment = 16);
  int64_t sharedBytes = 0;
  /// The i32 by which instructions name a pointer into shared memory.
  Value sharedAddress(Value pointer);

  /// Leaves what the launch needs to know on the kernel; once all has been built.
  void finish();

private:
  Value readRegister(Value special);
  Value shuffle(NVVM::ShflKind kind, Value x, Value lane);

  func::FuncOp kernel;
};

} // namespace mlir::xf::nvgpu

#endif // XF_COMPILER_TARGET_NVGPU_MACHINE_THREADBLOCK_H
