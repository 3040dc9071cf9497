//===- FiniteValues.h - Test for infinities and NaN ----------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_KERNEL_ROWS_FINITEVALUES_H
#define XF_COMPILER_TARGET_KERNEL_ROWS_FINITEVALUES_H

#include "compiler/Target/Kernel/Code/ProductForm.h"

namespace mlir::xf::kernel {

/// Returns whether all elements of `buffer` are finite (i1). The buffer is a right operand of `form` with `rows`
/// consecutive rows, a multiple of form.terms. A row has as many elements as `registers` registers of sums. The code
/// multiplies all elements by 0 and adds the products. The sum is 0 if all elements are finite, else NaN.
Value buildFinite(KernelBuilder &kb, const ProductForm &form, Value buffer, Value rows, int64_t registers);

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_ROWS_FINITEVALUES_H
