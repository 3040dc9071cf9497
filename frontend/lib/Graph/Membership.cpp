//===- Membership.cpp - Pairs of a pattern (spec section 2) -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Expression.h"
#include "Node.h"

#include <algorithm>

using namespace xf;
using namespace xf::detail;

/// Quotient and remainder that round down, for a positive divisor.
static int64_t floorDiv(int64_t a, int64_t b) { return a / b - (a % b < 0); }
static int64_t floorMod(int64_t a, int64_t b) { return a - floorDiv(a, b) * b; }

/// Evaluates an expression on positions. Throws Error for any other expression.
static int64_t evaluate(const Expression &e, int64_t i, int64_t j) {
  auto operand = [&](size_t number) { return evaluate(*e.operands[number], i, j); };
  switch (e.op) {
  case ExpressionOp::query:
    return i;
  case ExpressionOp::key:
    return j;
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

namespace {
struct Pair {
  int64_t head, i, j, keys;
  Here here;

  bool in(const PatternNode &pattern) const {
    return std::visit([&](const auto &set) { return (*this)(set); }, pattern.set);
  }
  bool inWindow(Bound left, Bound right) const {
    return (!left.distance || i - *left.distance <= j) && (!right.distance || j <= i + *right.distance);
  }

  /// Returns true if `holds` is true of the coordinates of i and j along every axis of a grid whose last axis varies
  /// fastest. Queries before the first key have negative coordinates along the first axis.
  template <typename Holds>
  bool inEachAxis(const std::vector<int64_t> &extents, Holds holds) const {
    int64_t query = i, key = j;
    for (size_t d = extents.size(); d-- > 1;) {
      if (!holds(d, floorMod(query, extents[d]), floorMod(key, extents[d])))
        return false;
      query = floorDiv(query, extents[d]), key = floorDiv(key, extents[d]);
    }
    return holds(size_t(0), query, key);
  }

  bool operator()(const DenseSet &) const { return true; }
  bool operator()(const CausalSet &) const { return j <= i; }
  bool operator()(const WindowSet &set) const { return inWindow(set.left, set.right); }
  bool operator()(const Dilated &set) const { return inWindow(set.left, set.right) && floorMod(i - j, set.step) == 0; }
  bool operator()(const StridedSet &set) const {
    bool local = i - j <= set.stride, column = floorMod(i - j, set.stride) == 0;
    return j <= i && ((local && set.part != Part::column) || (column && set.part != Part::local));
  }
  bool operator()(const FixedSet &set) const {
    int64_t lower = set.block - set.summary * (set.slot + 1), upper = set.block - set.summary * set.slot;
    int64_t column = floorMod(j, set.block);
    bool local = floorDiv(i, set.block) == floorDiv(j, set.block), summary = column >= lower && column < upper;
    return j <= i && ((local && set.part != Part::column) || (summary && set.part != Part::local));
  }
  bool operator()(const BlockSet &set) const {
    Pair blocks{head, floorDiv(i, set.size), floorDiv(j, set.size), floorDiv(keys + set.size - 1, set.size), here};
    return blocks.in(*set.of);
  }
  bool operator()(const GlobalSet &set) const {
    return std::any_of(set.positions.begin(), set.positions.end(), [&](int64_t position) {
      int64_t token = position < 0 ? position + keys : position;
      return i == token || j == token;
    });
  }
  bool operator()(const PrefixSet &set) const {
    expect(set.length.has_value(), here, "expected a static pattern, got a prefix whose length is a symbol");
    return j <= i || j < *set.length;
  }
  bool operator()(const IntervalSet &set) const {
    int64_t position = set.ofQueries ? i : j, value = set.mod > 0 ? floorMod(position, set.mod) : position;
    return std::any_of(set.intervals.begin(), set.intervals.end(),
                       [&](const Interval &interval) { return interval.lower <= value && value < interval.upper; });
  }
  bool operator()(const WindowNd &set) const {
    return inEachAxis(set.extents, [&](size_t d, int64_t query, int64_t key) {
      int64_t start = query - set.radius[d], width = 2 * set.radius[d] + 1;
      if (set.clamp)
        start = std::max<int64_t>(0, std::min(start, set.extents[d] - width));
      return start <= key && key < start + width;
    });
  }
  bool operator()(const Lift &set) const {
    int64_t extent = set.extents[set.axis];
    return inEachAxis(set.extents, [&](size_t d, int64_t query, int64_t key) {
      return d != static_cast<size_t>(set.axis) || Pair{head, query, key, extent, here}.in(*set.of.node);
    });
  }
  bool operator()(const Swin &set) const {
    return inEachAxis(set.extents, [&](size_t d, int64_t query, int64_t key) {
      return floorDiv(query - set.shift[d], set.window[d]) == floorDiv(key - set.shift[d], set.window[d]);
    });
  }
  bool operator()(const PermutedSet &set) const {
    int64_t count = set.order.size();
    bool inside = i >= 0 && i < count && j >= 0 && j < count;
    return inside && Pair{head, set.order[i], set.order[j], keys, here}.in(*set.of);
  }
  bool operator()(const AffineUnion &set) const {
    auto holds = [&](const Constraint &constraint) {
      int64_t value = evaluate(*constraint.expression, i, j);
      return constraint.equality ? value == 0 : value >= 0;
    };
    return std::any_of(set.conjunctions.begin(), set.conjunctions.end(),
                       [&](const std::vector<Constraint> &conjunction) {
                         return std::all_of(conjunction.begin(), conjunction.end(), holds);
                       });
  }
  bool operator()(const AlgebraSet &set) const {
    auto has = [&](const PatternPtr &member) { return in(*member); };
    switch (set.kind) {
    case Algebra::unite:
      return std::any_of(set.members.begin(), set.members.end(), has);
    case Algebra::intersect:
      return std::all_of(set.members.begin(), set.members.end(), has);
    case Algebra::subtract:
      return has(set.members[0]) && !has(set.members[1]);
    case Algebra::heads:
      return has(set.members[head % set.members.size()]);
    }
    return false;
  }
  /// Where only the top layer's tokens are queries, these are the last queries.
  bool operator()(const Grid &set) const {
    bool byIndex = set.order == GridOrder::index, fromTop = set.queries == GridQueries::top;
    bool ofTokens = set.granularity == Granularity::token;
    if (ofTokens && !fromTop && !set.factorised)
      return in(*set.of.node);
    bool isWhole = keys >= set.layers && keys % set.layers == 0; // otherwise the last position lacks layers
    expect(isWhole || (byIndex && !fromTop), here, "expected a multiple of ", set.layers, " keys in ", set.layers,
           " layers, got ", keys);
    int64_t positions = (keys + set.layers - 1) / set.layers, last = i - keys + positions;
    int64_t top = byIndex ? last * set.layers + set.layers - 1 : last + positions * (set.layers - 1);
    int64_t query = fromTop ? top : i;
    auto positionOf = [&](int64_t token) { return byIndex ? floorDiv(token, set.layers) : floorMod(token, positions); };
    if (set.factorised && positionOf(query) != positionOf(j))
      return false;
    Pair tokens{head, query, j, keys, here}, places{head, positionOf(query), positionOf(j), positions, here};
    return (ofTokens ? tokens : places).in(*set.of.node);
  }
  template <typename Other>
  bool operator()(const Other &) const {
    throw Error("expected a static pattern, got one with random or run-time parts, or one that is no set", here);
  }
};
} // namespace

bool xf::contains(const Pattern &pattern, int64_t head, int64_t i, int64_t j, int64_t keys, Here here) {
  expect(head >= 0, here, "expected a head >= 0, got ", head);
  return Pair{head, i, j, keys, here}.in(*pattern.node);
}
