//===- ScalarExpression.h - Operators on scalar SSA values ------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Defines operators on floating-point SSA values, so that a row of a derivative table is written as the formula itself.
// Every operator appends an arith or math op, folded if its operands are constants.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_GRADIENT_SCALAREXPRESSION_H
#define XF_COMPILER_GRADIENT_SCALAREXPRESSION_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"

namespace mlir::xf {

/// A floating-point SSA value with arithmetic operators.
class Expression {
public:
  Expression(OpBuilder &builder, Location loc, Value value) : builder(&builder), loc(loc), value(value) {}

  operator Value() const { return value; }
  Type getType() const { return value.getType(); }
  bool isConstant() const { return matchPattern(value, m_Constant()); }

  /// Builds the constant `constant` of this expression's type.
  Expression number(double constant) const {
    return with(arith::ConstantOp::create(*builder, loc, FloatAttr::get(getType(), constant)));
  }

  Expression operator-() const { return with(builder->createOrFold<arith::NegFOp>(loc, value)); }
  Expression operator+(const Expression &other) const { return binary<arith::AddFOp>(other); }
  Expression operator-(const Expression &other) const { return binary<arith::SubFOp>(other); }
  Expression operator*(const Expression &other) const { return binary<arith::MulFOp>(other); }
  Expression operator/(const Expression &other) const { return binary<arith::DivFOp>(other); }
  Expression operator+(double other) const { return *this + number(other); }
  Expression operator-(double other) const { return *this - number(other); }
  Expression operator*(double other) const { return *this * number(other); }
  friend Expression operator-(double left, const Expression &right) { return right.number(left) - right; }
  friend Expression operator/(double left, const Expression &right) { return right.number(left) / right; }

  template <typename MathOp>
  Expression apply(arith::FastMathFlags flags = {}) const {
    return with(builder->createOrFold<MathOp>(loc, value, flags));
  }
  template <typename MathOp>
  Expression binary(const Expression &other) const {
    return with(builder->createOrFold<MathOp>(loc, value, other.value));
  }
  Value compare(arith::CmpFPredicate predicate, const Expression &other) const {
    return builder->createOrFold<arith::CmpFOp>(loc, predicate, value, other.value);
  }
  Value compare(arith::CmpFPredicate predicate, double other) const { return compare(predicate, number(other)); }
  Expression select(Value condition, const Expression &otherwise) const {
    return with(builder->createOrFold<arith::SelectOp>(loc, condition, value, otherwise.value));
  }

  /// Converts to another floating-point type.
  Expression convert(Type type) const {
    unsigned from = getType().getIntOrFloatBitWidth(), to = type.getIntOrFloatBitWidth();
    if (getType() == type)
      return *this;
    if (from < to)
      return with(arith::ExtFOp::create(*builder, loc, type, value));
    if (from > to)
      return with(arith::TruncFOp::create(*builder, loc, type, value));
    return convert(builder->getF32Type()).convert(type); // f16 and bf16
  }

private:
  Expression with(Value result) const { return Expression(*builder, loc, result); }

  OpBuilder *builder;
  Location loc;
  Value value;
};

/// Differentiates one scalar op. x(n) is operand n, r is the result, and g is the cotangent of r. A rule of
/// differentiation gives each operand its share: the cotangent that the operand receives from this op.
class ScalarAdjoint {
public:
  ScalarAdjoint(OpBuilder &builder, Location loc, ValueRange operands, Value result, Value cotangent)
      : r(builder, loc, result), g(builder, loc, cotangent), shares(operands.size()), builder(builder), loc(loc),
        operands(operands.begin(), operands.end()) {}

  Expression x(unsigned operand) { return Expression(builder, loc, operands[operand]); }
  Value condition(unsigned operand) { return operands[operand]; }
  Expression zero() { return g.number(0.0); }
  void give(unsigned operand, const Expression &share) { shares[operand] = share; }
  Value getShare(unsigned operand) { return shares[operand]; }

  /// Builds g * factor, or 0 if g is 0, even if the factor is Inf or NaN. So a cotangent that a selection has zeroed
  /// stays 0.
  Expression times(const Expression &factor) { return guard(g * factor, factor); }
  /// Builds g / divisor, or 0 if g is 0, whatever the divisor is.
  Expression over(const Expression &divisor) { return guard(g / divisor, divisor); }

  Expression r, g;

private:
  Expression guard(const Expression &share, const Expression &factor) {
    if (factor.isConstant())
      return share;
    return zero().select(g.compare(arith::CmpFPredicate::OEQ, 0.0), share);
  }

  SmallVector<Value> shares;
  OpBuilder &builder;
  Location loc;
  SmallVector<Value> operands;
};

} // namespace mlir::xf

#endif // XF_COMPILER_GRADIENT_SCALAREXPRESSION_H
