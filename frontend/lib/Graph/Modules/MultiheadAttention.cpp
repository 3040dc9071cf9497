//===- MultiheadAttention.cpp - Projections, heads, attention -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Node.h"
#include "xf/nn.h"

#include <cmath>

using namespace xf;
using namespace xf::detail;
using namespace xf::nn;

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

static MultiheadAttentionOptions checked(MultiheadAttentionOptions options, Here here) {
  if (options.kv_heads == 0)
    options.kv_heads = options.heads;
  if (options.memory_width == 0)
    options.memory_width = options.width;
  expect(options.width >= 1 && options.heads >= 1 && options.memory_width >= 1 && options.head_size >= 0, here,
         "expected a width, memory_width and heads >= 1 and a head_size >= 0, got ", options.width, ", ",
         options.memory_width, ", ", options.heads, " and ", options.head_size);
  expect(options.head_size > 0 || options.width % options.heads == 0, here,
         "expected a width that is a multiple of the heads, got width ", options.width, " and ", options.heads,
         " heads");
  if (options.head_size == 0)
    options.head_size = options.width / options.heads;
  expect(options.value_size >= 0, here, "expected a value_size >= 0, got ", options.value_size);
  if (options.value_size == 0)
    options.value_size = options.head_size;
  expect(options.kv_heads >= 1 && options.heads % options.kv_heads == 0, here,
         "expected heads that are a multiple of kv_heads, got ", options.heads, " and ", options.kv_heads);
  expect(options.features >= 0, here, "expected a number of features >= 0, got ", options.features);
  expect(options.dropout >= 0 && options.dropout <= 1, here, "expected a probability in [0, 1] in dropout, got ",
         options.dropout);
  expect(!options.fused || options.memory_width == options.width, here, "expected keys of the queries' width ",
         options.width, " with fused projections, got ", options.memory_width);
  const ProjectionNames &names = options.names, usual;
  expect(options.fused || names.fused.empty(), here, "expected .fused = true with the name '", names.fused,
         "' of a fused projection, got projections of their own");
  expect(!options.fused || (names.q == usual.q && names.k == usual.k && names.v == usual.v), here,
         "expected no names of the projections q, k and v with fused projections, got '", names.q, "', '", names.k,
         "' and '", names.v, "'; .names.fused names theirs");
  MultiheadAttentionOptions unset{options.width, options.heads};
  expect(options.head_norm || options.norm_eps == unset.norm_eps, here,
         "expected .head_norm beside .norm_eps, got none");
  expect(options.features > 0 || options.feature_rows == unset.feature_rows, here,
         "expected .features >= 1 beside .feature_rows, got ", options.features);
  const ProjectionBias &bias = options.bias;
  expect(!options.fused || (bias.q == bias.k && bias.q == bias.v), here,
         "expected a bias of all of q, k and v or of none with fused projections, got ", bias.q, ", ", bias.k, " and ",
         bias.v);
  return options;
}

/// Makes the output projection. Its weight is initialised uniformly in +-output_scale/sqrt(inputs), as in torch if
/// output_scale is 1.
static Linear makeOutput(const MultiheadAttentionOptions &options, Here here) {
  int64_t in = options.heads * options.value_size;
  Initializer initializer = uniform_init(options.output_scale / std::sqrt(static_cast<double>(in)));
  return Linear(in, options.width, initializer, options.bias.out, here);
}

MultiheadAttention::MultiheadAttention(MultiheadAttentionOptions given, Here here)
    : options(checked(std::move(given), here)), out_proj(makeOutput(options, here)) {
  int64_t width = options.width, size = options.head_size, rows = options.heads * size,
          keyRows = options.kv_heads * size, valueRows = options.kv_heads * options.value_size;
  if (options.features > 0)
    features = Parameter({options.features, size}, features_init(options.feature_rows), f32, here);
  if (options.head_norm) {
    q_norm.emplace(*options.head_norm, size, options.norm_eps, true, here);
    k_norm.emplace(*options.head_norm, size, options.norm_eps, true, here);
  }
  auto xavier = [](int64_t in, int64_t out) { return uniform_init(std::sqrt(6.0 / static_cast<double>(in + out))); };
  if (options.fused) {
    int64_t all = rows + keyRows + valueRows;
    in_proj_weight = Parameter({all, width}, xavier(width, all), f32, here);
    if (options.bias.q)
      in_proj_bias = Parameter({all}, constant_init(0), f32, here);
    return;
  }
  int64_t from = options.memory_width;
  q_proj.emplace(width, rows, xavier(width, rows), options.bias.q, here);
  k_proj.emplace(from, keyRows, xavier(from, keyRows), options.bias.k, here);
  v_proj.emplace(from, valueRows, xavier(from, valueRows), options.bias.v, here);
}

void MultiheadAttention::visit_members(Visitor &visitor) const {
  const ProjectionNames &names = options.names;
  std::string fused = names.fused.empty() ? "in_proj_" : names.fused + ".";
  visitor.member(fused + "weight", in_proj_weight);
  visitor.member(fused + "bias", in_proj_bias);
  visitor.member(names.q, q_proj);
  visitor.member(names.k, k_proj);
  visitor.member(names.v, v_proj);
  visitor.member("q_norm", q_norm);
  visitor.member("k_norm", k_norm);
  visitor.member("features", features);
  visitor.member(names.out, out_proj);
}

//===----------------------------------------------------------------------===//
// From tokens to heads
//===----------------------------------------------------------------------===//

static bool isSame(const Tensor &a, const Tensor &b) { return a.node() == b.node() && a.result() == b.result(); }

/// Projects tokens to q, k and v, each of batch x tokens x (heads size of a head).
ProjectedHeads MultiheadAttention::project(const Tensor &x, const Tensor &memory, Here here) const {
  if (!options.fused)
    return {(*q_proj)(x, here), (*k_proj)(memory, here), (*v_proj)(memory, here)};
  int64_t size = options.head_size, rows = options.heads * size, keyRows = options.kv_heads * size,
          valueRows = options.kv_heads * options.value_size, both = keyRows + valueRows;
  auto part = [&](const Tensor &all, int64_t axis, int64_t begin, int64_t count) {
    return all.defined() ? slice(all, axis, begin, begin + count, 1, here) : all;
  };
  if (isSame(x, memory)) {
    Tensor all = linear(x, in_proj_weight, in_proj_bias, here);
    return {part(all, -1, 0, rows), part(all, -1, rows, keyRows), part(all, -1, rows + keyRows, valueRows)};
  }
  Tensor q = linear(x, part(in_proj_weight, 0, 0, rows), part(in_proj_bias, 0, 0, rows), here);
  Tensor pairs = linear(memory, part(in_proj_weight, 0, rows, both), part(in_proj_bias, 0, rows, both), here);
  return {q, part(pairs, -1, 0, keyRows), part(pairs, -1, keyRows, valueRows)};
}

/// Returns a size as an i64 tensor of one element.
static Tensor numberOf(const Dim &size, Here here) {
  return slice(arange(size + 1, i64, here), 0, size, size + 1, 1, here);
}

/// Rotates q and k by their positions. By default, keys have positions from 0 on, and the last query has the position
/// of the last key. `ofItself` is true for self-attention.
static void turn(ProjectedHeads &heads, const Rotary &rotary, const AttentionInputs &inputs, bool ofItself, Here here) {
  const Tensor &positions = inputs.positions;
  const Tensor &keyPositions = ofItself && !inputs.memory_positions.defined() ? positions : inputs.memory_positions;
  expect(positions.defined() == keyPositions.defined(), here,
         "expected positions of both x and memory for a rotary embedding, got those of one");
  if (positions.defined()) {
    heads.q = rotary(heads.q, positions, here);
    heads.k = rotary(heads.k, keyPositions, here);
    return;
  }
  heads.k = rotary(heads.k, 0, here);
  const Dim &rows = heads.q.shape()[2], &keys = heads.k.shape()[2];
  if (rows == keys || (rows.is_static() && keys.is_static())) {
    heads.q = rotary(heads.q, rows == keys ? 0 : keys.value() - rows.value(), here);
    return;
  }
  Tensor first = Operand(numberOf(keys, here), here) - Operand(numberOf(rows, here), here);
  heads.q = rotary(heads.q, Operand(arange(rows, i64, here), here) + Operand(first, here), here);
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

AttentionOptions MultiheadAttention::clausesOf(const AttentionInputs &inputs, Here here) const {
  AttentionOptions clauses = inputs.clauses.value_or(AttentionOptions{.pattern = options.pattern});
  if (inputs.lengths.defined()) {
    expect(!clauses.lengths.defined(), here, "expected lengths once, got them in the clauses too");
    clauses.lengths = inputs.lengths;
  }
  auto expectOne = [&](bool own, bool given, const char *what) {
    expect(!own || !given, here, "expected ", what, " of the module or of the call, got both");
  };
  expectOne(bool(options.score), bool(clauses.score), "a score");
  expectOne(options.scale.has_value(), clauses.scale.has_value(), "a scale");
  expectOne(features.defined(), !clauses.parameters.empty(), "parameters");
  if (options.score)
    clauses.score = options.score;
  if (options.scale)
    clauses.scale = options.scale;
  if (features.defined())
    clauses.parameters = {features};
  if (options.dropout > 0 && clauses.dropout == 0) {
    clauses.seed = DropoutSeed::next(here);
    clauses.dropout = clauses.seed.defined() ? options.dropout : 0;
  }
  return clauses;
}

/// Throws Error for inputs that a cache replaces.
static void expectOnlyCache(const AttentionInputs &inputs, Here here) {
  auto expectNone = [&](bool given, const char *what) {
    expect(!given, here, "expected no ", what, " beside a cache, got both");
  };
  expectNone(inputs.memory.defined(), "memory");
  expectNone(inputs.positions.defined() || inputs.memory_positions.defined(), "positions");
  expectNone(inputs.lengths.defined(), "lengths");
}

Tensor MultiheadAttention::operator()(const Tensor &x, const AttentionInputs &given, Here here) const {
  AttentionInputs inputs = given;
  if (inputs.cache.defined()) {
    expectOnlyCache(inputs, here);
    inputs.positions = inputs.memory_positions = inputs.cache.positions(x.size(1, here), here);
  }
  expectRank(x, 3, "the input of attention", here);
  const Tensor &memory = inputs.memory.defined() ? inputs.memory : x;
  expectRank(memory, 3, "the memory of attention", here);
  ProjectedHeads heads = project(x, memory, here);
  heads.q = split_heads(heads.q, options.heads, here);
  heads.k = split_heads(heads.k, options.kv_heads, here);
  heads.v = split_heads(heads.v, options.kv_heads, here);
  if (q_norm) {
    heads.q = (*q_norm)(heads.q, here);
    heads.k = (*k_norm)(heads.k, here);
  }
  if (options.rotary)
    turn(heads, *options.rotary, inputs, isSame(x, memory), here);
  if (options.before_attention)
    heads = options.before_attention(heads);
  AttentionOptions clauses = clausesOf(inputs, here);
  Tensor o = inputs.cache.defined() ? inputs.cache.attend(heads.q, heads.k, heads.v, clauses, here)
                                    : scaled_dot_product_attention(heads.q, heads.k, heads.v, clauses, here);
  return out_proj(merge_heads(o, here), here);
}

Tensor MultiheadAttention::operator()(const Tensor &x, const Tensor &memory, Here here) const {
  expectDefined(memory, "the memory of attention", here);
  return (*this)(x, AttentionInputs{.memory = memory}, here);
}

Tensor MultiheadAttention::operator()(const Tensor &x, const Tensor &memory, AttentionOptions clauses,
                                      Here here) const {
  expectDefined(memory, "the memory of attention", here);
  return (*this)(x, AttentionInputs{.memory = memory, .clauses = std::move(clauses)}, here);
}
