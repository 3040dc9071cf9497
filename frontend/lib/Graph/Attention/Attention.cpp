//===- Attention.cpp - Recording attention and its clauses -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Regions.h"
#include "WideLse.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

using namespace xf;
using namespace xf::detail;

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

/// Throws Error unless the number of heads of q is a multiple of the number of heads of `tensor`, the keys or values.
static void expectGroups(const Tensor &q, const Tensor &tensor, const char *what, Here here) {
  const Dim &heads = q.shape()[1], &own = tensor.shape()[1];
  bool known = heads.is_static() && own.is_static();
  bool divides = known ? own.value() > 0 && heads.value() % own.value() == 0 : heads.may_equal(own);
  expect(divides, here, "expected query heads that are a multiple of the heads of ", what, ", got ", heads, " and ",
         own);
}

static void expectShapes(const Tensor &q, const Tensor &k, const Tensor &v, Here here) {
  const std::pair<const Tensor *, const char *> operands[] = {{&q, "q"}, {&k, "k"}, {&v, "v"}};
  for (auto [tensor, what] : operands) {
    expectFloat(*tensor, what, here);
    expect(tensor->rank() == 4, here, "expected shape [batch, heads, tokens, size] of ", what, ", got ",
           tensor->shape());
    expect(tensor->dtype() == q.dtype(), here, "expected one element type of q, k and v, got ", q.dtype(), " and ",
           tensor->dtype());
    expect(tensor->shape()[0].may_equal(q.shape()[0]), here, "expected one batch size of q, k and v, got ",
           q.shape()[0], " and ", tensor->shape()[0]);
  }
  expect(k.shape()[3].may_equal(q.shape()[3]), here, "expected keys of the queries' size ", q.shape()[3], ", got ",
         k.shape()[3]);
  expect(k.shape()[2].may_equal(v.shape()[2]), here, "expected as many values as keys, got ", v.shape()[2], " and ",
         k.shape()[2]);
  expectGroups(q, k, "k", here);
  expectGroups(q, v, "v", here);
}

//===----------------------------------------------------------------------===//
// Clauses
//===----------------------------------------------------------------------===//

/// Returns the tensors that a score function reads, each once, in the order of their first use.
static std::vector<Tensor> collectCaptures(const ExpressionPtr &score) {
  std::vector<Tensor> captures;
  std::vector<const Expression *> pending = {score.get()};
  std::unordered_set<const Expression *> visited;
  while (!pending.empty()) {
    const Expression *expression = pending.back();
    pending.pop_back();
    if (!visited.insert(expression).second)
      continue;
    expect(expression->op != ExpressionOp::symbol, expression->here,
           "expected positions, heads and tensors in a score, got a symbol of a pattern");
    for (auto operand = expression->operands.rbegin(); operand != expression->operands.rend(); ++operand)
      pending.push_back(operand->get());
    const Tensor &tensor = expression->tensor;
    bool known = std::any_of(captures.begin(), captures.end(), [&](const Tensor &capture) {
      return capture.node() == tensor.node() && capture.result() == tensor.result();
    });
    if (tensor.defined() && !known)
      captures.push_back(tensor);
  }
  return captures;
}

static ExpressionPtr recordScore(const std::function<Scalar(Score)> &score, const Dim &heads, Here here) {
  auto leaf = [&](ExpressionOp op) { return makeExpression(op, here); };
  int64_t headCount = heads.is_static() ? heads.value() : 0;
  auto head = std::make_shared<const Expression>(Expression{ExpressionOp::head, here, {}, headCount});
  Scalar result = score({Scalar(leaf(ExpressionOp::value)), Index(leaf(ExpressionOp::batch)), Index(head),
                         Index(leaf(ExpressionOp::query)), Index(leaf(ExpressionOp::key))});
  return result.tree;
}

static bool fits(const Shape &shape, const Shape &expected) {
  return std::equal(expected.begin(), expected.end(), shape.begin(), shape.end(),
                    [](const Dim &a, const Dim &b) { return a.may_equal(b); });
}

/// Appends `tensor` to the operands if it is defined. Throws Error unless it is an integer tensor of the given shape.
/// Returns the number of appended tensors, 0 or 1.
static unsigned addIntegers(std::vector<Tensor> &operands, const Tensor &tensor, const Shape &shape, const char *what,
                            Here here) {
  if (!tensor.defined())
    return 0;
  expectInteger(tensor, what, here);
  expect(fits(tensor.shape(), shape), here, "expected ", what, " of shape ", shape, ", got ", tensor.shape());
  operands.push_back(tensor);
  return 1;
}

/// Appends `lengths`, one for each batch entry, to the operands if they are defined. If they are an input, calls verify
/// that they lie in [0, `size`]. Returns the number of appended tensors, 0 or 1.
static unsigned addLengths(std::vector<Tensor> &operands, const Tensor &lengths, const Dim &batch, const Dim &size,
                           const char *what, Here here) {
  unsigned count = addIntegers(operands, lengths, {batch}, what, here);
  if (count && size.is_static())
    restrictRange(lengths, 0, size.value());
  else if (count && size.is_named())
    restrictRange(lengths, 0, size.range().max);
  return count;
}

/// Appends options.symbols, the values of the pattern's symbols, to the operands and returns their number. Throws Error
/// unless there is one integer tensor for each symbol, of shape [], [batch] or [batch, heads]. `rows` is the shape
/// [batch, heads].
static unsigned addSymbols(std::vector<Tensor> &operands, const AttentionOptions &options, const Shape &rows,
                           Here here) {
  size_t count = propertiesOf(*options.pattern.node).symbols;
  expect(options.symbols.size() == count, here, "expected ", count, " symbols for the pattern, got ",
         options.symbols.size());
  for (const Tensor &symbol : options.symbols) {
    expectInteger(symbol, "a symbol", here);
    Shape expected(rows.begin(), rows.begin() + std::min<size_t>(symbol.rank(), rows.size()));
    expect(fits(symbol.shape(), expected), here, "expected a symbol of shape [], ", Shape{rows[0]}, " or ", rows,
           ", got ", symbol.shape());
    operands.push_back(symbol);
  }
  return count;
}

/// Appends `tensor`, weights of kernelised attention, to the operands if it is defined. Throws Error unless it has the
/// given shape and the type of the scores. Returns the number of appended tensors, 0 or 1.
static unsigned addWeights(std::vector<Tensor> &operands, const Tensor &tensor, const Shape &shape, const char *what,
                           Here here) {
  if (!tensor.defined())
    return 0;
  Dtype dtype = operands[0].dtype() == f64 ? f64 : f32;
  expect(tensor.dtype() == dtype, here, "expected ", what, " of ", dtype, ", got ", tensor.dtype());
  expect(fits(tensor.shape(), shape), here, "expected ", what, " of shape ", shape, ", got ", tensor.shape());
  operands.push_back(tensor);
  return 1;
}

/// Calls the feature map on an argument that stands for one row of q or k, and returns the recorded region. Throws
/// Error unless the result is one row of q's element type.
static Region recordFeature(const std::function<Tensor(const Tensor &)> &feature, const Tensor &q, Here here) {
  Region region{nextSequence(), 0, {}, {}};
  Tensor row = makeTensor(Op::argument, here, {}, {q.dtype(), {q.shape()[3]}}, Argument{});
  region.withRespectTo = {row};
  region.results = {feature(row)};
  region.end = nextSequence();
  const Tensor &phi = region.results[0];
  expectDefined(phi, "the result of a feature map", here);
  expect(phi.rank() == 1 && phi.dtype() == q.dtype(), here, "expected one row of ", q.dtype(),
         " from a feature map, got shape ", phi.shape(), " of ", phi.dtype());
  expectRowwise(region, here);
  return region;
}

/// Throws Error if heads() in a pattern has more members than there are heads, because the last members have no effect.
static void expectHeads(const PatternNode &pattern, const Dim &heads, Here here) {
  size_t members = propertiesOf(pattern).heads;
  expect(members == 1 || !heads.is_static() || static_cast<int64_t>(members) <= heads.value(), here,
         "expected at most one pattern for each head in heads(), got ", members, " for ", heads, " heads");
}

static void expectOptions(const AttentionOptions &options, Here here) {
  expect(!options.scale || std::isfinite(*options.scale), here, "expected a finite scale, got ",
         options.scale.value_or(0));
  expect(options.dropout >= 0 && options.dropout <= 1, here, "expected a dropout probability in [0, 1], got ",
         options.dropout);
  expect(options.dropout == 0 || options.seed.defined(), here, "expected a seed beside attention dropout, got none");
  expect(options.query_segments.defined() == options.key_segments.defined(), here,
         "expected query_segments and key_segments together, got one of them");
  expect(!options.table_offsets.defined() || options.table_columns.defined(), here,
         "expected table_columns beside table_offsets, got none");
  bool kernelized = std::holds_alternative<KernelizedSet>(options.pattern.node->set);
  expect(!kernelized || options.dropout == 0, here, "expected no dropout with kernelised attention, got ",
         options.dropout);
  bool hasWeights = options.decay.defined() || options.beta.defined() || options.relative.defined();
  expect(kernelized || (!hasWeights && !options.feature), here,
         "expected a kernelised pattern beside decay, beta, relative or feature, got another one");
}

/// Appends the lists of the pattern table() to the operands: offsets and columns, or columns alone. Returns their
/// number. `rows` is the shape [batch, heads]. Throws Error for other shapes.
static unsigned addTable(std::vector<Tensor> &operands, const AttentionOptions &options, const Shape &rows, Here here) {
  const Tensor &columns = options.table_columns;
  if (options.table_offsets.defined() || !columns.defined())
    return addIntegers(operands, options.table_offsets, {Dim::unknown()}, "table_offsets", here) +
           addIntegers(operands, columns, {Dim::unknown()}, "table_columns", here);
  expect(columns.rank() >= 2 && columns.rank() <= 4, here,
         "expected table_columns of 2 to 4 dimensions without table_offsets, got ", columns.shape());
  Shape expected(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(columns.rank() - 2));
  expected.insert(expected.end(), 2, Dim::unknown());
  return addIntegers(operands, columns, expected, "table_columns", here);
}

/// Verifies the clauses of an attention and appends their operands after q, k and v, in the order of the counts in
/// AttentionClauses. Throws Error for clauses that do not fit.
static AttentionClauses addClauses(std::vector<Tensor> &operands, const AttentionOptions &options, Here here) {
  expectOptions(options, here);
  Tensor q = operands[0], k = operands[1]; // copies, since appending to operands moves its elements
  Dim batch = q.shape()[0], rows = q.shape()[2], keys = k.shape()[2];
  expectHeads(*options.pattern.node, q.shape()[1], here);
  AttentionClauses clauses{options.pattern.node, options.scale, options.dropout};
  clauses.exactWeights = options.exact_weights;
  for (const Tensor &parameter : options.parameters) {
    expectFloat(parameter, "the parameters of attention", here);
    operands.push_back(parameter);
  }
  clauses.parameters = options.parameters.size();
  Dim heads = q.shape()[1],
      distances = keys.is_static() ? Dim(std::max<int64_t>(2 * keys.value() - 1, 0)) : Dim::unknown();
  clauses.decay = addWeights(operands, options.decay, {batch, heads, keys}, "decay", here);
  clauses.beta = addWeights(operands, options.beta, {batch, heads, keys}, "beta", here);
  clauses.relative = addWeights(operands, options.relative, {heads, distances}, "relative", here);
  if (options.feature)
    clauses.feature = recordFeature(options.feature, q, here);
  clauses.lengths = addLengths(operands, options.lengths, batch, keys, "lengths", here);
  clauses.queryLengths = addLengths(operands, options.query_lengths, batch, rows, "query_lengths", here);
  clauses.segments = addIntegers(operands, options.query_segments, {batch, rows}, "query_segments", here) +
                     addIntegers(operands, options.key_segments, {batch, keys}, "key_segments", here);
  clauses.symbols = addSymbols(operands, options, {batch, heads}, here);
  clauses.table = addTable(operands, options, {batch, heads}, here);
  if (options.score) {
    clauses.score = recordScore(options.score, heads, here);
    bool seesAllPairs = std::holds_alternative<DenseSet>(options.pattern.node->set) && !options.lengths.defined() &&
                        !options.query_lengths.defined();
    expectReadsInBounds(*clauses.score, {batch, heads, rows, keys, seesAllPairs});
    std::vector<Tensor> captures = collectCaptures(clauses.score);
    clauses.captures = captures.size();
    operands.insert(operands.end(), captures.begin(), captures.end());
  }
  if (options.dropout > 0)
    clauses.seed = addIntegers(operands, options.seed, {2}, "seed", here);
  return clauses;
}

static AttentionResult makeAttention(const Tensor &q, const Tensor &k, const Tensor &v, const AttentionOptions &options,
                                     std::optional<Dtype> lse, Here here) {
  expectShapes(q, k, v, here);
  std::vector<Tensor> operands = {q, k, v};
  AttentionClauses clauses = addClauses(operands, options, here);
  clauses.withLse = lse.has_value();
  const Shape &from = q.shape();
  std::vector<Type> results = {{q.dtype(), {from[0], from[1], from[2], v.shape()[3]}}};
  if (lse)
    results.push_back({*lse, {from[0], from[1], from[2]}});
  auto node = makeNode(Op::attention, here, std::move(operands), std::move(results), std::move(clauses));
  return {Tensor(node, 0), lse ? Tensor(node, 1) : Tensor()};
}

Tensor xf::scaled_dot_product_attention(const Tensor &q, const Tensor &k, const Tensor &v,
                                        const AttentionOptions &options, Here here) {
  return makeAttention(q, k, v, options, std::nullopt, here).o;
}

AttentionResult xf::attention_with_lse(const Tensor &q, const Tensor &k, const Tensor &v,
                                       const AttentionOptions &options, Here here) {
  return makeAttention(q, k, v, options, q.defined() && q.dtype() == f64 ? f64 : f32, here);
}

AttentionResult detail::attendWithWideLse(const Tensor &q, const Tensor &k, const Tensor &v,
                                          const AttentionOptions &options, Here here) {
  return makeAttention(q, k, v, options, f64, here);
}
