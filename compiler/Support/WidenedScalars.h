//===- WidenedScalars.h - Element regions computed in f32 -------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels compute elements of f16 and bf16 in f32. Sums, products and functions of such elements are not rounded before
// they are stored. A conversion is: the program asked for a number of the narrower type.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_SUPPORT_WIDENEDSCALARS_H
#define XF_COMPILER_SUPPORT_WIDENEDSCALARS_H

#include "mlir/IR/Builders.h"

namespace mlir::xf {

/// Clones the region of an xf.map with f32 in place of f16 and bf16, and returns the clone of the scalar that it
/// yields. Conversions to f16 and bf16 become a rounding, followed by an extension to f32. `scalars` are the elements
/// of the inputs, as f32 if the inputs are f16 or bf16.
Value buildWidenedElement(OpBuilder &builder, Block &region, ValueRange scalars);

/// Returns `value` without a last rounding to `type`: returns x if `value` is x rounded to `type` and extended back,
/// else `value` itself. Both give the same number when a kernel stores them as an element of `type`, because the store
/// rounds.
Value withoutLastRounding(Value value, Type type);

} // namespace mlir::xf

#endif // XF_COMPILER_SUPPORT_WIDENEDSCALARS_H
