//===- PatternNode.h - Contents of a pattern value -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_FRONTEND_GRAPH_PATTERNNODE_H
#define XF_FRONTEND_GRAPH_PATTERNNODE_H

#include "xf/pattern.h"

#include <variant>

namespace xf::detail {

using PatternPtr = std::shared_ptr<const PatternNode>;

struct DenseSet {};
struct CausalSet {};
struct SegmentsSet {
  std::vector<std::vector<bool>> relation; ///< empty: pairs of equal segment numbers
};
struct TableSet {
  int64_t block;
};
struct PermutedSet {
  std::vector<int64_t> order;
  PatternPtr of;
};
struct WindowSet {
  Bound left, right;
};
enum class Part { all, local, column };
struct StridedSet {
  int64_t stride;
  Part part;
};
struct FixedSet {
  int64_t block, summary;
  Part part;
  int64_t slot;
};
struct BlockSet {
  int64_t size;
  PatternPtr of;
};
struct GlobalSet {
  std::vector<int64_t> positions;
};
struct RandomSet {
  int64_t count, seed;
  PatternPtr outside; ///< may be null
};
struct PrefixSet {
  std::optional<int64_t> length; ///< nullopt: the length is symbol 0
};
struct IntervalSet {
  bool ofQueries;
  std::vector<Interval> intervals;
  int64_t mod;
};
/// A constraint, expression = 0 or expression >= 0, on the query's and the key's position. The expression holds
/// integers only.
struct Constraint {
  ExpressionPtr expression;
  bool equality;
};
/// A union of conjunctions of constraints.
struct AffineUnion {
  std::vector<std::vector<Constraint>> conjunctions;
  size_t symbols = 0; ///< one more than the largest number of a symbol
};
enum class Algebra { unite, intersect, subtract, heads };
struct AlgebraSet {
  Algebra kind;
  std::vector<PatternPtr> members;
};

struct PatternNode {
  Here here;
  std::variant<DenseSet, CausalSet, SegmentsSet, WindowSet, Dilated, StridedSet, FixedSet, BlockSet, GlobalSet,
               RandomSet, PrefixSet, IntervalSet, BigBird, TableSet, WindowNd, Lift, Swin, PermutedSet, AffineUnion,
               AlgebraSet, Kernelized, LowRank, Grid>
      set;
};

/// Converts a condition to a union of conjunctions of e >= 0 and e = 0 (disjunctive normal form). Throws Error, at the
/// line of the offending operation, where the condition is not quasi-affine.
AffineUnion toConjunctions(const ExpressionPtr &condition);

/// Returns the number of run-time symbols that an attention with this pattern takes.
size_t countSymbols(const PatternNode &pattern);

} // namespace xf::detail

#endif // XF_FRONTEND_GRAPH_PATTERNNODE_H
