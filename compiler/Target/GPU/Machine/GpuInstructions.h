//===- GpuInstructions.h - The instructions of a GPU ------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_GPU_MACHINE_GPUINSTRUCTIONS_H
#define XF_COMPILER_TARGET_GPU_MACHINE_GPUINSTRUCTIONS_H

#include "compiler/Target/Kernel/Code/KernelBuilder.h"

namespace mlir::xf::gpu {
using namespace kernel;

/// What a target that is a GPU builds for the kernels of this folder: warps of 32 lanes, 16-byte copies, products of 16
/// x 8 elements. Integers are i32 where nothing else is said. ThreadBlock and WarpProduct offer them to kernels.
class GpuInstructions {
public:
  virtual ~GpuInstructions() = default;

  //===--- threads ---===//
  /// Return the number of the thread in its block, the number of the block, and the number of blocks.
  virtual Value threadNumber(KernelBuilder &kb) const = 0;
  virtual Value blockNumber(KernelBuilder &kb) const = 0;
  virtual Value blockCount(KernelBuilder &kb) const = 0;
  /// Build a barrier of the block, and of the warp: memory that a thread wrote before is visible to the others after.
  virtual void synchronize(KernelBuilder &kb) const = 0;
  virtual void synchronizeWarp(KernelBuilder &kb) const = 0;
  /// Returns whether `condition` (i1) holds in any thread of the block; a barrier.
  virtual Value any(KernelBuilder &kb, Value condition) const = 0;
  /// Returns the lanes of the warp in which `condition` (i1) holds, as bits.
  virtual Value ballot(KernelBuilder &kb, Value condition) const = 0;
  /// Returns the lanes of the warp that have the same x (i64) as this one, as bits.
  virtual Value matchLanes(KernelBuilder &kb, Value x) const = 0;
  /// Returns x of the lane whose number differs from the own one in the bits of `mask`.
  virtual Value exchange(KernelBuilder &kb, Value x, Value mask) const = 0;
  /// Returns x of lane `lane`.
  virtual Value fromLane(KernelBuilder &kb, Value x, Value lane) const = 0;

  //===--- asynchronous copies ---===//
  /// Starts a copy of 16 bytes from global to shared memory, both 16-byte aligned. Reads the first `bytes` (i64, 0 ..
  /// 16) of them and fills the others with zeros.
  virtual void startCopy(KernelBuilder &kb, Value to, Value from, Value bytes) const = 0;
  /// Makes the copies that this thread started a group; waits until at most the last `pending` groups are in flight.
  virtual void groupCopies(KernelBuilder &kb) const = 0;
  virtual void awaitCopies(KernelBuilder &kb, int64_t pending) const = 0;

  //===--- products of a warp ---===//
  /// The types of factors; those of 16 bits lie in pairs in a register, a pair of consecutive terms.
  enum class Factor { F16, BF16, TF32 };
  /// Loads four 8 x 8 matrices of 16-bit elements from shared memory: lanes 8 n to 8 n + 7 give the addresses of the
  /// rows of matrix n. Of each, lane l gets elements 2 (l mod 4) and one more of row l div 4, or of this column if
  /// `transpose`.
  virtual SmallVector<Value> loadMatrices(KernelBuilder &kb, Value address, bool transpose) const = 0;
  /// Adds the product of 16 x `terms` and `terms` x 8 elements in registers to `sums`, which WarpProduct.h places in
  /// lanes. `left` has rows l div 4, then 8 more, of the first half of the terms, then of the other; `right` has column
  /// l div 4 likewise. A lane has terms 2 (l mod 4) and one more of each 8; of TF32, term l mod 4 of each 4.
  virtual void multiply(KernelBuilder &kb, MutableArrayRef<Value> sums, ArrayRef<Value> left, ArrayRef<Value> right,
                        Factor type, int64_t terms) const = 0;
  /// Rounds an f32 to TF32, to nearest; returns its bits.
  virtual Value roundToTF32(KernelBuilder &kb, Value x) const = 0;
};

} // namespace mlir::xf::gpu

#endif // XF_COMPILER_TARGET_GPU_MACHINE_GPUINSTRUCTIONS_H
