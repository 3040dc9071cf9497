//===- WidenedScalars.h - Element regions computed in f32 -------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels compute elements of f16 and bf16 in f32. Sums, products and functions of such elements are not rounded before
// they are stored. Only a conversion to f16 or bf16 rounds, because the program asked for a number of the narrower
// type.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_SUPPORT_WIDENEDSCALARS_H
#define XF_COMPILER_SUPPORT_WIDENEDSCALARS_H

#include "mlir/IR/Builders.h"

namespace mlir::xf {

/// Clones the region of an xf.map with f32 in place of f16 and bf16. Returns the clone of the scalar that the region
/// yields. A conversion to f16 or bf16 becomes a rounding, followed by an extension to f32. `scalars` are the elements
/// of the inputs, extended to f32 if the inputs are f16 or bf16.
Value buildWidenedElement(OpBuilder &builder, Block &region, ValueRange scalars);

/// Returns `value` without its last rounding to `type`: if `value` is x, rounded to `type` and extended back, returns
/// x. Otherwise returns `value` itself. A kernel that stores the result as an element of `type` stores the same number
/// either way, because the store rounds.
Value withoutLastRounding(Value value, Type type);

} // namespace mlir::xf

#endif // XF_COMPILER_SUPPORT_WIDENEDSCALARS_H
