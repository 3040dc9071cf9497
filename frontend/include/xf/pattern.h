//===- xf/pattern.h - Attention patterns as values -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Patterns of attention: sets of pairs (i, j), where i is a query's position on the key axis and j a key, both counted
// from 0. Functions that make a pattern check its parameters. Sizes are checked where the pattern is used.
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

/// A pattern of attention: a set of pairs (i, j) of a query i and a key j that the query sees, or an attention that is
/// not a set of pairs (kernelised, low rank). Positions i and j count on the key axis from 0. A pattern is immutable,
/// and copies share it.
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
/// Returns the union: the pairs of either pattern. A pair of both patterns counts once.
Pattern operator|(const PatternOperand &a, const PatternOperand &b);
/// Returns the intersection: the pairs of both patterns.
Pattern operator&(const PatternOperand &a, const PatternOperand &b);
/// Returns the difference: the pairs of the first pattern that the second one does not have.
Pattern operator-(const PatternOperand &a, const PatternOperand &b);

/// A maximum distance in positions, or `unbounded`.
struct Bound {
  Bound(int64_t distance) : distance(distance) {}
  Bound(int distance) : distance(distance) {}
  Bound(std::nullopt_t) {}
  std::optional<int64_t> distance;
  bool operator==(const Bound &) const = default;
};
inline constexpr std::nullopt_t unbounded = std::nullopt;

/// Returns the pattern of all pairs of queries and keys.
Pattern dense(Here here = Here::current());
/// Returns the pattern of the pairs with j <= i. Positions count on the key axis, so that the last query sees all keys.
/// If there are more queries than keys, the first queries have negative positions and see no keys.
Pattern causal(Here here = Here::current());
/// Returns the pattern of the pairs with i - left <= j <= i + right: each query sees its own key, up to `left` keys
/// before it and up to `right` keys after it.
Pattern window(Bound left, Bound right = 0, Here here = Here::current());
/// Parameters of dilated(), the pattern of the pairs with i - left <= j <= i + right and (i - j) mod step = 0.
struct Dilated {
  Bound left;
  Bound right = 0;
  int64_t step = 1;
};
Pattern dilated(Dilated parameters, Here here = Here::current());

/// The strided pattern of Sparse Transformers (Child 2019): the causal pairs (j <= i) with i - j <= stride or (i - j)
/// mod stride = 0.
class StridedPattern : public Pattern {
public:
  using Pattern::Pattern;
  /// Returns the local part: the causal pairs with i - j <= stride.
  Pattern local(Here here = Here::current()) const;
  /// Returns the column part: the causal pairs with (i - j) mod stride = 0.
  Pattern column(Here here = Here::current()) const;
};
StridedPattern strided(int64_t stride, Here here = Here::current());

/// The fixed pattern of Sparse Transformers (Child 2019): the causal pairs (j <= i) whose query and key lie in one
/// block of `block` positions, or whose key is one of the last `summary` positions of the key's block.
class FixedPattern : public Pattern {
public:
  using Pattern::Pattern;
  /// Returns the local part: the causal pairs whose query and key lie in one block.
  Pattern local(Here here = Here::current()) const;
  /// Returns the column part: the causal pairs whose key is a summary column of the key's block.
  Pattern column(Here here = Here::current()) const;
  /// Returns the pattern with other summary columns, so that heads can use different ones. In each block, the new
  /// summary columns are `summary` positions; the last of them has s x `summary` positions of the block behind it.
  /// Throws Error unless all lie in the block.
  FixedPattern slot(int64_t s, Here here = Here::current()) const;
};
FixedPattern fixed(int64_t block, int64_t summary, Here here = Here::current());

/// Returns the pattern of the pairs (i, j) for which (i div size, j div size) is a pair of `of`. `of` is a pattern of
/// blocks of `size` positions.
Pattern block(int64_t size, const Pattern &of, Here here = Here::current());
/// Returns the pattern of the pairs whose query or key is one of `positions`. A negative position counts from the end
/// of the key axis.
Pattern global(std::vector<int64_t> positions, Here here = Here::current());
/// Returns the pattern of the pairs with j <= i or j < length.
Pattern prefix(int64_t length, Here here = Here::current());
/// Returns the pattern of the pairs with j <= i or j < symbol(0). Each call sets the prefix length, symbol(0), by
/// AttentionOptions::symbols: for the whole call, for each batch entry, or for each head of each batch entry.
Pattern prefix(Here here = Here::current());

/// The half-open interval [lower, upper).
struct Interval {
  int64_t lower, upper;
  bool operator==(const Interval &) const = default;
};
/// Return the pattern of the pairs whose key j (`keys`) or whose query i (`queries`) lies in one of the intervals. If
/// `mod` > 0, tests the remainder of j or i modulo `mod` instead of j or i.
Pattern keys(std::vector<Interval> intervals, int64_t mod = 0, Here here = Here::current());
Pattern queries(std::vector<Interval> intervals, int64_t mod = 0, Here here = Here::current());

/// Parameters of bigbird(), in blocks of `block` positions (Zaheer 2020): the first and last `global` blocks, a window
/// of `window` blocks, and `random` blocks that are drawn at random for each block of queries.
struct BigBird {
  int64_t block = 64, window = 3, global = 1, random = 3, seed = 0;
  bool operator==(const BigBird &) const = default;
};
Pattern bigbird(BigBird parameters = {}, Here here = Here::current());
/// Returns the pattern in which each query of each head sees `count` keys, drawn without replacement from the keys that
/// it does not see in `outside`.
Pattern random(int64_t count, int64_t seed, std::optional<Pattern> outside = {}, Here here = Here::current());
/// Returns the pattern of the pairs whose query and key have the same segment number. Each call gives the numbers by
/// AttentionOptions::query_segments and key_segments. Tokens with a negative number have no pairs.
Pattern segments(Here here = Here::current());
/// Returns the pattern of the pairs for which relation[m][n] is true, where m is the segment number of the query and n
/// that of the key. Each call gives the numbers by AttentionOptions::query_segments and key_segments. Tokens with a
/// segment number outside the relation have no pairs.
Pattern segments(std::vector<std::vector<bool>> relation, Here here = Here::current());
/// Returns the pattern of the pairs in the blocks that AttentionOptions::table_columns lists at a call. Blocks are
/// `block` x `block`, or `rows` queries x `columns` keys. The program may compute the list: with table(1, 64), topk can
/// choose blocks of keys for each query.
Pattern table(int64_t block = 1, Here here = Here::current());
Pattern table(int64_t rows, int64_t columns, Here here = Here::current());

//===--- grids: tokens numbered row by row, as many as the extents' product ---===//

/// Parameters of window_nd(), the pattern of the pairs of tokens of a grid that are at most radius[d] apart along every
/// axis d. If `clamp` is true, windows at the border are shifted into the grid, so that all queries have the same
/// number of keys (Hassani 2023).
struct WindowNd {
  std::vector<int64_t> extents, radius;
  bool clamp = false;
};
Pattern window_nd(WindowNd parameters, Here here = Here::current());
/// Parameters of lift(), the pattern of the pairs of tokens of a grid whose coordinates along `axis` are a pair of
/// `of`. The other coordinates are arbitrary. Axial attention is an intersection of lifts.
struct Lift {
  std::vector<int64_t> extents;
  int64_t axis;
  Pattern of;
};
Pattern lift(Lift parameters, Here here = Here::current());
/// Parameters of swin(), the pattern of the pairs of tokens of a grid that lie in one window of the shifted partition
/// (Liu 2021). Two coordinates x along an axis lie in one window if (x - shift) div window is equal. Where shift > 0,
/// the first window along the axis has `shift` tokens. The windows at both ends of an axis are not joined cyclically.
struct Swin {
  std::vector<int64_t> extents, window, shift;
};
Pattern swin(Swin parameters, Here here = Here::current());
/// Returns the pattern of the pairs (i, j) for which (order[i], order[j]) is a pair of `of`. `order` is a permutation
/// of all positions.
Pattern permute(std::vector<int64_t> order, const Pattern &of, Here here = Here::current());

/// Returns the pattern in which head h has members[h mod m], for m `members`. Throws Error for an empty list. An
/// attention with fewer than m heads throws Error.
Pattern heads(std::vector<Pattern> members, Here here = Here::current());

/// Makes a pattern from a condition, such as pattern([](Index i, Index j) { return i - j >= 0 && (i + j) % 16 == 0; }).
/// Conditions compare sums and differences of positions and symbols, and their products, floor quotients and remainders
/// with constants. &&, || and ! combine conditions. The compiler solves the pattern like any other. Throws Error for a
/// condition that is not quasi-affine.
Pattern pattern(const std::function<Condition(Index i, Index j)> &condition, Here here = Here::current());
/// Returns an integer whose value each call sets by AttentionOptions::symbols[number], for use in the condition of a
/// pattern. Throws Error unless 0 <= number < 16.
Index symbol(int64_t number = 0, Here here = Here::current());

//===--- no sets ---===//

/// Feature maps phi of the kernel <phi(q), phi(k)> (specification, section 3). favor, hyperbolic and trigonometric are
/// random features, which estimate a softmax. relu, elu, exp, square, abs, sigmoid and identity apply to each element
/// of x, or of the projection W x. softmax applies to the channels of a row.
enum class Feature { favor, hyperbolic, trigonometric, relu, elu, exp, square, abs, sigmoid, identity, softmax };
/// What is subtracted from the exponents of random features, so that none overflows. none: nothing. row: the maximum of
/// each row of q, and nothing for keys. sequence: as row, and for keys the maximum over the sequence. running: as row,
/// and for keys a running maximum of each feature, which does not depend on later keys.
enum class Stabilizer { none, row, sequence, running };
/// What a row of results is divided by: the sum of the row's weights, nothing, the number of the row's pairs, or the
/// root mean square of the row itself.
enum class Normalizer { sum, none, count, norm };
/// Parameters of kernelized(), attention with feature maps instead of a softmax (Choromanski 2021, Katharopoulos 2020).
/// It sums over the pairs of `of`, or over all pairs where `of` is absent.
struct Kernelized {
  Feature feature = Feature::favor;
  std::optional<double> epsilon = {};        ///< added to features; favor 1e-6 (0 if causal), relu 1e-3, else 0
  std::optional<Stabilizer> stabilizer = {}; ///< default: running if causal, else sequence
  bool scale_input = true;                   ///< multiplies q and k by D^-1/4
  Normalizer normalizer = Normalizer::sum;
  std::optional<double> guard = {}; ///< added to the sum of weights; 1e-6, or 0 if running
  std::optional<Pattern> of = {};   ///< a set of pairs
};
Pattern kernelized(Kernelized parameters, Here here = Here::current());

/// The operation by which low-rank attention reduces keys and values to `rank` rows. learned: a learned matrix. mean,
/// max, strided_conv: the mean, maximum or strided convolution of blocks of rows.
enum class Projection { learned, mean, max, strided_conv };
/// Parameters of low_rank(), attention to keys and values that are projected to `rank` rows (Wang 2020).
struct LowRank {
  int64_t rank;
  Projection projection = Projection::learned;
};
Pattern low_rank(LowRank parameters, Here here = Here::current());

/// Whether the pattern of grid() is on the tokens of all layers, or on positions. Each position has one token per
/// layer.
enum class Granularity { token, position };
/// Order of the tokens of grid(). index: position by position; layer: layer by layer.
enum class GridOrder { index, layer };
/// Which tokens of grid() are queries: those of all layers, or only those of the top layer.
enum class GridQueries { all, top };
/// Parameters of grid(), a pattern on the tokens of several layers as one sequence (Tay 2021). With `factorised`, a
/// query sees only keys of its own position.
struct Grid {
  int64_t layers;
  Pattern of;
  Granularity granularity = Granularity::token;
  GridOrder order = GridOrder::index;
  GridQueries queries = GridQueries::all;
  bool factorised = false;
};
Pattern grid(Grid parameters, Here here = Here::current());

/// Returns true if `pattern` has the pair of query position i and key j, in head `head`, with `keys` keys. Random parts
/// have the keys that their seed draws for this head. For pictures and tests only, since the compiler solves patterns
/// instead. Throws Error for segments, tables and symbols, and for patterns that are not sets of pairs.
bool contains(const Pattern &pattern, int64_t head, int64_t i, int64_t j, int64_t keys, Here here = Here::current());

} // namespace xf

#endif // XF_PATTERN_H
