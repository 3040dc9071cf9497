//===- Patterns.cpp - Making patterns (spec section 9) -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Expression.h"
#include "Node.h"

using namespace xf;
using namespace xf::detail;

template <typename Set>
static std::shared_ptr<const PatternNode> makeNode(Set set, Here here) {
  return std::make_shared<const PatternNode>(PatternNode{here, std::move(set)});
}
template <typename Set>
static Pattern make(Set set, Here here) {
  return Pattern(makeNode(std::move(set), here));
}

static void atLeast(int64_t value, int64_t minimum, const char *what, Here here) {
  expect(value >= minimum, here, "expected ", what, " >= ", minimum, ", got ", value);
}

//===----------------------------------------------------------------------===//
// Leaves
//===----------------------------------------------------------------------===//

Pattern xf::dense(Here here) { return make(DenseSet(), here); }
Pattern xf::causal(Here here) { return make(CausalSet(), here); }
Pattern xf::segments(Here here) { return make(SegmentsSet(), here); }
Pattern xf::segments(std::vector<std::vector<bool>> relation, Here here) {
  expect(!relation.empty(), here, "expected a relation of at least one row, got none");
  for (const std::vector<bool> &row : relation)
    expect(!row.empty() && row.size() == relation.front().size(), here,
           "expected rows of a relation of one length, got ", relation.front().size(), " and ", row.size());
  return make(SegmentsSet{std::move(relation)}, here);
}

static void expectWindow(Bound left, Bound right, Here here) {
  bool empty = left.distance && right.distance && -*left.distance > *right.distance;
  expect(!empty, here, "expected a window with -left <= right, got left = ", left.distance.value_or(0),
         ", right = ", right.distance.value_or(0));
}

Pattern xf::window(Bound left, Bound right, Here here) {
  expectWindow(left, right, here);
  return make(WindowSet{left, right}, here);
}

Pattern xf::dilated(Dilated parameters, Here here) {
  expectWindow(parameters.left, parameters.right, here);
  atLeast(parameters.step, 1, "step", here);
  return make(parameters, here);
}

StridedPattern xf::strided(int64_t stride, Here here) {
  atLeast(stride, 1, "stride", here);
  return StridedPattern(makeNode(StridedSet{stride, Part::all}, here));
}
static Pattern withPart(const StridedPattern &pattern, Part part, Here here) {
  StridedSet set = std::get<StridedSet>(pattern.node->set);
  set.part = part;
  return make(set, here);
}
Pattern StridedPattern::local(Here here) const { return withPart(*this, Part::local, here); }
Pattern StridedPattern::column(Here here) const { return withPart(*this, Part::column, here); }

FixedPattern xf::fixed(int64_t block, int64_t summary, Here here) {
  atLeast(block, 1, "block", here);
  atLeast(summary, 1, "summary", here);
  expect(summary <= block, here, "expected summary <= block, got summary = ", summary, ", block = ", block);
  return FixedPattern(makeNode(FixedSet{block, summary, Part::all, 0}, here));
}
static Pattern withPart(const FixedPattern &pattern, Part part, Here here) {
  FixedSet set = std::get<FixedSet>(pattern.node->set);
  set.part = part;
  return make(set, here);
}
Pattern FixedPattern::local(Here here) const { return withPart(*this, Part::local, here); }
Pattern FixedPattern::column(Here here) const { return withPart(*this, Part::column, here); }
FixedPattern FixedPattern::slot(int64_t s, Here here) const {
  FixedSet set = std::get<FixedSet>(node->set);
  atLeast(s, 0, "slot", here);
  bool fits = s < set.block && set.summary * (s + 1) <= set.block;
  expect(fits, here, "expected summary (slot + 1) <= block, got summary = ", set.summary, ", slot = ", s,
         ", block = ", set.block);
  set.slot = s;
  return FixedPattern(makeNode(set, here));
}

Pattern xf::block(int64_t size, const Pattern &of, Here here) {
  atLeast(size, 1, "size", here);
  return make(BlockSet{size, of.node}, here);
}
Pattern xf::global(std::vector<int64_t> positions, Here here) { return make(GlobalSet{std::move(positions)}, here); }
Pattern xf::prefix(int64_t length, Here here) {
  atLeast(length, 0, "length", here);
  return make(PrefixSet{length}, here);
}

Pattern xf::prefix(Here here) { return make(PrefixSet{}, here); }

Pattern xf::table(int64_t block, Here here) {
  atLeast(block, 1, "block", here);
  return make(TableSet{block}, here);
}

static void expectExtents(const std::vector<int64_t> &extents, Here here) {
  expect(!extents.empty(), here, "expected at least one extent of a grid, got none");
  for (int64_t extent : extents)
    atLeast(extent, 1, "extent", here);
}

/// Throws Error unless there is one number of at least `minimum` for every axis.
static void expectPerAxis(const std::vector<int64_t> &numbers, const std::vector<int64_t> &extents, int64_t minimum,
                          const char *what, Here here) {
  expect(numbers.size() == extents.size(), here, "expected a ", what, " for each of ", extents.size(), " extents, got ",
         numbers.size());
  for (int64_t number : numbers)
    atLeast(number, minimum, what, here);
}

Pattern xf::window_nd(WindowNd parameters, Here here) {
  expectExtents(parameters.extents, here);
  expectPerAxis(parameters.radius, parameters.extents, 0, "radius", here);
  return make(std::move(parameters), here);
}

Pattern xf::lift(Lift parameters, Here here) {
  expectExtents(parameters.extents, here);
  int64_t axes = parameters.extents.size();
  expect(parameters.axis >= 0 && parameters.axis < axes, here, "expected an axis of ", axes, " from 0 on, got ",
         parameters.axis);
  return make(std::move(parameters), here);
}

Pattern xf::swin(Swin parameters, Here here) {
  expectExtents(parameters.extents, here);
  expectPerAxis(parameters.window, parameters.extents, 1, "window", here);
  expectPerAxis(parameters.shift, parameters.extents, 0, "shift", here);
  return make(std::move(parameters), here);
}

Pattern xf::permute(std::vector<int64_t> order, const Pattern &of, Here here) {
  std::vector<bool> found(order.size());
  for (int64_t position : order) {
    bool fits = position >= 0 && position < static_cast<int64_t>(order.size()) && !found[position];
    expect(fits, here, "expected a permutation of the ", order.size(), " positions from 0 on, got ", position,
           " too often or outside");
    found[position] = true;
  }
  expect(!order.empty(), here, "expected a permutation of at least one position, got none");
  return make(PermutedSet{std::move(order), of.node}, here);
}

static Pattern intervals(bool ofQueries, std::vector<Interval> intervals, int64_t mod, Here here) {
  expect(!intervals.empty(), here, "expected at least one interval, got none");
  atLeast(mod, 0, "mod", here);
  for (const Interval &interval : intervals)
    expect(interval.lower < interval.upper, here, "expected intervals with lower < upper, got ", interval.lower,
           " and ", interval.upper);
  return make(IntervalSet{ofQueries, std::move(intervals), mod}, here);
}
Pattern xf::keys(std::vector<Interval> list, int64_t mod, Here here) {
  return intervals(false, std::move(list), mod, here);
}
Pattern xf::queries(std::vector<Interval> list, int64_t mod, Here here) {
  return intervals(true, std::move(list), mod, here);
}

Pattern xf::bigbird(BigBird parameters, Here here) {
  atLeast(parameters.block, 1, "block", here);
  atLeast(parameters.window, 0, "window", here);
  atLeast(parameters.global, 0, "global", here);
  atLeast(parameters.random, 0, "random", here);
  return make(parameters, here);
}
Pattern xf::random(int64_t count, int64_t seed, std::optional<Pattern> outside, Here here) {
  atLeast(count, 0, "count", here);
  return make(RandomSet{count, seed, outside ? outside->node : nullptr}, here);
}

Index xf::symbol(int64_t number, Here here) {
  constexpr int64_t most = 16;
  expect(number >= 0 && number < most, here, "expected the number of a symbol from 0 to ", most - 1, ", got ", number);
  Expression leaf{ExpressionOp::symbol, here};
  leaf.integer = number;
  return Index(std::make_shared<const Expression>(std::move(leaf)));
}

Pattern xf::pattern(const std::function<Condition(Index i, Index j)> &condition, Here here) {
  Index i(makeExpression(ExpressionOp::query, here)), j(makeExpression(ExpressionOp::key, here));
  return make(toConjunctions(condition(i, j).tree), here);
}

//===----------------------------------------------------------------------===//
// Algebra, and patterns that are not sets of pairs
//===----------------------------------------------------------------------===//

/// Combines two patterns. a | b | c becomes one union of three members, and a & b & c one intersection; a difference
/// keeps two members.
static Pattern combine(Algebra kind, const PatternOperand &a, const PatternOperand &b) {
  std::vector<PatternPtr> members;
  auto *nested = std::get_if<AlgebraSet>(&a.pattern.node->set);
  if (nested && nested->kind == kind && kind != Algebra::subtract)
    members = nested->members;
  else
    members = {a.pattern.node};
  members.push_back(b.pattern.node);
  return make(AlgebraSet{kind, std::move(members)}, a.here);
}

Pattern xf::operator|(const PatternOperand &a, const PatternOperand &b) { return combine(Algebra::unite, a, b); }
Pattern xf::operator&(const PatternOperand &a, const PatternOperand &b) { return combine(Algebra::intersect, a, b); }
Pattern xf::operator-(const PatternOperand &a, const PatternOperand &b) { return combine(Algebra::subtract, a, b); }

Pattern xf::heads(std::vector<Pattern> members, Here here) {
  expect(!members.empty(), here, "expected at least one pattern in heads, got none");
  std::vector<PatternPtr> nodes;
  for (const Pattern &member : members)
    nodes.push_back(member.node);
  return make(AlgebraSet{Algebra::heads, std::move(nodes)}, here);
}

Pattern xf::kernelized(Kernelized parameters, Here here) { return make(std::move(parameters), here); }
Pattern xf::low_rank(LowRank parameters, Here here) {
  atLeast(parameters.rank, 1, "rank", here);
  return make(parameters, here);
}
Pattern xf::grid(Grid parameters, Here here) {
  atLeast(parameters.layers, 1, "layers", here);
  return make(std::move(parameters), here);
}

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

namespace {
/// Returns the number of symbols that an attention with a given set takes.
struct SymbolCounter {
  size_t operator()(const PrefixSet &set) const { return set.length ? 0 : 1; }
  size_t operator()(const AffineUnion &set) const { return set.symbols; }
  size_t operator()(const BlockSet &set) const { return countSymbols(*set.of); }
  size_t operator()(const PermutedSet &set) const { return countSymbols(*set.of); }
  size_t operator()(const RandomSet &set) const { return set.outside ? countSymbols(*set.outside) : 0; }
  size_t operator()(const Lift &set) const { return countSymbols(*set.of.node); }
  size_t operator()(const Grid &set) const { return countSymbols(*set.of.node); }
  size_t operator()(const Kernelized &set) const { return set.of ? countSymbols(*set.of->node) : 0; }
  size_t operator()(const AlgebraSet &set) const {
    size_t count = 0;
    for (const PatternPtr &member : set.members)
      count = std::max(count, countSymbols(*member));
    return count;
  }
  template <typename Other>
  size_t operator()(const Other &) const {
    return 0;
  }
};
} // namespace

size_t xf::detail::countSymbols(const PatternNode &pattern) { return std::visit(SymbolCounter(), pattern.set); }
