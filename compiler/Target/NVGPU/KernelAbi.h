//===- KernelAbi.h - Operands become kernel parameters -------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_NVGPU_KERNELABI_H
#define XF_COMPILER_TARGET_NVGPU_KERNELABI_H

#include "compiler/Target/Kernel/Code/KernelOperands.h"

namespace mlir::xf::nvgpu {

using kernel::sharedBytesAttrName;
using kernel::threadsAttrName;

/// The name of an attribute of expanded kernels. Its value is a text about the resources that the choice of the
/// kernel's tile counted on (KernelResources::text).
constexpr StringLiteral expectedAttrName = "xft.expected_resources";

/// Replaces the operands of an expanded kernel by the parameters that xfrt/model.h lists: scalars, buffers, tensor
/// maps, the number of tiles. Emits an error and fails if the kernel has no pointer argument for one of its tensor
/// maps. Also fails if it uses a worker's scratch memory, which GPUs do not have.
LogicalResult lowerKernelAbi(func::FuncOp kernel);

} // namespace mlir::xf::nvgpu

#endif // XF_COMPILER_TARGET_NVGPU_KERNELABI_H
