//===- RelativeAttention.cpp - Transformer-XL attention -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computes relative attention, one block of queries at a time. A block of causal queries sees no key after its last
// row. Together with the keys up to that row, it forms an attention of its own, whose queries are the last rows. A
// block of dense queries sees all keys. The attention op does not know where in the sequence the block lies, so the
// score function computes the positions.
//
//===----------------------------------------------------------------------===//

#include "../Node.h"
#include "xf/relative_attention.h"

#include <algorithm>
#include <cmath>

using namespace xf;
using namespace xf::detail;

//===----------------------------------------------------------------------===//
// Blocks of queries
//===----------------------------------------------------------------------===//

/// Adds a bias, H x D, to the queries x, BxHxNxD. Returns x where the bias is undefined.
static Tensor plus(const Tensor &x, const Tensor &bias, Here here) {
  if (!bias.defined())
    return x;
  return x + reshape(bias, {bias.shape()[0], 1, bias.shape()[1]}, here);
}

/// Converts x to the type of the scores: f64 for f64, else f32.
static Tensor widened(const Tensor &x, Here here) {
  return x.dtype() == f64 || x.dtype() == f32 ? x : cast(x, f32, here);
}

namespace {
struct RelativeAttention {
  Tensor q, k, v, relative;
  RelativeOptions options;
  bool withLse; ///< whether the log-sum-exp is one more column of the result
  Here here;
  int64_t queries = q.size(2).value(), keys = k.size(2).value(), offset = keys - queries;
  bool causal = propertiesOf(*options.pattern.node).isCausal;
  double scale = options.scale ? *options.scale : 1 / std::sqrt(static_cast<double>(q.size(3).value()));

  /// Computes the position scores scale <q_i + v, r_d>, where q_i are the given rows of q, v is the position bias and
  /// r_d are the keys of the distances d in [first, last). Returns B x H x rows x distances.
  Tensor logits(const Tensor &rows, int64_t first, int64_t last) const {
    int64_t zero = causal ? 0 : keys - 1; // index of distance 0
    Tensor band = transpose(slice(relative, 1, first + zero, last + zero, 1, here), 1, 2, here);
    const Shape &shape = band.shape();
    Tensor all = broadcast_to(band, {q.shape()[0], shape[0], shape[1], shape[2]}, here);
    return matmul(widened(plus(rows, options.position_bias, here), here) * scale, widened(all, here), here);
  }

  /// Computes the rows [begin, end) of the result. The expression of the score function has the same form for every
  /// block of rows, so that the blocks share their kernels.
  Tensor block(int64_t begin, int64_t end) const {
    int64_t rows = end - begin, seen = causal ? offset + end : keys, first = causal ? 0 : offset + begin - (keys - 1);
    Tensor own = slice(q, 2, begin, end, 1, here), table = logits(own, first, offset + end);
    auto score = [=, this](Score s) { // s.i starts at seen - rows in the op
      Index row = causal ? (s.i - offset) % options.rows : s.i - (keys - rows);
      Index distance = causal ? s.i - s.j : s.i - s.j + (rows - 1);
      s.value = s.value + table(s.b, s.h, row, distance);
      if (!options.score)
        return s.value;
      s.i = s.i + (offset + end - seen);
      return options.score(s);
    };
    auto visible = [&](const Tensor &x) { return seen == keys ? x : slice(x, 2, 0, seen, 1, here); };
    AttentionOptions clauses = clausesOf(begin, end, seen);
    clauses.score = score;
    Tensor rowsOfQ = plus(own, options.content_bias, here);
    if (!withLse)
      return scaled_dot_product_attention(rowsOfQ, visible(k), visible(v), clauses, here);
    // A checkpoint has one result: the log-sum-exp becomes one more column.
    AttentionResult result = attention_with_lse(rowsOfQ, visible(k), visible(v), clauses, here);
    Shape column = result.lse.shape();
    column.push_back(Dim(1));
    return concat({widened(result.o, here), reshape(result.lse, column, here)}, -1, here);
  }

  /// Returns the clauses of the attention of rows [begin, end) to the first `seen` keys.
  AttentionOptions clausesOf(int64_t begin, int64_t end, int64_t seen) const {
    auto part = [&](const Tensor &x, int64_t first, int64_t last) {
      return x.defined() ? slice(x, 1, first, last, 1, here) : x;
    };
    // How many of the places [first, last) are among the first `count`.
    auto among = [&](const Tensor &count, int64_t first, int64_t last) {
      if (!count.defined())
        return count;
      Tensor from = Operand(count, here) - static_cast<double>(first);
      auto most = static_cast<double>(last - first);
      return where(Operand(from, here) < 0., 0., where(Operand(from, here) > most, most, from, here), here);
    };
    AttentionOptions clauses{.pattern = options.pattern, .scale = scale, .dropout = options.dropout};
    clauses.lengths = among(options.lengths, 0, seen);
    clauses.query_lengths = among(options.query_lengths, begin, end);
    clauses.query_segments = part(options.query_segments, begin, end);
    clauses.key_segments = part(options.key_segments, 0, seen);
    if (options.seed.defined()) // odd factors, as those of DropoutSeed
      clauses.seed =
          options.seed + constant(std::vector<int64_t>{2654435769 * begin, 2246822507 * begin}, {2}, i64, here);
    return clauses;
  }

  Tensor operator()() const {
    std::vector<Tensor> blocks;
    for (int64_t begin = 0; begin < queries; begin += options.rows) {
      int64_t end = std::min(begin + options.rows, queries);
      blocks.push_back(checkpoint([&] { return block(begin, end); }, here));
    }
    return blocks.size() == 1 ? blocks[0] : concat(blocks, 2, here);
  }
};
} // namespace

static void expectBias(const Tensor &bias, const char *what, const Tensor &q, Here here) {
  if (!bias.defined())
    return;
  expectRank(bias, 2, what, here);
  bool fits = bias.shape()[0].may_equal(q.shape()[1]) && bias.shape()[1].may_equal(q.shape()[3]);
  expect(fits, here, "expected ", what, " of shape ", Shape{q.shape()[1], q.shape()[3]}, ", got ", bias.shape());
}

/// Throws Error unless `numbers` are integers, with one for each batch entry or one for each of its tokens.
static void expectNumbers(const Tensor &numbers, const Dim &batch, int64_t tokens, const char *what, Here here) {
  if (!numbers.defined())
    return;
  expectInteger(numbers, what, here);
  Shape expected = {batch};
  if (tokens >= 0)
    expected.push_back(Dim(tokens));
  bool fits = numbers.rank() == static_cast<int64_t>(expected.size());
  for (size_t d = 0; fits && d < expected.size(); ++d)
    fits = numbers.shape()[d].may_equal(expected[d]);
  expect(fits, here, "expected ", what, " of shape ", expected, ", got ", numbers.shape());
}

static void expectClauses(const RelativeOptions &options, const Dim &batch, int64_t queries, int64_t keys, Here here) {
  expectNumbers(options.lengths, batch, -1, "lengths", here);
  expectNumbers(options.query_lengths, batch, -1, "query lengths", here);
  expectNumbers(options.query_segments, batch, queries, "query segments", here);
  expectNumbers(options.key_segments, batch, keys, "key segments", here);
  if (options.lengths.defined())
    restrictRange(options.lengths, 0, keys);
  if (options.query_lengths.defined())
    restrictRange(options.query_lengths, 0, queries);
}

/// Throws Error for shapes of operands and for clauses that relative_attention does not take.
static void expectOperands(const Tensor &q, const Tensor &k, const Tensor &v, const Tensor &relative,
                           const RelativeOptions &options, Here here) {
  for (auto [tensor, what] : {std::pair(&q, "q"), std::pair(&k, "k"), std::pair(&v, "v")})
    expectRank(*tensor, 4, what, here);
  expectRank(relative, 3, "keys of distances", here);
  expectBias(options.content_bias, "a content bias", q, here);
  expectBias(options.position_bias, "a position bias", q, here);
  expect(options.rows >= 1, here, "expected blocks of at least one row, got ", options.rows);
  bool isStatic = q.size(2).is_static() && k.size(2).is_static() && q.size(3).is_static();
  bool fits = isStatic && q.size(2).value() >= 1 && q.size(2).value() <= k.size(2).value();
  expect(fits, here, "expected static sizes and no more queries than keys, got q ", q.shape(), " and k ", k.shape());
  const PatternNode &pattern = *options.pattern.node;
  bool isDense = std::holds_alternative<DenseSet>(pattern.set) || std::holds_alternative<SegmentsSet>(pattern.set);
  Properties properties = propertiesOf(pattern);
  expect(isDense || (properties.isCausal && properties.isOfPositions), here,
         "expected dense() or a causal pattern of positions, got another pattern");
  int64_t keys = k.size(2).value(), distances = isDense ? 2 * keys - 1 : keys;
  Shape expected = {q.shape()[1], distances, q.shape()[3]};
  const Shape &got = relative.shape();
  expect(got[0].may_equal(expected[0]) && got[1].may_equal(expected[1]) && got[2].may_equal(expected[2]), here,
         "expected keys of distances of shape ", expected, ", got ", got);
  expectClauses(options, q.shape()[0], q.size(2).value(), keys, here);
}

Tensor xf::relative_attention(const Tensor &q, const Tensor &k, const Tensor &v, const Tensor &relative,
                              const RelativeOptions &options, Here here) {
  expectOperands(q, k, v, relative, options, here);
  return RelativeAttention{q, k, v, relative, options, /*withLse=*/false, here}();
}

AttentionResult xf::relative_attention_with_lse(const Tensor &q, const Tensor &k, const Tensor &v,
                                                const Tensor &relative, const RelativeOptions &options, Here here) {
  expect(v.defined() && v.rank() == 4 && v.size(-1).is_static(), here,
         "expected values of rank 4 with columns of a static size in relative_attention_with_lse, got another shape");
  expectOperands(q, k, v, relative, options, here);
  Tensor rows = RelativeAttention{q, k, v, relative, options, /*withLse=*/true, here}();
  int64_t columns = v.size(-1).value();
  const Shape &shape = rows.shape();
  Tensor o = slice(rows, -1, 0, columns, 1, here), lse = slice(rows, -1, columns, columns + 1, 1, here);
  return {o.dtype() == q.dtype() ? o : cast(o, q.dtype(), here), reshape(lse, {shape[0], shape[1], shape[2]}, here)};
}

Tensor xf::distance_sinusoids(int64_t count, int64_t width, int64_t first, Dtype dtype, Here here) {
  expect(count >= 0, here, "expected a static number of distances");
  expect(count >= 1, here, "expected at least one distance, got ", count);
  expect(width >= 2 && width % 2 == 0, here, "expected an even width, got ", width);
  std::vector<double> frequencies;
  for (int64_t n = 0; n < width / 2; ++n)
    frequencies.push_back(std::pow(10000.0, -2.0 * static_cast<double>(n) / static_cast<double>(width)));
  Tensor distance = reshape(countUp(count, first, 1, f64, here), {count, 1}, here);
  Tensor angle = distance * constant(frequencies, {1, width / 2}, f64, here); // only results are rounded to `dtype`
  return concat({cast(sin(angle, here), dtype, here), cast(cos(angle, here), dtype, here)}, 1, here);
}
