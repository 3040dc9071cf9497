//===- xf/index.h - Expressions on positions and scores -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The types of the arguments of functions that define patterns, pattern([](Index i, Index j) { .. }), or scores, .score
// = [](Score s) { .. }. Such a function is called once. Its arguments record the operations on them.
//
//===----------------------------------------------------------------------===//

#ifndef XF_INDEX_H
#define XF_INDEX_H

#include "xf/tensor.h"

#include <concepts>
#include <type_traits>

namespace xf {

namespace detail {
struct Expression;
using ExpressionPtr = std::shared_ptr<const Expression>;
} // namespace detail

/// Integer expression of the positions, head and batch entry of a score or of a pair.
class Index {
public:
  explicit Index(detail::ExpressionPtr tree) : tree(std::move(tree)) {}
  detail::ExpressionPtr tree;
};

/// Boolean expression of positions or scores. Conditions are combined by &&, || and !.
class Condition {
public:
  explicit Condition(detail::ExpressionPtr tree) : tree(std::move(tree)) {}
  detail::ExpressionPtr tree;
};

/// Real expression that a score function computes from the score, positions and elements of tensors.
class Scalar {
public:
  explicit Scalar(detail::ExpressionPtr tree) : tree(std::move(tree)) {}
  /// Converts an index to a real number.
  Scalar(const Index &index, Here here = Here::current());
  detail::ExpressionPtr tree;
};

/// Operand of an operator on Index: an index or an integer. Records the source location of the operator.
class IndexOperand {
public:
  IndexOperand(const Index &index, Here here = Here::current()) : tree(index.tree), here(here) {}
  template <std::integral Int>
  IndexOperand(Int number, Here here = Here::current()) : tree(integer(number)), here(here) {}
  detail::ExpressionPtr tree;
  Here here;

private:
  static detail::ExpressionPtr integer(int64_t number);
};

/// Operators on Index. Division and remainder round down, also for negative numbers, and throw Error unless the divisor
/// is a positive constant.
Index operator+(const IndexOperand &a, const IndexOperand &b);
Index operator-(const IndexOperand &a, const IndexOperand &b);
Index operator*(const IndexOperand &a, const IndexOperand &b);
Index operator/(const IndexOperand &a, const IndexOperand &b);
Index operator%(const IndexOperand &a, const IndexOperand &b);
Index operator-(const IndexOperand &a);
Condition operator==(const IndexOperand &a, const IndexOperand &b);
Condition operator!=(const IndexOperand &a, const IndexOperand &b);
Condition operator<(const IndexOperand &a, const IndexOperand &b);
Condition operator<=(const IndexOperand &a, const IndexOperand &b);
Condition operator>(const IndexOperand &a, const IndexOperand &b);
Condition operator>=(const IndexOperand &a, const IndexOperand &b);
Condition operator&&(const Condition &a, const Condition &b);
Condition operator||(const Condition &a, const Condition &b);
Condition operator!(const Condition &a);

/// Operand of an operator on Scalar: a real expression or a number. Records the source location of the operator.
class ScalarOperand {
public:
  ScalarOperand(const Scalar &scalar, Here here = Here::current()) : tree(scalar.tree), here(here) {}
  template <typename Number>
    requires std::is_arithmetic_v<Number>
  ScalarOperand(Number number, Here here = Here::current()) : tree(real(number)), here(here) {}
  detail::ExpressionPtr tree;
  Here here;

protected:
  static detail::ExpressionPtr real(double number);
};

/// An operand that makes the operator compute in real numbers although the other operand is an index. It is a real
/// expression or a floating-point number, but not an integer.
class RealOperand : public ScalarOperand {
public:
  RealOperand(const Scalar &scalar, Here here = Here::current()) : ScalarOperand(scalar, here) {}
  template <std::floating_point Number>
  RealOperand(Number number, Here here = Here::current()) : ScalarOperand(number, here) {}
};

/// Operators on Scalar, computed in the type of the scores: f32 (f64 where q is f64). An index is converted to a real
/// number.
Scalar operator+(const ScalarOperand &a, const ScalarOperand &b);
Scalar operator-(const ScalarOperand &a, const ScalarOperand &b);
Scalar operator*(const ScalarOperand &a, const ScalarOperand &b);
Scalar operator/(const ScalarOperand &a, const ScalarOperand &b);
Scalar operator-(const ScalarOperand &a);
Scalar operator+(const Index &a, const RealOperand &b);
Scalar operator-(const Index &a, const RealOperand &b);
Scalar operator*(const Index &a, const RealOperand &b);
Scalar operator/(const Index &a, const RealOperand &b);
Scalar operator+(const RealOperand &a, const Index &b);
Scalar operator-(const RealOperand &a, const Index &b);
Scalar operator*(const RealOperand &a, const Index &b);
Scalar operator/(const RealOperand &a, const Index &b);
Condition operator<(const ScalarOperand &a, const ScalarOperand &b);
Condition operator<=(const ScalarOperand &a, const ScalarOperand &b);
Condition operator>(const ScalarOperand &a, const ScalarOperand &b);
Condition operator>=(const ScalarOperand &a, const ScalarOperand &b);

/// Functions of Scalar. Each has a derivative, so that tensors that a score function captures receive gradients.
Scalar exp(const Scalar &x, Here here = Here::current());
Scalar log(const Scalar &x, Here here = Here::current());
Scalar sqrt(const Scalar &x, Here here = Here::current());
Scalar tanh(const Scalar &x, Here here = Here::current());
Scalar abs(const Scalar &x, Here here = Here::current());
Scalar rsqrt(const Scalar &x, Here here = Here::current());
Scalar erf(const Scalar &x, Here here = Here::current());
Scalar sin(const Scalar &x, Here here = Here::current());
Scalar cos(const Scalar &x, Here here = Here::current());
Scalar tan(const Scalar &x, Here here = Here::current());
Scalar asin(const Scalar &x, Here here = Here::current());
Scalar acos(const Scalar &x, Here here = Here::current());
Scalar atan(const Scalar &x, Here here = Here::current());
Scalar sinh(const Scalar &x, Here here = Here::current());
Scalar cosh(const Scalar &x, Here here = Here::current());
Scalar cbrt(const Scalar &x, Here here = Here::current());
Scalar log2(const Scalar &x, Here here = Here::current());
Scalar log10(const Scalar &x, Here here = Here::current());
Scalar log1p(const Scalar &x, Here here = Here::current());
Scalar expm1(const Scalar &x, Here here = Here::current());
Scalar floor(const Scalar &x, Here here = Here::current());
Scalar ceil(const Scalar &x, Here here = Here::current());
Scalar round(const Scalar &x, Here here = Here::current());
Scalar sigmoid(const Scalar &x, Here here = Here::current());
Scalar softplus(const Scalar &x, Here here = Here::current());
/// Limits x to [low, high]; the gradient passes where low <= x <= high.
Scalar clamp(const Scalar &x, double low, double high, Here here = Here::current());
Scalar pow(const ScalarOperand &a, const ScalarOperand &b);
/// Computes the angle of the point (x, y), in [-pi, pi].
Scalar atan2(const ScalarOperand &y, const ScalarOperand &x);
Scalar maximum(const ScalarOperand &a, const ScalarOperand &b);
Scalar minimum(const ScalarOperand &a, const ScalarOperand &b);
Scalar where(const Condition &condition, const ScalarOperand &a, const ScalarOperand &b);

/// Arguments of a score function: `value` is the scaled score scale <q_i, k_j> of batch entry b, head h, query i and
/// key j. i is the query's position on the key axis: with Nk keys and Nq queries, it starts at Nk - Nq.
struct Score {
  Scalar value;
  Index b, h, i, j;
};

} // namespace xf

#endif // XF_INDEX_H
