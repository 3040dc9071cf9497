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

/// Names of the attributes that the expansion of a GPU kernel sets for its launch: the number of threads of a thread
/// block (xft.threads), and its bytes of dynamic shared memory (xft.shared_bytes).
constexpr StringLiteral threadsAttrName = "xft.threads", sharedBytesAttrName = "xft.shared_bytes";
/// Name of the attribute for the number of thread blocks that should run on a multiprocessor at the same time. The
/// multiprocessor must have registers for all of them. Without the attribute, the number is 1.
constexpr StringLiteral residentBlocksAttrName = "xft.resident_blocks";

/// The source of one scalar of a launch: an index operand, or a dynamic size or stride of a memref operand.
struct ScalarSource {
  enum Kind { Index, Size, Stride };
  unsigned operand;
  Kind kind;
  unsigned dimension;
};

/// Returns the scalars of a kernel with operands of the types `operands`, in the order in which its code reads them.
/// Host programs pass them in the same order.
SmallVector<ScalarSource> kernelScalars(TypeRange operands);

/// Verifies that each kernel of a module has a body, and the arguments %begin, %end and %scratch before its operands.
/// Emits an error and fails otherwise.
LogicalResult checkKernels(ModuleOp module);

/// Replaces the operands of an expanded kernel, and erases them. Operands are the kernel's arguments after the first
/// `prefix`. Two callbacks build the new values, called in the order of operands: nextScalar() returns an index, and
/// nextBuffer() a pointer to a buffer in the generic address space. Emits an error and fails if code reads more of a
/// memref than its pointer, sizes and strides.
LogicalResult replaceOperands(func::FuncOp kernel, unsigned prefix, OpBuilder &b, function_ref<Value()> nextScalar,
                              function_ref<Value()> nextBuffer);

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_CODE_KERNELOPERANDS_H
