//===- maps.cpp - Weights of attention, against dense references in f64 -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: frontend-maps | FileCheck %s
//
// The weights P of every family with P v against the attention's own output: largest differences, in f64.
// RUN: frontend-maps families > %t.mlir
// RUN: xf-run %t.mlir --target=reference --entry=families --input=q=random(1) --input=k=random(2) --input=v=random(3) --input=w=random(4) | FileCheck %s --check-prefix=FAMILIES
// RUN: xf-run %t.mlir -O0 --target=cpu --entry=families --input=q=random(1) --input=k=random(2) --input=v=random(3) --input=w=random(4) | FileCheck %s --check-prefix=FAMILIES
// FAMILIES-COUNT-16: : scalar f64 = {{0|.*e-1[1-9]}}{{$}}
// FAMILIES-NOT: scalar
//
// Eight rows of 4096 tokens take less memory than one and a half times the queries, keys and values, and no N x N.
// RUN: frontend-maps memory > %t.memory.mlir
// RUN: xfc explain %t.memory.mlir --json -o %t.memory.json
// RUN: %python -c "import json; print(json.load(open('%t.memory.json'))[0]['workspace_bytes'] < 1.5 * 3 * 4 * 2 * 4096 * 64)" | FileCheck %s --check-prefix=MEMORY
// MEMORY: True
//
// Ranks share the heads of maps, and of tokens that they share.
// RUN: frontend-maps ranks > %t.ranks.mlir
// RUN: xf-shares %t.ranks.mlir 2>&1 | FileCheck %s --check-prefix=RANKS --implicit-check-not="every rank"
// RANKS: {{: right$}}

#include "../OneWeight.h"

#include <cmath>
#include <cstdio>
#include <cstring>

using namespace xf;

//===----------------------------------------------------------------------===//
// Dense references
//===----------------------------------------------------------------------===//

namespace {
constexpr int64_t batch = 2, heads_ = 4, groups = 2, depth = 5;

/// Numbers between -2 and 2 that look random.
Array numbers(std::vector<int64_t> shape, int64_t seed, Dtype dtype = f64) {
  Array result(dtype, std::move(shape));
  uint64_t state = static_cast<uint64_t>(seed) * 7919 + 17;
  for (int64_t n = 0; n < result.count(); ++n) {
    state = state * 6364136223846793005 + 1442695040888963407;
    double number = static_cast<double>(state >> 40) / double(1 << 22) - 2;
    if (dtype == f64)
      result.data<double>()[n] = number;
    else
      result.data<float>()[n] = static_cast<float>(number);
  }
  return result;
}

struct Pair {
  int64_t b, h, row, position, key;
};

/// One attention, and what its weights are by definition.
struct Case {
  const char *name;
  int64_t queries, keys;
  AttentionOptions options = {};
  MapOptions chosen = {};
  /// The pairs; empty: those that contains() finds in the pattern.
  std::function<bool(const Pair &)> sees = {};
  /// The modified score.
  std::function<double(double, const Pair &)> score = {};
};
} // namespace

static double dot(const Array &q, const Array &k, const Pair &pair) {
  double sum = 0;
  for (int64_t d = 0; d < depth; ++d)
    sum += q.at<double>({pair.b, pair.h, pair.row, d}) * k.at<double>({pair.b, pair.h * groups / heads_, pair.key, d});
  return sum;
}

/// Returns the weights of one row, in order of the keys.
static std::vector<double> rowOf(const Case &c, const Array &q, const Array &k, Pair pair) {
  std::vector<double> scores(c.keys, -INFINITY);
  double largest = -INFINITY, sum = 0;
  for (pair.key = 0; pair.key < c.keys; ++pair.key) {
    bool sees = c.sees ? c.sees(pair) : contains(c.options.pattern, pair.h, pair.position, pair.key, c.keys);
    double score = dot(q, k, pair) / std::sqrt(double(depth));
    if (sees)
      scores[pair.key] = c.score ? c.score(score, pair) : score;
    largest = std::max(largest, scores[pair.key]);
  }
  for (double &score : scores)
    sum += score = largest == -INFINITY ? 0 : std::exp(score - largest);
  for (double &weight : scores)
    weight /= sum > 0 ? sum : 1;
  return scores;
}

static std::vector<int64_t> listed(const std::vector<Interval> &intervals, int64_t size) {
  std::vector<int64_t> list;
  for (Interval interval : intervals.empty() ? std::vector<Interval>{{0, size}} : intervals)
    for (int64_t n = interval.lower; n < interval.upper; ++n)
      list.push_back(n);
  return list;
}

/// Returns the largest difference of `weights` from the definition.
static double differenceOf(const Case &c, const Array &weights, const Array &q, const Array &k) {
  std::vector<int64_t> heads = c.chosen.heads, rows = listed(c.chosen.rows, c.queries);
  for (int64_t h = 0; h < heads_ && c.chosen.heads.empty(); ++h)
    heads.push_back(h);
  double largest = 0;
  int64_t place = 0;
  auto compare = [&](double expected) {
    double got = weights.dtype() == f64 ? weights.data<double>()[place] : weights.data<float>()[place];
    largest = std::max(largest, std::abs(got - expected));
    ++place;
  };
  for (int64_t b = 0; b < batch; ++b)
    for (int64_t h : heads)
      for (int64_t row : rows) {
        std::vector<double> all = rowOf(c, q, k, {b, h, row, row + c.keys - c.queries, 0});
        for (Interval keys : c.chosen.keys.empty() ? std::vector<Interval>{{0, c.keys}} : c.chosen.keys)
          for (int64_t begin = keys.lower; begin < keys.upper; begin += c.chosen.key_block) {
            double sum = 0;
            for (int64_t j = begin; j < std::min(begin + c.chosen.key_block, keys.upper); ++j)
              sum += all[j];
            compare(sum);
          }
      }
  return place == weights.count() ? largest : INFINITY;
}

static Array toF32(const Array &x) {
  Array result(f32, x.shape());
  for (int64_t n = 0; n < x.count(); ++n)
    result.data<float>()[n] = static_cast<float>(x.data<double>()[n]);
  return result;
}

static std::vector<int64_t> backwards(int64_t size) {
  std::vector<int64_t> order;
  for (int64_t n = size; n-- > 0;)
    order.push_back(n);
  return order;
}

/// The cases of patterns that are known without operands. 70 tokens are two blocks of columns.
static std::vector<Case> staticCases() {
  return {
      {"dense", 70, 70},
      {"causal", 70, 70, {.pattern = causal()}},
      {"few queries", 3, 70, {.pattern = causal()}, {.rows = {{1, 2}}}},
      {"empty rows", 70, 37, {.pattern = causal()}},
      {"empty rows, blocks", 80, 67, {.pattern = causal()}, {.rows = {{5, 16}, {0, 2}}, .heads = {3, 1}}},
      {"union", 70, 70, {.pattern = (strided(8) | keys({{0, 2}})) - xf::window(1)}, {.rows = {{8, 60}}}},
      {"by head", 70, 70, {.pattern = heads({fixed(16, 3).local(), fixed(16, 3).column()})}, {.heads = {2, 1}}},
      {"random", 70, 70, {.pattern = random(5, 3, xf::window(2, 2))}, {.keys = {{3, 69}}}},
      {"bigbird", 70, 70, {.pattern = bigbird({.block = 4, .random = 2, .seed = 1})}},
      {"grid", 70, 70, {.pattern = window_nd({.extents = {7, 10}, .radius = {1, 2}, .clamp = true})}},
      {"layers", 70, 70, {.pattern = grid({.layers = 5, .of = causal(), .granularity = Granularity::position})}},
      {"permuted", 70, 70, {.pattern = permute(backwards(70), causal() & xf::window(9))}},
      {"blocks of keys", 70, 70, {.pattern = causal()}, {.rows = {{50, 70}}, .keys = {{0, 68}}, .key_block = 9}},
      {"one key", 70, 70, {.pattern = causal()}, {.rows = {{69, 70}}, .keys = {{68, 69}}, .heads = {0}}},
  };
}

/// The cases of data of a call, and of scores.
static std::vector<Case> dataCases() {
  std::vector<double> ends = {70, 23}, rows = {70, 11};
  Tensor bias = constant(std::vector<double>(4 * 139, 0.5), {4, 139}, f64);
  std::vector<int64_t> segment, listedBlocks = {0, 3, 2, -1, 6, 3};
  for (int64_t n = 0; n < 2 * 70; ++n)
    segment.push_back(n % 70 / 19 - (n > 120));
  Tensor segmentOf = constant(segment, {2, 70});
  auto segmentAt = [=](int64_t b, int64_t n) { return segment[b * 70 + n]; };
  auto window = [](const Pair &p) { return std::abs(p.position - p.key) <= 3; };
  return {
      {"lengths",
       70,
       70,
       {.lengths = constant({70, 23}, {2}), .query_lengths = constant({70, 11}, {2})},
       {},
       [=](const Pair &p) { return p.key < ends[p.b] && double(p.row) < rows[p.b]; }},
      {"documents",
       70,
       70,
       {.pattern = segments() & causal(), .query_segments = segmentOf, .key_segments = segmentOf},
       {.rows = {{10, 40}}},
       [=](const Pair &p) {
         return p.key <= p.position && segmentAt(p.b, p.row) == segmentAt(p.b, p.key) && segmentAt(p.b, p.row) >= 0;
       }},
      {"table",
       70,
       70,
       {.pattern = table(24, 10), .table_columns = constant(listedBlocks, {3, 2})},
       {},
       [=](const Pair &p) {
         return p.key / 10 == listedBlocks[p.row / 24 * 2] || p.key / 10 == listedBlocks[p.row / 24 * 2 + 1];
       }},
      {"symbols",
       70,
       70,
       {.pattern = pattern([](Index i, Index j) { return i - j <= symbol(0) && j - i <= symbol(0); }),
        .symbols = {constant({3}, {})}},
       {.rows = {{0, 9}}},
       window},
      {"scores",
       70,
       70,
       {.pattern = causal(), .score = scores::chain({scores::distance_bias(bias * 2.0), scores::soft_cap(2)})},
       {.rows = {{66, 70}}},
       {},
       [](double s, const Pair &) { return 2 * std::tanh((s + 1) / 2); }},
      {"hidden by scores",
       70,
       70,
       {.score = [](Score s) { return where(s.j % 2 == 0, s.value + 1000, -INFINITY); }},
       {.keys = {{0, 70}}},
       [](const Pair &p) { return p.key % 2 == 0; },
       [](double s, const Pair &) { return s + 1000; }},
  };
}

static std::vector<Case> cases() {
  std::vector<Case> all = staticCases(), others = dataCases();
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

/// Prints the cases that differ, and their number.
// CHECK: {{^}}20 cases in f64
// CHECK-NEXT: {{^}}4 cases in f32
static void compareWithDefinition(Dtype dtype) {
  Program program("maps");
  std::vector<Case> all = dtype == f64 ? cases() : std::vector<Case>{cases()[1], cases()[4], cases()[8], cases()[19]};
  if (dtype != f64)
    all.back().score = {}, all.back().options.score = [](Score s) { return where(s.j % 2 == 0, s.value, -INFINITY); };
  for (size_t n = 0; n < all.size(); ++n) {
    const Case &c = all[n];
    program.entry("case" + std::to_string(n),
                  {{"q", dtype, {batch, heads_, c.queries, depth}}, {"k", dtype, {batch, groups, c.keys, depth}}},
                  [&](Tensor q, Tensor k) { return attention_weights(q, k, c.options, c.chosen); });
  }
  Executable run = program.compile({.opt_level = 0});
  double bound = dtype == f64 ? 1e-13 : 2e-6;
  for (size_t n = 0; n < all.size(); ++n) {
    const Case &c = all[n];
    Array q = numbers({batch, heads_, c.queries, depth}, int64_t(n)), k = numbers({batch, groups, c.keys, depth}, 99);
    bool isWide = dtype == f64;
    Array weights = run("case" + std::to_string(n), {{"q", isWide ? q : toF32(q)}, {"k", isWide ? k : toF32(k)}});
    double difference = differenceOf(c, weights, q, k);
    if (!(difference <= bound))
      std::printf("%s: differs by %g\n", c.name, difference);
  }
  std::printf("%zu cases in %s\n", all.size(), name(dtype));
}

//===----------------------------------------------------------------------===//
// P v = o
//===----------------------------------------------------------------------===//

static Tensor largest(const Tensor &a, const Tensor &b) { return max(abs(a - b)); }

/// Returns the largest difference of P v from the attention with v.
static Tensor differenceOf(const Tensor &q, const Tensor &k, const Tensor &v, const AttentionOptions &options) {
  return largest(matmul(attention_weights(q, k, options), v), scaled_dot_product_attention(q, k, v, options));
}

static std::vector<std::pair<const char *, AttentionOptions>> families(const Tensor &w) {
  Tensor decay = full({1, 2, 70}, 0.9, f64), beta = full({1, 2, 70}, 0.3, f64);
  auto kernel = [](Kernelized parameters) { return kernelized(std::move(parameters)); };
  Kernelized elu{.feature = Feature::elu}, causalElu{.feature = Feature::elu, .of = causal()};
  Kernelized plain{.feature = Feature::identity, .normalizer = Normalizer::none, .of = causal()};
  return {{"favor", {.pattern = kernel({}), .parameters = {w}}},
          {"favor_causal", {.pattern = kernel({.of = causal()}), .parameters = {w}}},
          {"trigonometric", {.pattern = kernel({.feature = Feature::trigonometric}), .parameters = {w}}},
          {"elu", {.pattern = kernel(elu), .lengths = constant({50}, {1})}},
          {"elu_causal", {.pattern = kernel(causalElu)}},
          {"elu_window", {.pattern = kernel({.feature = Feature::elu, .of = window(7)})}},
          {"relative", {.pattern = kernel(causalElu), .relative = full({2, 139}, 0.1, f64)}},
          {"decay", {.pattern = kernel(plain), .decay = decay}},
          {"delta", {.pattern = kernel(plain), .decay = decay, .beta = beta}},
          {"feature", {.pattern = kernel(plain), .feature = [](const Tensor &row) { return softmax(row); }}}};
}

/// Low rank with as many rows as keys and E = 1 is dense; others read P (F^T v).
static std::vector<Tensor> lowRank(const Tensor &q, const Tensor &k, const Tensor &v) {
  Tensor identity = one_hot(arange(70), 70, f64), e = slice(identity, 1, 0, 67) + 0.25, lengths = constant({61}, {1});
  auto score = [](Score s) { return s.value * 0.5 + (s.i - s.j) * 0.125; };
  auto check = [&](Projection kind, int64_t rank, const std::vector<Tensor> &parameters, const Tensor &values) {
    AttentionOptions options{.pattern = low_rank({.rank = rank, .projection = kind}), .parameters = parameters};
    options.score = score;
    return largest(matmul(attention_weights(q, k, options), values), scaled_dot_product_attention(q, k, v, options));
  };
  auto pooled = [&](int64_t rank, int64_t block, auto reduce) {
    Tensor whole = slice(v, 2, 0, 70 / block * block);
    Tensor rows = reduce(reshape(whole, {1, 2, 70 / block, block, 5}), 3, false);
    rows = concat({rows, reduce(slice(v, 2, 70 / block * block, 70), 2, true)}, 2);
    return pad(rows, {{2, 0, rank - rows.size(2).value()}});
  };
  AttentionOptions padded{.pattern = low_rank({.rank = 67}), .lengths = lengths, .parameters = {e}};
  Tensor cut = where(reshape(arange(70), {70, 1}) < 61.0, v, 0.0);
  Tensor weights = full({3, 5}, 0.25, f64);
  Tensor blocks = reshape(pad(v, {{2, 0, 2}}), {1, 2, 24, 3, 5});
  return {check(Projection::learned, 70, {identity}, v),
          largest(matmul(attention_weights(q, k, padded), einsum("nr,bhnd->bhrd", {e, cut})),
                  scaled_dot_product_attention(q, k, v, padded)),
          check(Projection::mean, 24, {}, pooled(24, 3, [](auto &&...x) { return mean(x...); })),
          check(Projection::max, 20, {}, pooled(20, 4, [](auto &&...x) { return max(x...); })),
          check(Projection::strided_conv, 24, {weights}, sum(blocks * weights, 3))};
}

/// Returns the difference of the gradients of a sum of squares of weights from those of a softmax that is written out.
static Tensor differenceOfGradients(const Tensor &q, const Tensor &k) {
  Tensor ones = full({}, 1, f64);
  auto mapped = [&](const std::vector<Tensor> &at) {
    return sum(square(attention_weights(at[0], at[1], {.pattern = causal()}, {.rows = {{20, 70}}})));
  };
  auto written = [&](const std::vector<Tensor> &at) {
    Tensor scores = matmul(at[0], transpose(at[1], 2, 3)) * (1 / std::sqrt(5.0));
    Tensor isLater = reshape(arange(70), {70, 1}) < reshape(arange(70), {1, 70});
    return sum(square(slice(softmax(where(isLater, -1e300, scores)), 2, 20, 70)));
  };
  ValueAndVjp a = vjp(mapped, {q, k}, ones), b = vjp(written, {q, k}, ones);
  return maximum(largest(a.gradients[0], b.gradients[0]), largest(a.gradients[1], b.gradients[1]));
}

static void printFamilies() {
  Program program("families");
  TensorSpec rows{"", f64, {1, 2, 70, 5}};
  auto spec = [&](const char *name) { return TensorSpec{name, f64, {1, 2, 70, 5}}; };
  program.entry("families", {spec("q"), spec("k"), spec("v"), {"w", f64, {6, 5}}},
                [](Tensor q, Tensor k, Tensor v, Tensor w) {
                  std::map<std::string, Tensor> differences;
                  for (const auto &[name, options] : families(w))
                    differences[name] = differenceOf(q, k, v, options);
                  std::vector<Tensor> projections = lowRank(q, k, v);
                  for (size_t n = 0; n < projections.size(); ++n)
                    differences["low_rank" + std::to_string(n)] = projections[n];
                  differences["gradient"] = differenceOfGradients(q, k);
                  return Results(differences);
                });
  std::fputs(program.str().c_str(), stdout);
}

static void printMemory() {
  Program program("memory");
  TensorSpec q{"q", f32, {1, 2, 4096, 64}}, k{"k", f32, {1, 2, 4096, 64}};
  program.entry("rows", {q, k}, [](Tensor q, Tensor k) {
    return attention_weights(q, k, {.pattern = causal()}, {.rows = {{4000, 4008}}, .keys = {{0, 1024}}});
  });
  std::fputs(program.str().c_str(), stdout);
}

static void printRanks() {
  Program program("ranks", Mesh{{"tensor", 2}, {"sequence", 2}});
  Shape shape = {1, Dim(4).over("tensor"), Dim(140).over("sequence"), 8};
  program.entry("rows", {{"q", f32, shape}, {"k", f32, shape}}, [](Tensor q, Tensor k) {
    return attention_weights(q, k, {.pattern = causal() & window(50)}, {.rows = {{60, 100}}, .keys = {{0, 99}}});
  });
  std::fputs(program.str().c_str(), stdout);
}

//===----------------------------------------------------------------------===//
// Models and pictures
//===----------------------------------------------------------------------===//

/// All attentions of a model, those in checkpoints too, and the pools of its omnidirectional layers.
static void mapModels() {
  nn::OmniNet model({.width = 8, .heads = 2, .layers = 3, .partition = 3});
  Program program("model", model);
  auto loss = [&](Tensor x) { return sum(square(checkpoint([&](Tensor at) { return model(at); }, x))); };
  program.entry("loss", {{"x", f32, {2, 6, 8}}}, loss);
  program.attention_maps("loss", {.heads = {1}});
  Executable run = program.compile({.opt_level = 0});
  Arrays maps = run.call("loss_maps", {{"x", toF32(numbers({2, 6, 8}, 5))}});
  // CHECK: attention0 [2, 1, 6, 6] attention1 [2, 1, 6, 6] attention2 [2, 1, 12, 12] pool0 [2]
  for (const auto &[name, array] : maps) {
    std::printf("%s [", name.c_str());
    for (size_t n = 0; n < array.shape().size(); ++n)
      std::printf("%s%ld", n ? ", " : "", long(array.shape()[n]));
    std::printf("] ");
  }
  double sum = 0, shares = 0;
  for (int64_t j = 0; j < 12; ++j)
    sum += maps.at("attention2").at<float>({1, 0, 7, j});
  for (int64_t n = 0; n < 2; ++n)
    shares += maps.at("pool0").at<float>({n});
  // CHECK-NEXT: a row 1.000, shares 1.000
  std::printf("\na row %.3f, shares %.3f\n", sum, shares);
}

static void drawMaps() {
  // CHECK: two heads
  // CHECK-NEXT: head 0, darkest 1.000
  // CHECK-NEXT: @ .
  // CHECK-NEXT: +@
  // CHECK: head 1, darkest 0.500
  // CHECK-NEXT: {{^}}@  {{$}}
  Array weights({{{1.0, 0.0, 0.01}, {.5, 1.0, 0.0}}, {{.5, 0.0, 0.0}, {0.0, -.5, .25}}});
  Picture picture = draw(weights, {.title = "two heads", .first_row = 7});
  std::fputs(picture.text().c_str(), stdout);
  // CHECK: 6 colours, f4
  size_t colours = 0;
  for (size_t at = picture.svg().find("<path fill"); at != std::string::npos;
       at = picture.svg().find("<path fill", at + 1))
    ++colours;
  std::printf("\n%zu colours, %s\n", colours, picture.npz().find("<f4") != std::string::npos ? "f4" : "no f4");
  // CHECK: head 0, row 0, darkest 0.600
  // CHECK-NEXT: {{^}}- {{$}}
  // CHECK-NEXT: {{^}} @{{$}}
  std::fputs(draw(Array({{.2, 0.0, 0.0, .6}}), {.grid = {2, 2}}).text().c_str(), stdout);

  // CHECK: {{.*}}maps.cpp:[[@LINE+1]]:{{[0-9]+}}: expected finite weights to draw, got nan in head 0, row 1, key 0
  printError([&] { draw(Array({{0.0, 1.0}, {double(NAN), 0.0}})); });
  // CHECK: {{.*}}maps.cpp:[[@LINE+1]]:{{[0-9]+}}: expected a grid of 2 tokens, got 3 x 1
  printError([&] { draw(Array({{0.0, 1.0}}), {.grid = {3, 1}}); });
  // CHECK: {{.*}}maps.cpp:[[@LINE+1]]:{{[0-9]+}}: expected weights of floats and of 2 to 4 dimensions, got i32 of 1 dimensions
  printError([&] { draw(Array({1, 2})); });
}

static void makeMistakes() {
  Program program("mistakes");
  auto map = [&](const AttentionOptions &options, const MapOptions &chosen, Dim tokens) {
    TensorSpec q{"q", f32, {1, 2, tokens, 4}}, k{"k", f32, {1, 2, tokens, 4}};
    program.entry("map", {q, k}, [&](Tensor q, Tensor k) { return attention_weights(q, k, options, chosen); });
  };
  // CHECK: {{.*}}maps.cpp:{{[0-9]+}}:{{[0-9]+}}: expected rows of an attention that has 8, got [7, 9)
  printError([&] { map({}, {.rows = {{7, 9}}}, 8); });
  // CHECK: {{.*}}maps.cpp:{{[0-9]+}}:{{[0-9]+}}: expected keys of an attention that has 8, got [2, 2)
  printError([&] { map({}, {.keys = {{2, 2}}}, 8); });
  // CHECK: {{.*}}maps.cpp:{{[0-9]+}}:{{[0-9]+}}: expected heads of an attention that has 2, got 2
  printError([&] { map({}, {.heads = {2}}, 8); });
  // CHECK: {{.*}}maps.cpp:{{[0-9]+}}:{{[0-9]+}}: expected static numbers of queries and keys to map, got tokens
  printError([&] { map({}, {}, dim("tokens")); });
  program.entry("none", {{"x", f32, {2}}}, [](Tensor x) { return x + 1.0; });
  // CHECK: {{.*}}maps.cpp:[[@LINE+1]]:{{[0-9]+}}: expected attentions to map in entry 'none', got none
  printError([&] { program.attention_maps("none"); });
  // CHECK: {{.*}}maps.cpp:[[@LINE+1]]:{{[0-9]+}}: expected the name of an entry (none), got 'other'
  printError([&] { program.attention_maps("other"); });
}

int main(int argc, char **argv) {
  if (argc > 1 && std::strcmp(argv[1], "families") == 0)
    return printFamilies(), 0;
  if (argc > 1 && std::strcmp(argv[1], "ranks") == 0)
    return printRanks(), 0;
  if (argc > 1)
    return printMemory(), 0;
  compareWithDefinition(f64);
  compareWithDefinition(f32);
  mapModels();
  drawMaps();
  makeMistakes();
}
