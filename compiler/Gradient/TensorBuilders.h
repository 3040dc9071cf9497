//===- TensorBuilders.h - Tensor ops that gradients are made of -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_GRADIENT_TENSORBUILDERS_H
#define XF_COMPILER_GRADIENT_TENSORBUILDERS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mlir::xf {

RankedTensorType tensorType(Value value);

/// Appends an xf.map of `inputs` whose region `body` builds from scalars. Inputs that the element does not use are left
/// out; a region that hands on an input of the result's type gives that input, a null element gives null.
Value buildMap(OpBuilder &builder, Location loc, ValueRange inputs, RankedTensorType type,
               function_ref<Value(OpBuilder &, ValueRange)> body);

/// A tensor of one number, of the shape of `like`: a constant, or a map over `like` where that shape is dynamic.
Value buildFilled(OpBuilder &builder, Location loc, Value like, FloatType elementType, double number);

/// Zeros of a floating-point tensor's type and shape.
Value buildZeros(OpBuilder &builder, Location loc, Value like);

/// Sums `x` over what broadcasting stretched, so that the result has type `type`.
Value buildUnbroadcast(OpBuilder &builder, Location loc, Value x, RankedTensorType type);

/// `x` under another shape; itself where it has it already.
Value buildReshape(OpBuilder &builder, Location loc, Value x, ArrayRef<int64_t> shape);

/// `x` as a matrix: all dimensions but the last one become one.
Value buildMatrix(OpBuilder &builder, Location loc, Value x);

/// The product of sizes, dynamic if one of them is.
int64_t productOf(ArrayRef<int64_t> sizes);

} // namespace mlir::xf

#endif // XF_COMPILER_GRADIENT_TENSORBUILDERS_H
