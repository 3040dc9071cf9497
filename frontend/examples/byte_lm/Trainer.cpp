//===- Trainer.cpp - Training, measuring and sampling -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Trainer.h"
#include "Random.h"

#include <algorithm>
#include <cmath>
#include <numbers>

using namespace byte_lm;

xf::Program byte_lm::makeProgram(const SparseTransformer &model, const Options &options) {
  int64_t context = options.model.context;
  xf::Program program("byte_lm", model);
  xf::TensorSpec tokens{"tokens", xf::i32, {options.batch, context}},
      targets{"targets", xf::i32, {options.batch, context}};
  auto loss = [&](xf::Tensor tokens, xf::Tensor targets) { return xf::cross_entropy(model(tokens), targets); };
  program.train_step("train", model, {tokens, targets}, loss,
                     xf::optim::AdamW{.beta2 = 0.95, .weight_decay = 0.1, .clip_norm = 1, .decay_vectors = false});
  program.entry("evaluate", {tokens, targets}, loss);
  program.entry("logits", {{"tokens", xf::i32, {1, context}}},
                [&](xf::Tensor tokens) { return xf::cast(model(tokens), xf::f32); });
  return program;
}

xf::Metadata byte_lm::describeRun(const Options &options, const Corpus &corpus) {
  const ModelOptions &model = options.model;
  auto number = [](auto value) { return std::to_string(value); };
  return {{"layers", number(model.layers)},
          {"width", number(model.width)},
          {"heads", number(model.heads)},
          {"context", number(model.context)},
          {"stride", number(model.stride)},
          {"summary", number(model.summary)},
          {"pattern", model.pattern == PatternKind::fixed ? "fixed" : "strided"},
          {"tied", number(model.tied)},
          {"dtype", xf::name(model.dtype)},
          {"batch", number(options.batch)},
          {"rate", number(options.rate)},
          {"seed", number(options.seed)},
          {"text", number(corpus.fingerprint())}};
}

Trainer::Trainer(xf::Executable executable, const Options &options, const Corpus &corpus)
    : executable(std::move(executable)), options(options), corpus(corpus) {}

xf::Array Trainer::rows(const std::vector<int32_t> &values, int64_t count) const {
  xf::Array array(xf::i32, {count, options.model.context});
  std::copy(values.begin(), values.end(), array.data<int32_t>().begin());
  return array;
}

//===----------------------------------------------------------------------===//
// Training and measuring
//===----------------------------------------------------------------------===//

double Trainer::step(int64_t number, double rate) {
  Batch batch = randomBatch(corpus.training, options.seed, number, options.batch, options.model.context);
  xf::Array loss = executable("train", {{"tokens", rows(batch.tokens, options.batch)},
                                        {"targets", rows(batch.targets, options.batch)},
                                        {"learning_rate", static_cast<float>(rate)}});
  return loss.item<double>() / std::numbers::ln2;
}

double Trainer::measure(std::span<const uint8_t> text) const {
  double nats = 0;
  int64_t targets = 0;
  Batch batch;
  for (size_t index = 0; consecutiveBatch(text, index, options.batch, options.model.context, batch); ++index) {
    auto counted =
        std::count_if(batch.targets.begin(), batch.targets.end(), [](int32_t target) { return target >= 0; });
    xf::Arrays results = executable.call(
        "evaluate", {{"tokens", rows(batch.tokens, options.batch)}, {"targets", rows(batch.targets, options.batch)}});
    nats += results.begin()->second.data<float>()[0] * static_cast<double>(counted);
    targets += counted;
  }
  return targets == 0 ? 0 : nats / static_cast<double>(targets) / std::numbers::ln2;
}

Checkpoint Trainer::checkpoint(int64_t run, int64_t step, const xf::Metadata &settings) const {
  Checkpoint checkpoint{run, step, executable.state_dict(), settings};
  checkpoint.values.merge(executable.optimizer_state());
  return checkpoint;
}

void Trainer::restore(const Checkpoint &checkpoint) { executable.load_state_dict(checkpoint.values); }

//===----------------------------------------------------------------------===//
// Sampling
//===----------------------------------------------------------------------===//

/// Draws a byte from the softmax of logits / temperature. `unit` is a random number in [0, 1).
static uint8_t draw(std::span<const float> logits, double temperature, double unit) {
  double largest = *std::max_element(logits.begin(), logits.end()), total = 0;
  std::vector<double> weights;
  for (float logit : logits)
    total += weights.emplace_back(std::exp((logit - largest) / temperature));
  double rest = unit * total;
  for (size_t byte = 0; byte < weights.size(); ++byte)
    if ((rest -= weights[byte]) < 0)
      return static_cast<uint8_t>(byte);
  return static_cast<uint8_t>(weights.size() - 1);
}

std::string Trainer::sample(const std::string &prompt, int64_t bytes, uint64_t seed) const {
  constexpr double temperature = 0.8;
  int64_t context = options.model.context;
  std::string text = prompt.empty() ? "\n" : prompt;
  for (int64_t n = 0; n < bytes; ++n) {
    // The window holds the last context/2 to context bytes of the text. It moves in steps of context/2, so that every
    // byte is predicted from earlier bytes.
    int64_t length = static_cast<int64_t>(text.size()), half = std::max<int64_t>(context / 2, 1);
    int64_t start = length <= context ? 0 : (length - context + half - 1) / half * half;
    std::vector<int32_t> window(context, 0);
    for (int64_t position = start; position < length; ++position)
      window[position - start] = static_cast<uint8_t>(text[position]);
    xf::Arrays results = executable.call("logits", {{"tokens", rows(window, 1)}});
    std::span<const float> logits = results.begin()->second.data<float>();
    text += static_cast<char>(
        draw(logits.subspan((length - start - 1) * SparseTransformer::vocabulary, SparseTransformer::vocabulary),
             temperature, randomUnit(seed, UINT64_MAX, n)));
  }
  return text;
}
