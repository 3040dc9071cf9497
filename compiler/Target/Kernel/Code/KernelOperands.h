//===- KernelOperands.h - The numbers and buffers that a launch gives -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_KERNEL_CODE_KERNELOPERANDS_H
#define XF_COMPILER_TARGET_KERNEL_CODE_KERNELOPERANDS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlir::xf::kernel {

/// Where one scalar of a launch comes from: an index operand, or a dynamic size or stride of a memref operand.
struct ScalarSource {
  enum Kind { Index, Size, Stride };
  unsigned operand;
  Kind kind;
  unsigned dimension;
};

/// The scalars of a kernel with operands of these types, in the order in which its code reads them; shared with Emit.
SmallVector<ScalarSource> kernelScalars(TypeRange operands);

/// Replaces the operands of an expanded kernel behind the first `prefix` arguments and erases them. Of memrefs, code
/// reads nothing but the pointer, sizes and strides; `nextScalar` builds the launch's scalars (index), `nextBuffer` the
/// pointers to its buffers (a generic address), each in order.
LogicalResult replaceOperands(func::FuncOp kernel, unsigned prefix, OpBuilder &b, function_ref<Value()> nextScalar,
                              function_ref<Value()> nextBuffer);

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_CODE_KERNELOPERANDS_H
