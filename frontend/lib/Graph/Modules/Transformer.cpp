//===- Transformer.cpp - Gated and transformer layers, positions -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Node.h"
#include "xf/nn/layers.h"

#include <cmath>

using namespace xf;
using namespace xf::detail;
using namespace xf::nn;

//===----------------------------------------------------------------------===//
// Gated layers
//===----------------------------------------------------------------------===//

/// Returns the initial distribution of down_proj: torch's, scaled by output_scale.
static Initializer outputInit(const GLUOptions &options, Here here) {
  expect(options.width >= 1 && options.hidden >= 1, here, "expected a width and hidden >= 1, got ", options.width,
         " and ", options.hidden);
  return uniform_init(options.output_scale / std::sqrt(static_cast<double>(options.hidden)));
}

GLU::GLU(const GLUOptions &options, Activation activation, Here here)
    : activation(std::move(activation)), names(options.names),
      gate_proj(options.width, options.hidden, options.bias, here),
      up_proj(options.width, options.hidden, options.bias, here),
      down_proj(options.hidden, options.width, outputInit(options, here), options.bias, here) {}

Tensor GLU::operator()(const Tensor &x, Here here) const {
  Tensor gate = activation(gate_proj(x, here), here);
  return down_proj(gate * up_proj(x, here), here);
}

void GLU::visit_members(Visitor &visitor) const {
  visitor.member(names.gate, gate_proj);
  visitor.member(names.up, up_proj);
  visitor.member(names.down, down_proj);
}

//===----------------------------------------------------------------------===//
// Learned positions
//===----------------------------------------------------------------------===//

static constexpr double positionDeviation = 0.02;

PositionEmbedding::PositionEmbedding(int64_t count, int64_t width, Here here)
    : weight({count, width}, normal_init(positionDeviation), f32, here) {}

Tensor PositionEmbedding::operator()(const Tensor &x, Here here) const {
  expectRank(x, 3, "the tokens of a position embedding", here);
  const Dim &tokens = x.shape()[1], &count = weight.shape()[0];
  expect(!tokens.is_static() || tokens.value() <= count.value(), here, "expected at most ", count,
         " tokens in a position embedding, got ", tokens);
  return x + slice(weight, 0, 0, tokens, 1, here);
}

Tensor PositionEmbedding::operator()(const Tensor &x, const Tensor &positions, Here here) const {
  expectRank(x, 3, "the tokens of a position embedding", here);
  return x + embedding(weight, positions, here);
}

ImagePositionEmbedding::ImagePositionEmbedding(Size2 image, int64_t width, Here here)
    : row({image.height, width}, normal_init(positionDeviation), f32, here),
      column({image.width, width}, normal_init(positionDeviation), f32, here) {}

Tensor ImagePositionEmbedding::operator()(const Tensor &x, Here here) const {
  const Dim &height = row.shape()[0], &places = column.shape()[0], &width = row.shape()[1];
  Tensor grid = reshape(row, {height, 1, width}, here) + column;
  return x + reshape(grid, {height.value() * places.value(), width}, here);
}

//===----------------------------------------------------------------------===//
// Transformer layers
//===----------------------------------------------------------------------===//

/// Returns the options of self-attention, under torch's names.
static MultiheadAttentionOptions selfOptions(const TransformerLayerOptions &options, const Pattern &pattern) {
  return {.width = options.width,
          .heads = options.heads,
          .pattern = options.pattern.value_or(pattern),
          .score = options.score,
          .bias = options.bias,
          .fused = true,
          .rotary = options.rotary,
          .dropout = options.dropout};
}

static MultiheadAttentionOptions crossOptions(const TransformerLayerOptions &options) {
  return {
      .width = options.width, .heads = options.heads, .bias = options.bias, .fused = true, .dropout = options.dropout};
}

static AnyNorm makeNorm(const TransformerLayerOptions &options, Here here) {
  return AnyNorm(options.norm_kind, options.width, options.eps, options.bias, here);
}

/// Applies f with a residual: returns norm(x + f(x)) or x + f(norm(x)), depending on options.norm.
template <typename F>
static Tensor residual(const Tensor &x, const AnyNorm &norm, const TransformerLayerOptions &options, Here here,
                       const F &f) {
  if (options.norm == Norm::last)
    return norm(x + dropout(f(x), options.dropout, here), here);
  return x + dropout(f(norm(x, here)), options.dropout, here);
}

template <typename Layer>
static Tensor feedForwardOf(const Layer &layer, const Tensor &x, Here here) {
  Tensor hidden = layer.options.activation(layer.linear1(x, here), here);
  return layer.linear2(dropout(hidden, layer.options.dropout, here), here);
}

TransformerEncoderLayer::TransformerEncoderLayer(const TransformerLayerOptions &options, Here here)
    : options(options), self_attn(selfOptions(options, dense()), here),
      linear1(options.width, options.hidden, options.bias, here),
      linear2(options.hidden, options.width, options.bias, here), norm1(makeNorm(options, here)) {
  expect(!options.parallel || options.norm == Norm::first, here,
         "expected Norm::first in a parallel layer, got Norm::last");
  if (!options.parallel)
    norm2.emplace(makeNorm(options, here));
}

Tensor TransformerEncoderLayer::feedForward(const Tensor &x, Here here) const { return feedForwardOf(*this, x, here); }

Tensor TransformerEncoderLayer::operator()(const Tensor &x, const AttentionInputs &inputs, Here here) const {
  auto attend = [&](const Tensor &rows) { return self_attn(rows, inputs, here); };
  auto forward = [&](const Tensor &rows) { return feedForward(rows, here); };
  if (options.parallel)
    return residual(x, norm1, options, here, [&](const Tensor &rows) { return attend(rows) + forward(rows); });
  return residual(residual(x, norm1, options, here, attend), *norm2, options, here, forward);
}

TransformerDecoderLayer::TransformerDecoderLayer(const TransformerLayerOptions &options, Here here)
    : options(options), self_attn(selfOptions(options, causal()), here), multihead_attn(crossOptions(options), here),
      linear1(options.width, options.hidden, options.bias, here),
      linear2(options.hidden, options.width, options.bias, here), norm1(makeNorm(options, here)),
      norm2(makeNorm(options, here)), norm3(makeNorm(options, here)) {
  expect(!options.parallel, here, "expected no parallel form of a decoder layer, got one");
}

Tensor TransformerDecoderLayer::operator()(const Tensor &x, const Tensor &memory, const AttentionInputs &inputs,
                                           const Tensor &memory_lengths, Here here) const {
  expectDefined(memory, "the memory of a decoder layer", here);
  auto attend = [&](const Tensor &rows) { return self_attn(rows, inputs, here); };
  auto read = [&](const Tensor &rows) {
    return multihead_attn(rows, AttentionInputs{.memory = memory, .lengths = memory_lengths}, here);
  };
  auto forward = [&](const Tensor &rows) { return feedForwardOf(*this, rows, here); };
  Tensor y = residual(x, norm1, options, here, attend);
  y = residual(y, norm2, options, here, read);
  return residual(y, norm3, options, here, forward);
}
