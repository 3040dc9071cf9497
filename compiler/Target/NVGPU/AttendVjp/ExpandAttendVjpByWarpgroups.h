//===- ExpandAttendVjpByWarpgroups.h - Gradient tasks --------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_NVGPU_ATTENDVJP_EXPANDATTENDVJPBYWARPGROUPS_H
#define XF_COMPILER_TARGET_NVGPU_ATTENDVJP_EXPANDATTENDVJPBYWARPGROUPS_H

#include "compiler/Target/Kernel/Code/KernelBuilder.h"
#include "dialects/xft/IR/XftOps.h"

namespace mlir::xf::nvgpu {

/// Replaces an op with `warpgroups` by code of threads.
LogicalResult expandAttendVjpByWarpgroups(xft::AttendVjpSide op, kernel::KernelBuilder &kb);

} // namespace mlir::xf::nvgpu

#endif // XF_COMPILER_TARGET_NVGPU_ATTENDVJP_EXPANDATTENDVJPBYWARPGROUPS_H
