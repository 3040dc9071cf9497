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

/// How a GPU multiplies f32 matrices. Sums are f32 in all cases. Exact uses fused multiply-adds of f32 numbers. TF32
/// uses tensor cores, with factors rounded to TF32 (11 bits). BF16x3 uses tensor cores, with each factor split into a
/// sum of two bf16 numbers (16 bits), and omits the product of the lower parts.
enum class F32Products { Exact, TF32, BF16x3 };

/// Returns the names that --f32-products takes, in the order of the enumeration: exact, tf32, bf16x3.
ArrayRef<StringRef> f32ProductsNames();
/// Returns the value of F32Products with this name, or nullopt if no value has it.
std::optional<F32Products> f32ProductsOf(StringRef name);

} // namespace mlir::xf

#endif // XF_COMPILER_SUPPORT_F32PRODUCTS_H
