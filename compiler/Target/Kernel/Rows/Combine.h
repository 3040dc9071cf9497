//===- Combine.h - Combination of partial results ------------- -*- C++ -*-===//
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

/// Returns the neutral element of a combiner, a scalar or register of `type`.
Value combinerIdentity(KernelBuilder &kb, xft::Combiner combiner, Type type);
/// Combines two partial results x and y, scalars or registers, by `combiner`.
Value combine(KernelBuilder &kb, xft::Combiner combiner, Value x, Value y);
/// Combines all lanes of `vector` to one scalar by `combiner`. Combines the two halves of the register, then the two
/// halves of the result, and so on until one lane is left. The order is the same for every type.
Value combineLanes(KernelBuilder &kb, xft::Combiner combiner, Value vector);

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_ROWS_COMBINE_H
