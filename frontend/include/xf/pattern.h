//===- xf/pattern.h - Attention patterns as values -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pattern is a set of pairs (i, j): i a query's position on the key axis, j a key, both from 0. Patterns marked c are
// causal by themselves (j <= i). Parameters are checked where they are given; sizes, where the pattern is used.
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

/// A set of pairs of queries and keys, or one of the forms of attention that are none (kernelised, low rank). A value.
class Pattern {
public:
  explicit Pattern(std::shared_ptr<const detail::PatternNode> node) : node(std::move(node)) {}
  std::shared_ptr<const detail::PatternNode> node;
};

/// One side of |, & or -. Remembers the line.
class PatternOperand {
public:
  PatternOperand(const Pattern &pattern, Here here = Here::current()) : pattern(pattern), here(here) {}
  Pattern pattern;
  Here here;
};
/// In one of the two. A pair that is in both counts once.
Pattern operator|(const PatternOperand &a, const PatternOperand &b);
/// In both.
Pattern operator&(const PatternOperand &a, const PatternOperand &b);
/// In the first, not in the second.
Pattern operator-(const PatternOperand &a, const PatternOperand &b);

/// A distance, or unbounded.
struct Bound {
  Bound(int64_t distance) : distance(distance) {}
  Bound(int distance) : distance(distance) {}
  Bound(std::nullopt_t) {}
  std::optional<int64_t> distance;
  bool operator==(const Bound &) const = default;
};
inline constexpr std::nullopt_t unbounded = std::nullopt;

/// All pairs.
Pattern dense(Here here = Here::current());
/// j <= i.
Pattern causal(Here here = Here::current());
/// i - left <= j <= i + right: left + 1 keys to the left, the query's own included.
Pattern window(Bound left, Bound right = 0, Here here = Here::current());
/// i - left <= j <= i + right and (i - j) mod step = 0.
struct Dilated {
  Bound left;
  Bound right = 0;
  int64_t step = 1;
};
Pattern dilated(Dilated parameters, Here here = Here::current());

/// c: i - j <= l or (i - j) mod l = 0 (Child 2019).
class StridedPattern : public Pattern {
public:
  using Pattern::Pattern;
  /// c: i - j <= l.
  Pattern local(Here here = Here::current()) const;
  /// c: (i - j) mod l = 0.
  Pattern column(Here here = Here::current()) const;
};
StridedPattern strided(int64_t stride, Here here = Here::current());

/// c: i div l = j div l, or j mod l >= l - c (Child 2019).
class FixedPattern : public Pattern {
public:
  using Pattern::Pattern;
  /// c: the own block.
  Pattern local(Here here = Here::current()) const;
  /// c: the summary columns of every block.
  Pattern column(Here here = Here::current()) const;
  /// The columns [l - c (s + 1), l - c s) instead of the last c, so that heads can take different ones.
  FixedPattern slot(int64_t s, Here here = Here::current()) const;
};
FixedPattern fixed(int64_t block, int64_t summary, Here here = Here::current());

/// `of` holds for (i div size, j div size).
Pattern block(int64_t size, const Pattern &of, Here here = Here::current());
/// i or j is one of the positions; a negative one counts from the end.
Pattern global(std::vector<int64_t> positions, Here here = Here::current());
/// c: j <= i or j < length.
Pattern prefix(int64_t length, Here here = Here::current());
/// j <= i or j < symbol(0): a prefix per call, batch entry or head.
Pattern prefix(Here here = Here::current());

/// [lower, upper)
struct Interval {
  int64_t lower, upper;
  bool operator==(const Interval &) const = default;
};
/// j (i), modulo `mod` if given, is in one of the intervals.
Pattern keys(std::vector<Interval> intervals, int64_t mod = 0, Here here = Here::current());
Pattern queries(std::vector<Interval> intervals, int64_t mod = 0, Here here = Here::current());

/// Blocks: the first and last `global` ones, `window` around, `random` drawn (Zaheer 2020).
struct BigBird {
  int64_t block = 64, window = 3, global = 1, random = 3, seed = 0;
  bool operator==(const BigBird &) const = default;
};
Pattern bigbird(BigBird parameters = {}, Here here = Here::current());
/// `count` keys per row and head, drawn without replacement from those that `outside` leaves.
Pattern random(int64_t count, int64_t seed, std::optional<Pattern> outside = {}, Here here = Here::current());
/// seg_q(i) = seg_k(j) >= 0, of the attention's segments.
Pattern segments(Here here = Here::current());
/// relation[seg_q(i)][seg_k(j)], of the attention's segments; a number that the relation does not have sees nothing.
Pattern segments(std::vector<std::vector<bool>> relation, Here here = Here::current());
/// Blocks of `block` x `block` pairs that the attention's table lists: table_offsets, table_columns.
Pattern table(int64_t block = 1, Here here = Here::current());

//===--- grids: tokens numbered row by row, as many as the extents' product ---===//

/// At most `radius` apart in every coordinate. Clamped, windows are shifted to stay inside the grid: always as many
/// keys (Hassani 2023).
struct WindowNd {
  std::vector<int64_t> extents, radius;
  bool clamp = false;
};
Pattern window_nd(WindowNd parameters, Here here = Here::current());
/// `of` holds for the coordinates along `axis`, the others are free: axial attention is an intersection of lifts.
struct Lift {
  std::vector<int64_t> extents;
  int64_t axis;
  Pattern of;
};
Pattern lift(Lift parameters, Here here = Here::current());
/// In the same window after a cyclic shift; tokens that wrapped round do not mix with others (Liu 2021). Along an axis,
/// (x - shift) div window is the same of both: the first window has `shift` tokens, the last one what is left.
struct Swin {
  std::vector<int64_t> extents, window, shift;
};
Pattern swin(Swin parameters, Here here = Here::current());
/// `of` holds for (order[i], order[j]), where `order` is a permutation of all positions.
Pattern permute(std::vector<int64_t> order, const Pattern &of, Here here = Here::current());

/// Head h takes member h mod m.
Pattern heads(std::vector<Pattern> members, Here here = Here::current());

/// The user's own: pattern([](Index i, Index j) { return i - j >= 0 && (i + j) % 16 == 0; }). Sums, differences,
/// products, floor quotients and remainders with constants, compared and combined by &&, || and !; solved like any
/// other.
Pattern pattern(const std::function<Condition(Index i, Index j)> &condition, Here here = Here::current());
/// In such a condition: an integer that is chosen when the program runs, AttentionOptions::symbols[number].
Index symbol(int64_t number = 0, Here here = Here::current());

//===--- no sets ---===//

enum class Feature { favor, hyperbolic, trigonometric, relu, elu, exp, square, abs, sigmoid, identity, softmax };
enum class Stabilizer { none, row, sequence, running };
enum class Normalizer { sum, none, count, norm };
/// Kernelised attention (Choromanski 2021, Katharopoulos 2020).
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

/// How keys and values become `rank` rows: by a matrix, or by the mean, maximum or convolution of blocks.
enum class Projection { learned, mean, max, strided_conv };
/// Keys and values projected to `rank` rows (Wang 2020).
struct LowRank {
  int64_t rank;
  Projection projection = Projection::learned;
};
Pattern low_rank(LowRank parameters, Here here = Here::current());

/// Of a grid: what the pattern relates, in which order tokens lie (index: position by position; layer: layer by layer),
/// and which of them ask.
enum class Granularity { token, position };
enum class GridOrder { index, layer };
enum class GridQueries { all, top };
/// Tokens of several layers as one sequence (Tay 2021).
struct Grid {
  int64_t layers;
  Pattern of;
  Granularity granularity = Granularity::token;
  GridOrder order = GridOrder::index;
  GridQueries queries = GridQueries::all;
  bool factorised = false;
};
Pattern grid(Grid parameters, Here here = Here::current());

/// Whether a static pattern has the pair: query position i of head `head`, key j of `keys` keys. For pictures and
/// tests; the compiler solves patterns and never asks pair by pair. Throws for random, segments, tables, symbols and
/// what is no set.
bool contains(const Pattern &pattern, int64_t head, int64_t i, int64_t j, int64_t keys, Here here = Here::current());

} // namespace xf

#endif // XF_PATTERN_H
