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

/// The name of the attribute that gives an op the sizes of its operands while a function is differentiated. The op is
/// then in a copy of the function's body. Sizes have names only at the arguments of the function, and the copy's
/// arguments lack these names.
inline constexpr StringLiteral operandSizesAttrName = "operand_sizes";

/// Returns the sizes of operand `number` of an op that is differentiated, or nullopt if they are not known.
std::optional<SizeExpressions> operandSizes(Operation *op, unsigned number);

/// Builds an xf.map of `inputs` with a result of type `type`. `body` builds the scalar that its region yields. Leaves
/// out unused inputs. If the region yields an input unchanged, and this input has the type `type`, returns the input
/// instead of a map. Returns null if `body` returns null.
Value buildMap(OpBuilder &builder, Location loc, ValueRange inputs, RankedTensorType type,
               function_ref<Value(OpBuilder &, ValueRange)> body);

/// Builds a tensor with the shape of `like` whose elements all equal `number`. It is a constant, or a map over `like`
/// if the shape is dynamic.
Value buildFilled(OpBuilder &builder, Location loc, Value like, FloatType elementType, double number);

/// Builds a tensor of zeros with the type and shape of `like`, a tensor of floating-point numbers.
Value buildZeros(OpBuilder &builder, Location loc, Value like);

/// Builds the adjoint of broadcasting a tensor of type `type` to the shape of `x`: sums `x` over the repeated
/// dimensions.
Value buildUnbroadcast(OpBuilder &builder, Location loc, Value x, RankedTensorType type);

/// Builds `x` reshaped to `shape`. Returns `x` itself if it already has this shape.
Value buildReshape(OpBuilder &builder, Location loc, Value x, ArrayRef<int64_t> shape);

/// Builds `x` as a matrix, with all dimensions except the last one merged.
Value buildMatrix(OpBuilder &builder, Location loc, Value x);

/// Returns the product of `sizes`, or ShapedType::kDynamic if one of them is dynamic.
int64_t productOf(ArrayRef<int64_t> sizes);

} // namespace mlir::xf

#endif // XF_COMPILER_GRADIENT_TENSORBUILDERS_H
