//===- ExpandKernels.h - From kernels to code of threads ------ -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_NVGPU_EXPANDKERNELS_H
#define XF_COMPILER_TARGET_NVGPU_EXPANDKERNELS_H

#include "compiler/Target/NVGPU/Machine/NvgpuMachine.h"
#include "dialects/xft/IR/XftOps.h"

namespace mlir::xf::nvgpu {

/// Expands every kernel of a module to code of single threads. Sets the kernel's number of threads and its shared
/// memory as attributes (KernelOperands.h). Emits an error and fails if a kernel cannot be expanded or exceeds the
/// shared memory of every device.
LogicalResult expandKernels(ModuleOp module, const NvgpuMachine &machine);

/// Each of these functions replaces an op that has the attribute `warpgroups` by the code that each thread runs. Emits
/// an error and fails if the op cannot be expanded.
LogicalResult expandAttendByWarpgroups(xft::AttendOp op, KernelBuilder &kb);
LogicalResult expandAttendVjpByWarpgroups(xft::AttendVjpSide op, KernelBuilder &kb);
LogicalResult expandContractByWarpgroups(xft::ContractOp op, KernelBuilder &kb);

} // namespace mlir::xf::nvgpu

#endif // XF_COMPILER_TARGET_NVGPU_EXPANDKERNELS_H
