//===- Models.cpp - Language models by name -------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Models.h"

#include <xf/models.h>

#include <algorithm>
#include <cstring>

using namespace xf;
using namespace xf::programs;

static constexpr int64_t bytes = 256;

/// Makes a LanguageModel from a model that takes ids alone.
template <typename Model, typename ModelOptions>
static LanguageModel wrap(const ModelOptions &options) {
  auto model = std::make_shared<Model>(options);
  return {.module = model, .logits = [model](const Tensor &ids) { return (*model)(ids); }};
}

/// Returns the width inside of a gated feed-forward. By default, this is 8/3 of sizes.width, rounded up to a multiple
/// of 8. The feed-forward then has as many weights as one without a gate and with 4 times the width inside.
static int64_t gated(const ModelSizes &sizes) {
  return sizes.hidden ? sizes.hidden : (sizes.width * 8 / 3 + 7) / 8 * 8;
}
static int64_t plain(const ModelSizes &sizes) { return sizes.hidden ? sizes.hidden : 4 * sizes.width; }

//===----------------------------------------------------------------------===//
// Attention with a softmax
//===----------------------------------------------------------------------===//

static LanguageModel makeGpt2(const ModelSizes &s) {
  LanguageModel model = wrap<models::GPT2>(models::GPT2Options{.vocabulary = bytes,
                                                               .positions = s.length,
                                                               .width = s.width,
                                                               .layers = s.layers,
                                                               .heads = s.heads,
                                                               .dropout = 0});
  model.transposed = {".c_attn.weight", ".c_fc.weight", ".c_proj.weight"};
  model.config = "{\"model_type\": \"gpt2\", \"n_head\": " + std::to_string(s.heads) + "}\n";
  return model;
}

static LanguageModel makeLlama(const ModelSizes &s) {
  LanguageModel model = wrap<models::Llama>(models::LlamaOptions{.vocabulary = bytes,
                                                                 .width = s.width,
                                                                 .layers = s.layers,
                                                                 .heads = s.heads,
                                                                 .kv_heads = s.heads,
                                                                 .hidden = gated(s),
                                                                 .rotary = {.base = 10000}});
  model.config = "{\"model_type\": \"llama\", \"num_attention_heads\": " + std::to_string(s.heads) +
                 ", \"rms_norm_eps\": 1e-05, \"rope_theta\": 10000}\n";
  return model;
}

static LanguageModel makeTransformerXL(const ModelSizes &s) {
  auto model = std::make_shared<models::TransformerXL>(models::TransformerXLOptions{.vocabulary = bytes,
                                                                                    .width = s.width,
                                                                                    .layers = s.layers,
                                                                                    .heads = s.heads,
                                                                                    .head_size = s.width / s.heads,
                                                                                    .hidden = plain(s),
                                                                                    .memory = 0,
                                                                                    .dropout = 0});
  return {.module = model, .logits = [model](const Tensor &ids) { return (*model)(ids).logits; }};
}

/// Makes a Sparse Transformer with fixed attention in blocks of about sqrt(length) tokens. Each layer has both the
/// local and the column part. A quarter of the positions of each block are summary columns.
static LanguageModel makeSparseTransformer(const ModelSizes &s) {
  int64_t stride = 1;
  while (4 * stride * stride <= s.length)
    stride *= 2;
  return wrap<models::SparseTransformer>(
      models::SparseTransformerOptions{.width = s.width,
                                       .layers = s.layers,
                                       .heads = s.heads,
                                       .vocabulary = bytes,
                                       .hidden = plain(s),
                                       .head_size = s.width / s.heads,
                                       .extents = {(s.length + stride - 1) / stride, stride},
                                       .patterns = {fixed(stride, std::max<int64_t>(stride / 4, 1))},
                                       .dropout = 0});
}

static LanguageModel makeOmniNet(const ModelSizes &s) {
  return wrap<models::OmniNetLM>(models::OmniNetLMOptions{
      .stack = models::omninet(models::OmniKind::transformer, s.width, s.heads, s.layers, s.layers, {.causal = true}),
      .vocabulary = bytes,
      .positions = s.length});
}

//===----------------------------------------------------------------------===//
// Attention without
//===----------------------------------------------------------------------===//

static LanguageModel makeLinearTransformer(const ModelSizes &s) {
  return wrap<models::LinearTransformer>(models::LinearTransformerOptions{
      .vocabulary = bytes, .width = s.width, .layers = s.layers, .heads = s.heads, .hidden = plain(s), .dropout = 0});
}

static LanguageModel makePerformer(const ModelSizes &s) {
  return wrap<models::Performer>(models::PerformerOptions{.vocabulary = bytes,
                                                          .width = s.width,
                                                          .layers = s.layers,
                                                          .heads = s.heads,
                                                          .hidden = plain(s),
                                                          .features = 2 * s.width / s.heads,
                                                          .dropout = 0});
}

static LanguageModel makeRetNet(const ModelSizes &s) {
  return wrap<models::RetNet>(models::RetNetOptions{.vocabulary = bytes,
                                                    .width = s.width,
                                                    .value_width = 2 * s.width,
                                                    .layers = s.layers,
                                                    .heads = s.heads,
                                                    .hidden = gated(s)});
}

static LanguageModel makeGla(const ModelSizes &s) {
  return wrap<models::GLA>(models::GLAOptions{.vocabulary = bytes,
                                              .width = s.width,
                                              .key_width = s.width / 2,
                                              .layers = s.layers,
                                              .heads = s.heads,
                                              .hidden = gated(s)});
}

static LanguageModel makeDeltaNet(const ModelSizes &s) {
  return wrap<models::DeltaNet>(models::DeltaNetOptions{
      .vocabulary = bytes, .width = s.width, .layers = s.layers, .heads = s.heads, .hidden = gated(s)});
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

namespace {
struct Named {
  const char *name;
  LanguageModel (*make)(const ModelSizes &sizes);
};
} // namespace

static constexpr Named known[] = {
    {"gpt2", makeGpt2},
    {"llama", makeLlama},
    {"transformer_xl", makeTransformerXL},
    {"sparse_transformer", makeSparseTransformer},
    {"omninet", makeOmniNet},
    {"linear_transformer", makeLinearTransformer},
    {"performer", makePerformer},
    {"retnet", makeRetNet},
    {"gla", makeGla},
    {"deltanet", makeDeltaNet},
};

std::vector<std::string> programs::modelNames() {
  std::vector<std::string> names;
  for (const Named &one : known)
    names.push_back(one.name);
  return names;
}

LanguageModel programs::makeModel(const std::string &name, const ModelSizes &sizes) {
  auto found = std::find_if(std::begin(known), std::end(known), [&](const Named &one) { return one.name == name; });
  if (found == std::end(known))
    throw std::runtime_error("expected the name of a model, got '" + name + "'");
  return found->make(sizes);
}

static Array transposed(const Array &matrix) {
  int64_t rows = matrix.shape()[0], columns = matrix.shape()[1];
  Array result(matrix.dtype(), {columns, rows});
  size_t size = matrix.bytes().size() / static_cast<size_t>(rows * columns);
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < columns; ++column)
      std::memcpy(result.bytes().data() + (column * rows + row) * size,
                  matrix.bytes().data() + (row * columns + column) * size, size);
  return result;
}

StateDict programs::published(const LanguageModel &model, const StateDict &weights) {
  StateDict result = weights;
  for (auto &[name, value] : result)
    for (const std::string &end : model.transposed)
      if (name.ends_with(end))
        value = transposed(value);
  return result;
}
