//===- loss_scale.cpp - Factors of losses, moments of 16 bits -------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: frontend-loss-scale 2>&1 | FileCheck %s

#include "../OneWeight.h"

#include <algorithm>
#include <cmath>

using namespace xf;

namespace {
/// A parameter of 16 bits.
struct Half : nn::Module {
  Parameter weight{{1}, constant_init(1), f16};
  XF_MEMBERS(weight)
};
struct Network : nn::Module {
  nn::Linear first{4, 3}, last{3, 2};
  XF_MEMBERS(first, last)
  Tensor operator()(const Tensor &x) const { return last(gelu(first(x))); }
};
} // namespace

static float state(const Executable &run, const char *name) { return run.optimizer_state().at(name).data<float>()[0]; }
static int64_t count(const Executable &run, const char *name) {
  return run.optimizer_state().at(name).data<int64_t>()[0];
}

//===----------------------------------------------------------------------===//
// Where gradients of f16 vanish or overflow
//===----------------------------------------------------------------------===//

/// Trains w of the loss x w in f16 with a rate of 1, so that the master moves by the gradient, x.
static Executable descent(const Half &half, optim::SGD options) {
  options.learning_rate = 1;
  Program program("descent", half);
  TensorSpec x{"x", f32, {}};
  program.train_step("train", half, {x}, [&](const Tensor &x) { return x * cast(sum(half.weight), f32); }, options);
  return program.compile();
}

static void show(const char *what, const Executable &run, float x) {
  Arrays results = run.call("train", {{"x", numbers({}, {x})}});
  std::printf("%s: loss %g, master - 1 %.4g, scale %g, finite %d\n", what, results.at("loss").data<float>()[0],
              state(run, "weight.master") - 1.0, state(run, "loss_scale"), static_cast<int>(count(run, "finite")));
}

static void gradients() {
  Half half;
  Executable run = descent(half, {.loss_scale = optim::LossScale{.interval = 2}});
  // 2^-14 times 65536 is 4, far from the ends of f16.
  // CHECK: small: loss 6.10352e-05, master - 1 -6.104e-05, scale 65536, finite 1
  show("small", run, 0x1p-14f);
  // 2 times 65536 is infinite in f16: nothing is updated, and the next factor is half as large.
  // CHECK-NEXT: large: loss 2, master - 1 -6.104e-05, scale 32768, finite 0
  show("large", run, 2);
  // CHECK-NEXT: nan: loss nan, master - 1 -6.104e-05, scale 16384, finite 0
  show("nan", run, std::nanf(""));
  // CHECK-NEXT: again: loss 2, master - 1 -2, scale 16384, finite 1
  show("again", run, 2);
  // The second update in a row doubles it.
  // CHECK-NEXT: grown: loss {{.*}}, master - 1 -2, scale 32768, finite 0
  show("grown", run, 0x1p-20f);

  // Below 2^-25 a gradient of f16 is 0, times 65536 it is not.
  // CHECK-NEXT: without: 0, scaled: -2.98e-08
  Half plain, tiny;
  tiny.state_dict().at("weight").data<uint16_t>()[0] = plain.state_dict().at("weight").data<uint16_t>()[0] = 0;
  Executable without = descent(plain, {}), scaled = descent(tiny, {.loss_scale = optim::LossScale{}});
  for (const Executable &each : {without, scaled})
    each.call("train", {{"x", numbers({}, {0x1p-25f * 0.999f})}});
  std::printf("without: %.3g, scaled: %.3g\n", state(without, "weight.master"), state(scaled, "weight.master"));

  // Gradients of 0 let the factor grow to the largest f32 and no further.
  // CHECK-NEXT: zero: loss 0, master - 1 0, scale 3.40282e+38, finite 0
  Half most;
  show("zero", descent(most, {.loss_scale = optim::LossScale{.initial = 3e38, .interval = 1}}), 0);
}

//===----------------------------------------------------------------------===//
// What a factor does not change
//===----------------------------------------------------------------------===//

/// Trains a network for seven calls. Returns its parameters, then loss and norm of the last call.
template <typename Optimizer>
static std::vector<float> train(Optimizer optimizer) {
  Network network;
  network.initialize(3);
  Program program("network", network);
  TensorSpec x{"x", f32, {5, 4}}, y{"y", f32, {5, 2}};
  program.train_step(
      "train", network, {x, y},
      [&](const Tensor &x, const Tensor &y) {
        Tensor difference = network(x) - y;
        return Losses{mean(square(difference)), {{"largest", max(abs(difference))}}};
      },
      optimizer);
  Executable run = program.compile();
  Array a(f32, {5, 4}), b(f32, {5, 2});
  for (int n = 0; n < 20; ++n)
    a.data<float>()[n] = std::sin(static_cast<float>(n));
  for (int n = 0; n < 10; ++n)
    b.data<float>()[n] = std::cos(static_cast<float>(n));
  std::vector<float> values;
  Arrays results;
  for (int call = 0; call < 7; ++call)
    results = run.call("train", {{"x", a}, {"y", b}});
  for (const auto &[name, array] : run.state_dict())
    values.insert(values.end(), array.data<float>().begin(), array.data<float>().end());
  for (const char *name : {"loss", "largest", "gradient_norm"})
    values.push_back(results.at(name).data<float>()[0]);
  return values;
}

/// The largest difference of two runs, over the largest value.
static double distance(const std::vector<float> &a, const std::vector<float> &b) {
  double most = 0, size = 0;
  for (size_t n = 0; n < a.size(); ++n) {
    most = std::max(most, std::fabs(static_cast<double>(a[n]) - b[n]));
    size = std::max(size, std::fabs(static_cast<double>(a[n])));
  }
  return a.size() == b.size() ? most / size : INFINITY;
}

template <typename Optimizer>
static void compare(const char *what, Optimizer options) {
  options.learning_rate = 0.05;
  std::vector<float> plain = train(options);
  // A power of two rounds nothing, and the factor changes in the fourth update.
  options.loss_scale = optim::LossScale{.initial = 1024, .interval = 3};
  std::printf("%s: %s\n", what, distance(train(options), plain) < 1e-6 ? "same" : "other");
}

static void invariance() {
  // CHECK: AdamW: same
  compare("AdamW", optim::AdamW{.clip_norm = 0.1});
  // CHECK-NEXT: accumulated: same
  compare("accumulated", optim::AdamW{.clip_norm = 0.1, .accumulate = 2});
  // CHECK-NEXT: mean: same
  compare("mean", optim::Lion{.accumulate = 3});
  // CHECK-NEXT: Adafactor: same
  compare("Adafactor", optim::Adafactor{.ema = 0.5});
  // CHECK-NEXT: SGD: same
  compare("SGD", optim::SGD{.momentum = 0.9, .clip_norm = 0.1});
}

//===----------------------------------------------------------------------===//
// Moments of 16 bits
//===----------------------------------------------------------------------===//

template <typename Optimizer>
static void halve(const char *what, Optimizer options) {
  options.learning_rate = 0.05;
  std::vector<float> wide = train(options);
  options.moments = bf16;
  double far = distance(train(options), wide);
  std::printf("%s: %s\n", what, far == 0 ? "same" : far < 0.02 ? "near" : "far");
}

static void moments() {
  // CHECK: moments of AdamW: near
  halve("moments of AdamW", optim::AdamW{.beta2 = 0.9});
  // CHECK-NEXT: moments of Adam: near
  halve("moments of Adam", optim::Adam{.beta2 = 0.9, .weight_decay = 0.1});
  // CHECK-NEXT: moments of SGD: near
  halve("moments of SGD", optim::SGD{.momentum = 0.9, .nesterov = true});
  // CHECK-NEXT: moments of Lion: {{near|same}}
  halve("moments of Lion", optim::Lion{});

  // They are state of that type; f32 is what there was.
  Scale scale;
  Program program("scale", scale);
  program.train_step(
      "train", scale, {}, [&] { return sum(scale.weight); }, optim::AdamW{.learning_rate = 0.1, .moments = bf16});
  program.train_step(
      "wide", scale, {}, [&] { return sum(scale.weight); },
      optim::SGD{.learning_rate = 0.1, .momentum = 0.9, .moments = f32});
  Executable run = program.compile();
  run.call("train", {});
  run.call("wide", {});
  for (const auto &[name, array] : run.optimizer_state())
    std::printf("%s %d bytes\n", name.c_str(), static_cast<int>(array.bytes().size()));
  // CHECK: weight.first 2 bytes
  // CHECK: weight.second 2 bytes
  // CHECK: weight.velocity 4 bytes
}

//===----------------------------------------------------------------------===//
// Wrong options
//===----------------------------------------------------------------------===//

static void wrong() {
  Scale scale;
  Program program("wrong", scale);
  auto train = [&](const optim::Optimizer &optimizer, Here here = Here::current()) {
    printError([&] { program.train_step("train", scale, {}, [&] { return sum(scale.weight); }, optimizer, here); });
  };
  // CHECK: loss_scale.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected moments of f32 or bf16, got f16
  train(optim::AdamW{.moments = f16});
  // CHECK-NEXT: loss_scale.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected an initial loss scale > 0 within the range of f32, got 0
  train(optim::Lion{.loss_scale = optim::LossScale{.initial = 0}});
  // CHECK-NEXT: loss_scale.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected growth >= 1 of the loss scale within the range of f32, got 0.5
  train(optim::SGD{.loss_scale = optim::LossScale{.growth = 0.5}});
  // CHECK-NEXT: loss_scale.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected backoff in (0, 1] of the loss scale within the range of f32, got 2
  train(optim::Adam{.loss_scale = optim::LossScale{.backoff = 2}});
  // CHECK-NEXT: loss_scale.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected an initial loss scale > 0 within the range of f32, got 1e+50
  train(optim::Lion{.loss_scale = optim::LossScale{.initial = 1e50}});
  // CHECK-NEXT: loss_scale.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected an initial loss scale > 0 within the range of f32, got 1e-50
  train(optim::Lion{.loss_scale = optim::LossScale{.initial = 1e-50}});
  // CHECK-NEXT: loss_scale.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected backoff in (0, 1] of the loss scale within the range of f32, got 1e-50
  train(optim::Lion{.loss_scale = optim::LossScale{.backoff = 1e-50}});
  // CHECK-NEXT: loss_scale.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected interval >= 1 of the loss scale, got 0
  train(optim::Adafactor{.loss_scale = optim::LossScale{.interval = 0}});
}

int main() {
  gradients();
  invariance();
  moments();
  wrong();
  return 0;
}
