//===- layer_numbers.cpp - Layers and their gradients against torch -------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inputs/layer_numbers.py computes the same layers with torch in f64, of the same numbers: element n of a tensor is
// sin(0.7 n + seed) / 2. Compared are <result, weights> and the product of each gradient with other weights, all made
// of such numbers.
//
//===----------------------------------------------------------------------===//
// RUN: frontend-layer-numbers | FileCheck %s

#include <xf/xf.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

using namespace xf;

static constexpr double resultSeed = 0.25, gradientSeed = 0.5;

static double number(int64_t n, double seed) { return std::sin(0.7 * static_cast<double>(n) + seed) / 2; }

static int64_t countOf(const Shape &shape) {
  int64_t count = 1;
  for (const Dim &size : shape)
    count *= size.value();
  return count;
}

/// The product of a tensor with weights, as a scalar.
static Tensor weigh(const Tensor &x, double seed) {
  std::vector<double> weights;
  for (int64_t n = 0; n < countOf(x.shape()); ++n)
    weights.push_back(number(n, seed));
  return sum(x * constant(weights, x.shape(), f64));
}

static void fill(const Array &array, double seed, double offset = 0) {
  int64_t n = 0;
  for (double &value : Array(array).data<double>())
    value = number(n++, seed) + offset;
}

using Function = std::function<Tensor(const std::vector<Tensor> &)>;

/// Computes the numbers to compare: of f, of its gradients by `inputs`, and of those by the model's parameters.
static std::vector<Tensor> numbersOf(const Function &f, const std::vector<Tensor> &inputs, const nn::Module &model) {
  auto loss = [&](const std::vector<Tensor> &at) { return weigh(f(at), resultSeed); };
  auto [value, gradients] = value_and_grad(loss)(inputs);
  std::vector<Tensor> all = {value};
  for (const Tensor &gradient : gradients)
    all.push_back(weigh(gradient, gradientSeed));
  if (model.named_parameters().empty())
    return all;
  for (const Tensor &gradient : value_and_grad(model, [&] { return loss(inputs); })().gradients)
    all.push_back(weigh(gradient, gradientSeed));
  return all;
}

/// Seeds of the inputs, and of the parameters after them; the weights of norms are around 1.
struct Seeds {
  std::vector<double> inputs = {0.1, 0.4, 0.7, 1.0, 1.3, 1.6, 1.9};
  double first = 0.1, step = 0.3;
  bool torchNorms = false;
};

static void compare(const char *name, const nn::Module &model, const std::vector<Shape> &shapes, const Function &f,
                    const std::vector<double> &expected, const Seeds &seeds = {}) {
  model.to(f64);
  Program program("layers", model);
  std::vector<TensorSpec> specs;
  Arrays arguments;
  for (size_t n = 0; n < shapes.size(); ++n) {
    specs.push_back({"x" + std::to_string(n), f64, shapes[n]});
    std::vector<int64_t> sizes;
    for (const Dim &size : shapes[n])
      sizes.push_back(size.value());
    Array array(f64, sizes);
    fill(array, seeds.inputs[n]);
    arguments.insert({specs.back().name, array});
  }
  model.state_dict(); // makes the values
  double seed = seeds.first;
  for (const auto &[path, parameter] : model.named_parameters()) {
    bool isNorm = seeds.torchNorms && path.find("norm") != std::string::npos && path.ends_with("weight");
    fill(parameter.value(), seed, isNorm ? 1 : 0);
    seed += seeds.step;
  }
  program.entry("numbers", specs, [&](const std::vector<Tensor> &inputs) { return numbersOf(f, inputs, model); });
  Arrays results = program.compile().call("numbers", arguments);
  size_t wrong = results.size() == expected.size() ? 0 : 1;
  for (size_t n = 0; n < std::min(expected.size(), results.size()); ++n) {
    double got = results.at(results.size() == 1 ? "numbers" : "result" + std::to_string(n)).data<double>()[0];
    if (std::abs(got - expected[n]) > 2e-9) {
      std::printf("%s: number %zu: expected %.9f, got %.9f\n", name, n, expected[n], got);
      ++wrong;
    }
  }
  if (!wrong)
    std::printf("%s: %zu numbers\n", name, expected.size());
  else
    std::printf("%s: expected %zu numbers, got %zu\n", name, expected.size(), results.size());
}

/// Compares a function without parameters.
static void compare(const char *name, const std::vector<Shape> &shapes, const Function &f,
                    const std::vector<double> &expected) {
  compare(name, nn::Module(), shapes, f, expected);
}

//===----------------------------------------------------------------------===//
// Images
//===----------------------------------------------------------------------===//

static void convolutions() {
  auto convolution = [](const Conv2dOptions &options) {
    return [=](const std::vector<Tensor> &x) { return conv2d(x[0], x[1], x[2], options); };
  };
  auto line = [](const Conv1dOptions &options) {
    return [=](const std::vector<Tensor> &x) { return conv1d(x[0], x[1], x[2], options); };
  };
  // CHECK: conv2d: 4 numbers
  compare("conv2d", {{2, 3, 7, 6}, {4, 3, 3, 2}, {4}},
          convolution({.stride = {2, 1}, .padding = {1, 2}, .dilation = {1, 2}}),
          {1.305056369, 1.068236953, 1.101010875, 0.186163068});
  // Windows that tile the image, with a rest that no window has.
  // CHECK: tiles: 4 numbers
  compare("tiles", {{2, 3, 6, 7}, {4, 3, 2, 3}, {4}}, convolution({.stride = {2, 3}}),
          {0.004997854, 0.035627345, 0.013895440, 0.030069585});
  // CHECK: groups: 4 numbers
  compare("groups", {{1, 4, 5, 5}, {6, 2, 3, 3}, {6}}, convolution({.padding = 1, .groups = 2}),
          {1.385886036, 2.587598781, 0.758868005, -0.178113575});
  // CHECK: depthwise: 4 numbers
  compare("depthwise", {{2, 3, 5, 4}, {3, 1, 3, 3}, {3}}, convolution({.stride = 2, .padding = 1, .groups = 3}),
          {-0.794803798, -0.760608330, -0.398627570, -0.530438045});
  // CHECK: conv1d: 4 numbers
  compare("conv1d", {{2, 3, 8}, {4, 3, 3}, {4}}, line({.stride = 2, .padding = 1}),
          {0.644638787, 0.309188811, 0.437316488, 0.184760599});
  // CHECK: causal: 4 numbers
  compare("causal", {{2, 3, 8}, {3, 1, 3}, {3}}, line({.dilation = 2, .groups = 3, .causal = true}),
          {0.589748299, 0.105253924, 0.139048902, 0.391822154});
}

static void windows() {
  Windows overlapping{.size = 3, .stride = 2, .padding = 1};
  // CHECK: average: 2 numbers
  compare("average", {{2, 3, 7, 6}}, [&](const std::vector<Tensor> &x) { return average_pool(x[0], overlapping); },
          {0.090781045, 0.086128094});
  // CHECK: maximum: 2 numbers
  compare("maximum", {{2, 3, 7, 6}}, [&](const std::vector<Tensor> &x) { return max_pool(x[0], overlapping); },
          {0.237760398, 0.016943491});
  // CHECK: windows: 2 numbers
  compare("windows", {{2, 3, 7, 6}}, [&](const std::vector<Tensor> &x) { return image_windows(x[0], overlapping); },
          {0.072950191, 0.037164403});
  nn::PatchEmbedding patches({.channels = 3, .size = 2, .width = 5});
  // CHECK: patches: 4 numbers
  compare("patches", patches, {{2, 3, 4, 6}}, [&](const std::vector<Tensor> &x) { return patches(x[0]); },
          {0.213856614, -0.351757145, -0.300164128, 0.485466090}, {.first = 0.4});
}

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

static void positions() {
  auto turn = [](const char *name, const Rotary &rotary, int64_t first, int64_t size,
                 const std::vector<double> &expected) {
    compare(name, {{2, 2, 5, size}}, [=](const std::vector<Tensor> &x) { return rotary(x[0], first); }, expected);
  };
  // CHECK: halves: 2 numbers
  turn("halves", {}, 0, 8, {14.427832548, 13.810817962});
  // CHECK: interleaved: 2 numbers
  turn("interleaved", {.interleaved = true}, 0, 8, {12.959434845, 13.042422182});
  // CHECK: partial: 2 numbers
  turn("partial", {.base = 500, .size = 6}, 3, 8, {13.262021002, 14.073357307});
  // CHECK: linear: 2 numbers
  turn("linear", {.scaling = RotaryScaling::linear(4)}, 0, 8, {19.083860353, 18.994191479});
  // CHECK: ntk: 2 numbers
  turn("ntk", {.scaling = RotaryScaling::ntk(4)}, 0, 8, {14.555802806, 13.892360640});
  // Frequencies of all three kinds: short waves, long ones and those between.
  // CHECK: llama3: 2 numbers
  turn("llama3", {.scaling = RotaryScaling::llama3({.length = 1024})}, 0, 16, {33.174863627, 31.212855034});
  // CHECK: positions: 2 numbers
  compare("positions", {{2, 2, 5, 8}},
          [](const std::vector<Tensor> &x) {
            std::vector<int64_t> places = {7, 0, 2, 9, 4, 1, 1, 3, 0, 5};
            return Rotary()(x[0], constant(places, {2, 5}, i32));
          },
          {14.145442862, 13.746258140});
  // The gradient of nothing, to have an input.
  // CHECK: grid: 2 numbers
  compare("grid", {{6, 8}}, [](const std::vector<Tensor> &x) { return x[0] * 0.0 + image_sinusoids(3, 2, 8, f64); },
          {1.394195709, 0});
  // CHECK: vaswani: 2 numbers
  compare("vaswani", {{5, 6}},
          [](const std::vector<Tensor> &x) { return x[0] * 0.0 + sinusoids(5, 6, {.dtype = f64}); }, {1.020947560, 0});
}

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

static void layers() {
  nn::SwiGLU gated({.width = 4, .hidden = 6});
  // CHECK: swiglu: 8 numbers
  compare("swiglu", gated, {{2, 3, 4}}, [&](const std::vector<Tensor> &x) { return gated(x[0]); },
          {0.277615344, 0.028914206, 0.011953147, 0.003065365, 0.015718474, 0.022449588, -0.030036633, 0.438563721},
          {.first = 0.4});
  nn::MultiheadAttention attention({.width = 4,
                                    .heads = 4,
                                    .kv_heads = 2,
                                    .head_size = 6,
                                    .memory_width = 8,
                                    .bias = {true, false, true, false},
                                    .head_norm = nn::NormKind::rms,
                                    .rotary = Rotary(),
                                    .before_attention = [](nn::ProjectedHeads heads) {
                                      heads.v = heads.v * 2.0;
                                      return heads;
                                    }});
  // CHECK: attention: 11 numbers
  compare("attention", attention, {{2, 3, 4}, {2, 5, 8}},
          [&](const std::vector<Tensor> &x) { return attention(x[0], x[1]); },
          {-0.298730456, 0.149020534, -0.179210041, 0.130823001, -0.100324127, 0.424957608, -0.457201775, 0.032141265,
           0.149999642, -0.019911519, -0.561767341},
          {.first = 0.7});
  // torch's function of q from one tensor, k and v from another, with in_proj_weight.
  nn::MultiheadAttention fused({.width = 4, .heads = 2, .fused = true});
  // CHECK: fused: 7 numbers
  compare("fused", fused, {{2, 3, 4}, {2, 5, 4}}, [&](const std::vector<Tensor> &x) { return fused(x[0], x[1]); },
          {0.392484487, -0.038526052, -0.044215806, -0.074829130, 0.030402810, 0.080916124, 0.438563721},
          {.first = 0.7});
}

static void transformers() {
  Seeds seeds{.inputs = {0.1, 0.9}, .first = 1, .step = 1, .torchNorms = true};
  nn::TransformerEncoderLayer last({.width = 4, .heads = 2, .hidden = 6}),
      first({.width = 4, .heads = 2, .hidden = 6, .norm = Norm::first, .activation = gelu});
  // CHECK: norm last: 14 numbers
  compare(
      "norm last", last, {{2, 3, 4}}, [&](const std::vector<Tensor> &x) { return last(x[0]); },
      {4.669400521, -0.262659154, -0.082392232, 0.743170073, -1.019993404, 0.749081114, -0.761637195, -0.869731406,
       -2.306767577, 0.367045102, 1.204438921, 0.842765056, 1.176255939, 0.438563721},
      seeds);
  // CHECK: norm first: 14 numbers
  compare(
      "norm first", first, {{2, 3, 4}}, [&](const std::vector<Tensor> &x) { return first(x[0]); },
      {3.059588008, 2.807654807, 0.508874483, -0.091776009, -0.200985592, 0.404865851, 0.545622727, 0.054788720,
       0.093966862, 0.438563721, 0.223158442, 0.134399790, 0.041395054, -0.127742712},
      seeds);
  nn::TransformerDecoderLayer decoder({.width = 4, .heads = 2, .hidden = 6});
  // CHECK: decoder: 21 numbers
  compare(
      "decoder", decoder, {{2, 3, 4}, {2, 5, 4}}, [&](const std::vector<Tensor> &x) { return decoder(x[0], x[1]); },
      {4.118201839,  0.397182217,  0.066240326,  -0.168987125, 2.784077890,  -1.496578192, 0.332308998,
       -0.040799303, -0.640000753, -0.221663911, 0.085341573,  1.140625753,  -0.264371398, 0.279825224,
       0.098693876,  -0.015110742, 0.101970417,  -0.058818529, -0.232920748, 1.356001152,  0.438563721},
      seeds);
}

//===----------------------------------------------------------------------===//
// Sizes of calls, seeds
//===----------------------------------------------------------------------===//

/// Positions as an input make a program for any number of tokens: as many as it had when it was written, or others.
static void dynamicTokens() {
  nn::MultiheadAttention attention({.width = 8, .heads = 2, .pattern = causal(), .rotary = Rotary()});
  Program program("tokens", attention);
  Dim tokens = dim("tokens", {.min = 1, .max = 16});
  program.entry("fixed", {{"x", f32, {1, 5, 8}}}, attention);
  program.entry("any", {{"x", f32, {1, tokens, 8}}, {"positions", i32, {tokens}}},
                [&](Tensor x, Tensor at) { return attention(x, {.positions = at}); });
  Executable run = program.compile();
  Array x(f32, {1, 5, 8}), at(i32, {5}), row(f32, {1, 1, 8}), zero(i32, {1});
  for (size_t n = 0; n < 40; ++n)
    x.data<float>()[n] = static_cast<float>(number(static_cast<int64_t>(n), 0));
  std::copy_n(x.data<float>().begin(), 8, row.data<float>().begin());
  for (int32_t n = 0; n < 5; ++n)
    at.data<int32_t>()[static_cast<size_t>(n)] = n;
  zero.data<int32_t>()[0] = 0;
  Array fixed = run.call("fixed", {{"x", x}}).at("fixed"),
        any = run.call("any", {{"x", x}, {"positions", at}}).at("any"),
        first = run.call("any", {{"x", row}, {"positions", zero}}).at("any");
  double difference = 0;
  for (size_t n = 0; n < 40; ++n)
    difference = std::max(difference, std::abs(double(fixed.data<float>()[n]) - any.data<float>()[n]));
  for (size_t n = 0; n < 8; ++n)
    difference = std::max(difference, std::abs(double(fixed.data<float>()[n]) - first.data<float>()[n]));
  std::printf("any number of tokens: %s\n", difference < 1e-6 ? "equal" : std::to_string(difference).c_str());
}

/// Two dropouts of one seed, and one of the next step's: no two agree, beyond the half that two coins do.
static void seeds() {
  constexpr int64_t count = 4096;
  Program program("seeds");
  program.entry("draw", {{"x", f32, {count}}, {"seed", i64, {2}}}, [](Tensor x, Tensor seed) {
    DropoutSeed draws(seed);
    Tensor first = dropout(x, 0.5);
    return Results{{"first", first}, {"second", nn::Dropout(0.5)(x)}};
  });
  program.entry("evaluate", {{"x", f32, {count}}}, [](Tensor x) { return dropout(x + 1.0, 0.5); });
  Executable run = program.compile();
  Array x(f32, {count}), seed(i64, {2});
  std::fill(x.data<float>().begin(), x.data<float>().end(), 1.0f);
  auto draw = [&](int64_t step) {
    seed.data<int64_t>()[0] = 7;
    seed.data<int64_t>()[1] = step;
    return run.call("draw", {{"x", x}, {"seed", seed}});
  };
  auto agree = [](const Array &a, const Array &b) {
    int64_t equal = 0;
    for (size_t n = 0; n < count; ++n)
      equal += a.data<float>()[n] == b.data<float>()[n];
    return static_cast<double>(equal) / count;
  };
  auto half = [](double share) { return std::abs(share - 0.5) < 0.05; };
  Arrays now = draw(1), again = draw(1), next = draw(2);
  std::printf("draws: again %g, places %d, steps %d, place and step %d; evaluation %g\n",
              agree(now.at("first"), again.at("first")), half(agree(now.at("first"), now.at("second"))),
              half(agree(now.at("first"), next.at("first"))), half(agree(now.at("second"), next.at("first"))),
              double(run.call("evaluate", {{"x", x}}).at("evaluate").data<float>()[0]));
}

int main() {
  convolutions();
  windows();
  positions();
  layers();
  transformers();
  // CHECK: any number of tokens: equal
  dynamicTokens();
  // CHECK: draws: again 1, places 1, steps 1, place and step 1; evaluation 2
  seeds();
}
