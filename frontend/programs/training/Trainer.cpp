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
#include <stdexcept>
#include <tuple>

using namespace xf;
using namespace xf::programs;

Trainer::Trainer(Executable executable, const Windows &windows, const Corpus &corpus)
    : executable(std::move(executable)), windows(windows), corpus(corpus) {}

/// Returns this rank's part of a batch.
Array Trainer::share(const std::vector<int32_t> &batch) const {
  const auto &[ownRows, ownLength] = std::tie(windows.ownRows, windows.ownLength);
  int64_t rows = ownRows.sizeOf(windows.rows);
  auto runs = ownLength.placement.runs(windows.length, ownLength.number, ownLength.count);
  Array array(i32, {rows, ownLength.sizeOf(windows.length)});
  auto out = array.data<int32_t>().begin();
  for (int64_t row = 0; row < rows; ++row) {
    auto window = batch.begin() + (ownRows.number * rows + row) * windows.length;
    for (auto [begin, end] : runs)
      out = std::copy(window + begin, window + end, out);
  }
  return array;
}

//===----------------------------------------------------------------------===//
// Training and measuring
//===----------------------------------------------------------------------===//

double Trainer::step(int64_t number, double rate) {
  double nats = 0;
  for (int64_t call = 0; call < windows.accumulate; ++call) {
    Batch batch =
        randomBatch(corpus.training, windows.seed, number * windows.accumulate + call, windows.rows, windows.length);
    Array loss = executable("train", {{"tokens", share(batch.tokens)},
                                      {"targets", share(batch.targets)},
                                      {"learning_rate", static_cast<float>(rate)}});
    nats += loss.item<double>();
  }
  if (!std::isfinite(nats)) // nor are the parameters, from this update on
    throw std::runtime_error("step " + std::to_string(number + 1) + ": expected a finite loss, got " +
                             (std::isnan(nats) ? "nan" : "infinity") + "; a smaller --rate may help");
  return nats / static_cast<double>(windows.accumulate) / std::numbers::ln2;
}

double Trainer::measure(std::span<const uint8_t> text) const {
  double nats = 0;
  int64_t targets = 0;
  Batch batch;
  for (size_t index = 0; consecutiveBatch(text, index, windows.rows, windows.length, batch); ++index) {
    auto counted =
        std::count_if(batch.targets.begin(), batch.targets.end(), [](int32_t target) { return target >= 0; });
    Arrays results = executable.call("evaluate", {{"tokens", share(batch.tokens)}, {"targets", share(batch.targets)}});
    nats += results.begin()->second.data<float>()[0] * static_cast<double>(counted);
    targets += counted;
  }
  return targets == 0 ? 0 : nats / static_cast<double>(targets) / std::numbers::ln2;
}

Checkpoint Trainer::checkpoint(int64_t run, int64_t step, const Metadata &settings) const {
  Checkpoint checkpoint{run, step, weights(), settings};
  checkpoint.values.merge(executable.gather(executable.optimizer_state()));
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
  constexpr int64_t vocabulary = 256;
  int64_t context = windows.length;
  std::string text = prompt.empty() ? "\n" : prompt;
  for (int64_t n = 0; n < bytes; ++n) {
    // The window holds the last context/2 to context bytes of the text. It moves in steps of context/2, so that every
    // byte is predicted from earlier bytes.
    int64_t length = static_cast<int64_t>(text.size()), half = std::max<int64_t>(context / 2, 1);
    int64_t start = length <= context ? 0 : (length - context + half - 1) / half * half;
    Array window(i32, {1, context});
    for (int64_t position = start; position < length; ++position)
      window.data<int32_t>()[position - start] = static_cast<uint8_t>(text[position]);
    Arrays results = executable.call("logits", {{"tokens", window}});
    std::span<const float> logits = results.begin()->second.data<float>();
    text += static_cast<char>(draw(logits.subspan((length - start - 1) * vocabulary, vocabulary), temperature,
                                   randomUnit(seed, UINT64_MAX, n)));
  }
  return text;
}

std::string programs::readable(const std::string &text) {
  std::string shown;
  for (unsigned char byte : text)
    shown += byte == '\n' || (byte >= 32 && byte < 127) ? static_cast<char>(byte) : '?';
  return shown;
}
