//===- MbarrierPipeline.h - Roles of warps, and stages they hand over ---*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_NVGPU_OPERANDS_MBARRIERPIPELINE_H
#define XF_COMPILER_TARGET_NVGPU_OPERANDS_MBARRIERPIPELINE_H

#include "compiler/Target/NVGPU/Machine/Warpgroup.h"

namespace mlir::xf::nvgpu {

/// The first group of the block runs `copy`, the `consumers` others `compute`, where the numbers of warps count theirs.
/// A thread that copies has so many registers, one that computes its share of the others. Before, all threads of the
/// block get here.
void buildRoles(ThreadBlock &block, int64_t consumers, int64_t copyingRegisters, function_ref<void()> copy,
                function_ref<void()> compute);

/// A matrix of 16-bit floats in shared memory, `stages` times.
SwizzledMatrix allocateSwizzled(ThreadBlock &block, int64_t rows, int64_t columns, int64_t stages);

/// The stages of a pipeline. Each has parts, which are handed over one by one: matrices first.
class MbarrierPipeline {
public:
  MbarrierPipeline(ThreadBlock &block, int64_t stages, ArrayRef<SwizzledMatrix> matrices, int64_t otherParts = 0);

  const int64_t stages;

  /// So many arrivals make a part full, or empty.
  void init(int64_t part, int64_t fullArrivals, int64_t emptyArrivals);

  /// By all lanes of a warp.
  SwizzledMatrix at(int64_t part, Value stage);
  void waitFull(int64_t part, const PipelineState &place);
  void waitEmpty(int64_t part, const PipelineState &place);
  /// In one lane of each warp that has written, or read, the part.
  void fill(int64_t part, const PipelineState &place);
  void release(int64_t part, const PipelineState &place);
  /// Announces what copies bring, and the barrier they arrive at.
  Value expect(int64_t part, const PipelineState &place);

private:
  Value number(int64_t part, bool isEmpty, Value stage);

  SmallVector<SwizzledMatrix> matrices;
  SharedBarriers barriers;
  KernelBuilder &kb;
};

} // namespace mlir::xf::nvgpu

#endif // XF_COMPILER_TARGET_NVGPU_OPERANDS_MBARRIERPIPELINE_H
