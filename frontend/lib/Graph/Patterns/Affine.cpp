//===- Affine.cpp - Patterns made from conditions -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Expression.h"
#include "MakePattern.h"

#include <algorithm>

using namespace xf;
using namespace xf::detail;

Index xf::symbol(int64_t number, Here here) {
  constexpr int64_t most = 16;
  expect(number >= 0 && number < most, here, "expected the number of a symbol from 0 to ", most - 1, ", got ", number);
  Expression leaf{ExpressionOp::symbol, here};
  leaf.integer = number;
  return Index(std::make_shared<const Expression>(std::move(leaf)));
}

Pattern xf::pattern(const std::function<Condition(Index i, Index j)> &condition, Here here) {
  Index i(makeExpression(ExpressionOp::query, here)), j(makeExpression(ExpressionOp::key, here));
  return makePattern(toConjunctions(condition(i, j).tree), here);
}

/// Evaluates an integer expression for the positions of query and key in `pair`. Throws Error if the expression
/// contains anything but positions and constants.
static int64_t evaluate(const Expression &e, const Pair &pair) {
  auto operand = [&](size_t number) { return evaluate(*e.operands[number], pair); };
  switch (e.op) {
  case ExpressionOp::query:
    return pair.i;
  case ExpressionOp::key:
    return pair.j;
  case ExpressionOp::integer:
    return e.integer;
  case ExpressionOp::add:
    return operand(0) + operand(1);
  case ExpressionOp::sub:
    return operand(0) - operand(1);
  case ExpressionOp::mul:
    return operand(0) * operand(1);
  case ExpressionOp::floorDiv:
    return floorDiv(operand(0), operand(1));
  case ExpressionOp::mod:
    return floorMod(operand(0), operand(1));
  default:
    throw Error("expected an expression on positions", e.here);
  }
}

bool AffineUnion::has(const Pair &pair) const {
  auto holds = [&](const Constraint &constraint) {
    int64_t value = evaluate(*constraint.expression, pair);
    return constraint.equality ? value == 0 : value >= 0;
  };
  return std::any_of(conjunctions.begin(), conjunctions.end(), [&](const std::vector<Constraint> &conjunction) {
    return std::all_of(conjunction.begin(), conjunction.end(), holds);
  });
}

Properties AffineUnion::properties() const { return {.isCausal = false, .isOfPositions = true, .symbols = symbols}; }
