//===- TensorCode.h - Formulas on tensors -----------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_EXPAND_TENSORCODE_H
#define XF_COMPILER_EXPAND_TENSORCODE_H

#include "dialects/xf/IR/XfOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace mlir::xf {

/// Builds ops on tensors at the insertion point of `b`. In an element-wise op, the first operand has the shape of the
/// result. The other operands are broadcast to it.
struct TensorCode {
  OpBuilder &b;
  Location loc;

  static RankedTensorType typeOf(Value x) { return cast<RankedTensorType>(x.getType()); }

  /// Builds a constant scalar `value` (a tensor without dimensions) with the element type of `like`.
  Value number(Value like, double value);
  /// Builds a tensor with the shape of `like` and the element type `element`, whose elements are all `value`.
  Value filled(Value like, FloatType element, double value);
  Value convert(Value x, Type element);
  Value reshape(Value x, ArrayRef<int64_t> shape);
  /// Builds the maximum over the last `axes` dimensions, which stay as dimensions of size 1.
  Value largest(Value x, int64_t axes);
  Value sum(Value x);
  /// Builds x W^T, where W is `weights`.
  Value linear(Value x, Value weights);
  /// Builds the slice [first, first + size) of the last dimension.
  Value columns(Value x, int64_t first, int64_t size);
  Value concat(ArrayRef<Value> parts);
  Value select(Value condition, Value x, Value y);
  Value compare(Comparison kind, Value x, double y);
  /// Builds an xf.map that applies `element` to every element of x.
  Value map(Value x, function_ref<Value(OpBuilder &, Value)> element);

  template <typename OpTy>
  Value make(Value x, Value y) {
    return OpTy::create(b, loc, x.getType(), x, y);
  }
  Value add(Value x, Value y) { return make<AddOp>(x, y); }
  Value sub(Value x, Value y) { return make<SubOp>(x, y); }
  Value mul(Value x, Value y) { return make<MulOp>(x, y); }
  Value div(Value x, Value y) { return make<DivOp>(x, y); }
  Value add(Value x, double y) { return y == 0 ? x : add(x, number(x, y)); }
  Value mul(Value x, double y) { return y == 1 ? x : mul(x, number(x, y)); }

private:
  /// Reduces the last `axes` dimensions of `x` to size 1.
  Value reduce(Reduction kind, Value x, int64_t axes);
};

} // namespace mlir::xf

#endif // XF_COMPILER_EXPAND_TENSORCODE_H
