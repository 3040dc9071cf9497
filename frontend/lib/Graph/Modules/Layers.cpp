//===- Layers.cpp - Linear, norms, embedding, attention, MLP -*- C++ -*-===//
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

/// Returns the initial distribution of a linear layer with `in` inputs, uniform in +-scale/sqrt(in), as in torch for
/// scale 1.
static Initializer linearInit(int64_t in, double scale = 1) { return uniform_init(in > 0 ? scale / std::sqrt(in) : 0); }

//===----------------------------------------------------------------------===//
// Linear, norms, embedding, MLP
//===----------------------------------------------------------------------===//

Linear::Linear(int64_t in, int64_t out, bool with_bias, Here here) : weight({out, in}, linearInit(in), f32, here) {
  if (with_bias)
    bias = Parameter({out}, linearInit(in), f32, here);
}

Linear::Linear(int64_t in, int64_t out, Initializer initializer, bool with_bias, Here here)
    : weight({out, in}, initializer, f32, here) {
  if (with_bias)
    bias = Parameter({out}, constant_init(0), f32, here);
}

LayerNorm::LayerNorm(int64_t width, double eps, bool with_bias, Here here)
    : weight({width}, constant_init(1), f32, here), eps(eps) {
  if (with_bias)
    bias = Parameter({width}, constant_init(0), f32, here);
}

RMSNorm::RMSNorm(int64_t width, double eps, Here here) : weight({width}, constant_init(1), f32, here), eps(eps) {}

Embedding::Embedding(int64_t count, int64_t width, double deviation, Here here)
    : weight({count, width}, normal_init(deviation), f32, here) {}

MLP::MLP(MLPOptions options, Here here)
    : activation(std::move(options.activation)), fc1(options.width, options.hidden, options.bias, here),
      fc2(options.hidden, options.width, linearInit(options.hidden, options.output_scale), options.bias, here) {}

Tensor MLP::operator()(const Tensor &x, Here here) const { return fc2(activation(fc1(x, here), here), here); }

Tensor Sequential::operator()(Tensor x, Here here) const {
  for (const Step &step : steps)
    x = step.call(x, here);
  return x;
}

void Sequential::visit_members(Visitor &visitor) const {
  for (size_t number = 0; number < steps.size(); ++number)
    if (steps[number].module)
      visitor.member(std::to_string(number), *steps[number].module);
}

//===----------------------------------------------------------------------===//
// Multi-head attention
//===----------------------------------------------------------------------===//

static MultiheadAttentionOptions checked(MultiheadAttentionOptions options, Here here) {
  if (options.kv_heads == 0)
    options.kv_heads = options.heads;
  expect(options.width >= 1 && options.heads >= 1 && options.width % options.heads == 0, here,
         "expected a width that is a multiple of the heads, got width ", options.width, " and ", options.heads,
         " heads");
  expect(options.kv_heads >= 1 && options.heads % options.kv_heads == 0, here,
         "expected heads that are a multiple of kv_heads, got ", options.heads, " and ", options.kv_heads);
  expect(options.features >= 0, here, "expected a number of features >= 0, got ", options.features);
  expect(!options.fused || options.kv_heads == options.heads, here,
         "expected as many kv_heads as heads with fused projections, got ", options.kv_heads, " and ", options.heads);
  return options;
}

MultiheadAttention::MultiheadAttention(MultiheadAttentionOptions given, Here here)
    : options(checked(std::move(given), here)),
      out_proj(options.width, options.width, linearInit(options.width, options.output_scale), options.bias, here) {
  int64_t width = options.width, keyWidth = width / options.heads * options.kv_heads;
  if (options.features > 0)
    features = Parameter({options.features, width / options.heads}, features_init(options.feature_rows), f32, here);
  auto xavier = [](int64_t in, int64_t out) { return uniform_init(std::sqrt(6.0 / static_cast<double>(in + out))); };
  if (options.fused) {
    in_proj_weight = Parameter({3 * width, width}, xavier(width, 3 * width), f32, here);
    if (options.bias)
      in_proj_bias = Parameter({3 * width}, constant_init(0), f32, here);
    return;
  }
  q_proj.emplace(width, width, xavier(width, width), options.bias, here);
  k_proj.emplace(width, keyWidth, xavier(width, keyWidth), options.bias, here);
  v_proj.emplace(width, keyWidth, xavier(width, keyWidth), options.bias, here);
}

MultiheadAttention::Projected MultiheadAttention::project(const Tensor &x, const Tensor &memory, Here here) const {
  if (!options.fused)
    return {(*q_proj)(x, here), (*k_proj)(memory, here), (*v_proj)(memory, here)};
  expect(x.node() == memory.node(), here, "expected self-attention with fused projections, got a second tensor");
  Tensor all = linear(x, in_proj_weight, in_proj_bias, here);
  auto part = [&](int64_t number) {
    return slice(all, -1, number * options.width, (number + 1) * options.width, 1, here);
  };
  return {part(0), part(1), part(2)};
}

Tensor MultiheadAttention::operator()(const Tensor &x, const Tensor &memory, Here here) const {
  return (*this)(x, memory, AttentionOptions{.pattern = options.pattern}, here);
}

Tensor MultiheadAttention::operator()(const Tensor &x, const Tensor &memory, AttentionOptions clauses,
                                      Here here) const {
  expectRank(x, 3, "the input of attention", here);
  expectRank(memory, 3, "the memory of attention", here);
  Projected projected = project(x, memory, here);
  Tensor q = split_heads(projected.q, options.heads, here), k = split_heads(projected.k, options.kv_heads, here),
         v = split_heads(projected.v, options.kv_heads, here);
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
  return out_proj(merge_heads(scaled_dot_product_attention(q, k, v, clauses, here), here), here);
}
