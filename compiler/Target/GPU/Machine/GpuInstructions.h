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

/// Builds the instructions of a GPU that the kernels of this folder use. Each GPU target implements this interface. It
/// assumes warps of 32 lanes, asynchronous copies of 16 bytes, and tensor-core products of 16 x 8 elements. Integers
/// are i32 unless a comment says otherwise. Kernels call it through ThreadBlock and WarpProduct.
class GpuInstructions {
public:
  virtual ~GpuInstructions() = default;

  //===--- threads ---===//
  /// Returns the index of the thread in its thread block.
  virtual Value threadNumber(KernelBuilder &kb) const = 0;
  /// Returns the index of the thread block in the launch.
  virtual Value blockNumber(KernelBuilder &kb) const = 0;
  /// Returns the number of thread blocks of the launch.
  virtual Value blockCount(KernelBuilder &kb) const = 0;
  /// Builds a barrier of the thread block. What a thread wrote before the barrier is visible to the other threads after
  /// it.
  virtual void synchronize(KernelBuilder &kb) const = 0;
  /// Builds a barrier of the warp. What a lane wrote before the barrier is visible to the other lanes after it.
  virtual void synchronizeWarp(KernelBuilder &kb) const = 0;
  /// Returns whether `condition` (i1) holds in any thread of the thread block (i1). Acts as a barrier of the thread
  /// block.
  virtual Value any(KernelBuilder &kb, Value condition) const = 0;
  /// Returns an i32 whose bit n says whether `condition` (i1) holds in lane n of the warp.
  virtual Value ballot(KernelBuilder &kb, Value condition) const = 0;
  /// Returns an i32 whose bit n says whether lane n of the warp has the same x (i64) as this lane.
  virtual Value matchLanes(KernelBuilder &kb, Value x) const = 0;
  /// Return the least and the greatest x (signed) of the lanes of the warp.
  virtual Value leastOfWarp(KernelBuilder &kb, Value x) const = 0;
  virtual Value greatestOfWarp(KernelBuilder &kb, Value x) const = 0;
  /// Returns the value that x has in lane (n xor `mask`), where n is the index of this lane.
  virtual Value exchange(KernelBuilder &kb, Value x, Value mask) const = 0;
  /// Returns the value that x has in lane `lane`.
  virtual Value fromLane(KernelBuilder &kb, Value x, Value lane) const = 0;

  //===--- asynchronous copies ---===//
  /// Starts a copy of 16 bytes from global to shared memory, both 16-byte aligned. Reads only the first `bytes` bytes
  /// (i64, 0 to 16), and fills the rest with zeros.
  virtual void startCopy(KernelBuilder &kb, Value to, Value from, Value bytes) const = 0;
  /// Commits the copies that this thread has started since its last commit, as one group.
  virtual void groupCopies(KernelBuilder &kb) const = 0;
  /// Waits until at most the last `pending` groups of this thread's copies are in flight.
  virtual void awaitCopies(KernelBuilder &kb, int64_t pending) const = 0;

  //===--- products of a warp ---===//
  /// The element types of factors. Registers hold 16-bit factors in pairs of two consecutive terms.
  enum class Factor { F16, BF16, TF32 };
  /// Loads four 8 x 8 matrices of 16-bit elements from shared memory (ldmatrix). Lanes 8 n to 8 n + 7 pass the
  /// addresses of the rows of matrix n. Lane l receives two elements of each matrix: columns 2 (l mod 4) and 2 (l mod
  /// 4) + 1 of row l div 4. If `transpose`, it receives the elements at this place of the transposed matrix.
  virtual SmallVector<Value> loadMatrices(KernelBuilder &kb, Value address, bool transpose) const = 0;
  /// Adds the product of a 16 x `terms` and a `terms` x 8 matrix, both in registers, to `sums`. WarpProduct.h says how
  /// sums are spread over lanes. The registers of `left` in lane l hold rows l div 4 and l div 4 + 8 of the first half
  /// of the terms, then the same rows of the second half. The registers of `right` hold column l div 4 of the first
  /// half, then of the second half. In each half, lane l has terms 2 (l mod 4) and 2 (l mod 4) + 1 (16-bit factors) or
  /// term l mod 4 (TF32).
  virtual void multiply(KernelBuilder &kb, MutableArrayRef<Value> sums, ArrayRef<Value> left, ArrayRef<Value> right,
                        Factor type, int64_t terms) const = 0;
  /// Rounds an f32 to the nearest TF32 and returns its bits.
  virtual Value roundToTF32(KernelBuilder &kb, Value x) const = 0;
};

} // namespace mlir::xf::gpu

#endif // XF_COMPILER_TARGET_GPU_MACHINE_GPUINSTRUCTIONS_H
