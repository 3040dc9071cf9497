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

/// The arithmetic of f32 matrix products on a GPU: exact, by fused multiply-adds of f32 numbers; on tensor cores with
/// factors rounded to TF32 (11 bits); or on tensor cores with each factor as the sum of two bf16, without the product
/// of the lower parts (16 bits). Sums are f32 in all cases.
enum class F32Products { Exact, TF32, BF16x3 };

/// Returns the names of F32Products for --f32-products, in the order of the enumeration: exact, tf32, bf16x3.
ArrayRef<StringRef> f32ProductsNames();
/// Returns the F32Products with this name; nullopt for any other name.
std::optional<F32Products> f32ProductsOf(StringRef name);

} // namespace mlir::xf

#endif // XF_COMPILER_SUPPORT_F32PRODUCTS_H
