//===- OmniNet.cpp - Layers that attend to many layers -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xf/nn/omninet.h"
#include "../Node.h"

#include <cmath>

using namespace xf;
using namespace xf::nn;
using namespace xf::detail;

//===----------------------------------------------------------------------===//
// Patterns on several layers
//===----------------------------------------------------------------------===//

template <typename Set>
static const Set *as(const Pattern &pattern) {
  return std::get_if<Set>(&pattern.node->set);
}

/// Converts `of` to a pattern on the tokens of all layers. `of` is a pattern of tokens or of positions, depending on
/// options.granularity.
static Pattern onTokens(const OmniNetOptions &options, const Pattern &of, int64_t layers, Here here) {
  bool isPlain = options.granularity == Granularity::token && options.queries == GridQueries::all;
  if (isPlain && !options.factorised)
    return of;
  return grid({.layers = layers,
               .of = of,
               .granularity = options.granularity,
               .queries = options.queries,
               .factorised = options.factorised},
              here);
}

/// Returns the inner pattern as a pattern on the tokens of all layers. A low-rank pattern is unchanged, since projected
/// keys have no positions. In a kernelised pattern only the set of pairs is converted. A kernelised pattern over all
/// pairs is unchanged, except in factorised attention.
static Pattern onGrid(const OmniNetOptions &options, int64_t layers, Here here) {
  if (as<LowRankSet>(options.inner))
    return options.inner;
  const auto *kernel = as<KernelizedSet>(options.inner);
  if (!kernel)
    return onTokens(options, options.inner, layers, here);
  if (!options.factorised && (!kernel->of || as<DenseSet>(*kernel->of)))
    return options.inner;
  Kernelized parameters = *kernel;
  parameters.of = onTokens(options, kernel->of.value_or(dense(here)), layers, here);
  return kernelized(parameters, here);
}

//===----------------------------------------------------------------------===//
// A block
//===----------------------------------------------------------------------===//

static MultiheadAttentionOptions attentionOptions(const OmniNetOptions &options, int64_t inputs, Here here) {
  bool isInner = inputs > 0 || options.partition == 1;
  Pattern pattern = isInner ? options.inner : options.pattern;
  return {.width = options.width,
          .heads = options.heads,
          .pattern = inputs > 0 ? onGrid(options, inputs, here) : pattern,
          .features = isInner ? options.features : 0};
}

OmniNetBlock::OmniNetBlock(const OmniNetOptions &given, int64_t inputs, Here here)
    : norm1(given.width, 1e-5, true, here), norm2(given.width, 1e-5, true, here),
      attention(attentionOptions(given, inputs, here), here),
      mlp({.width = given.width,
           .hidden = given.hidden ? given.hidden : 4 * given.width,
           .activation = given.activation},
          here),
      options(given) {
  if (given.memory) {
    cross_norm.emplace(given.width, 1e-5, true, here);
    cross.emplace(MultiheadAttentionOptions{.width = given.width, .heads = given.heads}, here);
  }
  const auto *lowRank = as<LowRankSet>(attention.options.pattern);
  if (!lowRank || lowRank->projection != Projection::learned)
    return;
  expect(given.tokens >= 1, here, "expected the number of tokens for a learned projection, got ", given.tokens);
  int64_t rows = given.tokens * std::max<int64_t>(inputs, 1);
  projection =
      Parameter({rows, lowRank->rank}, normal_init(1 / std::sqrt(static_cast<double>(lowRank->rank))), f32, here);
}

/// Adds to x what attention reads from `keys`, the tokens of `layers` layers. Then, if the block reads a memory, adds
/// what attention reads from the memory.
Tensor OmniNetBlock::attend(const Tensor &x, const Tensor &keys, int64_t layers, const OmniNetInputs &inputs,
                            Here here) const {
  AttentionOptions clauses{.pattern = attention.options.pattern};
  if (projection.defined())
    clauses.parameters = {projection};
  if (inputs.lengths.defined())
    clauses.lengths = Operand(inputs.lengths, here) * Operand(layers, here);
  Tensor normedKeys = norm1(keys, here);
  bool ofItself = x.node() == keys.node() && x.result() == keys.result();
  Tensor sum = x + attention(ofItself ? normedKeys : norm1(x, here), normedKeys, clauses, here);
  expect(cross.has_value() == inputs.memory.defined(), here, "expected ",
         cross ? "a memory for blocks with .memory = true, got none" : "no memory without .memory = true, got one");
  if (!cross)
    return sum;
  return sum + (*cross)((*cross_norm)(sum, here), {.memory = inputs.memory, .lengths = inputs.memory_lengths}, here);
}

Tensor OmniNetBlock::operator()(const Tensor &x, const OmniNetInputs &inputs, Here here) const {
  Tensor sum = attend(x, x, 1, inputs, here);
  return sum + mlp(norm2(sum, here), here);
}

Tensor OmniNetBlock::attendFromTop(const std::vector<Tensor> &layers, const OmniNetInputs &inputs, Here here) const {
  const Tensor &top = layers.back();
  Tensor sum = attend(top, stack_layers(layers, here), static_cast<int64_t>(layers.size()), inputs, here);
  return top + (sum + mlp(norm2(sum, here), here));
}

Tensor OmniNetBlock::operator()(const std::vector<Tensor> &layers, const OmniNetInputs &inputs, Here here) const {
  if (options.queries == GridQueries::top)
    return attendFromTop(layers, inputs, here);
  int64_t count = static_cast<int64_t>(layers.size());
  Tensor stacked = stack_layers(layers, here), sum = attend(stacked, stacked, count, inputs, here);
  if (options.pool_after == PoolAfter::attention)
    sum = pool_layers(sum, count, options.pool, here);
  sum = sum + mlp(norm2(sum, here), here);
  if (options.pool_after == PoolAfter::feed_forward)
    sum = pool_layers(sum, count, options.pool, here);
  return layers.back() + sum;
}

//===----------------------------------------------------------------------===//
// The stack of blocks
//===----------------------------------------------------------------------===//

static void expectOptions(const OmniNetOptions &options, Here here) {
  expect(options.layers >= 1, here, "expected layers >= 1, got ", options.layers);
  expect(options.partition >= 1 && options.partition <= options.layers, here,
         "expected a partition of 1 to layers = ", options.layers, ", got ", options.partition);
  expect(!options.factorised || !as<LowRankSet>(options.inner), here,
         "expected a set of pairs for factorised attention, got low_rank: projected keys have no positions");
}

bool OmniNet::isOmnidirectional(int64_t number) const {
  return options.partition > 1 && (number + 1) % options.partition == 0;
}

OmniNet::OmniNet(OmniNetOptions given, Here here) : options(std::move(given)) {
  expectOptions(options, here);
  int64_t inputs = options.partition - (options.include_boundary ? 0 : 1);
  for (int64_t number = 0; number < options.layers; ++number)
    blocks.emplace_back(options, isOmnidirectional(number) ? inputs : 0, here);
}

Tensor OmniNet::operator()(const Tensor &x, const OmniNetInputs &given, Here here) const {
  expectRank(x, 3, "the input of OmniNet", here);
  int64_t inputs = options.partition - (options.include_boundary ? 0 : 1);
  std::vector<Tensor> outputs = {x};
  for (int64_t number = 0; number < options.layers; ++number) {
    const OmniNetBlock &block = blocks[number];
    if (isOmnidirectional(number))
      outputs.push_back(block(std::vector<Tensor>(outputs.end() - inputs, outputs.end()), given, here));
    else
      outputs.push_back(block(outputs.back(), given, here));
  }
  return outputs.back();
}
