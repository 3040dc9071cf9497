//===- NvgpuTarget.h - NVIDIA GPUs as a target ---------------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_NVGPU_NVGPUTARGET_H
#define XF_COMPILER_TARGET_NVGPU_NVGPUTARGET_H

#include "compiler/Target/Target.h"

namespace mlir::xf::nvgpu {

/// Returns the target of NVIDIA GPUs. There is one object, without state.
const Target &getTarget();

} // namespace mlir::xf::nvgpu

#endif // XF_COMPILER_TARGET_NVGPU_NVGPUTARGET_H
