//===- XfFunctionOps.cpp - Elementary functions: scalar forms -------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/Ops/XfFunctionOps.h"
#include "dialects/xf/Ops/XfElementwiseVerifiers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::xf;

#define GET_OP_CLASSES
#include "dialects/xf/IR/XfFunctionOps.cpp.inc"

template <typename ScalarOp>
static Value unary(OpBuilder &builder, Location loc, ValueRange scalars) {
  return ScalarOp::create(builder, loc, scalars[0]);
}

Value FloorOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) { return unary<math::FloorOp>(b, loc, s); }
Value CeilOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) { return unary<math::CeilOp>(b, loc, s); }
Value RoundOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) { return unary<math::RoundEvenOp>(b, loc, s); }
Value TanOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) { return unary<math::TanOp>(b, loc, s); }
Value AsinOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) { return unary<math::AsinOp>(b, loc, s); }
Value AcosOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) { return unary<math::AcosOp>(b, loc, s); }
Value AtanOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) { return unary<math::AtanOp>(b, loc, s); }
Value SinhOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) { return unary<math::SinhOp>(b, loc, s); }
Value CoshOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) { return unary<math::CoshOp>(b, loc, s); }
Value CbrtOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) { return unary<math::CbrtOp>(b, loc, s); }
Value Log10Op::buildScalar(OpBuilder &b, Location loc, ValueRange s) { return unary<math::Log10Op>(b, loc, s); }
Value Log2Op::buildScalar(OpBuilder &b, Location loc, ValueRange s) { return unary<math::Log2Op>(b, loc, s); }
Value Log1pOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) { return unary<math::Log1pOp>(b, loc, s); }
Value Expm1Op::buildScalar(OpBuilder &b, Location loc, ValueRange s) { return unary<math::ExpM1Op>(b, loc, s); }
/// Builds max(x, 0) + log(1 + e^-|x|), with min(x, -x) in place of -|x|. The reason is the gradient at x = 0: it can be
/// computed for the minimum, but |x| has no derivative there.
Value SoftplusOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) {
  Value negative = arith::MinimumFOp::create(b, loc, s[0], arith::NegFOp::create(b, loc, s[0]));
  Value rest = math::Log1pOp::create(b, loc, math::ExpOp::create(b, loc, negative));
  Value zero = arith::ConstantOp::create(b, loc, b.getFloatAttr(s[0].getType(), 0.0));
  Value line = arith::MaximumFOp::create(b, loc, s[0], zero);
  return arith::AddFOp::create(b, loc, line, rest);
}
Value StopGradientOp::buildScalar(OpBuilder &, Location, ValueRange s) { return s[0]; }
Value Atan2Op::buildScalar(OpBuilder &b, Location loc, ValueRange s) {
  return math::Atan2Op::create(b, loc, s[0], s[1]);
}

LogicalResult Atan2Op::verify() { return verifyFloatBinary(*this); }
