//===- Conjunctions.cpp - Conditions as quasi-affine sets -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Converts the condition of a pattern to disjunctive normal form. Expands !, &&, || and comparisons to a list of lists
// of constraints e >= 0 and e = 0. The depth of expressions and the length of the result are limited, because a user's
// loop can generate a condition of any size.
//
//===----------------------------------------------------------------------===//

#include "Expression.h"
#include "Node.h"

#include <cmath>
#include <unordered_map>
#include <unordered_set>

using namespace xf;
using namespace xf::detail;
using E = ExpressionOp;

using Conjunction = std::vector<Constraint>;
using Disjunction = std::vector<Conjunction>;

static constexpr size_t maxConjunctions = 256;
static constexpr unsigned maxDepth = 200;

/// Throws Error unless the expression is quasi-affine: made of i, j, symbols and constants by sums, differences,
/// products with a constant, and floor divisions and remainders by a constant. Does not visit expressions in `checked`,
/// and adds those that it visits to `checked`.
static void expectAffine(const ExpressionPtr &expression, unsigned depth,
                         std::unordered_set<const Expression *> &checked) {
  if (!checked.insert(expression.get()).second)
    return;
  expect(depth < maxDepth, expression->here, "expected at most ", maxDepth, " nested operations in a pattern");
  switch (expression->op) {
  case E::query:
  case E::key:
  case E::integer:
  case E::symbol:
    return;
  case E::mul: {
    bool constant = expression->operands[0]->op == E::integer || expression->operands[1]->op == E::integer;
    expect(constant, expression->here, "expected a product with a constant in a pattern, got one of two expressions");
    break;
  }
  case E::add:
  case E::sub:
  case E::floorDiv:
  case E::mod:
    break;
  default:
    throw Error("expected positions i and j in a pattern, got a batch, head or score", expression->here);
  }
  for (const ExpressionPtr &operand : expression->operands)
    expectAffine(operand, depth + 1, checked);
}

/// Returns an upper bound of the absolute values of all coefficients and constants that arise when the expression is
/// folded to an affine expression. Throws Error if the bound exceeds 2^62, so that folding does not overflow. `known`
/// holds the bounds of expressions visited before.
static double magnitude(const ExpressionPtr &expression, std::unordered_map<const Expression *, double> &known) {
  auto [place, isNew] = known.try_emplace(expression.get(), 1);
  if (!isNew)
    return place->second;
  auto operand = [&](size_t number) { return magnitude(expression->operands[number], known); };
  double result = 1;
  switch (expression->op) {
  case E::integer:
    result = std::abs(static_cast<double>(expression->integer));
    break;
  case E::add:
  case E::sub:
    result = operand(0) + operand(1);
    break;
  case E::mul:
    result = operand(0) * operand(1);
    break;
  case E::mod:
  case E::floorDiv:
    result = std::max(operand(0), operand(1));
    break;
  default:
    break;
  }
  constexpr double most = static_cast<double>(int64_t{1} << 62);
  expect(result <= most, expression->here, "expected numbers that stay below 2^62 in a pattern, got larger products");
  return known[expression.get()] = result;
}

/// Makes a conjunction of one constraint: a - b - slack = 0 for an equality, a - b - slack >= 0 otherwise.
static Conjunction compare(const ExpressionPtr &a, const ExpressionPtr &b, int64_t slack, bool equality, Here here) {
  Index difference = IndexOperand(Index(a), here) - IndexOperand(Index(b), here);
  if (slack != 0)
    difference = IndexOperand(difference, here) - IndexOperand(slack, here);
  return {Constraint{difference.tree, equality}};
}

static Disjunction unite(Disjunction a, const Disjunction &b, Here here) {
  a.insert(a.end(), b.begin(), b.end());
  expect(a.size() <= maxConjunctions, here, "expected at most ", maxConjunctions, " alternatives in a pattern, got ",
         a.size());
  return a;
}

static Disjunction intersect(const Disjunction &a, const Disjunction &b, Here here) {
  size_t count = a.size() * b.size();
  expect(count <= maxConjunctions, here, "expected at most ", maxConjunctions, " alternatives in a pattern, got ",
         count);
  Disjunction result;
  for (const Conjunction &left : a)
    for (const Conjunction &right : b) {
      result.push_back(left);
      result.back().insert(result.back().end(), right.begin(), right.end());
    }
  return result;
}

/// Returns the disjunctive normal form of a condition, or of its negation. Throws Error for comparisons of scores and
/// for too many conjunctions.
static Disjunction expand(const Expression &condition, bool negated, unsigned depth) {
  Here here = condition.here;
  expect(depth < maxDepth, here, "expected at most ", maxDepth, " nested conditions in a pattern");
  const auto &operands = condition.operands;
  auto recurse = [&](unsigned number, bool opposite) { return expand(*operands[number], opposite, depth + 1); };
  switch (condition.op) {
  case E::negation:
    return recurse(0, !negated);
  case E::conjunction:
  case E::disjunction: {
    bool both = (condition.op == E::conjunction) != negated;
    return both ? intersect(recurse(0, negated), recurse(1, negated), here)
                : unite(recurse(0, negated), recurse(1, negated), here);
  }
  case E::less:
  case E::lessEqual: { // a < b is b - a - 1 >= 0; its opposite is a - b >= 0.
    int64_t strict = condition.op == E::less;
    return {negated ? compare(operands[0], operands[1], 1 - strict, false, here)
                    : compare(operands[1], operands[0], strict, false, here)};
  }
  case E::equal:
  case E::notEqual:
    if ((condition.op == E::equal) != negated)
      return {compare(operands[0], operands[1], 0, true, here)};
    return {compare(operands[0], operands[1], 1, false, here), compare(operands[1], operands[0], 1, false, here)};
  default:
    throw Error("expected comparisons of positions in a pattern, got one of scores", here);
  }
}

AffineUnion xf::detail::toConjunctions(const ExpressionPtr &condition) {
  AffineUnion result{expand(*condition, false, 0), 0};
  std::unordered_set<const Expression *> checked;
  std::unordered_map<const Expression *, double> magnitudes;
  for (const Conjunction &conjunction : result.conjunctions)
    for (const Constraint &constraint : conjunction) {
      expectAffine(constraint.expression, 0, checked);
      magnitude(constraint.expression, magnitudes);
    }
  for (const Expression *expression : checked)
    if (expression->op == E::symbol)
      result.symbols = std::max<size_t>(result.symbols, expression->integer + 1);
  return result;
}
