//===- TensorCode.cpp - Formulas on tensors -------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Expand/TensorCode.h"

using namespace mlir;
using namespace mlir::xf;

Value TensorCode::number(Value like, double value) {
  Type element = typeOf(like).getElementType();
  auto attribute =
      DenseElementsAttr::get(RankedTensorType::get({}, element), b.getFloatAttr(element, value).getValue());
  return arith::ConstantOp::create(b, loc, attribute);
}

Value TensorCode::filled(Value like, FloatType element, double value) {
  return MapOp::create(b, loc, typeOf(like).clone(element), like, [&](OpBuilder &inside, ValueRange) -> Value {
    return arith::ConstantOp::create(inside, loc, inside.getFloatAttr(element, value));
  });
}

Value TensorCode::convert(Value x, Type element) {
  RankedTensorType type = typeOf(x);
  return type.getElementType() == element ? x : CastOp::create(b, loc, type.clone(element), x).getY();
}

Value TensorCode::reshape(Value x, ArrayRef<int64_t> shape) {
  RankedTensorType type = typeOf(x).clone(shape);
  return type == x.getType() ? x : ReshapeOp::create(b, loc, type, x).getY();
}

Value TensorCode::reduce(Reduction kind, Value x, int64_t axes) {
  RankedTensorType type = typeOf(x);
  int64_t first = type.getRank() - axes;
  ArrayRef<int64_t> kept = type.getShape().drop_back(axes);
  Value reduced =
      ReduceOp::create(b, loc, type.clone(kept), kind, x, llvm::to_vector(llvm::seq<int64_t>(first, type.getRank())));
  SmallVector<int64_t> shape(kept);
  shape.append(axes, 1);
  return reshape(reduced, shape);
}

Value TensorCode::largest(Value x, int64_t axes) { return reduce(Reduction::k_max, x, axes); }
Value TensorCode::sum(Value x) { return reduce(Reduction::k_sum, x, 1); }

Value TensorCode::linear(Value x, Value weights) {
  RankedTensorType type = typeOf(x);
  SmallVector<int64_t> shape(type.getShape());
  shape.back() = typeOf(weights).getDimSize(0);
  return LinearOp::create(b, loc, type.clone(shape), x, weights, /*bias=*/Value());
}

Value TensorCode::columns(Value x, int64_t first, int64_t size) {
  RankedTensorType type = typeOf(x);
  SmallVector<int64_t> shape(type.getShape()), offsets(type.getRank(), 0), strides(type.getRank(), 1);
  shape.back() = size;
  offsets.back() = first;
  return SliceOp::create(b, loc, type.clone(shape), x, offsets, strides);
}

Value TensorCode::concat(ArrayRef<Value> parts) {
  if (parts.size() == 1)
    return parts.front();
  RankedTensorType type = typeOf(parts.front());
  SmallVector<int64_t> shape(type.getShape());
  shape.back() *= parts.size();
  return ConcatOp::create(b, loc, type.clone(shape), parts, type.getRank() - 1);
}

Value TensorCode::select(Value condition, Value x, Value y) {
  return WhereOp::create(b, loc, x.getType(), condition, x, y);
}

Value TensorCode::compare(Comparison kind, Value x, double y) {
  return CompareOp::create(b, loc, typeOf(x).clone(b.getI1Type()), kind, x, number(x, y));
}

Value TensorCode::map(Value x, function_ref<Value(OpBuilder &, Value)> element) {
  return MapOp::create(b, loc, typeOf(x), x,
                       [&](OpBuilder &inside, ValueRange scalars) { return element(inside, scalars[0]); });
}
