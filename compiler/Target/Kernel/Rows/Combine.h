//===- Combine.h - Partial results become one -------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_KERNEL_ROWS_COMBINE_H
#define XF_COMPILER_TARGET_KERNEL_ROWS_COMBINE_H

#include "compiler/Target/Kernel/Code/KernelBuilder.h"
#include "dialects/xft/IR/XftOps.h"

namespace mlir::xf::kernel {

/// The value that changes no partial result.
Value combinerIdentity(KernelBuilder &kb, xft::Combiner combiner, Type type);
/// Two partial results as one; scalars or registers.
Value combine(KernelBuilder &kb, xft::Combiner combiner, Value x, Value y);
/// All lanes as one scalar: halves are combined until one lane is left, the same tree for every type.
Value combineLanes(KernelBuilder &kb, xft::Combiner combiner, Value vector);

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_ROWS_COMBINE_H
