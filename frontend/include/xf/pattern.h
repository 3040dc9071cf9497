//===- xf/pattern.h - Attention patterns as values -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pattern is a set of pairs (i, j), where i is a query's position on the key axis and j a key, both counted from 0.
// Patterns marked c are causal by themselves (j <= i). Functions that make a pattern check its parameters; sizes are
// checked where the pattern is used.
//
//===----------------------------------------------------------------------===//

#ifndef XF_PATTERN_H
#define XF_PATTERN_H

#include "xf/index.h"

#include <functional>
#include <optional>

namespace xf {

namespace detail {
struct PatternNode;
}

/// A set of pairs of queries and keys, or an attention that is not a set of pairs (kernelised, low rank). Has value
/// semantics.
class Pattern {
public:
  explicit Pattern(std::shared_ptr<const detail::PatternNode> node) : node(std::move(node)) {}
  std::shared_ptr<const detail::PatternNode> node;
};

/// Operand of |, & or -: a pattern. Records the source location of the operator.
class PatternOperand {
public:
  PatternOperand(const Pattern &pattern, Here here = Here::current()) : pattern(pattern), here(here) {}
  Pattern pattern;
  Here here;
};
/// Union: the pairs of either pattern. A pair of both patterns counts once.
Pattern operator|(const PatternOperand &a, const PatternOperand &b);
/// Intersection: the pairs of both patterns.
Pattern operator&(const PatternOperand &a, const PatternOperand &b);
/// Difference: the pairs of the first pattern that the second one does not have.
Pattern operator-(const PatternOperand &a, const PatternOperand &b);

/// A maximum distance, or no bound (unbounded).
struct Bound {
  Bound(int64_t distance) : distance(distance) {}
  Bound(int distance) : distance(distance) {}
  Bound(std::nullopt_t) {}
  std::optional<int64_t> distance;
  bool operator==(const Bound &) const = default;
};
inline constexpr std::nullopt_t unbounded = std::nullopt;

/// All pairs of queries and keys.
Pattern dense(Here here = Here::current());
/// Pairs with j <= i.
Pattern causal(Here here = Here::current());
/// Pairs with i - left <= j <= i + right. A query sees its own key and up to `left` keys before it.
Pattern window(Bound left, Bound right = 0, Here here = Here::current());
/// Pairs with i - left <= j <= i + right and (i - j) mod step = 0.
struct Dilated {
  Bound left;
  Bound right = 0;
  int64_t step = 1;
};
Pattern dilated(Dilated parameters, Here here = Here::current());

/// c: pairs with i - j <= l or (i - j) mod l = 0, l = stride (Child 2019).
class StridedPattern : public Pattern {
public:
  using Pattern::Pattern;
  /// c: pairs with i - j <= l.
  Pattern local(Here here = Here::current()) const;
  /// c: pairs with (i - j) mod l = 0.
  Pattern column(Here here = Here::current()) const;
};
StridedPattern strided(int64_t stride, Here here = Here::current());

/// c: pairs with i div l = j div l, or j mod l >= l - c, where l is `block` and c is `summary` (Child 2019).
class FixedPattern : public Pattern {
public:
  using Pattern::Pattern;
  /// c: pairs whose query and key lie in one block.
  Pattern local(Here here = Here::current()) const;
  /// c: pairs whose key lies in the summary columns of a block.
  Pattern column(Here here = Here::current()) const;
  /// Returns the pattern with the columns [l - c (s + 1), l - c s) of each block as summary columns instead of the last
  /// c, so that heads can use different columns.
  FixedPattern slot(int64_t s, Here here = Here::current()) const;
};
FixedPattern fixed(int64_t block, int64_t summary, Here here = Here::current());

/// Pairs for which `of` has (i div size, j div size).
Pattern block(int64_t size, const Pattern &of, Here here = Here::current());
/// Pairs whose query or key is one of the positions; a negative position counts from the end.
Pattern global(std::vector<int64_t> positions, Here here = Here::current());
/// Pairs with j <= i or j < length.
Pattern prefix(int64_t length, Here here = Here::current());
/// Pairs with j <= i or j < symbol(0): a prefix whose length is chosen per call, batch entry or head.
Pattern prefix(Here here = Here::current());

/// The half-open interval [lower, upper).
struct Interval {
  int64_t lower, upper;
  bool operator==(const Interval &) const = default;
};
/// Pairs whose key j (`keys`) or query i (`queries`) lies in one of the intervals. With mod > 0, the remainder modulo
/// `mod` is compared instead of the position.
Pattern keys(std::vector<Interval> intervals, int64_t mod = 0, Here here = Here::current());
Pattern queries(std::vector<Interval> intervals, int64_t mod = 0, Here here = Here::current());

/// Parameters of bigbird, in blocks of `block` positions: the first and last `global` blocks, a window of `window`
/// blocks, and `random` blocks drawn at random (Zaheer 2020).
struct BigBird {
  int64_t block = 64, window = 3, global = 1, random = 3, seed = 0;
  bool operator==(const BigBird &) const = default;
};
Pattern bigbird(BigBird parameters = {}, Here here = Here::current());
/// Draws `count` keys per row and head without replacement, from the keys that `outside` does not have.
Pattern random(int64_t count, int64_t seed, std::optional<Pattern> outside = {}, Here here = Here::current());
/// Pairs with seg_q(i) = seg_k(j) >= 0, where seg_q and seg_k are the segment numbers given to the attention.
Pattern segments(Here here = Here::current());
/// Pairs with relation[seg_q(i)][seg_k(j)], where seg_q and seg_k are the segment numbers given to the attention. A
/// segment number outside the relation has no pairs.
Pattern segments(std::vector<std::vector<bool>> relation, Here here = Here::current());
/// Pairs in the blocks of `block` x `block` pairs that the attention's table_offsets and table_columns list.
Pattern table(int64_t block = 1, Here here = Here::current());

//===--- grids: tokens numbered row by row, as many as the extents' product ---===//

/// Pairs at most `radius` apart along every axis. With `clamp`, windows are shifted to stay inside the grid, so that
/// all queries have the same number of keys (Hassani 2023).
struct WindowNd {
  std::vector<int64_t> extents, radius;
  bool clamp = false;
};
Pattern window_nd(WindowNd parameters, Here here = Here::current());
/// Pairs for which `of` has the coordinates along `axis`; all other coordinates are arbitrary. Axial attention is an
/// intersection of lifts.
struct Lift {
  std::vector<int64_t> extents;
  int64_t axis;
  Pattern of;
};
Pattern lift(Lift parameters, Here here = Here::current());
/// Pairs in the same window after a cyclic shift; tokens that wrapped round do not mix with others (Liu 2021). Along
/// each axis, query and key have equal (x - shift) div window: the first window has `shift` tokens, the last one the
/// remaining tokens.
struct Swin {
  std::vector<int64_t> extents, window, shift;
};
Pattern swin(Swin parameters, Here here = Here::current());
/// Pairs for which `of` has (order[i], order[j]), where `order` is a permutation of all positions.
Pattern permute(std::vector<int64_t> order, const Pattern &of, Here here = Here::current());

/// Gives each head a pattern: head h has member h mod m of the m members.
Pattern heads(std::vector<Pattern> members, Here here = Here::current());

/// Makes a pattern from a condition, such as pattern([](Index i, Index j) { return i - j >= 0 && (i + j) % 16 == 0; }).
/// Conditions compare sums, differences, and products, floor quotients and remainders with constants, and are combined
/// by &&, || and !. The compiler solves the pattern like any other. Throws Error for a condition that is not
/// quasi-affine.
Pattern pattern(const std::function<Condition(Index i, Index j)> &condition, Here here = Here::current());
/// Returns an integer whose value each call chooses by AttentionOptions::symbols[number], for use in the condition of a
/// pattern.
Index symbol(int64_t number = 0, Here here = Here::current());

//===--- no sets ---===//

enum class Feature { favor, hyperbolic, trigonometric, relu, elu, exp, square, abs, sigmoid, identity, softmax };
enum class Stabilizer { none, row, sequence, running };
enum class Normalizer { sum, none, count, norm };
/// Parameters of kernelised attention (Choromanski 2021, Katharopoulos 2020).
struct Kernelized {
  Feature feature = Feature::favor;
  std::optional<double> epsilon = {};
  std::optional<Stabilizer> stabilizer = {};
  bool scale_input = true;
  Normalizer normalizer = Normalizer::sum;
  std::optional<double> guard = {};
  std::optional<Pattern> of = {};
};
Pattern kernelized(Kernelized parameters, Here here = Here::current());

/// How low-rank attention reduces keys and values to `rank` rows: by a matrix, or by the mean, maximum or convolution
/// of blocks.
enum class Projection { learned, mean, max, strided_conv };
/// Parameters of attention to keys and values that are projected to `rank` rows (Wang 2020).
struct LowRank {
  int64_t rank;
  Projection projection = Projection::learned;
};
Pattern low_rank(LowRank parameters, Here here = Here::current());

/// Properties of a grid: whether `of` relates tokens or positions; the order of the tokens (index: position by
/// position; layer: layer by layer); and whether all tokens or only those of the top layer are queries.
enum class Granularity { token, position };
enum class GridOrder { index, layer };
enum class GridQueries { all, top };
/// A pattern on the tokens of several layers as one sequence (Tay 2021).
struct Grid {
  int64_t layers;
  Pattern of;
  Granularity granularity = Granularity::token;
  GridOrder order = GridOrder::index;
  GridQueries queries = GridQueries::all;
  bool factorised = false;
};
Pattern grid(Grid parameters, Here here = Here::current());

/// Returns true if a static pattern has the pair of query position i and key j, for head `head` and `keys` keys. For
/// pictures and tests only; the compiler solves patterns instead. Throws Error for random, segments, tables, symbols
/// and patterns that are not sets of pairs.
bool contains(const Pattern &pattern, int64_t head, int64_t i, int64_t j, int64_t keys, Here here = Here::current());

} // namespace xf

#endif // XF_PATTERN_H
