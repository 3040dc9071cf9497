//===- TensorBuilders.h - Builders of tensor ops ----------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_GRADIENT_TENSORBUILDERS_H
#define XF_COMPILER_GRADIENT_TENSORBUILDERS_H

#include "dialects/xf/IR/XfSizes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mlir::xf {

RankedTensorType tensorType(Value value);

/// The attribute by which ops know the sizes of their operands while a function is differentiated: a copy of its body
/// has no arguments with names of sizes.
inline constexpr StringLiteral operandSizesAttrName = "operand_sizes";

/// Returns the sizes of operand `number` of an op that is differentiated; nullopt where they are not known.
std::optional<SizeExpressions> operandSizes(Operation *op, unsigned number);

/// Builds an xf.map of `inputs`. `body` builds the scalar that its region yields. Unused inputs are left out. If the
/// region yields an input unchanged and that input has the type `type`, returns the input instead of a map. Returns
/// null if `body` returns null.
Value buildMap(OpBuilder &builder, Location loc, ValueRange inputs, RankedTensorType type,
               function_ref<Value(OpBuilder &, ValueRange)> body);

/// Builds a tensor of the shape of `like` whose elements all equal `number`: a constant, or a map over `like` if that
/// shape is dynamic.
Value buildFilled(OpBuilder &builder, Location loc, Value like, FloatType elementType, double number);

/// Builds zeros of a floating-point tensor's type and shape.
Value buildZeros(OpBuilder &builder, Location loc, Value like);

/// Builds the adjoint of broadcasting: sums `x` over the repeated dimensions, so that the result has type `type`.
Value buildUnbroadcast(OpBuilder &builder, Location loc, Value x, RankedTensorType type);

/// Reshapes `x`. Returns `x` itself if it already has the shape.
Value buildReshape(OpBuilder &builder, Location loc, Value x, ArrayRef<int64_t> shape);

/// Builds `x` as a matrix: merges all dimensions but the last one.
Value buildMatrix(OpBuilder &builder, Location loc, Value x);

/// Returns the product of `sizes`, or ShapedType::kDynamic if one of them is dynamic.
int64_t productOf(ArrayRef<int64_t> sizes);

} // namespace mlir::xf

#endif // XF_COMPILER_GRADIENT_TENSORBUILDERS_H
