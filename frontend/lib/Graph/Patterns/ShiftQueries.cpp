//===- ShiftQueries.cpp - Patterns of queries elsewhere -------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShiftQueries.h"
#include "../Expression.h"
#include "MakePattern.h"

using namespace xf;
using namespace xf::detail;

namespace {
struct Shift {
  Index by;
  int64_t keys;
  Here here;

  template <typename Condition>
  Pattern where(const Condition &condition) const {
    return pattern([&](Index i, Index j) { return condition(Index(i + by), j); }, here);
  }

  Pattern operator()(const DenseSet &) const {
    return pattern([&](Index, Index j) { return j - by <= keys - 1; }, here);
  }
  Pattern operator()(const CausalSet &) const {
    return where([](Index i, Index j) { return j <= i; });
  }
  Pattern operator()(const WindowSet &set) const {
    if (!set.left.distance && !set.right.distance)
      return (*this)(DenseSet());
    if (!set.left.distance)
      return where([&](Index i, Index j) { return j <= i + *set.right.distance; });
    if (!set.right.distance)
      return where([&](Index i, Index j) { return j >= i - *set.left.distance; });
    return where([&](Index i, Index j) { return j >= i - *set.left.distance && j <= i + *set.right.distance; });
  }
  Pattern operator()(const DilatedSet &set) const {
    Pattern near = (*this)(WindowSet{set.left, set.right});
    Pattern apart = where([&](Index i, Index j) { return (i - j) % set.step == 0; });
    return makePattern(AlgebraSet{Algebra::intersect, {near.node, apart.node}}, here);
  }
  Pattern operator()(const StridedSet &set) const {
    return where([&](Index i, Index j) {
      Condition isLocal = j <= i && i - j <= set.stride, isColumn = j <= i && (i - j) % set.stride == 0;
      return set.part == Part::all ? isLocal || isColumn : set.part == Part::local ? isLocal : isColumn;
    });
  }
  Pattern operator()(const FixedSet &set) const {
    int64_t upper = set.block - set.summary * set.slot, lower = upper - set.summary;
    return where([&](Index i, Index j) {
      Condition isLocal = j <= i && i / set.block == j / set.block;
      Condition isColumn = j <= i && j % set.block >= lower && j % set.block < upper;
      return set.part == Part::all ? isLocal || isColumn : set.part == Part::local ? isLocal : isColumn;
    });
  }
  Pattern operator()(const AffineUnion &set) const {
    AffineUnion shifted = set;
    for (std::vector<Constraint> &conjunction : shifted.conjunctions)
      for (Constraint &constraint : conjunction)
        constraint.expression = replaced(constraint.expression);
    shifted.symbols = std::max(shifted.symbols, symbolCount());
    return makePattern(std::move(shifted), here);
  }
  Pattern operator()(const AlgebraSet &set) const {
    AlgebraSet shifted{set.kind, {}};
    for (const PatternPtr &member : set.members)
      shifted.members.push_back(of(*member).node);
    return makePattern(std::move(shifted), here);
  }
  template <typename Set>
  Pattern operator()(const Set &) const {
    throw Error("expected a pattern of dense(), causal(), window(), dilated(), strided(), fixed(), conditions and "
                "combinations of these beside a cache",
                here);
  }

  Pattern of(const PatternNode &node) const { return std::visit(*this, node.set); }

private:
  size_t symbolCount() const { return static_cast<size_t>(by.tree->integer) + 1; }

  ExpressionPtr replaced(const ExpressionPtr &expression) const {
    if (expression->op == ExpressionOp::query)
      return (Index(expression) + by).tree;
    if (expression->operands.empty())
      return expression;
    Expression copy = *expression;
    for (ExpressionPtr &operand : copy.operands)
      operand = replaced(operand);
    return std::make_shared<const Expression>(std::move(copy));
  }
};
} // namespace

Pattern xf::detail::shiftQueries(const Pattern &of, int64_t number, int64_t keys, Here here) {
  Shift shift{symbol(number, here), keys, here};
  Pattern shifted = shift.of(*of.node);
  bool seesNoLaterKey = propertiesOf(*of.node).isCausal || std::holds_alternative<DenseSet>(of.node->set);
  if (seesNoLaterKey)
    return shifted;
  return makePattern(AlgebraSet{Algebra::intersect, {shifted.node, shift(DenseSet()).node}}, here);
}

//===----------------------------------------------------------------------===//
// Keys that rotate
//===----------------------------------------------------------------------===//

namespace {
struct Rotation {
  RotatedKeys keys;
  Here here;

  Pattern operator()(const CausalSet &) const { return lastTokens(keys.window - 1); }
  Pattern operator()(const WindowSet &set) const {
    if (set.right.distance != 0)
      return refuse();
    int64_t left = set.left.distance.value_or(keys.window - 1);
    expect(left < keys.window, here, "expected a window of fewer than ", keys.window,
           " earlier tokens beside a cache of the last ", keys.window, ", got ", left);
    return lastTokens(left);
  }
  Pattern operator()(const AlgebraSet &set) const {
    AlgebraSet rotated{set.kind, {}};
    for (const PatternPtr &member : set.members)
      rotated.members.push_back(of(*member).node);
    return makePattern(std::move(rotated), here);
  }
  template <typename Set>
  Pattern operator()(const Set &) const {
    return refuse();
  }

  Pattern of(const PatternNode &node) const { return std::visit(*this, node.set); }

private:
  Pattern refuse() const {
    throw Error("expected causal(), a causal window() or combinations of these beside a cache with a window", here);
  }

  /// Returns the pattern in which each query sees its own token and up to `left` tokens before it.
  Pattern lastTokens(int64_t left) const {
    Index shift = symbol(keys.shift, here), lap = symbol(keys.lap, here);
    auto isSeen = [&](Index i, Index j) {
      Index own = i + shift; // place of the query's token
      Condition inLap = j <= own && j >= own - left;
      Condition before = j >= shift + keys.places && j <= lap - 1 && j >= own + lap - left;
      return inLap || before;
    };
    return pattern(isSeen, here);
  }
};
} // namespace

Pattern xf::detail::rotateKeys(const Pattern &of, const RotatedKeys &keys, Here here) {
  return Rotation{keys, here}.of(*of.node);
}
