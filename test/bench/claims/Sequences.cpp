//===- Sequences.cpp - Claims on long sequences ----------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Programs.h"

#include <xf/models.h>

using namespace xf;
using namespace bench;

namespace {
/// The attentions of a Sparse Transformer's layers, which take turns.
struct Kind {
  const char *name;
  std::vector<Pattern> patterns;
};
} // namespace

/// Two layers of the paper's model of texts (section 7.2), which merges both parts of a pattern.
static int64_t writeText(const Kind &kind, const Sizes &sizes, const std::string &file) {
  int64_t tokens = sizes.tokens ? sizes.tokens : 12288;
  models::SparseTransformerOptions options = models::SparseTransformerOptions::enwik8();
  options.layers = 2, options.extents = {tokens / 128, 128}, options.patterns = kind.patterns, options.dropout = 0;
  models::SparseTransformer model(options);
  if (sizes.bf16)
    model.to(bf16);
  return saveTraining(model, {"data", i32, {1, tokens}}, {"targets", i32, {1, tokens}}, file);
}

/// Two layers of its model of images (section 7.1), whose layers have one part each.
static int64_t writeImage(const Kind &kind, const Sizes &sizes, const std::string &file) {
  int64_t tokens = sizes.tokens ? sizes.tokens : 3072;
  models::SparseTransformerOptions options = models::SparseTransformerOptions::cifar10();
  options.layers = 2, options.extents = {tokens / 96, 32, 3}, options.patterns = kind.patterns, options.dropout = 0;
  models::SparseTransformer model(options);
  return saveTraining(model, {"data", i32, {1, tokens}}, {"targets", i32, {1, tokens}}, file);
}

/// One head of 64 columns, forward with all gradients. FAVOR+ takes its features as an input.
static int64_t writeHead(const Pattern &pattern, int64_t features, const Sizes &sizes, const std::string &file) {
  Shape shape{1, 1, sizes.tokens ? sizes.tokens : 1 << 20, 64};
  std::vector<TensorSpec> given{{"q", f32, shape}, {"k", f32, shape}, {"v", f32, shape}, {"d_o", f32, shape}};
  if (features > 0)
    given.push_back({"w", f32, {features, 64}});
  Program program("claims");
  program.entry("attend", given, [&](const std::vector<Tensor> &x) {
    AttentionOptions clauses{.pattern = pattern};
    clauses.parameters.assign(x.begin() + 4, x.end());
    auto [o, gradients] =
        vjp([&](const std::vector<Tensor> &of) { return scaled_dot_product_attention(of[0], of[1], of[2], clauses); },
            {x[0], x[1], x[2]}, x[3]);
    gradients.insert(gradients.begin(), o);
    return Results(gradients);
  });
  program.save(file);
  return 0;
}

/// The logits of the next token, from all tokens again and from the states of those before.
static int64_t writeGeneration(const Sizes &sizes, const std::string &file) {
  models::LinearTransformer model({.layers = 4, .dropout = 0});
  Program program("claims", model);
  int64_t tokens = sizes.tokens ? sizes.tokens : 16384;
  program.entry("again", {{"ids", i32, {1, tokens}}}, [&](const Tensor &ids) {
    Tensor x = model.norm(model.whole(model.embed(ids, arange(tokens))));
    return model.predictor(slice(x, 1, tokens - 1, tokens, 1));
  });
  std::vector<State> s, z;
  for (size_t layer = 0; layer < model.layers.size(); ++layer) {
    s.push_back(program.state({"s" + std::to_string(layer), f32, {1, 8, 32, 32}}));
    z.push_back(program.state({"z" + std::to_string(layer), f32, {1, 8, 32}}));
  }
  program.entry("step", {{"id", i32, {1, 1}}, {"position", i32, {1}}}, [&](const Tensor &id, const Tensor &position) {
    std::vector<models::LinearState> states;
    for (size_t layer = 0; layer < s.size(); ++layer)
      states.push_back({s[layer], z[layer]});
    Tensor logits = model.step(id, position, states);
    for (size_t layer = 0; layer < s.size(); ++layer)
      s[layer].assign(states[layer].s), z[layer].assign(states[layer].z);
    return logits;
  });
  program.save(file);
  return model.parameter_count();
}

/// One weight e^<x, y> as features estimate it: a query, a key, a value of 1, no normaliser.
static int64_t writeWeight(const Sizes &, const std::string &file) {
  Program program("claims");
  auto add = [&](const char *name, Feature feature) {
    Kernelized kernel{.feature = feature,
                      .epsilon = 0,
                      .stabilizer = Stabilizer::none,
                      .scale_input = false,
                      .normalizer = Normalizer::none};
    std::vector<TensorSpec> given{
        {"x", f64, {1, 1, 1, 8}}, {"y", f64, {1, 1, 1, 8}}, {"one", f64, {1, 1, 1, 1}}, {"w", f64, {8, 8}}};
    program.entry(name, given, [&](const std::vector<Tensor> &x) {
      return scaled_dot_product_attention(x[0], x[1], x[2], {.pattern = kernelized(kernel), .parameters = {x[3]}});
    });
  };
  add("positive", Feature::favor);
  add("hyperbolic", Feature::hyperbolic);
  add("trigonometric", Feature::trigonometric);
  program.save(file);
  return 0;
}

void bench::addSequences(std::vector<Claimed> &programs) {
  FixedPattern of = fixed(128, 32), small = fixed(96, 32);
  for (const Kind &kind :
       {Kind{"dense", {causal()}}, Kind{"fixed", {heads({of.slot(0), of.slot(1), of.slot(2), of.slot(3)})}},
        Kind{"strided", {strided(128)}}})
    programs.push_back({std::string("text-") + kind.name,
                        [=](const Sizes &sizes, const std::string &file) { return writeText(kind, sizes, file); }});
  for (const Kind &kind : {Kind{"dense", {causal()}}, Kind{"fixed", {small.local(), small.column()}},
                           Kind{"strided", {strided(96).local(), strided(96).column()}}})
    programs.push_back({std::string("image-") + kind.name,
                        [=](const Sizes &sizes, const std::string &file) { return writeImage(kind, sizes, file); }});
  auto addHead = [&](const char *name, const Pattern &pattern, int64_t features = 0) {
    programs.push_back({std::string("head-") + name, [=](const Sizes &sizes, const std::string &file) {
                          return writeHead(pattern, features, sizes, file);
                        }});
  };
  addHead("strided", strided(1024));
  addHead("fixed", fixed(1024, 16));
  addHead("favor", kernelized({.feature = Feature::favor, .of = causal()}), 256);
  addHead("dense", causal());
  programs.push_back({"linear", writeGeneration});
  programs.push_back({"weight", writeWeight});
}
