//===- ScalarCode.h - Arithmetic on one element -----------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ScalarCode builds the scalar formulas of row kernels, as the descriptions of the ops state them. A target may compute
// a product and an addition as one fused multiply-add.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TILE_ROWS_SCALARCODE_H
#define XF_COMPILER_TILE_ROWS_SCALARCODE_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace mlir::xf {

/// Returns the type in which elements of `type` are computed: f32 for f16 and bf16, else `type` itself.
inline Type computedType(Type type) {
  return type.isF16() || type.isBF16() ? Float32Type::get(type.getContext()) : type;
}

/// Builds scalar arith and math ops with the builder `b`.
struct ScalarCode {
  OpBuilder &b;
  Location loc;

  static constexpr auto contract = arith::FastMathFlags::contract;

  Value real(Type type, double value) { return arith::ConstantOp::create(b, loc, b.getFloatAttr(type, value)); }
  Value integer(Type type, int64_t value) { return arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, value)); }
  Value add(Value x, Value y) { return arith::AddFOp::create(b, loc, x, y, contract); }
  Value sub(Value x, Value y) { return arith::SubFOp::create(b, loc, x, y, contract); }
  Value mul(Value x, Value y) { return arith::MulFOp::create(b, loc, x, y, contract); }
  Value div(Value x, Value y) { return arith::DivFOp::create(b, loc, x, y); }
  Value add(Value x, double y) { return add(x, real(x.getType(), y)); }
  Value mul(Value x, double y) { return mul(x, real(x.getType(), y)); }
  Value reciprocal(Value x) { return div(real(x.getType(), 1), x); }
  Value sqrt(Value x) { return math::SqrtOp::create(b, loc, x); }
  Value exp(Value x) { return math::ExpOp::create(b, loc, x); }
  Value log(Value x) { return math::LogOp::create(b, loc, x); }
  Value select(Value condition, Value x, Value y) { return arith::SelectOp::create(b, loc, condition, x, y); }
  Value compare(arith::CmpIPredicate predicate, Value x, Value y) {
    return arith::CmpIOp::create(b, loc, predicate, x, y);
  }
  Value compare(arith::CmpFPredicate predicate, Value x, Value y) {
    return arith::CmpFOp::create(b, loc, predicate, x, y);
  }
  /// Extends an integer of any width to i64.
  Value asI64(Value x) {
    return x.getType().isInteger(64) ? x : Value(arith::ExtSIOp::create(b, loc, b.getI64Type(), x));
  }
  /// Converts an index or a signed integer to a float of type `type`.
  Value asReal(Type type, Value x) {
    if (x.getType().isIndex())
      x = arith::IndexCastOp::create(b, loc, b.getI64Type(), x);
    return arith::SIToFPOp::create(b, loc, type, x);
  }
  /// Extends or rounds a float to `type`.
  Value asFloat(Type type, Value x) {
    unsigned from = x.getType().getIntOrFloatBitWidth(), to = type.getIntOrFloatBitWidth();
    if (from < to)
      return arith::ExtFOp::create(b, loc, type, x);
    return from > to ? Value(arith::TruncFOp::create(b, loc, type, x)) : x;
  }
};

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_ROWS_SCALARCODE_H
