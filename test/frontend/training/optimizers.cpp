//===- optimizers.cpp - Optimisers and schedules against torch ------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inputs/optimizer_numbers.py trains the same network with torch in f64 for ten steps, from the same numbers: element n
// of a tensor is sin(0.7 n + seed) / 2. Compared are the last loss, <parameter, weights> of each parameter after it,
// the last norm of the gradients where they are clipped, and the same of the averages of the parameters, where there
// are.
//
//===----------------------------------------------------------------------===//
// RUN: frontend-optimizers | FileCheck %s

#include <xf/xf.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

using namespace xf;

static constexpr double weightSeed = 0.5;
static constexpr float rate = 1.f / 32;
static constexpr int steps = 10;

static double number(int64_t n, double seed) { return std::sin(0.7 * static_cast<double>(n) + seed) / 2; }

static void fill(const Array &array, double seed, double factor = 1) {
  for (int64_t n = 0; n < array.count(); ++n) {
    if (array.dtype() == f64)
      array.data<double>()[n] = factor * number(n, seed);
    else
      array.data<float>()[n] = static_cast<float>(factor * number(n, seed));
  }
}

static double weigh(const Array &array) {
  double sum = 0;
  for (int64_t n = 0; n < array.count(); ++n)
    sum += number(n, weightSeed) * (array.dtype() == f64 ? array.data<double>()[n] : array.data<float>()[n]);
  return sum;
}

namespace {
struct Network : nn::Module {
  nn::Sequential layers{nn::Linear(5, 4), gelu, nn::Linear(4, 3)};

  explicit Network(Dtype dtype) {
    layers.to(dtype);
    double seed = 1;
    layers.state_dict(); // makes the values
    for (const auto &[name, parameter] : layers.named_parameters()) {
      fill(parameter.value(), seed);
      seed += 0.3;
    }
  }
};
} // namespace

static TensorSpec spec(const char *name, Dtype dtype, int64_t columns, int64_t rows = 6) {
  return {name, dtype, {rows, columns}};
}

/// Returns rows `first` to `first + rows` of the data: inputs of 5 columns, or targets of 3.
static Array data(Dtype dtype, int64_t columns, int64_t rows = 6, int64_t first = 0) {
  Array all(dtype, {first + rows, columns}), part(dtype, {rows, columns});
  fill(all, columns == 5 ? 0.1 : 0.4, 2);
  std::span<std::byte> from = all.bytes().subspan(static_cast<size_t>(first * columns) * size_of(dtype));
  std::copy(from.begin(), from.end(), part.bytes().begin());
  return part;
}

/// Returns the program of a step, and of one that returns the norm of the gradients besides.
static Executable compile(const Network &network, Dtype dtype, const optim::Optimizer &optimizer,
                          const Schedule *schedule = nullptr, int64_t rows = 6) {
  Program program("training", network.layers);
  std::vector<TensorSpec> inputs = {spec("x", dtype, 5, rows), spec("y", dtype, 3, rows)};
  auto loss = [&](const Tensor &x, const Tensor &y) {
    Tensor apart = network.layers(x) - y;
    return Losses{mean(square(apart)), {{"largest", max(abs(apart))}}};
  };
  if (schedule)
    program.train_step("train", network.layers, inputs, loss, optimizer, *schedule);
  else
    program.train_step("train", network.layers, inputs, loss, optimizer);
  return program.compile();
}

//===----------------------------------------------------------------------===//
// Against torch
//===----------------------------------------------------------------------===//

static bool clips(const optim::Optimizer &optimizer) {
  return std::visit([](const auto &own) { return own.clip_norm > 0; }, optimizer);
}

/// Trains in one element type. Returns the greatest difference to the numbers, or infinity if there are other ones.
static double train(Dtype dtype, const optim::Optimizer &optimizer, const Schedule *schedule,
                    const std::vector<double> &expected) {
  Network network(dtype);
  Executable run = compile(network, dtype, optimizer, schedule);
  Arrays inputs = {{"x", data(dtype, 5)}, {"y", data(dtype, 3)}}, results;
  bool given = schedule || std::visit([](const auto &own) { return own.learning_rate.has_value(); }, optimizer);
  if (!given)
    inputs["learning_rate"] = rate;
  for (int step = 0; step < steps; ++step)
    results = run.call("train", inputs);
  std::vector<double> numbers = {results.at("loss").item<double>()};
  StateDict values = run.state_dict(), averages = optim::averages(run.optimizer_state());
  for (const auto &[name, parameter] : network.layers.named_parameters())
    numbers.push_back(weigh(values.at(name)));
  if (clips(optimizer))
    numbers.push_back(results.at("gradient_norm").item<double>());
  for (const auto &[name, parameter] : network.layers.named_parameters())
    if (averages.contains(name))
      numbers.push_back(weigh(averages.at(name)));
  double worst = numbers.size() == expected.size() ? 0 : HUGE_VAL;
  for (size_t n = 0; n < std::min(numbers.size(), expected.size()); ++n) {
    if (std::abs(numbers[n] - expected[n]) > 1e-3)
      std::printf("number %zu: expected %.9f, got %.9f\n", n, expected[n], numbers[n]);
    worst = std::max(worst, std::abs(numbers[n] - expected[n]));
  }
  return worst;
}

/// Compares training in f64 and in f32. The learning rate and the factor of clipping are f32 in both.
static void compare(const char *name, const optim::Optimizer &optimizer, const std::vector<double> &expected,
                    const Schedule *schedule = nullptr) {
  double tolerance = clips(optimizer) || schedule ? 2e-7 : 2e-9;
  double wide = train(f64, optimizer, schedule, expected), narrow = train(f32, optimizer, schedule, expected);
  std::printf("%s: f64 %s, f32 %s\n", name, wide < tolerance ? "equal" : std::to_string(wide).c_str(),
              narrow < 2e-5 ? "equal" : std::to_string(narrow).c_str());
}

static void optimizers() {
  // CHECK: AdamW: f64 equal, f32 equal
  compare("AdamW", optim::AdamW{.weight_decay = 0.1, .clip_norm = 0.25},
          {0.450202708, 1.607798702, 0.224738962, 0.417016376, 0.014255346, 0.176787063});
  // CHECK: AdamW in groups, averaged: f64 equal, f32 equal
  compare("AdamW in groups, averaged",
          optim::AdamW{.weight_decay = 0.1,
                       .groups = {{"*.bias", {.weight_decay = 0}}, {"2.w*", {.learning_rate_factor = 0.5}}},
                       .ema = 0.75},
          {0.498335828, 1.577691234, 0.190370680, 0.544339966, 0.068057053, 1.736091240, 0.232043746, 0.581676914,
           0.111595985});
  // CHECK: Adam: f64 equal, f32 equal
  compare("Adam", optim::Adam{}, {0.477676178, 1.674187301, 0.211690770, 0.354192539, 0.065651523});
  // CHECK: Adam with decay: f64 equal, f32 equal
  compare("Adam with decay", optim::Adam{.beta1 = 0.8, .beta2 = 0.95, .weight_decay = 0.1},
          {0.471344126, 1.224905472, 0.213621794, 0.328860630, 0.052863132});
  // CHECK: Lion: f64 equal, f32 equal
  compare("Lion", optim::Lion{.weight_decay = 0.1}, {0.443994101, 1.231045670, 0.099510799, 0.439076959, -0.059288498});
  // CHECK: Adafactor: f64 equal, f32 equal
  compare("Adafactor", optim::Adafactor{.weight_decay = 0.1},
          {0.630511214, 2.098230809, 0.318092691, 0.578777829, 0.161704533});
  // CHECK: SGD: f64 equal, f32 equal
  compare("SGD", optim::SGD{.learning_rate = rate, .momentum = 0.9, .weight_decay = 0.1},
          {0.490538142, 1.589520105, 0.164540389, 0.182136531, -0.015624081});
  // CHECK: SGD with Nesterov's momentum: f64 equal, f32 equal
  compare("SGD with Nesterov's momentum",
          optim::SGD{.momentum = 0.9, .nesterov = true, .weight_decay = 0.1, .clip_norm = 0.25},
          {0.595286773, 1.837307221, 0.276314536, 0.537819814, 0.108984001, 0.563739515});
  // CHECK: frozen: f64 equal, f32 equal
  compare("frozen", optim::AdamW{.groups = {{"*", {.frozen = true}}, {"2.*", {.frozen = false}}}},
          {0.494714026, 2.312234106, 0.395538244, 0.102261969, 0.095883813});
}

static void schedules() {
  Schedule sequence = schedule::warmup(3) | schedule::cosine(4, 0.1) | schedule::linear(2, 0.5);
  // CHECK: schedule: f64 equal, f32 equal
  compare("schedule", optim::AdamW{.learning_rate = rate},
          {0.505803012, 1.811354873, 0.244011068, 0.359464456, 0.117741981}, &sequence);
  auto factors = [](const char *name, const Schedule &schedule, const std::vector<double> &expected) {
    double worst = 0;
    for (size_t step = 0; step < expected.size(); ++step)
      worst = std::max(worst, std::abs(schedule.at(static_cast<int64_t>(step)) - expected[step]));
    std::printf("%s: %s\n", name, worst < 1e-9 ? "equal" : std::to_string(worst).c_str());
  };
  // CHECK: factors: equal
  factors("factors", sequence,
          {0.333333333, 0.666666667, 1.0, 1.0, 0.868198052, 0.55, 0.231801948, 1.0, 0.75, 0.5, 0.5});
  // CHECK: inverse square root: equal
  factors("inverse square root", schedule::warmup(3) | schedule::inverse_sqrt(3),
          {0.333333333, 0.666666667, 1.0, 1.0, 0.866025404, 0.774596669, 0.707106781, 0.654653671, 0.612372436,
           0.577350269});
  // What the program computes is what `at` computes: of a gradient of 1, SGD subtracts the learning rates.
  struct Weight : nn::Module {
    Parameter weight{{1}, constant_init(0)};
    XF_MEMBERS(weight)
  } weight;
  auto pieces = {schedule::constant(2, 0.25) | schedule::warmup(3), schedule::warmup(2) | schedule::inverse_sqrt(3),
                 schedule::cosine(3) | schedule::linear(3, 0.5)};
  // CHECK: computed: equal equal equal
  std::printf("computed:");
  for (const Schedule &schedule : pieces) {
    Program program("rates", weight);
    program.train_step(
        "train", weight, {}, [&] { return sum(weight.weight); }, optim::SGD{.learning_rate = 1}, schedule);
    Executable run = program.compile();
    double worst = 0, total = 0;
    for (int step = 0; step < 8; ++step) {
      run("train", Inputs());
      total += schedule.at(step);
      worst = std::max(worst, std::abs(total + run.state_dict().at("weight").item<double>()));
    }
    std::printf(" %s", worst < 1e-6 ? "equal" : std::to_string(worst).c_str());
  }
  std::puts("");
}

//===----------------------------------------------------------------------===//
// Against other calls
//===----------------------------------------------------------------------===//

/// Trains on 12 rows at once, and on 3 rows in each of 4 calls: two updates.
static void accumulation(const char *name, optim::Optimizer optimizer) {
  std::visit([](auto &own) { own.clip_norm = 0.25, own.ema = 0.5, own.learning_rate = rate; }, optimizer);
  Network together(f64), apart(f64);
  Schedule line = schedule::linear(4, 0.5);
  Executable whole = compile(together, f64, optimizer, &line, 12);
  std::visit([](auto &own) { own.accumulate = 4; }, optimizer);
  Executable parts = compile(apart, f64, optimizer, &line, 3);
  double norm = 0, mean = 0, changed = 0;
  for (int update = 0; update < 2; ++update) {
    norm = whole.call("train", {{"x", data(f64, 5, 12)}, {"y", data(f64, 3, 12)}}).at("gradient_norm").item<double>();
    for (int64_t call = 0; call < 4; ++call) {
      double before = weigh(parts.state_dict().at("0.weight"));
      mean = parts.call("train", {{"x", data(f64, 5, 3, 3 * call)}, {"y", data(f64, 3, 3, 3 * call)}})
                 .at("gradient_norm")
                 .item<double>();
      changed += (weigh(parts.state_dict().at("0.weight")) != before) != (call == 3);
    }
  }
  StateDict one = whole.state_dict(), four = parts.state_dict();
  one.merge(whole.optimizer_state());
  four.merge(parts.optimizer_state());
  double worst = std::abs(norm - mean);
  for (const auto &[path, array] : one)
    for (int64_t n = 0; n < array.count() && array.dtype() == f64; ++n)
      worst = std::max(worst, std::abs(array.data<double>()[n] - four.at(path).data<double>()[n]));
  std::printf("%s: %s, changes between updates: %g, step %lld, accumulated %lld\n", name,
              worst < 2e-7 ? "equal" : std::to_string(worst).c_str(), changed,
              static_cast<long long>(four.at("step").item<int64_t>()),
              static_cast<long long>(four.at("accumulated").item<int64_t>()));
}

static void accumulations() {
  // CHECK: AdamW: equal, changes between updates: 0, step 2, accumulated 4
  accumulation("AdamW", optim::AdamW{.weight_decay = 0.1});
  // CHECK: Adam: equal, changes between updates: 0, step 2, accumulated 4
  accumulation("Adam", optim::Adam{.weight_decay = 0.1});
  // CHECK: Lion: equal, changes between updates: 0, step 2, accumulated 4
  accumulation("Lion", optim::Lion{.weight_decay = 0.1});
  // CHECK: Adafactor: equal, changes between updates: 0, step 2, accumulated 4
  accumulation("Adafactor", optim::Adafactor{.weight_decay = 0.1});
  // CHECK: SGD: equal, changes between updates: 0, step 2, accumulated 4
  accumulation("SGD", optim::SGD{.momentum = 0.9, .weight_decay = 0.1});
}

/// A run whose parameters and state are saved between two calls of one update, and one that goes on, end with the same
/// bits.
static void resuming() {
  Schedule line = schedule::linear(4, 0.5);
  optim::Optimizer optimizer = optim::Lion{.learning_rate = rate, .clip_norm = 0.25, .accumulate = 4, .ema = 0.5};
  Network first(f32), second(f32);
  Executable whole = compile(first, f32, optimizer, &line, 3), resumed = compile(second, f32, optimizer, &line, 3);
  auto call = [](const Executable &run, int64_t from, int64_t to) {
    for (int64_t call = from; call < to; ++call)
      run.call("train", {{"x", data(f32, 5, 3, 3 * call)}, {"y", data(f32, 3, 3, 3 * call)}});
    StateDict all = run.state_dict();
    all.merge(run.optimizer_state());
    return all;
  };
  resumed.load_state_dict(call(whole, 0, 6));
  StateDict one = call(whole, 6, 12), other = call(resumed, 6, 12);
  bool equal = one.size() == other.size();
  for (const auto &[path, array] : one)
    equal &= std::ranges::equal(array.bytes(), other.at(path).bytes());
  // CHECK: resumed between two calls: equal 1, step 3
  std::printf("resumed between two calls: equal %d, step %lld\n", equal,
              static_cast<long long>(other.at("step").item<int64_t>()));
}

/// A row without gradients stays as it is, also if the square of eps1 is 0 in f32.
static void rowsWithoutGradients() {
  struct Weight : nn::Module {
    Parameter weight{{2, 3}, constant_init(1)};
    XF_MEMBERS(weight)
  } weight;
  Program program("rows", weight);
  program.train_step(
      "train", weight, {}, [&] { return sum(slice(weight.weight, 0, 0, 1)); },
      optim::Adafactor{.learning_rate = .5, .eps1 = 1e-30});
  Executable run = program.compile();
  run("train", Inputs());
  std::span<const float> values = run.state_dict().at("weight").data<float>();
  // CHECK: rows: 0.5 and 1
  std::printf("rows: %g and %g\n", double(values[0]), double(values[3]));
}

int main() {
  optimizers();
  schedules();
  accumulations();
  resuming();
  rowsWithoutGradients();
}
