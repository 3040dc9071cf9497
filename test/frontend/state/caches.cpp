//===- caches.cpp - A model computed token by token -----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The logits of a text are the same bits whether an entry for any number of tokens computes it at once, in chunks or
// token by token. An entry for one token alone adds in another order.
//
// RUN: frontend-caches | FileCheck %s

#include "Gpt.h"

#include <cmath>
#include <cstdio>
#include <cstring>

using namespace xf;

using Rows = std::vector<std::vector<float>>;

static std::vector<int32_t> makeText(int64_t length, int32_t classes) {
  std::vector<int32_t> text;
  for (int64_t n = 0; n < length; ++n)
    text.push_back(static_cast<int32_t>((n * n * 7 + n * 3 + 5) % classes));
  return text;
}

static void append(Rows &rows, const Array &logits) {
  std::span<float> all = logits.data<float>();
  auto classes = static_cast<size_t>(logits.shape().back());
  for (size_t n = 0; n < all.size(); n += classes)
    rows.emplace_back(all.begin() + static_cast<std::ptrdiff_t>(n),
                      all.begin() + static_cast<std::ptrdiff_t>(n + classes));
}

/// The logits of a text that is computed in chunks of these lengths, the last one again and again.
static Rows compute(const Executable &run, const char *entry, const std::vector<int32_t> &text,
                    std::vector<size_t> chunks) {
  run.reset("cache");
  Rows rows;
  for (size_t at = 0, chunk = 0; at < text.size(); ++chunk) {
    size_t count = std::min(chunks[std::min(chunk, chunks.size() - 1)], text.size() - at);
    std::vector<int32_t> part(text.begin() + static_cast<std::ptrdiff_t>(at),
                              text.begin() + static_cast<std::ptrdiff_t>(at + count));
    append(rows, run(entry, Array(part, {1, static_cast<int64_t>(count)})));
    at += count;
  }
  return rows;
}

static void compare(const char *what, const Rows &rows, const Rows &expected) {
  size_t different = 0;
  double largest = 0;
  for (size_t n = 0; n < expected.size(); ++n)
    for (size_t c = 0; c < expected[n].size(); ++c) {
      different += std::memcmp(&rows[n][c], &expected[n][c], sizeof(float)) != 0;
      largest = std::max(largest, std::abs(double(rows[n][c]) - double(expected[n][c])));
    }
  if (rows.size() != expected.size() || !(largest < 2e-5))
    std::printf("%s: %zu rows, of %zu, which differ by %g\n", what, rows.size(), expected.size(), largest);
  else
    std::printf("%s: %s (%g)\n", what, different ? "close" : "same bits", largest);
}

static void check(const char *what, const GptOptions &options) {
  std::puts(what);
  Gpt model(options);
  Program program("gpt", model);
  Dim tokens = dim("tokens", {.min = 1, .max = options.capacity});
  nn::KVCache cache = program.state("cache", nn::KVCache(model, {.batch = 1, .capacity = options.capacity}));
  program.entry("full", {{"ids", i32, {1, tokens}}}, [&](Tensor ids) { return model(ids); });
  program.entry("step", {{"ids", i32, {1, tokens}}}, [&](Tensor ids) { return model(ids, cache); });
  program.entry("one", {{"ids", i32, {1, 1}}}, [&](Tensor ids) { return model(ids, cache); });
  Executable run = program.compile();
  std::vector<int32_t> text = makeText(options.capacity, static_cast<int32_t>(options.classes));
  Rows full;
  append(full, run("full", Array(text, {1, options.capacity})));
  compare("at once", compute(run, "step", text, {text.size()}), full);
  compare("in chunks", compute(run, "step", text, {13, 1, 7, 32}), full);
  compare("by token", compute(run, "step", text, {1}), full);
  compare("by one", compute(run, "one", text, {1}), full);
}

/// A text of several times the capacity of a cache whose places are used again.
static void checkWindow(const char *what, const GptOptions &options, int64_t window) {
  std::puts(what);
  Gpt model(options);
  Program program("gpt", model);
  int64_t length = 5 * options.capacity / 2, most = 1 + (options.capacity - window) / 2;
  Dim any = dim("any", {.min = 1, .max = length}), tokens = dim("tokens", {.min = 1, .max = most});
  nn::KVCache cache = program.state("cache", nn::KVCache(model, {.capacity = options.capacity, .window = window}));
  program.entry("full", {{"ids", i32, {1, any}}}, [&](Tensor ids) { return model(ids); });
  program.entry("step", {{"ids", i32, {1, tokens}}}, [&](Tensor ids) { return model(ids, cache); });
  program.entry("one", {{"ids", i32, {1, 1}}}, [&](Tensor ids) { return model(ids, cache); });
  Executable run = program.compile();
  std::vector<int32_t> text = makeText(length, static_cast<int32_t>(options.classes));
  // What a cache has held before a reset, or never, is not seen.
  for (const char *state : {"cache.0.k", "cache.0.v", "cache.1.k", "cache.1.v"}) {
    Array held = run.state(state);
    std::fill(held.data<float>().begin(), held.data<float>().end(), NAN);
    run.set_state(state, held);
  }
  Rows full;
  append(full, run("full", Array(text, {1, length})));
  compare("by one", compute(run, "one", text, {1}), full);
  auto chunk = static_cast<size_t>(most);
  compare("by the most", compute(run, "step", text, {chunk}), full);
  compare("in chunks", compute(run, "step", text, {1, chunk, (chunk + 1) / 2, 1, chunk, chunk, 1, 1}), full);
  std::printf("tokens: %d\n", run.state("cache.count").item<int>() - static_cast<int>(length));
}

/// Keys and values that are two inputs of one named size.
static void twoInputs() {
  Program program("inputs");
  Dim tokens = dim("tokens", {.min = 1, .max = 8});
  nn::KVCache cache = program.state("cache", nn::KVCache({{.heads = 1, .size = 2}}, {.capacity = 8}));
  std::vector<TensorSpec> inputs;
  for (const char *name : {"q", "k", "v"})
    inputs.push_back({name, f32, {1, 1, tokens, 2}});
  program.entry("step", inputs,
                [&](Tensor q, Tensor k, Tensor v) { return cache[0].attend(q, k, v, {.pattern = causal()}); });
  program.entry("whole", inputs, [&](Tensor q, Tensor k, Tensor v) {
    return scaled_dot_product_attention(q, k, v, {.pattern = causal()});
  });
  Executable run = program.compile();
  auto part = [](int first, int count) {
    Arrays arrays;
    for (int of = 0; of < 3; ++of) {
      std::vector<float> values;
      for (int n = 2 * first; n < 2 * (first + count); ++n)
        values.push_back(std::sin(float(5 * n + of)));
      arrays[std::string(1, "qkv"[of])] = Array(values, {1, 1, count, 2});
    }
    return arrays;
  };
  Rows steps, whole;
  for (auto [first, count] : {std::pair(0, 3), std::pair(3, 1), std::pair(4, 2)})
    append(steps, run("step", Inputs(part(first, count))));
  append(whole, run("whole", Inputs(part(0, 6))));
  double largest = 0;
  for (size_t n = 0; n < whole.size(); ++n)
    for (size_t c = 0; c < 2; ++c)
      largest = std::max(largest, std::abs(double(steps[n][c]) - double(whole[n][c])));
  std::printf("two inputs: %zu tokens %s\n", steps.size(), largest < 1e-6 ? "as at once" : "that differ");
  Arrays differ = part(6, 2);
  differ["v"] = part(6, 1)["v"];
  try {
    run("step", Inputs(differ));
    std::puts("no error");
  } catch (const Error &error) {
    std::puts(error.what());
  }
}

int main() {
  // CHECK-LABEL: learned positions
  // CHECK: at once: same bits
  // CHECK: in chunks: same bits
  // CHECK: by token: same bits
  // CHECK: by one: {{same bits|close}}
  check("learned positions", {});
  // CHECK-LABEL: rotary, groups, window
  // CHECK: at once: same bits
  // CHECK: in chunks: same bits
  // CHECK: by token: same bits
  // CHECK: by one: {{same bits|close}}
  check("rotary, groups, window", {.kv_heads = 2, .rotary = true, .pattern = window(9)});
  // CHECK-LABEL: by head: strided, fixed, dilated
  // CHECK-COUNT-4: {{same bits|close}}
  check("by head: strided, fixed, dilated",
        {.pattern = heads({strided(5), strided(7).column() | strided(3).local(), fixed(6, 2).slot(1),
                           dilated({.left = 12, .step = 3}) | fixed(8, 1).column()})});
  // CHECK-LABEL: the last 24 of 40
  // CHECK-COUNT-3: {{same bits|close}}
  // CHECK: tokens: 0
  checkWindow("the last 24 of 40", {.capacity = 40, .rotary = true, .pattern = window(23)}, 24);
  // CHECK-LABEL: the last 17 of 17, of which 6 are seen
  // CHECK-COUNT-3: {{same bits|close}}
  // CHECK: tokens: 0
  checkWindow("the last 17 of 17, of which 6 are seen",
              {.kv_heads = 1, .capacity = 17, .rotary = true, .pattern = heads({window(5), window(3)})}, 17);
  // CHECK-LABEL: the last 3 of 64
  // CHECK-COUNT-3: {{same bits|close}}
  // CHECK: tokens: 0
  checkWindow("the last 3 of 64", {.capacity = 64, .rotary = true, .pattern = window(2)}, 3);
  // CHECK-LABEL: two inputs: 6 tokens as at once
  // CHECK: argument 'v': expected 'tokens' = 2 in dimension 2 as in the tensors before, got 1
  twoInputs();
}
