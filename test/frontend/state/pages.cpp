//===- pages.cpp - Texts of different lengths in pages --------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Logits of texts that share the pages of a cache are those of the texts alone, and the CPU computes what the
// interpreter does, also where pages are missing or do not exist. A step copies nothing of the size of the pool.
//
// RUN: rm -rf %t && mkdir %t && cd %t && frontend-pages | FileCheck %s
// RUN: cd %t && xfc explain pool.mlir --mcpu=x86-64-v3 | FileCheck %s --check-prefix=POOL
// RUN: cd %t && xfc explain pool.mlir --mcpu=x86-64-v4 | FileCheck %s --check-prefix=POOL
// POOL: entry 'step': {{.*}} arena of {{[0-9]?[0-9]?[0-9]?[0-9]?[0-9]}} bytes
// RUN: cd %t && xf-run small.mlir --target=reference --entry=given --input=x=0 --output=table=@table.npy --output=count=@count.npy
// DEFINE: %{heads} = --input=q=random\(1\) --input=k=random\(2\) --input=v=random\(3\)
// DEFINE: %{held} = --input=cache.0.k=random\(4\) --input=cache.0.v=random\(5\)
// DEFINE: %{given} = small.mlir %{heads} %{held} --input=cache.table=@table.npy --input=cache.count=@count.npy
// RUN: cd %t && xf-run %{given} --target=reference --entry=few --output=few=@o.npy --output=cache.0.k=@k.npy --output=cache.count=@n.npy
// RUN: cd %t && xf-run %{given} --entry=few --expected-output=few=@o.npy --expected-output=cache.0.k=@k.npy --expected-output=cache.count=@n.npy | count 0
// RUN: cd %t && xf-run %{given} --target=reference --entry=many --output=many=@o.npy --output=cache.0.k=@k.npy --output=cache.count=@n.npy
// RUN: cd %t && xf-run %{given} --entry=many --expected-output=many=@o.npy --expected-output=cache.0.k=@k.npy --expected-output=cache.count=@n.npy | count 0
// RUN: cd %t && env LD_LIBRARY_PATH=%build/test/ptx/driver/current XF_SIM_CAPABILITY=8.0 frontend-pages cuda | FileCheck %s --check-prefix=GPU

#include "../Show.h"
#include "Gpt.h"

#include <cmath>
#include <cstdio>

using namespace xf;

using Row = std::vector<float>;
using Texts = std::vector<std::vector<int32_t>>;

static const CompileOptions quick{.opt_level = 1};

static std::vector<int32_t> makeText(int64_t length, int32_t seed, int32_t classes = 61) {
  std::vector<int32_t> text;
  for (int32_t n = 0; n < length; ++n)
    text.push_back((n * n * 7 + n * seed + seed) % classes);
  return text;
}

static double distance(std::span<float> a, std::span<float> b) {
  double largest = a.size() == b.size() ? 0 : INFINITY;
  for (size_t n = 0; n < a.size() && n < b.size(); ++n)
    largest = std::max(largest, std::isnan(a[n]) ? INFINITY : std::abs(double(a[n]) - double(b[n])));
  return largest;
}

//===----------------------------------------------------------------------===//
// A model
//===----------------------------------------------------------------------===//

namespace {
/// The shape of the cache of some texts.
struct PoolOptions {
  int64_t batch, page, pages;
};

/// Texts that begin, grow and end beside each other, each compared with itself alone.
class Serving {
public:
  Serving(const Gpt &model, const PoolOptions &pool, const CompileOptions &options = quick)
      : run(makeRun(model, pool, options)), pages(fillWithNan(run)), texts(pages.texts()) {}

  /// Begins a text, in chunks of at most `most` tokens.
  void begin(size_t text, const std::vector<int32_t> &prompt, size_t most) {
    pages.release(text);
    texts[text].clear();
    for (size_t at = 0; at < prompt.size(); at += most) {
      std::vector<int32_t> part(prompt.begin() + static_cast<std::ptrdiff_t>(at),
                                prompt.begin() + static_cast<std::ptrdiff_t>(std::min(at + most, prompt.size())));
      pages.extend(text, static_cast<int64_t>(part.size()));
      texts[text].insert(texts[text].end(), part.begin(), part.end());
      auto count = static_cast<int64_t>(part.size());
      Array logits = run("prefill", {Array(part, {1, count}), Array(std::vector<int32_t>{int32_t(text)})});
      compare(text, logits.data<float>());
    }
  }
  /// Computes the next token of all texts that have begun.
  void step(int32_t token) {
    std::vector<int32_t> ids;
    for (size_t text = 0; text < texts.size(); ++text) {
      ids.push_back((token + static_cast<int32_t>(text)) % 61);
      if (texts[text].empty())
        continue;
      pages.extend(text, 1);
      texts[text].push_back(ids.back());
    }
    Array logits = run("step", Array(ids, {static_cast<int64_t>(ids.size()), 1}));
    size_t classes = logits.data<float>().size() / texts.size();
    for (size_t text = 0; text < texts.size(); ++text)
      compare(text, logits.data<float>().subspan(text * classes, classes));
  }
  void end(size_t text) {
    pages.release(text);
    texts[text].clear();
  }
  void print(const char *what) {
    std::printf("%s: %zu comparisons, %s, %zu pages left, lengths", what, comparisons, largest < 3e-5 ? "close" : "far",
                pages.free());
    if (!(largest < 3e-5))
      std::printf(" (%g)", largest);
    for (int32_t count : run.state("cache.count").data<int32_t>())
      std::printf(" %d", count);
    std::puts("");
    comparisons = 0;
    largest = 0;
  }

  Executable run;
  PageTable pages;
  Texts texts;

private:
  static Executable makeRun(const Gpt &model, const PoolOptions &pool, const CompileOptions &options) {
    Program program("pages", model);
    int64_t capacity = model.options.capacity;
    Dim tokens = dim("tokens", {.min = 1, .max = capacity});
    nn::KVCache cache = program.state(
        "cache",
        nn::KVCache(model, {.batch = pool.batch, .capacity = capacity, .page = pool.page, .pages = pool.pages}));
    program.entry("full", {{"ids", i32, {1, tokens}}}, [&](Tensor ids) { return last(model(ids)); });
    program.entry("prefill", {{"ids", i32, {1, tokens}}, {"text", i32, {1}}},
                  [&](Tensor ids, Tensor text) { return last(model(ids, cache.of(text))); });
    program.entry("step", {{"ids", i32, {pool.batch, 1}}}, [&](Tensor ids) { return last(model(ids, cache)); });
    return program.compile(options);
  }
  /// What nobody has written is not seen.
  static Executable &fillWithNan(Executable &run) {
    for (const char *state : {"cache.0.k", "cache.0.v"}) {
      Array held = run.state(state);
      std::fill(held.data<float>().begin(), held.data<float>().end(), NAN);
      run.set_state(state, held);
    }
    return run;
  }
  void compare(size_t text, std::span<float> logits) {
    if (texts[text].empty())
      return;
    Array full = run("full", Array(texts[text], {1, static_cast<int64_t>(texts[text].size())}));
    largest = std::max(largest, distance(logits, full.data<float>()));
    ++comparisons;
  }

  size_t comparisons = 0;
  double largest = 0;
};
} // namespace

/// Three texts, of which one ends and another takes its place and its pages.
static void serve(Serving &serving) {
  serving.begin(0, makeText(5, 3), 5);
  serving.begin(2, makeText(11, 4), 7);
  serving.print("two prompts");
  for (int32_t n = 0; n < 4; ++n)
    serving.step(n * 5);
  serving.print("two texts");
  serving.begin(1, makeText(1, 5), 1);
  for (int32_t n = 0; n < 3; ++n)
    serving.step(n * 7);
  serving.print("three texts");
  serving.end(2);
  serving.step(9);
  serving.begin(2, makeText(13, 6), 3);
  for (int32_t n = 0; n < 3; ++n)
    serving.step(n * 4);
  serving.print("another one");
}

static void learnedPositions() {
  // CHECK: two prompts: 3 comparisons, close, 9 pages left, lengths 5 0 11
  // CHECK: two texts: 8 comparisons, close, 7 pages left, lengths 9 0 15
  // CHECK: three texts: 10 comparisons, close, 5 pages left, lengths 12 4 18
  // CHECK: another one: 16 comparisons, close, 4 pages left, lengths 16 8 16
  Gpt model({.capacity = 32});
  Serving serving(model, {.batch = 3, .page = 4, .pages = 14});
  serve(serving);
}

// CHECK-COUNT-4: close

/// Pages that do not exist are none, so that their texts keep nothing.
static void wrongPages(Serving &serving) {
  serving.end(1);
  serving.end(2);
  serving.begin(0, makeText(4, 3), 4);
  Array table = serving.run.state("cache.table");
  std::span<int32_t> numbers = table.data<int32_t>();
  for (auto [one, two] : {std::pair(18, -7), {1000000000, 19}}) {
    numbers[11] = one;
    numbers[22] = two;
    serving.run.set_state("cache.table", table);
    serving.step(3);
  }
  // CHECK: wrong pages: 3 comparisons, close, 15 pages left, lengths 6 0 0
  serving.print("wrong pages");
  // CHECK: pages.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected pages from 1 to 17 of 'cache', each of one text, got 1000000000
  report([&] { PageTable(serving.run); });
  // CHECK: argument 'text': expected elements between 0 and 2, got 3 at index 0
  report([&] { serving.run("prefill", {Array(std::vector<int32_t>{1}, {1, 1}), Array(std::vector<int32_t>{3})}); });
  // CHECK: pages.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected at most 33 tokens of a text, got 6 and 28 more of text 0
  report([&] { serving.pages.extend(0, 28); });
  serving.pages.extend(1, 33);
  // CHECK: pages.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected as many free pages as text 2 needs, 5, got 4
  report([&] { serving.pages.extend(2, 13); });
  // CHECK: fits: 1 0 0
  std::printf("fits: %d %d %d\n", serving.pages.fits(2, 12), serving.pages.fits(2, 13), serving.pages.fits(0, 28));
  // CHECK: pages.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected the number of a text below 3 of the cache, got 3
  report([&] { serving.pages.release(3); });
}

static void rotaryAndWindow() {
  Gpt model({.kv_heads = 2, .layers = 1, .capacity = 33, .rotary = true, .pattern = window(6)});
  Serving serving(model, {.batch = 3, .page = 3, .pages = 17});
  serve(serving);
  wrongPages(serving);
}

//===----------------------------------------------------------------------===//
// Generating
//===----------------------------------------------------------------------===//

/// A batch in pages has the texts of a batch without, and gives pages back.
static void generateInPages() {
  GptOptions options{.kv_heads = 2, .layers = 1, .capacity = 32, .rotary = true};
  Gpt model(options);
  Program program("generate", model);
  Dim tokens = dim("tokens", {.min = 1, .max = 8});
  nn::KVCache whole = program.state("whole", nn::KVCache(model, {.batch = 3, .capacity = 32}));
  nn::KVCache cache = program.state("cache", nn::KVCache(model, {.batch = 3, .capacity = 32, .page = 4, .pages = 16}));
  program.entry("whole", {{"ids", i32, {3, tokens}}}, [&](Tensor ids) { return last(model(ids, whole)); });
  program.entry("any", {{"ids", i32, {3, tokens}}}, [&](Tensor ids) { return last(model(ids, cache)); });
  program.entry("one", {{"ids", i32, {3, 1}}}, [&](Tensor ids) { return last(model(ids, cache)); });
  Executable run = program.compile(quick);
  Texts prompts = {makeText(9, 3), makeText(2, 4), makeText(5, 5)};
  GenerateOptions few{.tokens = 9, .cache = "whole"};
  Texts expected = generate_batch(run, "whole", prompts, few);
  few.cache = "cache";
  // CHECK: any: the same
  // CHECK: one: the same
  std::printf("any: %s\n", generate_batch(run, "any", prompts, few) == expected ? "the same" : "others");
  few.prefill = "any";
  std::printf("one: %s\n", generate_batch(run, "one", prompts, few) == expected ? "the same" : "others");
  // Chunks in pages have the bits of chunks without: the pages are copied in order.
  run.reset("whole");
  run.reset("cache");
  PageTable pages(run);
  size_t equal = 0;
  for (int64_t count : {3, 1, 7}) {
    Array ids(makeText(3 * count, int32_t(count)), {3, count});
    for (size_t text = 0; text < 3; ++text)
      pages.extend(text, count);
    Array a = run("whole", ids), b = run("any", ids);
    equal += std::equal(a.bytes().begin(), a.bytes().end(), b.bytes().begin());
  }
  // CHECK: chunks: 3 of 3 have the same bits
  std::printf("chunks: %zu of 3 have the same bits\n", equal);
  few.tokens = 30;
  // CHECK: pages.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected as many free pages as text 1 needs, 1, got 0
  report([&] { generate_batch(run, "one", prompts, few); });
  // CHECK: pages.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected 3 prompts beside a cache with pages, got 1
  report([&] { generate(run, "one", {1}, few); });
  // CHECK: pages.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a cache with pages, got 'whole'
  report([&] { PageTable(run, "whole"); });
}

//===----------------------------------------------------------------------===//
// Attention alone
//===----------------------------------------------------------------------===//

/// Numbers of one text: 1 x rows x count x columns.
static Array random(int64_t count, int64_t rows, int64_t columns, int seed) {
  std::vector<float> values;
  for (int64_t n = 0; n < rows * count * columns; ++n)
    values.push_back(std::sin(static_cast<float>(n * (seed + 3) % 1009)));
  return Array(values, {1, rows, count, columns});
}

/// Tokens [begin, end) of an array of one text, as f32.
static Array part(const Array &whole, int64_t begin, int64_t end) {
  std::vector<int64_t> shape = whole.shape();
  Array all = whole.to(f32);
  std::vector<float> values;
  for (int64_t h = 0; h < shape[1]; ++h)
    for (int64_t n = begin * shape[3]; n < end * shape[3]; ++n)
      values.push_back(all.data<float>()[static_cast<size_t>(h * shape[2] * shape[3] + n)]);
  return Array(values, {1, shape[1], end - begin, shape[3]});
}

/// Attention of the tokens that were appended so far: of several tokens where the pages lie, of windows, by head, of
/// bf16, with values of another size. Two texts, of 6 and 13 tokens, and 4 more of each.
static void attend(const char *what, Dtype dtype, const Pattern &pattern, double bound) {
  const int64_t heads = 4, size = 8, valueSize = 12;
  Program program("attend");
  nn::KVCache cache =
      program.state("cache", nn::KVCache({{.heads = 2, .size = size, .value_size = valueSize}},
                                         {.batch = 2, .capacity = 32, .dtype = dtype, .page = 16, .pages = 5}));
  Dim tokens = dim("tokens", {.min = 1, .max = 32});
  auto inputs = [&](const Dim &batch, const Dim &count) -> std::vector<TensorSpec> {
    return {{"q", dtype, {batch, heads, count, size}},
            {"k", dtype, {batch, 2, count, size}},
            {"v", dtype, {batch, 2, count, valueSize}}};
  };
  program.entry("full", inputs(1, tokens), [&](Tensor q, Tensor k, Tensor v) {
    return scaled_dot_product_attention(q, k, v, {.pattern = pattern});
  });
  std::vector<TensorSpec> ofText = inputs(1, tokens);
  ofText.push_back({"text", i64, {1}});
  program.entry("prefill", ofText, [&](Tensor q, Tensor k, Tensor v, Tensor text) {
    return cache.of(text)[0].attend(q, k, v, {.pattern = pattern});
  });
  program.entry("four", inputs(2, 4),
                [&](Tensor q, Tensor k, Tensor v) { return cache[0].attend(q, k, v, {.pattern = pattern}); });
  Executable run = program.compile(quick);
  PageTable pages(run);
  double largest = 0;
  std::vector<Array> expected;
  std::vector<std::vector<float>> next(3);
  const int64_t lengths[] = {6, 13};
  for (int text = 0; text < 2; ++text) {
    int64_t length = lengths[text];
    Array all[] = {random(length + 4, heads, size, text).to(dtype), random(length + 4, 2, size, text + 5).to(dtype),
                   random(length + 4, 2, valueSize, text + 7).to(dtype)};
    Array full = run("full", {all[0], all[1], all[2]});
    pages.extend(static_cast<size_t>(text), length);
    Array first = run("prefill", {part(all[0], 0, length).to(dtype), part(all[1], 0, length).to(dtype),
                                  part(all[2], 0, length).to(dtype), Array(std::vector<int64_t>{text})});
    Array before = part(full, 0, length);
    largest = std::max(largest, distance(first.to(f32).data<float>(), before.data<float>()));
    expected.push_back(part(full, length, length + 4));
    for (int n = 0; n < 3; ++n) {
      Array rest = part(all[n], length, length + 4);
      next[static_cast<size_t>(n)].insert(next[static_cast<size_t>(n)].end(), rest.data<float>().begin(),
                                          rest.data<float>().end());
    }
    pages.extend(static_cast<size_t>(text), 4);
  }
  Array o = run("four", {Array(next[0], {2, heads, 4, size}).to(dtype), Array(next[1], {2, 2, 4, size}).to(dtype),
                         Array(next[2], {2, 2, 4, valueSize}).to(dtype)})
                .to(f32);
  for (size_t text = 0; text < 2; ++text) {
    std::span<float> own = expected[text].data<float>();
    largest = std::max(largest, distance(o.data<float>().subspan(text * own.size(), own.size()), own));
  }
  std::printf("%s: %s", what, largest < bound ? "close" : "far");
  std::printf(largest < bound ? "\n" : " (%g)\n", largest);
}

static void attendToPages() {
  // CHECK: by head: close
  attend("by head", f32, heads({window(3), causal(), causal() - window(2), window(9)}), 1e-6);
  // CHECK: bf16: close
  attend("bf16", bf16, causal(), 2e-2);
}

//===----------------------------------------------------------------------===//
// Mistakes
//===----------------------------------------------------------------------===//

static void mistakes() {
  Gpt model({.layers = 1, .rotary = true});
  // CHECK: pages.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected pages and a size of pages >= 1 of a cache with pages, got 0 and 4
  report([&] { nn::KVCache(model, {.capacity = 16, .page = 4}); });
  // CHECK: pages.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected no window beside the pages of a cache, got 8
  report([&] { nn::KVCache(model, {.capacity = 16, .window = 8, .page = 4, .pages = 4}); });
  // CHECK: pages.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a capacity that is a multiple of the page, 5, got 16
  report([&] { nn::KVCache(model, {.capacity = 16, .page = 5, .pages = 4}); });
  Program program("mistakes", model);
  nn::KVCache plain = program.state("plain", nn::KVCache(model, {.capacity = 16}));
  nn::KVCache cache = program.state("cache", nn::KVCache(model, {.capacity = 16, .page = 4, .pages = 4}));
  auto entry = [&](const char *name, const auto &function) {
    report([&] { program.entry(name, {{"ids", i32, {1, 1}}, {"text", i32, {1}}}, function); });
  };
  // CHECK: pages.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected the cache of a program, with pages, to choose texts of, got another one
  entry("of", [&](Tensor ids, Tensor text) { return model(ids, plain.of(text)); });
  // CHECK: expected a pattern of dense(), causal(), window() and combinations of these beside a cache with pages
  entry("pattern", [&](Tensor ids, Tensor) {
    return Gpt({.layers = 1, .rotary = true, .pattern = pattern([](Index i, Index j) {
                                               return j <= i && j % 2 == 0;
                                             })})(ids, cache);
  });
  // CHECK: pages.cpp:[[#@LINE+3]]:{{[0-9]+}}: expected a cache without pages in append(), got one with pages; use attend()
  entry("append", [&](Tensor, Tensor) {
    Tensor x = zeros({1, 4, 1, 12});
    return cache[0].append(x, x, causal()).k;
  });
}

/// A pool of 11 MB for the keys of each layer, of which a call copies nothing. Rows fill registers of 512 bits: keys of
/// heads that are shorter are packed.
static void writePool() {
  Gpt model({.width = 64, .layers = 2, .capacity = 256, .rotary = true});
  Program program("pool", model);
  nn::KVCache cache =
      program.state("cache", nn::KVCache(model, {.batch = 2, .capacity = 256, .page = 256, .pages = 170}));
  program.entry("step", {{"ids", i32, {2, 1}}}, [&](Tensor ids) { return last(model(ids, cache)); });
  program.save("pool.mlir");
}

/// A step and a prompt whose pages are inputs of the entry, for the interpreter.
static void writeSmall() {
  Program program("small");
  nn::KVCache cache = program.state(
      "cache", nn::KVCache({{.heads = 2, .size = 8}}, {.batch = 2, .capacity = 12, .page = 4, .pages = 5}));
  auto inputs = [](int64_t batch, int64_t tokens) -> std::vector<TensorSpec> {
    return {{"q", f32, {batch, 4, tokens, 8}}, {"k", f32, {batch, 2, tokens, 8}}, {"v", f32, {batch, 2, tokens, 8}}};
  };
  auto attend = [&](Tensor q, Tensor k, Tensor v) { return cache[0].attend(q, k, v, {.pattern = causal()}); };
  program.entry("given", {{"x", i32, {}}}, [](Tensor x) {
    Tensor table = constant(std::vector<int64_t>{5, 2, 0, 3, 1, 9}, {2, 3}, i32);
    return Results{{"table", table + x}, {"count", constant(std::vector<int64_t>{3, 7}, {2}, i32) + x}};
  });
  program.entry("few", inputs(2, 1), attend);
  program.entry("many", inputs(2, 5), attend);
  program.save("small.mlir");
}

/// Two short texts on a GPU.
static void onGpu() {
  Gpt model({.classes = 13, .width = 16, .heads = 2, .kv_heads = 1, .layers = 1, .capacity = 8, .rotary = true});
  Serving serving(model, {.batch = 2, .page = 4, .pages = 3}, {.opt_level = 1, .device = cuda()});
  serving.begin(0, makeText(3, 3, 13), 3);
  serving.begin(1, makeText(1, 4, 13), 1);
  serving.step(2);
  serving.step(5);
  // GPU: on a GPU: 6 comparisons, close, 0 pages left, lengths 5 3
  serving.print("on a GPU");
}

int main(int count, char **) {
  if (count > 1) {
    onGpu();
    return 0;
  }
  learnedPositions();
  rotaryAndWindow();
  generateInPages();
  attendToPages();
  mistakes();
  writePool();
  writeSmall();
}
