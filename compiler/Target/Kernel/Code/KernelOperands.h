//===- KernelOperands.h - Scalars and buffers of a launch ----- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_KERNEL_CODE_KERNELOPERANDS_H
#define XF_COMPILER_TARGET_KERNEL_CODE_KERNELOPERANDS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::xf::kernel {

/// Attributes that an expansion sets on a kernel of a device, for the launch: threads per block, and bytes of dynamic
/// shared memory.
constexpr StringLiteral threadsAttrName = "xft.threads", sharedBytesAttrName = "xft.shared_bytes";

/// The source of one scalar of a launch: an index operand, or a dynamic size or stride of a memref operand.
struct ScalarSource {
  enum Kind { Index, Size, Stride };
  unsigned operand;
  Kind kind;
  unsigned dimension;
};

/// Returns the scalars of a kernel with operands of these types, in the order in which its code reads them. Emit passes
/// them in the same order.
SmallVector<ScalarSource> kernelScalars(TypeRange operands);

/// Checks that all kernels of a module have a body and the arguments %begin, %end and %scratch before their operands.
/// Fails after an error.
LogicalResult checkKernels(ModuleOp module);

/// Replaces the operands of an expanded kernel after the first `prefix` arguments and erases them. Code may read only
/// the pointer, sizes and strides of memrefs; fails on other uses. `nextScalar` builds the scalars of the launch
/// (index), `nextBuffer` the pointers to its buffers (a generic address), each in order.
LogicalResult replaceOperands(func::FuncOp kernel, unsigned prefix, OpBuilder &b, function_ref<Value()> nextScalar,
                              function_ref<Value()> nextBuffer);

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_CODE_KERNELOPERANDS_H
