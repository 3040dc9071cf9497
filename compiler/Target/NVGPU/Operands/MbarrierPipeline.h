//===- MbarrierPipeline.h - Producer and consumer warpgroups -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_NVGPU_OPERANDS_MBARRIERPIPELINE_H
#define XF_COMPILER_TARGET_NVGPU_OPERANDS_MBARRIERPIPELINE_H

#include "compiler/Target/NVGPU/Machine/Warpgroup.h"

namespace mlir::xf::nvgpu {

/// Splits a thread block into producers and consumers. The first warpgroup is the producer and runs `copy`. The
/// `consumers` warpgroups after it run `compute`, with `block.warp` counted from the first consumer warp. setmaxnreg
/// leaves `copyingRegisters` registers to a producer thread, and divides the others among the consumer threads. All
/// threads of the thread block must reach this code, because it begins with a barrier.
void buildRoles(ThreadBlock &block, int64_t consumers, int64_t copyingRegisters, function_ref<void()> copy,
                function_ref<void()> compute);

/// A consumer warpgroup.
struct ConsumerGroup {
  Value index; ///< i32
  Value row;   ///< its first row in the block of rows, i32
};

/// Allocates `stages` matrices of 16-bit floats in shared memory, one after the other. Returns the first one.
SwizzledMatrix allocateSwizzled(ThreadBlock &block, int64_t rows, int64_t columns, int64_t stages);

/// A pipeline of stages of shared memory between producer and consumer warps. Each stage has one part for each of
/// `matrices`, then `otherParts` parts whose memory is not allocated here. Each part has two mbarriers: producers
/// arrive at the full mbarrier, and consumers at the empty mbarrier.
class MbarrierPipeline {
public:
  MbarrierPipeline(ThreadBlock &block, int64_t stages, ArrayRef<SwizzledMatrix> matrices, int64_t otherParts = 0);

  const int64_t stages;

  /// Initialises the mbarriers of part `part` in all stages. The part is full after `fullArrivals` arrivals at its full
  /// mbarrier, and empty after `emptyArrivals` arrivals at its empty mbarrier.
  void init(int64_t part, int64_t fullArrivals, int64_t emptyArrivals);

  /// Returns matrix `part` of a stage. Called by all lanes of a warp.
  SwizzledMatrix at(int64_t part, Value stage);
  /// Waits until a part of the stage at `place` is full.
  void waitFull(int64_t part, const PipelineState &place);
  /// Waits until a part of the stage at `place` is empty.
  void waitEmpty(int64_t part, const PipelineState &place);
  /// Arrives at the full mbarrier of a part, from one lane of the warp. Called by each warp that has written the part.
  void fill(int64_t part, const PipelineState &place);
  /// Arrives at the full mbarrier of a part. Called by one thread.
  void fillAlone(int64_t part, const PipelineState &place) { barriers.arrive(number(part, false, place.stage)); }
  /// Arrives at the empty mbarrier of a part, from one lane of the warp. Called by each warp that has read the part.
  void release(int64_t part, const PipelineState &place);
  /// Arrives at the full mbarrier of matrix `part`. The part is then full only when TMA copies have brought all bytes
  /// of the matrix. Returns a pointer to the mbarrier, an operand of these copies.
  Value expect(int64_t part, const PipelineState &place);

private:
  Value number(int64_t part, bool isEmpty, Value stage);

  SmallVector<SwizzledMatrix> matrices;
  SharedBarriers barriers;
  KernelBuilder &kb;
};

} // namespace mlir::xf::nvgpu

#endif // XF_COMPILER_TARGET_NVGPU_OPERANDS_MBARRIERPIPELINE_H
