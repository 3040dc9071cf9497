//===- FiniteValues.h - Test for infinities and NaN ----------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_KERNEL_CODE_FINITEVALUES_H
#define XF_COMPILER_TARGET_KERNEL_CODE_FINITEVALUES_H

#include "compiler/Target/Kernel/Code/KernelBuilder.h"

namespace mlir::xf::kernel {

/// Returns an i1, whether all elements of `rows` consecutive rows of `registers` registers each are finite: then their
/// products with zero add up to zero.
Value buildFinite(KernelBuilder &kb, VectorType type, Value buffer, Value rows, int64_t registers);

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_CODE_FINITEVALUES_H
