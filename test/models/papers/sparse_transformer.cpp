//===- sparse_transformer.cpp - Sparse Transformers against masks of pairs ===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: rm -rf %t && mkdir %t
// RUN: models-sparse_transformer %S/Inputs/sparse_transformer.txt %t | FileCheck %s
// RUN: %python %S/Inputs/run_saved.py %t reference | FileCheck %s --check-prefix=OTHER
// RUN: %if simulator %{ %python %S/Inputs/run_saved.py %t cuda f32 | FileCheck %s --check-prefix=GPU %}
// OTHER-COUNT-4: reference: equal
// GPU-COUNT-2: cuda: equal

#include "Golden.h"

#include <xf/models/sparse_transformer.h>

using namespace xf;
using models::SparseTransformer, models::SparseTransformerOptions;

static Tensor logits(const SparseTransformer &model, const std::vector<Tensor> &inputs) { return model(inputs[0]); }

static SparseTransformer images() {
  return SparseTransformer({.width = 16,
                            .layers = 2,
                            .heads = 2,
                            .vocabulary = 11,
                            .hidden = 32,
                            .head_size = 4,
                            .extents = {4, 3, 3},
                            .patterns = {strided(9).local(), strided(9).column()}});
}

static SparseTransformer text() {
  FixedPattern of = fixed(8, 2);
  return SparseTransformer({.width = 16,
                            .layers = 2,
                            .heads = 4,
                            .vocabulary = 11,
                            .hidden = 64,
                            .head_size = 4,
                            .extents = {3, 8},
                            .patterns = {heads({of.slot(0), of.slot(1), of.slot(2), of.slot(3)})}});
}

/// Draws `elements` elements from a cache, and compares the logits of each with those of a call for all of them. The id
/// 11 stands before the first element.
template <typename Make>
static void sample(const golden::Settings &settings, const char *name, int64_t elements, const Make &make) {
  SparseTransformer model = make();
  model.to(f64);
  model.load_state_dict(golden::valuesOf(golden::readCase(settings.cases, name)), {.cast = true});
  Program program("samples", model);
  nn::KVCache cache = program.state("cache", nn::KVCache(model, {.capacity = elements, .dtype = f64}));
  program.entry("all", {{"ids", i32, {1, elements}}}, model);
  program.entry("step", {{"ids", i32, {1, 1}}}, [&](Tensor ids) { return model.next(ids, cache); });
  Executable run = program.compile();
  auto draw = [&](uint64_t seed) {
    return generate(run, "step", {11}, {.tokens = elements, .temperature = 1, .seed = seed});
  };
  std::vector<int32_t> ids = draw(1);
  std::printf("samples of %s: %zu, seeds %s, ", name, ids.size(),
              ids == draw(1) && ids != draw(2) ? "count" : "do not");
  ids.insert(ids.begin(), 11);
  ids.pop_back();
  Array all = run("all", Array(ids, {1, elements}));
  run.reset("cache");
  double largest = 0, difference = 0;
  for (int64_t n = 0; n < elements; ++n) {
    Array row = run("step", Array(std::vector<int32_t>{ids[n]}, {1, 1}));
    for (int64_t word = 0; word < 11; ++word) {
      largest = std::max(largest, std::abs(all.at<double>({0, n, word})));
      difference = std::max(difference, std::abs(all.at<double>({0, n, word}) - row.at<double>({0, word})));
    }
  }
  std::printf("%s\n", largest > 0 && difference <= 1e-12 * largest ? "equal" : "different");
}

/// Prints the deviations of the initial weights over 0.125 / sqrt(inputs), and the largest bias.
static void start() {
  SparseTransformer model({.width = 128, .layers = 2, .heads = 2, .hidden = 256});
  model.initialize(1);
  double bias = 0;
  for (const auto &[name, value] : model.state_dict()) {
    if (!name.starts_with("blocks.1.") || name.find("norm") != std::string::npos)
      continue;
    double squares = 0;
    for (float x : value.data<float>())
      squares += double(x) * x;
    if (name.ends_with("bias"))
      bias = std::max(bias, squares);
    else
      std::printf("%s %.1f\n", name.c_str(),
                  std::sqrt(squares / double(value.count()) * double(value.shape()[1])) / 0.125);
  }
  std::printf("biases %g\n", bias);
}

static void count(const char *name, const SparseTransformerOptions &options) {
  int64_t elements = 1;
  for (int64_t extent : options.extents)
    elements *= extent;
  std::printf("%s: %ld parameters, context %ld\n", name, long(SparseTransformer(options).parameter_count()),
              long(elements));
}

int main(int argc, char **argv) {
  golden::Settings settings = golden::settings(argc, argv);
  // CHECK: images f64: 40 numbers, equal
  // CHECK: images f32: 40 numbers, equal
  golden::compare(settings, "images", {}, images, logits);
  // CHECK: text f64: 39 numbers, equal
  // CHECK: text f32: 39 numbers, equal
  golden::compare(settings, "text", {}, text, logits);
  // CHECK: samples of images: 36, seeds count, equal
  sample(settings, "images", 36, images);
  // CHECK: samples of text: 22, seeds count, equal
  sample(settings, "text", 22, text);
  // With two layers, weights before a sum start at half of that.
  // CHECK: blocks.1.attention.k_proj.weight 1.0
  // CHECK: blocks.1.attention.out_proj.weight 0.5
  // CHECK: blocks.1.attention.q_proj.weight 1.0
  // CHECK: blocks.1.attention.v_proj.weight 1.0
  // CHECK: blocks.1.mlp.fc1.weight 1.0
  // CHECK: blocks.1.mlp.fc2.weight 0.5
  // CHECK: biases 0
  start();
  // The paper says 59, 95, 152 and 152 million, for 3072, 12160, 12288 and 65536 bytes.
  // CHECK: CIFAR-10: 59196672 parameters, context 3072
  count("CIFAR-10", SparseTransformerOptions::cifar10());
  // CHECK: enwik8: 94948864 parameters, context 12160
  count("enwik8", SparseTransformerOptions::enwik8());
  // CHECK: ImageNet 64x64: 151644672 parameters, context 12288
  count("ImageNet 64x64", SparseTransformerOptions::imagenet64());
  // CHECK: music: 151905280 parameters, context 65536
  count("music", SparseTransformerOptions::music());
}
