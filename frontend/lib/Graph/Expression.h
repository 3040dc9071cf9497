//===- Expression.h - Expression trees on positions and scores -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The expression trees behind Index, Condition and Scalar, which the user's functions record. Pattern functions become
// quasi-affine sets (Conjunctions.h), score functions become regions.
//
//===----------------------------------------------------------------------===//

#ifndef XF_FRONTEND_GRAPH_EXPRESSION_H
#define XF_FRONTEND_GRAPH_EXPRESSION_H

#include "xf/index.h"

namespace xf::detail {

enum class ExpressionOp {
  // Leaves. batch, head, query and key are integers, value is the score itself.
  batch,
  head,
  query,
  key,
  value,
  integer,
  symbol,
  real,
  // Integers.
  add,
  sub,
  mul,
  floorDiv,
  mod,
  // Reals. `load` takes one integer per dimension of its tensor; toReal an integer.
  toReal,
  load,
  addReal,
  subReal,
  mulReal,
  divReal,
  maximum,
  minimum,
  pow,
  atan2,
#define XF_SCALAR(NAME, OP) NAME,
#include "ScalarFunctions.def"
  select,
  // Conditions.
  equal,
  notEqual,
  less,
  lessEqual,
  lessReal,
  lessEqualReal,
  conjunction,
  disjunction,
  negation,
};

struct Expression {
  ExpressionOp op;
  Here here;
  std::vector<ExpressionPtr> operands = {};
  int64_t integer = 0; ///< value of an `integer`, number of a `symbol`, number of heads of a `head` (0: unknown)
  double real = 0;     ///< value of a `real`
  Tensor tensor = {};  ///< captured tensor of a `load`
};

inline ExpressionPtr makeExpression(ExpressionOp op, Here here, std::vector<ExpressionPtr> operands = {}) {
  return std::make_shared<const Expression>(Expression{op, here, std::move(operands)});
}

} // namespace xf::detail

#endif // XF_FRONTEND_GRAPH_EXPRESSION_H
