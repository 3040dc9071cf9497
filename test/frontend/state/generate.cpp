//===- generate.cpp - Texts of a small GPT --------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: frontend-generate | FileCheck %s

#include "../Show.h"
#include "Gpt.h"

#include <cmath>
#include <cstdio>

using namespace xf;

using Texts = std::vector<std::vector<int32_t>>;

static const GptOptions small{};

static void print(const char *what, const std::vector<int32_t> &text) {
  std::printf("%s:", what);
  for (int32_t token : text)
    std::printf(" %d", token);
  std::puts("");
}

static Program makeProgram(const Gpt &model) {
  Program program("gpt", model);
  Dim tokens = dim("tokens", {.min = 1, .max = small.capacity});
  nn::KVCache cache = program.state("cache", nn::KVCache(model, {.capacity = small.capacity}));
  nn::KVCache three = program.state("three", nn::KVCache(model, {.batch = 3, .capacity = small.capacity}));
  program.entry("full", {{"ids", i64, {1, tokens}}}, [&](Tensor ids) { return last(model(ids)); });
  program.entry("step", {{"ids", i32, {1, tokens}}}, [&](Tensor ids) { return last(model(ids, cache)); });
  program.entry("one", {{"ids", i32, {1, 1}}}, [&](Tensor ids) { return model(ids, cache); });
  program.entry("four", {{"ids", i32, {1, 4}}}, [&](Tensor ids) { return last(model(ids, cache)); });
  program.entry("batch", {{"ids", i32, {3, tokens}}}, [&](Tensor ids) { return last(model(ids, three)); });
  return program;
}

/// Greedy tokens without a cache: all is computed anew for each token.
static std::vector<int32_t> continueAnew(const Executable &run, std::vector<int32_t> text, int64_t count) {
  std::vector<int32_t> added;
  for (int64_t n = 0; n < count; ++n) {
    Array ids(std::vector<int64_t>(text.begin(), text.end()), {1, static_cast<int64_t>(text.size())});
    Array logits = run("full", ids);
    std::span<float> row = logits.data<float>();
    text.push_back(static_cast<int32_t>(std::max_element(row.begin(), row.end()) - row.begin()));
    added.push_back(text.back());
  }
  return added;
}

static void greedy(const Executable &run) {
  std::vector<int32_t> prompt = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3}, other = {2, 7, 1}, longer = {1, 1, 2, 3, 5, 8, 13, 21};
  std::vector<int32_t> full = continueAnew(run, prompt, 40);
  auto equal = [&](const char *what, const std::vector<int32_t> &text, const std::vector<int32_t> &expected) {
    std::printf("%s: %s\n", what, text == expected ? "the same 40 tokens" : "other tokens");
    if (text != expected)
      print("  got", text), print("  expected", expected);
  };
  // CHECK: cached: the same 40 tokens
  // CHECK: by one: the same 40 tokens
  // CHECK: in chunks of four: the same 40 tokens
  equal("cached", generate(run, "step", prompt, {.tokens = 40}), full);
  equal("by one", generate(run, "one", prompt, {.tokens = 40}), full);
  equal("in chunks of four", generate(run, "one", prompt, {.tokens = 40, .prefill = "four"}), full);
  // CHECK: batched: the same 40 tokens
  // CHECK: batched: the same 40 tokens
  // CHECK: batched: the same 40 tokens
  Texts texts = {other, prompt, longer}, batch = generate_batch(run, "batch", texts, {.tokens = 40, .cache = "three"});
  for (size_t n = 0; n < 3; ++n)
    equal("batched", batch[n], n == 1 ? full : continueAnew(run, texts[n], 40));
  // A text goes on where the cache stands: the last token of the first call is not in it yet.
  // CHECK: in two calls: the same 40 tokens
  std::vector<int32_t> begin = generate(run, "step", prompt, {.tokens = 15});
  std::vector<int32_t> rest = generate(run, "step", {begin.back()}, {.tokens = 25, .cache = ""});
  begin.insert(begin.end(), rest.begin(), rest.end());
  equal("in two calls", begin, full);
  // CHECK: stopped: {{[1-9]|10}} tokens, the last one is the stop
  std::vector<int32_t> stopped = generate(run, "step", prompt, {.tokens = 40, .stop = {full[9]}});
  std::printf("stopped: %zu tokens, %s\n", stopped.size(),
              stopped.back() == full[9] ? "the last one is the stop" : "no");
  // CHECK: none: 0
  std::printf("none: %zu\n", generate(run, "step", prompt, {.tokens = 0}).size());
}

static void sampled(const Executable &run) {
  std::vector<int32_t> prompt = {3, 1, 4};
  auto sample = [&](GenerateOptions options) {
    options.tokens = 30;
    return generate(run, "step", prompt, options);
  };
  std::vector<int32_t> first = sample({.temperature = 1, .seed = 7});
  // CHECK: same seed: equal
  // CHECK: other seed: different
  // CHECK: greedy by top_k: equal
  // CHECK: greedy by top_p: equal
  // CHECK: greedy by temperature: equal
  auto show = [](const char *what, bool isEqual) { std::printf("%s: %s\n", what, isEqual ? "equal" : "different"); };
  show("same seed", sample({.temperature = 1, .seed = 7}) == first);
  show("other seed", sample({.temperature = 1, .seed = 8}) == first);
  std::vector<int32_t> best = sample({});
  show("greedy by top_k", sample({.temperature = 1, .top_k = 1, .seed = 7}) == best);
  show("greedy by top_p", sample({.temperature = 1, .top_p = 1e-9, .seed = 7}) == best);
  show("greedy by temperature", sample({.temperature = 1e-6, .seed = 7}) == best);
  // The first text of a batch draws as it does alone.
  // CHECK: first of a batch: equal
  GenerateOptions options{.tokens = 30, .temperature = 1, .seed = 7, .cache = "three"};
  size_t calls = 0;
  options.each = [&](int32_t, size_t) { ++calls; };
  Texts batch = generate_batch(run, "batch", {prompt, {5, 6}, {7, 8, 9, 10}}, options);
  show("first of a batch", batch[0] == first);
  // CHECK: tokens seen: 90
  std::printf("tokens seen: %zu\n", calls);
}

/// A text that outgrows its cache, from a prompt that does, too.
static void withoutEnd() {
  Gpt model({.rotary = true, .pattern = window(23)});
  Program program("endless", model);
  Dim any = dim("any", {.min = 1, .max = 150}), tokens = dim("tokens", {.min = 1, .max = 9});
  nn::KVCache cache = program.state("cache", nn::KVCache(model, {.capacity = 40, .window = 24}));
  program.entry("full", {{"ids", i64, {1, any}}}, [&](Tensor ids) { return last(model(ids)); });
  program.entry("step", {{"ids", i32, {1, tokens}}}, [&](Tensor ids) { return last(model(ids, cache)); });
  Executable run = program.compile();
  std::vector<int32_t> prompt;
  for (int32_t n = 0; n < 50; ++n)
    prompt.push_back(n * n % 61);
  // CHECK: without end: equal
  bool isEqual = generate(run, "step", prompt, {.tokens = 60}) == continueAnew(run, prompt, 60);
  std::printf("without end: %s\n", isEqual ? "equal" : "different");
}

static void windowMistakes() {
  Gpt model({.rotary = true});
  Program program("mistakes", model);
  // CHECK: generate.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a window of at most the capacity of a cache, 16, got 17
  report([&] { nn::KVCache(model, {.capacity = 16, .window = 17}); });
  nn::KVCache cache = program.state("cache", nn::KVCache(model, {.capacity = 20, .window = 16}));
  auto entry = [&](const char *name, const Dim &tokens, const auto &function) {
    report([&] { program.entry(name, {{"ids", i32, {1, tokens}}}, function); });
  };
  // CHECK: Gpt.h:{{[0-9:]+}} expected at most 3 tokens in a call, 1 + (capacity - window) / 2, beside a cache with a capacity of 20 and a window of 16, got tokens of up to 4; compute more in several calls
  entry("many", dim("tokens", {.min = 1, .max = 4}), [&](Tensor ids) { return model(ids, cache); });
  // CHECK: Gpt.h:{{[0-9:]+}} expected at most 3 tokens in a call, {{.*}} got 20; compute more in several calls
  entry("static", 20, [&](Tensor ids) { return model(ids, cache); });
  auto expectPattern = [&](const char *name, const Pattern &pattern) {
    Gpt other({.rotary = true, .pattern = pattern});
    entry(name, 1, [&](Tensor ids) { return other(ids, cache); });
  };
  // CHECK: expected a window of fewer than 16 earlier tokens beside a cache of the last 16, got 16
  expectPattern("long", window(16));
  // CHECK: expected causal(), a causal window() or combinations of these beside a cache with a window
  expectPattern("dense", dense());
  // CHECK: no error
  expectPattern("causal", causal());
}

static void mistakes(const Executable &run) {
  // CHECK: generate.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected an entry that takes one token, got 'four' of 4
  report([&] { generate(run, "four", {1, 2, 3, 4}, {}); });
  // CHECK: generate.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a token in each prompt, got none
  report([&] { generate(run, "step", std::vector<int32_t>(), {}); });
  // CHECK: generate.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected top_p in (0, 1], got 0
  report([&] { generate(run, "step", {1}, {.top_p = 0}); });
  // CHECK: generate.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a temperature > 0 beside top_k and top_p, which choose what to sample from, got 0
  report([&] { generate(run, "step", {1}, {.top_k = 5}); });
  // Another cache would lose its text: nothing is emptied.
  run.state("three.count").data<int32_t>()[0] = 7;
  // CHECK: generate.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a cache that entry 'step' uses ('cache'), or "" to empty none, got 'three'
  report([&] { generate(run, "step", {1}, {.cache = "three"}); });
  // CHECK: generate.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a cache that entry 'full' uses (none), or "" to empty none, got 'three'
  report([&] { generate(run, "step", {1}, {.cache = "three", .prefill = "full"}); });
  // CHECK: three still holds 7 tokens
  std::printf("three still holds %d tokens\n", run.state("three.count").data<int32_t>()[0]);
  // CHECK: entry 'one': state 'cache.count' is full: expected at most 63 before this call, got 64
  report([&] { generate(run, "one", std::vector<int32_t>(65, 1), {.tokens = 1}); });
  // CHECK: entry 'step': state 'cache.count' is full: expected at most 59 of 64 before 5 more, got 64
  report([&] { run("step", Array(std::vector<int32_t>(5, 1), {1, 5})); });
}

/// Layers with a cache each, of which one is a window, and a state that depends on all tokens before.
struct TwoCaches : nn::Module {
  nn::Embedding token{61, 16};
  GptBlock local{GptOptions{.width = 16, .rotary = true, .pattern = window(7)}};
  GptBlock full{GptOptions{.width = 16, .rotary = true}};
  nn::Linear head{16, 61, normal_init(.5), false};
  XF_MEMBERS(token, local, full, head)

  Tensor operator()(Tensor ids, const nn::KVCache &near, const nn::KVCache &all, const State &sum) const {
    Tensor x = token(ids);
    sum.assign(sum + xf::sum(x, 1));
    x = full(local(x, {.cache = near[0]}), {.cache = all[0]});
    return last(head(x + reshape(sum, {-1, 1, 16})));
  }
};

/// A text is the same whatever was generated before: all that an entry updates is emptied, and nothing else.
static void severalCaches() {
  TwoCaches model;
  Program program("caches", model);
  Dim tokens = dim("tokens", {.min = 1, .max = 4});
  nn::KVCache near = program.state("near", nn::KVCache({{4, 4}}, {.capacity = 14, .window = 8}));
  nn::KVCache all = program.state("all", nn::KVCache({{4, 4}}, {.capacity = 64}));
  nn::KVCache two = program.state("two", nn::KVCache({{4, 4}}, {.batch = 2, .capacity = 64, .page = 4, .pages = 32}));
  nn::KVCache other =
      program.state("other", nn::KVCache({{4, 4}}, {.batch = 2, .capacity = 64, .page = 8, .pages = 16}));
  State sum = program.state({"sum", f32, {1, 16}}), sums = program.state({"two.sum", f32, {2, 16}});
  State kept = program.state({"kept", f32, {}});
  program.entry("step", {{"ids", i32, {1, tokens}}},
                [&](Tensor ids) { return model(ids, near, all, sum) + kept.value(); });
  program.entry("batch", {{"ids", i32, {2, tokens}}}, [&](Tensor ids) { return model(ids, two, other, sums); });
  program.entry("less", {{"ids", i32, {1, tokens}}},
                [&](Tensor ids) { return last(model.head(model.full(model.token(ids), {.cache = all[0]}))); });
  Executable run = program.compile({.threads = 1});
  std::vector<int32_t> first = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, second = {60, 3, 17, 3, 9};
  run.set_state("kept", 7.f);
  GenerateOptions one{.tokens = 20, .cache = "all"}, batched{.tokens = 20, .cache = "two"};
  std::vector<int32_t> text = generate(run, "step", first, one), others = generate(run, "step", second, one);
  // CHECK: after another text: the same; others: different
  bool isEqual = generate(run, "step", first, one) == text;
  std::printf("after another text: %s; others: %s\n", isEqual ? "the same" : "changed",
              others == text ? "the same" : "different");
  // CHECK: kept: 7
  std::printf("kept: %g\n", run.state("kept").item<float>());
  Texts texts = {first, second}, batch = generate_batch(run, "batch", texts, batched);
  // CHECK: two caches with pages: the same; again: the same
  bool isBatched = batch == Texts{text, others}, isAgain = generate_batch(run, "batch", texts, batched) == batch;
  std::printf("two caches with pages: %s; again: %s\n", isBatched ? "the same" : "changed",
              isAgain ? "the same" : "changed");
  // CHECK: generate.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected entries that use the same caches and states, but 'less' does not use 'near'
  report([&] { generate(run, "step", first, {.cache = "all", .prefill = "less"}); });
}

/// A token is chosen where one is the likeliest.
static void logitsWithoutChoice() {
  Program program("logits");
  program.entry("step", {{"ids", i32, {1, 1}}}, [&](Tensor ids) {
    Tensor x = where(ids == 3, NAN, cast(ids, f32) * 0.0);
    return broadcast_to(where(ids == 1, -INFINITY, where(ids == 2, INFINITY, x)), {1, 5});
  });
  Executable run = program.compile({.threads = 1});
  auto next = [&](int32_t id, double temperature) {
    report([&] { generate(run, "step", {id}, {.tokens = 1, .temperature = temperature, .cache = ""}); });
  };
  // CHECK: generate.cpp:{{[0-9:]+}} expected logits whose largest is finite, got -inf for text 0
  // CHECK: generate.cpp:{{[0-9:]+}} expected logits whose largest is finite, got -inf for text 0
  // CHECK: generate.cpp:{{[0-9:]+}} expected logits whose largest is finite, got inf for text 0
  // CHECK: generate.cpp:{{[0-9:]+}} expected logits that are numbers, got NaN for text 0
  // CHECK: no error
  // CHECK: no error
  next(1, 0), next(1, 1), next(2, 1), next(3, 0), next(4, 0), next(4, 1e-320);
}

int main() {
  Gpt model(small);
  Executable run = makeProgram(model).compile();
  greedy(run);
  sampled(run);
  withoutEnd();
  windowMistakes();
  mistakes(run);
  severalCaches();
  logitsWithoutChoice();
}
