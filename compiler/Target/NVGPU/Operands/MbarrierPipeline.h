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

/// Splits a block into a producer warpgroup, the first one, which runs `copy`, and `consumers` consumer warpgroups,
/// which run `compute` with `block.warp` counted from the first consumer warp. setmaxnreg gives a producer thread
/// `copyingRegisters` registers and consumer threads equal shares of the others. Must be reached by all threads of the
/// block; begins with a barrier.
void buildRoles(ThreadBlock &block, int64_t consumers, int64_t copyingRegisters, function_ref<void()> copy,
                function_ref<void()> compute);

/// Allocates `stages` matrices of 16-bit floats in shared memory, one behind the other; returns the first one.
SwizzledMatrix allocateSwizzled(ThreadBlock &block, int64_t rows, int64_t columns, int64_t stages);

/// A pipeline between producers and consumers. Each stage has parts, each handed over by a full and an empty mbarrier:
/// first the matrices, then `otherParts` parts whose memory the caller owns.
class MbarrierPipeline {
public:
  MbarrierPipeline(ThreadBlock &block, int64_t stages, ArrayRef<SwizzledMatrix> matrices, int64_t otherParts = 0);

  const int64_t stages;

  /// Initialises the barriers of a part, in all stages: `fullArrivals` arrivals make it full, `emptyArrivals` empty.
  void init(int64_t part, int64_t fullArrivals, int64_t emptyArrivals);

  /// Returns matrix `part` of a stage; called by all lanes of a warp.
  SwizzledMatrix at(int64_t part, Value stage);
  void waitFull(int64_t part, const PipelineState &place);
  void waitEmpty(int64_t part, const PipelineState &place);
  /// Arrive at the full, or empty, barrier of a part from one lane; called by each warp that has written, or read, it.
  void fill(int64_t part, const PipelineState &place);
  void release(int64_t part, const PipelineState &place);
  /// Arrives at the full barrier of matrix `part`, expecting the bytes of a TMA copy; returns the barrier for that
  /// copy.
  Value expect(int64_t part, const PipelineState &place);

private:
  Value number(int64_t part, bool isEmpty, Value stage);

  SmallVector<SwizzledMatrix> matrices;
  SharedBarriers barriers;
  KernelBuilder &kb;
};

} // namespace mlir::xf::nvgpu

#endif // XF_COMPILER_TARGET_NVGPU_OPERANDS_MBARRIERPIPELINE_H
