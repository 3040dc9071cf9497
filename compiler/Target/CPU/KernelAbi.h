//===- KernelAbi.h - The runtime's kernel signature ----------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_KERNELABI_H
#define XF_COMPILER_TARGET_CPU_KERNELABI_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::xf::cpu {

/// Gives an expanded kernel the signature xfrt_kernel, whose operands come in arrays of scalars and buffers. A shared
/// function also takes the index of the calling kernel, as its last argument. A kernel that calls a shared function
/// passes on its own arguments. Emits an error and fails if the kernel reads more of a memref than its pointer, sizes
/// and strides.
LogicalResult lowerKernelAbi(func::FuncOp kernel);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_KERNELABI_H
