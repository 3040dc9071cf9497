//===- PatternNode.h - Contents of a pattern value -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The families of patterns. Each family has a type of set here and a file in this folder. The file defines the
// functions of xf/pattern.h that make its patterns and check their parameters, and the members `has` and `properties`
// of the set. Code that needs LLVM is elsewhere: an overload in Translate/Patterns.cpp converts the set to an
// attribute. There are no default implementations, so a missing function of a new family is an error when compiling or
// linking.
//
//===----------------------------------------------------------------------===//

#ifndef XF_FRONTEND_GRAPH_PATTERNS_PATTERNNODE_H
#define XF_FRONTEND_GRAPH_PATTERNS_PATTERNNODE_H

#include "xf/pattern.h"

#include <variant>

namespace xf::detail {

using PatternPtr = std::shared_ptr<const PatternNode>;

/// A query i and a key j of one head, for tests of membership. i and j are positions on an axis of `keys` keys. For a
/// member of a block or grid pattern, i, j and `keys` count blocks, coordinates along an axis, or tokens instead.
struct Pair {
  int64_t head, i, j, keys;
  Here here;

  /// Returns true if the static pattern `pattern` has this pair. Throws Error for any other pattern.
  bool in(const PatternNode &pattern) const;
};

/// Facts about a pattern that follow from its parameters alone, without solving it.
struct Properties {
  bool isCausal;      ///< true if all pairs are known to have j <= i
  bool isOfPositions; ///< true if the pairs do not depend on the number of keys
  size_t heads = 1;   ///< length of the longest list in heads(); the least number of heads
  size_t symbols = 0; ///< run-time symbols that an attention with the pattern takes
};

//===--- one set for each family ---===//

struct DenseSet {
  bool has(const Pair &pair) const;
  Properties properties() const;
};
struct CausalSet {
  bool has(const Pair &pair) const;
  Properties properties() const;
};
struct WindowSet {
  Bound left, right;

  bool has(const Pair &pair) const;
  Properties properties() const;
};
struct DilatedSet : Dilated {
  bool has(const Pair &pair) const;
  Properties properties() const;
};
enum class Part { all, local, column };
struct StridedSet {
  int64_t stride;
  Part part;

  bool has(const Pair &pair) const;
  Properties properties() const;
};
struct FixedSet {
  int64_t block, summary;
  Part part;
  int64_t slot;

  bool has(const Pair &pair) const;
  Properties properties() const;
};
struct BlockSet {
  int64_t size;
  PatternPtr of;

  bool has(const Pair &pair) const;
  Properties properties() const;
};
struct GlobalSet {
  std::vector<int64_t> positions;

  bool has(const Pair &pair) const;
  Properties properties() const;
};
struct PrefixSet {
  std::optional<int64_t> length; ///< nullopt: the length is symbol 0

  bool has(const Pair &pair) const;
  Properties properties() const;
};
struct IntervalSet {
  bool ofQueries;
  std::vector<Interval> intervals;
  int64_t mod;

  bool has(const Pair &pair) const;
  Properties properties() const;
};
struct RandomSet {
  int64_t count, seed;
  PatternPtr outside; ///< may be null

  bool has(const Pair &pair) const;
  Properties properties() const;
};
struct BigBirdSet : BigBird {
  bool has(const Pair &pair) const;
  Properties properties() const;
};
struct SegmentsSet {
  std::vector<std::vector<bool>> relation; ///< empty: pairs of equal segment numbers

  bool has(const Pair &pair) const;
  Properties properties() const;
};
struct TableSet {
  int64_t block, columns = 0; ///< sizes of a block; 0 columns: as many as rows

  bool has(const Pair &pair) const;
  Properties properties() const;
};
struct WindowNdSet : WindowNd {
  bool has(const Pair &pair) const;
  Properties properties() const;
};
struct LiftSet : Lift {
  bool has(const Pair &pair) const;
  Properties properties() const;
};
struct SwinSet : Swin {
  bool has(const Pair &pair) const;
  Properties properties() const;
};
struct PermutedSet {
  std::vector<int64_t> order;
  PatternPtr of;

  bool has(const Pair &pair) const;
  Properties properties() const;
};
struct GridSet : Grid {
  bool has(const Pair &pair) const;
  Properties properties() const;
};
/// A constraint on the positions of query and key: expression = 0 if `equality`, else expression >= 0. The expression
/// is quasi-affine, over integers.
struct Constraint {
  ExpressionPtr expression;
  bool equality;
};
/// The set of pairs that satisfy all constraints of at least one conjunction: a condition in disjunctive normal form.
struct AffineUnion {
  std::vector<std::vector<Constraint>> conjunctions;
  size_t symbols = 0; ///< one more than the largest number of a symbol

  bool has(const Pair &pair) const;
  Properties properties() const;
};
enum class Algebra { unite, intersect, subtract, heads };
struct AlgebraSet {
  Algebra kind;
  std::vector<PatternPtr> members;

  bool has(const Pair &pair) const;
  Properties properties() const;
};
struct KernelizedSet : Kernelized {
  bool has(const Pair &pair) const;
  Properties properties() const;
};
struct LowRankSet : LowRank {
  bool has(const Pair &pair) const;
  Properties properties() const;
};

struct PatternNode {
  Here here;
  std::variant<DenseSet, CausalSet, WindowSet, DilatedSet, StridedSet, FixedSet, BlockSet, GlobalSet, PrefixSet,
               IntervalSet, RandomSet, BigBirdSet, SegmentsSet, TableSet, WindowNdSet, LiftSet, SwinSet, PermutedSet,
               GridSet, AffineUnion, AlgebraSet, KernelizedSet, LowRankSet>
      set;
};

/// Returns the properties of the set that a pattern holds.
Properties propertiesOf(const PatternNode &pattern);

/// Converts a condition to disjunctive normal form: a union of conjunctions of constraints expression >= 0 or
/// expression = 0. Throws Error, at the line of the offending operation, where the condition is not quasi-affine or has
/// too many conjunctions.
AffineUnion toConjunctions(const ExpressionPtr &condition);

} // namespace xf::detail

#endif // XF_FRONTEND_GRAPH_PATTERNS_PATTERNNODE_H
