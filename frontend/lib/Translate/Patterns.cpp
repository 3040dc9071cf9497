//===- Patterns.cpp - Pattern values to attributes -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Graph/Expression.h"
#include "Translator.h"

using namespace mlir;
using graph::Expression;
using graph::ExpressionOp;

//===----------------------------------------------------------------------===//
// Conditions on positions
//===----------------------------------------------------------------------===//

namespace {
/// Converts expressions of positions to MLIR's affine expressions. Requires quasi-affine expressions of bounded depth,
/// which toConjunctions has verified.
class AffineBuilder {
public:
  explicit AffineBuilder(MLIRContext *context) : context(context) {}

  AffineExpr build(const Expression &expression) {
    auto found = known.find(&expression);
    if (found != known.end())
      return found->second;
    AffineExpr result = make(expression);
    known[&expression] = result;
    return result;
  }

private:
  AffineExpr make(const Expression &expression) {
    auto operand = [&](unsigned number) { return build(*expression.operands[number]); };
    switch (expression.op) {
    case ExpressionOp::query:
      return getAffineDimExpr(0, context);
    case ExpressionOp::key:
      return getAffineDimExpr(1, context);
    case ExpressionOp::integer:
      return getAffineConstantExpr(expression.integer, context);
    case ExpressionOp::symbol: // symbols follow Nq and Nk
      return getAffineSymbolExpr(2 + expression.integer, context);
    case ExpressionOp::add:
      return operand(0) + operand(1);
    case ExpressionOp::sub:
      return operand(0) - operand(1);
    case ExpressionOp::mul:
      return operand(0) * operand(1);
    case ExpressionOp::floorDiv:
      return operand(0).floorDiv(operand(1));
    case ExpressionOp::mod:
      return operand(0) % operand(1);
    default:
      llvm_unreachable("the graph lets only integers through");
    }
  }

  MLIRContext *context;
  llvm::DenseMap<const Expression *, AffineExpr> known;
};
} // namespace

//===----------------------------------------------------------------------===//
// One function for each family
//===----------------------------------------------------------------------===//

namespace {
struct PatternTranslator {
  MLIRContext *context;

  ir::Pattern translate(const graph::PatternNode &node) const {
    return std::visit([&](const auto &set) -> ir::Pattern { return (*this)(set); }, node.set);
  }
  ir::Pattern optional(const graph::PatternPtr &node) const { return node ? translate(*node) : ir::Pattern(); }
  ir::Pattern optional(const std::optional<fe::Pattern> &pattern) const {
    return pattern ? translate(*pattern->node) : ir::Pattern();
  }
  static ir::Bound bound(fe::Bound bound) { return bound.distance ? ir::Bound(*bound.distance) : ir::Bound(); }
  FloatAttr real(std::optional<double> value) const {
    return value ? FloatAttr::get(Float64Type::get(context), *value) : FloatAttr();
  }
  static ir::Part part(graph::Part part) {
    static constexpr ir::Part parts[] = {ir::Part::k_union, ir::Part::k_local, ir::Part::k_column};
    return parts[static_cast<unsigned>(part)];
  }
  /// Converts an enumerator of the frontend to the dialect's enumerator with the same value. Both enums list the same
  /// words in the same order.
  template <typename To, typename From>
  static To word(From from) {
    return static_cast<To>(from);
  }

  ir::Pattern operator()(const graph::DenseSet &) const { return ir::DensePatternAttr::get(context); }
  ir::Pattern operator()(const graph::CausalSet &) const { return ir::CausalPatternAttr::get(context); }
  ir::Pattern operator()(const graph::SegmentsSet &set) const {
    Builder b(context);
    SmallVector<Attribute> rows;
    for (const std::vector<bool> &row : set.relation)
      rows.push_back(b.getI64ArrayAttr(SmallVector<int64_t>(row.begin(), row.end())));
    return ir::SegmentsPatternAttr::get(context, rows.empty() ? ArrayAttr() : b.getArrayAttr(rows));
  }
  ir::Pattern operator()(const graph::TableSet &set) const {
    return ir::TablePatternAttr::get(context, set.block, set.columns);
  }
  DenseI64ArrayAttr numbers(ArrayRef<int64_t> list) const { return DenseI64ArrayAttr::get(context, list); }
  ir::Pattern operator()(const graph::WindowNdSet &set) const {
    return ir::WindowNdPatternAttr::get(context, numbers(set.extents), numbers(set.radius), set.clamp);
  }
  ir::Pattern operator()(const graph::LiftSet &set) const {
    return ir::LiftPatternAttr::get(context, numbers(set.extents), set.axis, translate(*set.of.node));
  }
  ir::Pattern operator()(const graph::SwinSet &set) const {
    return ir::SwinPatternAttr::get(context, numbers(set.extents), numbers(set.window), numbers(set.shift));
  }
  ir::Pattern operator()(const graph::PermutedSet &set) const {
    return ir::PermutePatternAttr::get(context, set.order, translate(*set.of));
  }
  ir::Pattern operator()(const graph::WindowSet &set) const {
    return ir::WindowPatternAttr::get(context, bound(set.left), bound(set.right));
  }
  ir::Pattern operator()(const graph::DilatedSet &set) const {
    return ir::DilatedPatternAttr::get(context, bound(set.left), bound(set.right), set.step);
  }
  ir::Pattern operator()(const graph::StridedSet &set) const {
    return ir::StridedPatternAttr::get(context, set.stride, part(set.part));
  }
  ir::Pattern operator()(const graph::FixedSet &set) const {
    return ir::FixedPatternAttr::get(context, set.block, set.summary, part(set.part), set.slot);
  }
  ir::Pattern operator()(const graph::BlockSet &set) const {
    return ir::BlockPatternAttr::get(context, set.size, translate(*set.of));
  }
  ir::Pattern operator()(const graph::GlobalSet &set) const {
    return ir::GlobalPatternAttr::get(context, set.positions);
  }
  ir::Pattern operator()(const graph::RandomSet &set) const {
    return ir::RandomPatternAttr::get(context, set.count, set.seed, optional(set.outside));
  }
  ir::Pattern operator()(const graph::PrefixSet &set) const { return ir::PrefixPatternAttr::get(context, set.length); }
  ir::Pattern operator()(const graph::IntervalSet &set) const {
    SmallVector<ir::Interval> intervals;
    for (const fe::Interval &interval : set.intervals)
      intervals.push_back({interval.lower, interval.upper});
    if (set.ofQueries)
      return ir::QueriesPatternAttr::get(context, intervals, set.mod);
    return ir::KeysPatternAttr::get(context, intervals, set.mod);
  }
  ir::Pattern operator()(const graph::BigBirdSet &set) const {
    return ir::BigBirdPatternAttr::get(context, set.block, set.window, set.global, set.random, set.seed);
  }
  ir::Pattern operator()(const graph::AffineUnion &set) const;
  ir::Pattern operator()(const graph::AlgebraSet &set) const;
  ir::Pattern operator()(const graph::KernelizedSet &set) const {
    std::optional<ir::Stabilizer> stabilizer;
    if (set.stabilizer)
      stabilizer = word<ir::Stabilizer>(*set.stabilizer);
    return ir::KernelizedPatternAttr::get(context, word<ir::Feature>(set.feature), real(set.epsilon), stabilizer,
                                          set.scale_input, word<ir::Normalizer>(set.normalizer), real(set.guard),
                                          optional(set.of));
  }
  ir::Pattern operator()(const graph::LowRankSet &set) const {
    return ir::LowRankPatternAttr::get(context, set.rank, word<ir::Projection>(set.projection));
  }
  ir::Pattern operator()(const graph::GridSet &set) const {
    return ir::GridPatternAttr::get(context, set.layers, translate(*set.of.node),
                                    word<ir::Granularity>(set.granularity), word<ir::GridOrder>(set.order),
                                    word<ir::GridQueries>(set.queries), set.factorised);
  }
};
} // namespace

ir::Pattern PatternTranslator::operator()(const graph::AffineUnion &set) const {
  AffineBuilder affine(context);
  SmallVector<ir::Pattern> members;
  for (const std::vector<graph::Constraint> &conjunction : set.conjunctions) {
    SmallVector<AffineExpr> exprs;
    SmallVector<bool> equalities;
    for (const graph::Constraint &constraint : conjunction) {
      exprs.push_back(affine.build(*constraint.expression));
      equalities.push_back(constraint.equality);
    }
    IntegerSet integers = IntegerSet::get(/*dimCount=*/2, /*symbolCount=*/2 + set.symbols, exprs, equalities);
    members.push_back(ir::AffinePatternAttr::get(context, integers));
  }
  return members.size() == 1 ? members.front() : ir::UnionPatternAttr::get(context, members);
}

ir::Pattern PatternTranslator::operator()(const graph::AlgebraSet &set) const {
  SmallVector<ir::Pattern> members;
  for (const graph::PatternPtr &member : set.members)
    members.push_back(translate(*member));
  switch (set.kind) {
  case graph::Algebra::unite:
    return ir::UnionPatternAttr::get(context, members);
  case graph::Algebra::intersect:
    return ir::IntersectionPatternAttr::get(context, members);
  case graph::Algebra::subtract:
    return ir::DifferencePatternAttr::get(context, members);
  case graph::Algebra::heads:
    return ir::HeadsPatternAttr::get(context, members);
  }
  llvm_unreachable("all kinds are handled");
}

ir::Pattern translatePattern(MLIRContext *context, const graph::PatternNode &pattern) {
  return PatternTranslator{context}.translate(pattern);
}
