//===- NvgpuInstructions.h - The instructions of NVIDIA's GPUs --*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_NVGPU_MACHINE_NVGPUINSTRUCTIONS_H
#define XF_COMPILER_TARGET_NVGPU_MACHINE_NVGPUINSTRUCTIONS_H

#include "compiler/Target/GPU/Machine/GpuInstructions.h"

namespace mlir::xf::nvgpu {

/// Returns the instructions that all GPUs from sm_80 on have: cp.async, shfl.sync, ldmatrix, mma.sync.
const gpu::GpuInstructions &instructions();

} // namespace mlir::xf::nvgpu

#endif // XF_COMPILER_TARGET_NVGPU_MACHINE_NVGPUINSTRUCTIONS_H
