//===- F32Products.h - The precision of f32 products ------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_SUPPORT_F32PRODUCTS_H
#define XF_COMPILER_SUPPORT_F32PRODUCTS_H

#include "mlir/Support/LLVM.h"
#include <optional>

namespace mlir::xf {

/// How a GPU multiplies f32 matrices. Exact: by fused multiply-adds of f32 numbers. TF32: on tensor cores, with factors
/// rounded to TF32 (11 bits). BF16x3: on tensor cores, with each factor split into the sum of two bf16 numbers (16
/// bits), where the product of the lower parts is omitted. Sums are f32 in all cases.
enum class F32Products { Exact, TF32, BF16x3 };

/// Returns the names of F32Products that --f32-products takes, in the order of the enumeration: exact, tf32, bf16x3.
ArrayRef<StringRef> f32ProductsNames();
/// Returns the F32Products with this name, or nullopt if there is none.
std::optional<F32Products> f32ProductsOf(StringRef name);

} // namespace mlir::xf

#endif // XF_COMPILER_SUPPORT_F32PRODUCTS_H
