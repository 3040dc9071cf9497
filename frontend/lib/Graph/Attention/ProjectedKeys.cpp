//===- ProjectedKeys.cpp - Low-rank attention as a dense one -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Projects the keys of low-rank attention by operations, to compute its weights. Otherwise the compiler projects them.
// Weights are found with one-hot values (Maps.cpp). If the attention projected values, too, there might be none whose
// projection is one-hot.
//
//===----------------------------------------------------------------------===//

#include "../Expression.h"
#include "../Patterns/MakePattern.h"
#include "Maps.h"
#include "xf/ops/arrange.h"
#include "xf/ops/einsum.h"

#include <algorithm>
#include <map>

using namespace xf;
using namespace xf::detail;

/// Replaces the rows of x beyond the lengths of their batch entries by zeros.
static Tensor withoutPadding(const Tensor &x, const Tensor &lengths, Here here) {
  Dim count = x.shape()[2];
  Tensor key = reshape(countUp(count, 0, 1, i64, here), {1, 1, count, 1}, here);
  Tensor end = reshape(lengths, {lengths.shape()[0], 1, 1, 1}, here);
  return where(Operand(key, here) < Operand(end, here), x, 0.0, here);
}

/// Reduces blocks of `block` rows of x to a row each; the last block may be shorter.
static Tensor pooled(const Tensor &x, int64_t block, bool takesMean, Here here) {
  auto reduced = [&](const Tensor &rows, int64_t axis, bool keepsAxis) {
    return takesMean ? mean(rows, axis, keepsAxis, here) : max(rows, axis, keepsAxis, here);
  };
  const Shape &shape = x.shape();
  int64_t count = shape[2].value(), whole = count / block;
  std::vector<Tensor> parts;
  if (whole > 0)
    parts.push_back(reduced(
        reshape(slice(x, 2, 0, whole * block, 1, here), {shape[0], shape[1], whole, block, shape[3]}, here), 3, false));
  if (whole * block < count)
    parts.push_back(reduced(slice(x, 2, whole * block, count, 1, here), 2, true));
  return parts.size() == 1 ? parts[0] : concat(parts, 2, here);
}

static Tensor projected(const Tensor &x, const LowRankSet &lowRank, const Tensor &weights, Here here) {
  const Shape &shape = x.shape();
  int64_t count = shape[2].value(), block = std::max<int64_t>(1, (count + lowRank.rank - 1) / lowRank.rank);
  switch (lowRank.projection) {
  case Projection::learned: {
    Tensor rows = slice(weights, -2, 0, count, 1, here);
    return einsum(weights.rank() == 2 ? "nr,bhnd->bhrd" : "hnr,bhnd->bhrd", {rows, x}, here);
  }
  case Projection::mean:
  case Projection::max: {
    Tensor rows = pooled(x, block, lowRank.projection == Projection::mean, here);
    return pad(rows, {{2, 0, lowRank.rank - rows.shape()[2].value()}}, 0, here);
  }
  case Projection::strided_conv: {
    Tensor rows = pad(x, {{2, 0, lowRank.rank * block - count}}, 0, here);
    Tensor blocks = reshape(rows, {shape[0], shape[1], lowRank.rank, block, shape[3]}, here);
    return sum(Operand(blocks, here) * weights, 3, false, here);
  }
  }
  return {};
}

namespace {
/// Replaces the position of the query in an expression by this position plus a number.
class MoveQuery {
public:
  MoveQuery(int64_t by, Here here) : by(by), here(here) {}

  ExpressionPtr in(const ExpressionPtr &expression) {
    ExpressionPtr &result = known[expression.get()];
    if (!result)
      result = make(expression);
    return result;
  }

private:
  ExpressionPtr make(const ExpressionPtr &expression) {
    if (expression->op == ExpressionOp::query)
      return (IndexOperand(Index(expression), here) + by).tree;
    if (expression->operands.empty())
      return expression;
    Expression copy = *expression;
    for (ExpressionPtr &operand : copy.operands)
      operand = in(operand);
    return std::make_shared<const Expression>(std::move(copy));
  }

  int64_t by;
  Here here;
  std::map<const Expression *, ExpressionPtr> known;
};
} // namespace

Weighted xf::detail::withProjectedKeys(Weighted attention, const LowRankSet &lowRank, Here here) {
  AttentionClauses &clauses = attention.clauses;
  size_t first = attention.lengthsAt(), after = first + clauses.lengths;
  if (clauses.lengths)
    attention.k = withoutPadding(attention.k, attention.operands[first], here);
  int64_t count = attention.keys();
  attention.k = projected(attention.k, lowRank, clauses.parameters ? attention.operands[0] : Tensor(), here);
  if (clauses.score) // which sees the position among all keys
    clauses.score = MoveQuery(count - lowRank.rank, here).in(clauses.score);
  attention.operands.erase(attention.operands.begin(), attention.operands.begin() + static_cast<std::ptrdiff_t>(after));
  clauses.parameters = clauses.lengths = 0;
  clauses.pattern = dense(here).node;
  return attention;
}
