//===- Expression.cpp - Recording Index and Scalar -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Expression.h"
#include "Node.h"

using namespace xf;
using namespace xf::detail;
using E = ExpressionOp;

static ExpressionPtr makeInteger(int64_t number, Here here) {
  return std::make_shared<const Expression>(Expression{E::integer, here, {}, number});
}

//===----------------------------------------------------------------------===//
// Integers and conditions
//===----------------------------------------------------------------------===//

ExpressionPtr IndexOperand::integer(int64_t number) { return makeInteger(number, Here()); }

static Index integerOp(E op, const IndexOperand &a, const IndexOperand &b) {
  return Index(makeExpression(op, a.here, {a.tree, b.tree}));
}

/// Makes a floor division or remainder of indices. Throws Error unless the divisor is a positive constant.
static Index divisionOp(E op, const IndexOperand &a, const IndexOperand &b, const char *what) {
  bool constant = b.tree->op == E::integer;
  expect(constant && b.tree->integer > 0, a.here, "expected a positive constant on the right of ", what, ", got ",
         constant ? std::to_string(b.tree->integer) : "an expression");
  return integerOp(op, a, b);
}

Index xf::operator+(const IndexOperand &a, const IndexOperand &b) { return integerOp(E::add, a, b); }
Index xf::operator-(const IndexOperand &a, const IndexOperand &b) { return integerOp(E::sub, a, b); }
Index xf::operator*(const IndexOperand &a, const IndexOperand &b) { return integerOp(E::mul, a, b); }
Index xf::operator/(const IndexOperand &a, const IndexOperand &b) { return divisionOp(E::floorDiv, a, b, "/"); }
Index xf::operator%(const IndexOperand &a, const IndexOperand &b) { return divisionOp(E::mod, a, b, "%"); }
Index xf::operator-(const IndexOperand &a) { return IndexOperand(0, a.here) - a; }

static Condition condition(E op, const ExpressionPtr &a, const ExpressionPtr &b, Here here) {
  return Condition(makeExpression(op, here, {a, b}));
}

Condition xf::operator==(const IndexOperand &a, const IndexOperand &b) {
  return condition(E::equal, a.tree, b.tree, a.here);
}
Condition xf::operator!=(const IndexOperand &a, const IndexOperand &b) {
  return condition(E::notEqual, a.tree, b.tree, a.here);
}
Condition xf::operator<(const IndexOperand &a, const IndexOperand &b) {
  return condition(E::less, a.tree, b.tree, a.here);
}
Condition xf::operator<=(const IndexOperand &a, const IndexOperand &b) {
  return condition(E::lessEqual, a.tree, b.tree, a.here);
}
Condition xf::operator>(const IndexOperand &a, const IndexOperand &b) {
  return condition(E::less, b.tree, a.tree, a.here);
}
Condition xf::operator>=(const IndexOperand &a, const IndexOperand &b) {
  return condition(E::lessEqual, b.tree, a.tree, a.here);
}
Condition xf::operator&&(const Condition &a, const Condition &b) {
  return condition(E::conjunction, a.tree, b.tree, a.tree->here);
}
Condition xf::operator||(const Condition &a, const Condition &b) {
  return condition(E::disjunction, a.tree, b.tree, a.tree->here);
}
Condition xf::operator!(const Condition &a) { return Condition(makeExpression(E::negation, a.tree->here, {a.tree})); }

//===----------------------------------------------------------------------===//
// Reals
//===----------------------------------------------------------------------===//

ExpressionPtr ScalarOperand::real(double number) {
  return std::make_shared<const Expression>(Expression{E::real, Here(), {}, 0, number});
}

Scalar::Scalar(const Index &index, Here here) : tree(makeExpression(E::toReal, here, {index.tree})) {}

static Scalar realOp(E op, const ScalarOperand &a, const ScalarOperand &b) {
  return Scalar(makeExpression(op, a.here, {a.tree, b.tree}));
}
static ScalarOperand toReal(const Index &index, Here here) { return ScalarOperand(Scalar(index, here), here); }

Scalar xf::operator+(const ScalarOperand &a, const ScalarOperand &b) { return realOp(E::addReal, a, b); }
Scalar xf::operator-(const ScalarOperand &a, const ScalarOperand &b) { return realOp(E::subReal, a, b); }
Scalar xf::operator*(const ScalarOperand &a, const ScalarOperand &b) { return realOp(E::mulReal, a, b); }
Scalar xf::operator/(const ScalarOperand &a, const ScalarOperand &b) { return realOp(E::divReal, a, b); }
Scalar xf::operator-(const ScalarOperand &a) { return ScalarOperand(0.0, a.here) - a; }
Scalar xf::operator+(const Index &a, const RealOperand &b) { return realOp(E::addReal, toReal(a, b.here), b); }
Scalar xf::operator-(const Index &a, const RealOperand &b) { return realOp(E::subReal, toReal(a, b.here), b); }
Scalar xf::operator*(const Index &a, const RealOperand &b) { return realOp(E::mulReal, toReal(a, b.here), b); }
Scalar xf::operator/(const Index &a, const RealOperand &b) { return realOp(E::divReal, toReal(a, b.here), b); }
Scalar xf::operator+(const RealOperand &a, const Index &b) { return realOp(E::addReal, a, toReal(b, a.here)); }
Scalar xf::operator-(const RealOperand &a, const Index &b) { return realOp(E::subReal, a, toReal(b, a.here)); }
Scalar xf::operator*(const RealOperand &a, const Index &b) { return realOp(E::mulReal, a, toReal(b, a.here)); }
Scalar xf::operator/(const RealOperand &a, const Index &b) { return realOp(E::divReal, a, toReal(b, a.here)); }

Condition xf::operator<(const ScalarOperand &a, const ScalarOperand &b) {
  return condition(E::lessReal, a.tree, b.tree, a.here);
}
Condition xf::operator<=(const ScalarOperand &a, const ScalarOperand &b) {
  return condition(E::lessEqualReal, a.tree, b.tree, a.here);
}
Condition xf::operator>(const ScalarOperand &a, const ScalarOperand &b) {
  return condition(E::lessReal, b.tree, a.tree, a.here);
}
Condition xf::operator>=(const ScalarOperand &a, const ScalarOperand &b) {
  return condition(E::lessEqualReal, b.tree, a.tree, a.here);
}

#define XF_SCALAR(NAME, OP)                                                                                            \
  Scalar xf::NAME(const Scalar &x, Here here) { return Scalar(makeExpression(E::NAME, here, {x.tree})); }
#include "ScalarFunctions.def"
Scalar xf::maximum(const ScalarOperand &a, const ScalarOperand &b) { return realOp(E::maximum, a, b); }
Scalar xf::minimum(const ScalarOperand &a, const ScalarOperand &b) { return realOp(E::minimum, a, b); }
Scalar xf::pow(const ScalarOperand &a, const ScalarOperand &b) { return realOp(E::pow, a, b); }
Scalar xf::atan2(const ScalarOperand &y, const ScalarOperand &x) { return realOp(E::atan2, y, x); }

Scalar xf::sigmoid(const Scalar &x, Here here) {
  ScalarOperand one(1.0, here), rest(exp(-ScalarOperand(x, here), here), here);
  return one / ScalarOperand(one + rest, here);
}

Scalar xf::softplus(const Scalar &x, Here here) { // as in the dialect's scalar form
  ScalarOperand value(x, here), opposite(-value, here);
  ScalarOperand rest(log1p(exp(minimum(value, opposite), here), here), here);
  return ScalarOperand(maximum(value, ScalarOperand(0.0, here)), here) + rest;
}

Scalar xf::clamp(const Scalar &x, double low, double high, Here here) { // by selection, since the ends have a slope
  expect(low <= high, here, "expected low <= high in clamp, got ", low, " and ", high);
  ScalarOperand value(x, here), lower(low, here), upper(high, here);
  return where(value < lower, lower, ScalarOperand(where(value > upper, upper, value), here));
}

Scalar xf::where(const Condition &condition, const ScalarOperand &a, const ScalarOperand &b) {
  return Scalar(makeExpression(E::select, a.here, {condition.tree, a.tree, b.tree}));
}

//===----------------------------------------------------------------------===//
// Elements of captured tensors
//===----------------------------------------------------------------------===//

static Scalar load(const Tensor &tensor, const std::vector<IndexOperand> &indices) {
  Here here = indices[0].here;
  expectFloat(tensor, "a score function", here);
  expect(tensor.rank() == static_cast<int64_t>(indices.size()), here, "expected ", tensor.rank(),
         " indices for a tensor of shape ", tensor.shape(), ", got ", indices.size());
  Expression expression{E::load, here};
  for (const IndexOperand &index : indices)
    expression.operands.push_back(index.tree);
  expression.tensor = tensor;
  return Scalar(std::make_shared<const Expression>(std::move(expression)));
}

Scalar Tensor::operator()(IndexOperand a) const { return load(*this, {a}); }
Scalar Tensor::operator()(IndexOperand a, IndexOperand b) const { return load(*this, {a, b}); }
Scalar Tensor::operator()(IndexOperand a, IndexOperand b, IndexOperand c) const { return load(*this, {a, b, c}); }
Scalar Tensor::operator()(IndexOperand a, IndexOperand b, IndexOperand c, IndexOperand d) const {
  return load(*this, {a, b, c, d});
}
