//===- NullGpu.h - A GPU that nobody has, as a machine ----------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_COMPILER_TARGET_NULLGPU_NULLGPU_H
#define XF_TEST_COMPILER_TARGET_NULLGPU_NULLGPU_H

#include "compiler/Target/GPU/Machine/GpuMachine.h"
#include "compiler/Target/GPU/Tiling/GpuTileModel.h"

namespace mlir::xf::null {

/// A GPU with 64 KB of shared memory. Its instructions are intrinsics that no compiler has, `llvm.null.*`.
struct NullGpu : llvm::RTTIExtends<NullGpu, gpu::GpuMachine> {
  static inline char ID = 0;

  NullGpu();
  const gpu::GpuInstructions &instructions() const override;
};

/// The tiles of any GPU for this one.
struct NullGpuTileModel : gpu::GpuTileModel {
  const gpu::GpuMachine &gpu() const override { return machine; }

  NullGpu machine;
};

} // namespace mlir::xf::null

#endif // XF_TEST_COMPILER_TARGET_NULLGPU_NULLGPU_H
