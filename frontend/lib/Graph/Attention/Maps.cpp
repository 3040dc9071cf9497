//===- Maps.cpp - The weights of attention -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computes weights of an attention by the attention itself. o = P v is linear in v. So if the columns of v are one-hot,
// those of o are columns of P. This works for any pattern and clauses, since only v changes.
//
// For a set of pairs, the pattern is restricted to a block of keys, by symbols, so that all blocks share a kernel. The
// result is a softmax over this block only. Multiplied by exp(lse of the block - lse of all keys), row by row, it is P.
//
//===----------------------------------------------------------------------===//

#include "Maps.h"
#include "../Patterns/MakePattern.h"
#include "xf/ops/indexing.h"

#include <algorithm>
#include <limits>

using namespace xf;
using namespace xf::detail;

/// The number of columns of one-hot values in a block. The output for them has about the size of q.
static constexpr int64_t mostColumns = 64;

//===----------------------------------------------------------------------===//
// Attention without values
//===----------------------------------------------------------------------===//

static Tensor widened(const Tensor &x, Here here) {
  return x.dtype() == f16 || x.dtype() == bf16 ? cast(x, f32, here) : x;
}

Weighted::Weighted(const Node &node, Here here)
    : q(node.operands[0]), k(node.operands[1]), clauses(std::get<AttentionClauses>(node.payload)),
      operands(node.operands.begin() + 3, node.operands.end() - clauses.seed) {
  clauses.dropout = 0;
  clauses.seed = 0;
  clauses.exactWeights = clauses.feature.has_value(); // else all is f32 or f64
  for (const Tensor *tensor : {&q, &k})
    expect(tensor->shape()[2].is_static(), here, "expected static numbers of queries and keys to map, got ",
           tensor->shape()[2]);
  if (clauses.feature)
    return;
  q = widened(q, here);
  k = widened(k, here);
  for (unsigned n = 0; n < clauses.parameters; ++n)
    operands[n] = widened(operands[n], here);
}

/// Records the attention with `values`. The log-sum-exp is f64.
static AttentionResult attend(const Weighted &attention, const Tensor &values, bool withLse, Here here) {
  std::vector<Tensor> operands = {attention.q, attention.k, values};
  operands.insert(operands.end(), attention.operands.begin(), attention.operands.end());
  AttentionClauses clauses = attention.clauses;
  clauses.withLse = withLse;
  const Shape &q = attention.q.shape();
  std::vector<Type> results = {{attention.q.dtype(), {q[0], q[1], q[2], values.shape()[3]}}};
  if (withLse)
    results.push_back({f64, {q[0], q[1], q[2]}});
  auto node = makeNode(Op::attention, here, std::move(operands), std::move(results), std::move(clauses));
  return {Tensor(node, 0), withLse ? Tensor(node, 1) : Tensor()};
}

/// Returns the attention with its pattern restricted to the queries `rows` and the keys `keys`.
static Weighted restricted(Weighted attention, Interval rows, Interval keys, Here here) {
  auto first = static_cast<int64_t>(attention.clauses.symbols);
  auto bound = [&](int64_t number) { return symbol(first + number, here); };
  auto isChosen = [&](Index i, Index j) {
    return i >= bound(0) && i <= bound(1) - 1 && j >= bound(2) && j <= bound(3) - 1;
  };
  Pattern box = pattern(isChosen, here);
  attention.clauses.pattern =
      makePattern(AlgebraSet{Algebra::intersect, {attention.clauses.pattern, box.node}}, here).node;
  int64_t before = attention.keys() - attention.queries(); // positions of queries count on the key axis
  auto at = attention.operands.begin() + static_cast<std::ptrdiff_t>(attention.symbolsAt() + attention.clauses.symbols);
  std::vector<Tensor> bounds;
  for (int64_t number : {rows.lower + before, rows.upper + before, keys.lower, keys.upper})
    bounds.push_back(full({}, static_cast<double>(number), i64, here));
  attention.operands.insert(at, bounds.begin(), bounds.end());
  attention.clauses.symbols += bounds.size();
  return attention;
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

namespace {
/// A block of consecutive keys. The weights of every `size` keys are added up to one column.
struct KeyBlock {
  Interval keys;
  int64_t size;

  int64_t columns() const { return (keys.upper - keys.lower + size - 1) / size; }
};

class Maps {
public:
  Maps(const Weighted &attention, const MapOptions &chosen, Here here)
      : attention(attention), chosen(chosen), here(here) {}

  Tensor weights() const;

private:
  Tensor ofRows(Interval rows) const;
  Tensor ofSet(Interval rows, const std::vector<KeyBlock> &blocks) const;
  Tensor ofKernel(Interval rows, const std::vector<KeyBlock> &blocks) const;
  std::vector<KeyBlock> blocks() const;
  Tensor oneHot(const KeyBlock &block) const;
  Tensor cut(const Tensor &x, Interval rows) const;

  const Weighted &attention;
  const MapOptions &chosen;
  Here here;
};
} // namespace

static Tensor joined(const std::vector<Tensor> &parts, int64_t axis, Here here) {
  return parts.size() == 1 ? parts[0] : concat(parts, axis, here);
}

static std::vector<Interval> orAll(const std::vector<Interval> &intervals, int64_t size) {
  return intervals.empty() ? std::vector<Interval>{{0, size}} : intervals;
}

std::vector<KeyBlock> Maps::blocks() const {
  std::vector<KeyBlock> blocks;
  int64_t most = mostColumns * chosen.key_block;
  for (Interval keys : orAll(chosen.keys, attention.keys()))
    for (int64_t begin = keys.lower; begin < keys.upper; begin += most)
      blocks.push_back({{begin, std::min(begin + most, keys.upper)}, chosen.key_block});
  return blocks;
}

/// Returns values whose column c is 1 for the keys of group c of the block, else 0.
Tensor Maps::oneHot(const KeyBlock &block) const {
  std::vector<int64_t> begins, ends;
  for (int64_t begin = block.keys.lower; begin < block.keys.upper; begin += block.size) {
    begins.push_back(begin);
    ends.push_back(std::min(begin + block.size, block.keys.upper));
  }
  Dim count(attention.keys()), columns(block.columns());
  Tensor key = reshape(countUp(count, 0, 1, i64, here), {count, 1}, here);
  auto bounds = [&](const std::vector<int64_t> &numbers) { return Operand(constant(numbers, {columns}, i64, here)); };
  Tensor isBefore = Operand(key, here) < bounds(ends);
  Tensor isIn = where(Operand(key, here) >= bounds(begins), cast(isBefore, attention.q.dtype(), here), 0.0, here);
  return broadcast_to(isIn, {attention.q.shape()[0], attention.k.shape()[1], count, columns}, here);
}

/// Returns the chosen heads of x, and of them the rows `rows`.
Tensor Maps::cut(const Tensor &x, Interval rows) const {
  Tensor part = rows == Interval{0, attention.queries()} ? x : slice(x, 2, rows.lower, rows.upper, 1, here);
  if (chosen.heads.empty())
    return part;
  std::vector<Tensor> heads;
  for (int64_t head : chosen.heads)
    heads.push_back(slice(part, 1, head, head + 1, 1, here));
  return joined(heads, 1, here);
}

/// Computes the weights of a set of pairs. A block that has all keys needs no factor: its softmax is P.
Tensor Maps::ofSet(Interval rows, const std::vector<KeyBlock> &blocks) const {
  Interval all{0, attention.keys()};
  if (blocks.size() == 1 && blocks[0].keys == all) {
    bool isWhole = rows == Interval{0, attention.queries()};
    return cut(attend(isWhole ? attention : restricted(attention, rows, all, here), oneHot(blocks[0]), false, here).o,
               rows);
  }
  Dim count(attention.keys());
  Tensor ones = broadcast_to(full({}, 1, attention.q.dtype(), here),
                             {attention.q.shape()[0], attention.k.shape()[1], count, 1}, here);
  Tensor sum = cut(attend(restricted(attention, rows, all, here), ones, true, here).lse, rows);
  std::vector<Tensor> parts;
  for (const KeyBlock &block : blocks) {
    auto [o, lse] = attend(restricted(attention, rows, block.keys, here), oneHot(block), true, here);
    Tensor part = cut(o, rows), own = cut(lse, rows);
    Tensor share = where(Operand(own, here) > -std::numeric_limits<double>::infinity(),
                         exp(Operand(own, here) - sum, here), 0.0, here);
    Shape column = share.shape();
    column.push_back(Dim(1));
    parts.push_back(Operand(part, here) * reshape(cast(share, part.dtype(), here), column, here));
  }
  return joined(parts, 3, here);
}

/// Computes the weights of kernelised attention. Every block is an attention to all keys, because the stabiliser and
/// the normaliser are those of all keys.
Tensor Maps::ofKernel(Interval rows, const std::vector<KeyBlock> &blocks) const {
  std::vector<Tensor> parts;
  for (const KeyBlock &block : blocks)
    parts.push_back(cut(attend(attention, oneHot(block), false, here).o, rows));
  return joined(parts, 3, here);
}

Tensor Maps::ofRows(Interval rows) const {
  bool isKernel = std::holds_alternative<KernelizedSet>(attention.clauses.pattern->set);
  return isKernel ? ofKernel(rows, blocks()) : ofSet(rows, blocks());
}

Tensor Maps::weights() const {
  std::vector<Tensor> parts;
  for (Interval rows : orAll(chosen.rows, attention.queries()))
    parts.push_back(ofRows(rows));
  return joined(parts, 2, here);
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

static void expectIntervals(const std::vector<Interval> &intervals, int64_t size, const char *what, Here here) {
  for (Interval interval : intervals)
    expect(interval.lower >= 0 && interval.lower < interval.upper && interval.upper <= size, here, "expected ", what,
           " of an attention that has ", size, ", got [", interval.lower, ", ", interval.upper, ")");
}

static void expectChosen(const Weighted &attention, const MapOptions &chosen, Here here) {
  expect(attention.queries() >= 1 && attention.keys() >= 1, here, "expected queries and keys to map, got ",
         attention.queries(), " and ", attention.keys());
  expectIntervals(chosen.rows, attention.queries(), "rows", here);
  expectIntervals(chosen.keys, attention.keys(), "keys", here);
  expectAtLeast(chosen.key_block, 1, "key_block", here);
  const Dim &heads = attention.q.shape()[1];
  for (int64_t head : chosen.heads)
    expect(head >= 0 && heads.is_static() && head < heads.value(), here, "expected heads of an attention that has ",
           heads, ", got ", head);
  constexpr unsigned most = 12; // of 16, where a block takes 4
  expect(attention.clauses.symbols <= most, here, "expected at most ", most, " symbols in a pattern to map, got ",
         attention.clauses.symbols);
}

/// Replaces the normaliser Normalizer::norm of a pattern, because it depends on the values. Weights of positive
/// features with a running stabiliser are divided by their sum instead, so that the stabiliser cancels. Other weights
/// are not divided.
static PatternPtr withoutNorm(const KernelizedSet &kernel, Here here) {
  KernelizedSet plain = kernel;
  bool isPositive = kernel.feature == Feature::favor || kernel.feature == Feature::hyperbolic;
  bool isCausal = kernel.of && propertiesOf(*kernel.of->node).isCausal;
  bool isRunning = kernel.stabilizer ? *kernel.stabilizer == Stabilizer::running : isCausal;
  plain.normalizer = isPositive && isRunning ? Normalizer::sum : Normalizer::none;
  if (kernel.feature == Feature::trigonometric && isRunning) // sums of both signs
    plain.stabilizer = Stabilizer::row;
  plain.guard = {};
  return makePattern(plain, here).node;
}

Tensor xf::detail::weightsOf(const Node &node, const MapOptions &chosen, Here here) {
  Weighted attention(node, here);
  PatternPtr pattern = attention.clauses.pattern;
  if (const auto *lowRank = std::get_if<LowRankSet>(&pattern->set))
    attention = withProjectedKeys(std::move(attention), *lowRank, here);
  const auto *kernel = std::get_if<KernelizedSet>(&pattern->set);
  if (kernel && kernel->normalizer == Normalizer::norm)
    attention.clauses.pattern = withoutNorm(*kernel, here);
  expectChosen(attention, chosen, here);
  return widened(Maps(attention, chosen, here).weights(), here);
}

Tensor xf::attention_weights(const Tensor &q, const Tensor &k, const AttentionOptions &options,
                             const MapOptions &chosen, Here here) {
  Tensor o = scaled_dot_product_attention(q, k, k, options, here);
  return weightsOf(*o.node(), chosen, here);
}

Tensor xf::pool_shares(const Tensor &x, int64_t layers, Here here) {
  pool_layers(x, layers, Pool::max, here); // checks x
  Tensor rows = reshape(x, {x.size(0), x.size(1) / layers, layers, x.size(2)}, here);
  return mean(one_hot(argmax(rows, 2, false, here), layers, f32, here), {0, 1, 2}, false, here);
}
