//===- KernelAbi.h - From operands to the runtime's kernel signature -*- C++ -*- -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_KERNELABI_H
#define XF_COMPILER_TARGET_CPU_KERNELABI_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::xf::cpu {

/// Where one scalar of a launch comes from: an index operand, or a dynamic size or stride of a memref operand.
struct ScalarSource {
  enum Kind { Index, Size, Stride };
  unsigned operand;
  Kind kind;
  unsigned dimension;
};

/// The scalars of a kernel with operands of these types, in the order in which its code reads them; shared with Emit.
SmallVector<ScalarSource> kernelScalars(TypeRange operands);

/// Gives an expanded kernel the signature xfrt_kernel.
LogicalResult lowerKernelAbi(func::FuncOp kernel);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_KERNELABI_H
