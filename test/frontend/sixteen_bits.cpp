//===- sixteen_bits.cpp - Models and training in bf16 and f16 -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: rm -rf %t && mkdir %t && cd %t && frontend-sixteen-bits 2>&1 | FileCheck %s

#include "OneWeight.h"

#include <algorithm>
#include <bit>
#include <cmath>

using namespace xf;

static Array rate(float value) { return numbers({}, {value}); }

static float bf16ToFloat(const Array &array, int64_t position = 0) {
  return std::bit_cast<float>(static_cast<uint32_t>(array.data<uint16_t>()[position]) << 16);
}

//===----------------------------------------------------------------------===//
// One weight
//===----------------------------------------------------------------------===//

/// Trains w of the loss w, whose gradient is 1: a step subtracts the learning rate.
static Program descent(const Scale &scale) {
  Program program("descent", scale);
  program.train_step("train", scale, {}, [&] { return cast(sum(scale.weight), f32); }, optim::SGD{});
  return program;
}

static void printWeight(const char *what, const Executable &run) {
  std::printf("%s: %g, master %g\n", what, bf16ToFloat(run.state_dict().at("weight")),
              run.optimizer_state().at("weight.master").data<float>()[0]);
}

static void masters() {
  Scale scale;
  scale.state_dict().at("weight").data<float>()[0] = 3.004f;
  scale.to(bf16);
  Executable run = descent(scale).compile();
  // Training starts from the value before the rounding.
  // CHECK: start: 3, master 3.004
  printWeight("start", run);
  // Numbers of bf16 next to 3 are 1/64 apart: smaller steps add up in the master.
  // CHECK: one step: 3, master 3.002
  // CHECK: ten steps: 2.98438, master 2.984
  for (int step = 0; step < 10; ++step) {
    run.call("train", {{"learning_rate", rate(0.002f)}});
    if (step == 0)
      printWeight("one step", run);
  }
  printWeight("ten steps", run);
  // A run with the same parameters and state goes on with the same bits.
  StateDict saved = run.state_dict();
  saved.merge(run.optimizer_state());
  for (auto &[name, array] : saved) {
    Array copy(array.dtype(), array.shape());
    std::copy(array.bytes().begin(), array.bytes().end(), copy.bytes().begin());
    array = copy;
  }
  Executable resumed = descent(scale).compile();
  resumed.load_state_dict(saved);
  for (const Executable &each : {run, resumed})
    each.call("train", {{"learning_rate", rate(0.002f)}});
  // CHECK: resumed: 2.98438, master 2.982
  // CHECK: whole: 2.98438, master 2.982
  printWeight("resumed", resumed);
  printWeight("whole", run);
  // A parameter that is written, or loaded without its master, counts.
  // CHECK: written: 5, master 4.998
  // CHECK: loaded: 2.98438, master 2.98237
  run.state_dict().at("weight").data<uint16_t>()[0] = 0x40a0;
  run.call("train", {{"learning_rate", rate(0.002f)}});
  printWeight("written", run);
  run.load_state_dict({{"weight", saved.at("weight")}});
  run.call("train", {{"learning_rate", rate(0.002f)}});
  printWeight("loaded", run);
}

/// Parameters of 16 bits from the start have a master, too, which starts from what was drawn.
static void drawnMasters() {
  struct Drawn : nn::Module {
    Parameter weight{{1}, constant_init(0.1), f16};
    XF_MEMBERS(weight)
  };
  Drawn drawn;
  Program program("drawn", drawn);
  program.train_step("train", drawn, {}, [&] { return cast(sum(drawn.weight), f32); }, optim::SGD{});
  // CHECK: drawn: 2e66, master 0.1
  // CHECK: a step: 2e65, master 0.09994
  Executable halves = program.compile();
  auto show = [&](const char *what) {
    std::printf("%s: %x, master %g\n", what, halves.state_dict().at("weight").data<uint16_t>()[0],
                halves.optimizer_state().at("weight.master").data<float>()[0]);
  };
  show("drawn");
  halves.call("train", {{"learning_rate", rate(6e-5f)}});
  show("a step");
}

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

namespace {
/// A block with each kind of layer, in any element type.
struct Block : nn::Module {
  nn::LayerNorm norm1{16};
  nn::RMSNorm norm2{16};
  nn::MultiheadAttention attention;
  nn::MLP mlp{{.width = 16, .hidden = 32, .activation = silu}};
  XF_MEMBERS(norm1, norm2, attention, mlp)

  explicit Block(nn::MultiheadAttentionOptions options) : attention(std::move(options)) {}
  Tensor operator()(Tensor x) const {
    x = x + attention(norm1(x));
    return x + mlp(norm2(x));
  }
};

struct Model : nn::Module {
  nn::Embedding tokens{32, 16, 0.5};
  Parameter bias{{4, 24}, normal_init(0.5)};
  Block block;
  nn::Sequential head{nn::Linear(16, 16), nn::Activation(gelu), nn::Linear(16, 32)};
  XF_MEMBERS(tokens, bias, block, head)

  explicit Model(Dtype dtype)
      : block({.width = 16,
               .heads = 4,
               .kv_heads = 2,
               .pattern = heads({fixed(8, 2).local(), fixed(8, 2).column()}),
               .score = [bias = bias](Score s) { return tanh(s.value + bias(s.h, s.j)); }}) {
    to(dtype);
    initialize(7);
  }
  Tensor operator()(Tensor ids) const { return head(checkpoint(block, tokens(ids))); }
};
} // namespace

/// Returns the losses of 40 steps on one text.
static std::vector<float> train(Dtype dtype) {
  Model model(dtype);
  Program program("model", model);
  TensorSpec tokens{"tokens", i32, {2, 24}}, targets{"targets", i32, {2, 24}};
  program.train_step(
      "train", model, {tokens, targets}, [&](Tensor x, Tensor y) { return cross_entropy(model(x), y); },
      optim::AdamW{.clip_norm = 1});
  Executable run = program.compile();
  Array ids(i32, {2, 24}), next(i32, {2, 24});
  for (int n = 0; n < 48; ++n) {
    ids.data<int32_t>()[n] = (n * n + n / 24) % 32;
    next.data<int32_t>()[n] = ((n + 1) * (n + 1) + n / 24) % 32;
  }
  std::vector<float> losses;
  for (int step = 0; step < 40; ++step)
    losses.push_back(run.call("train", {{"tokens", ids}, {"targets", next}, {"learning_rate", rate(3e-3f)}})
                         .at("loss")
                         .data<float>()[0]);
  return losses;
}

static void training() {
  std::vector<float> wide = train(f32);
  // CHECK: f32: the loss falls to less than half: 1
  std::printf("f32: the loss falls to less than half: %d\n", wide.back() < wide.front() / 2);
  // CHECK-NEXT: bf16: within 1 %: 1, equal: 0
  std::vector<float> narrow = train(bf16);
  double worst = 0;
  for (size_t step = 0; step < wide.size(); ++step)
    worst = std::max<double>(worst, std::abs(narrow[step] / wide[step] - 1));
  std::printf("bf16: within 1 %%: %d, equal: %d\n", worst < 0.01, worst == 0);
}

//===----------------------------------------------------------------------===//
// What is computed on the way
//===----------------------------------------------------------------------===//

/// Prints whether a bf16 result is the right one, rounded once.
static void checkRounded(const char *what, const Array &got, double wanted) {
  double unit = std::ldexp(1.0, std::ilogb(wanted) - 7);
  double apart = std::abs(static_cast<double>(got.data<float>()[0]) - wanted) / unit;
  std::printf("%s: rounded once %d\n", what, apart <= 0.51);
}

static std::vector<Tensor> stepsOf(Tensor wideX, Tensor wideY) {
  Tensor x = cast(wideX, bf16), y = cast(wideY, bf16), x1 = slice(x, 0, 1, 2), y3 = slice(y, 0, 3, 4);
  std::vector<Tensor> all = {var(x),
                             stddev(x),
                             logsumexp(x),
                             log_softmax(x, 0),
                             prod(1 + (x - 100) / 16, 0),
                             mse_loss(x, y),
                             bce_with_logits(x, y),
                             kl_div(x, y),
                             y3 * 0.3, // numbers that bf16 does not have
                             y3 / 0.3,
                             x1 - 100.2,
                             pow(x1, 0.3)};
  for (Tensor &result : all)
    result = cast(result, f32);
  return all;
}

/// Functions of several steps: a mean of 101.4 that is subtracted in bf16 would be 101.5.
static void steps() {
  constexpr int count = 63;
  std::vector<float> x, y;
  double mean = 0, variance = 0, exponentials = 0, product = 1, squares = 0, logistic = 0, divergence = 0;
  for (int n = 0; n < count; ++n) {
    x.push_back(100 + 0.5f * static_cast<float>(n * n % 7)); // numbers of bf16, as y
    y.push_back(0.25f + 0.0625f * static_cast<float>(n % 5));
  }
  for (float element : x)
    mean += element / double(count);
  for (int n = 0; n < count; ++n) {
    variance += (x[n] - mean) * (x[n] - mean) / (count - 1);
    exponentials += std::exp(x[n] - 100.0);
    product *= 1 + (x[n] - 100.0) / 16;
    squares += (x[n] - y[n]) * (x[n] - y[n]) / double(count);
    logistic += ((1 - y[n]) * double(x[n]) + std::log1p(std::exp(-double(x[n])))) / count;
    divergence += y[n] * (std::log(y[n]) - x[n]) / count;
  }
  Program p("steps");
  TensorSpec of{"x", f32, {count}}, beside{"y", f32, {count}};
  p.entry("steps", {of, beside}, stepsOf);
  Executable run = p.compile();
  auto results = run.call("steps", {{"x", numbers({count}, x)}, {"y", numbers({count}, y)}});
  double lse = 100 + std::log(exponentials);
  const std::pair<const char *, double> wanted[] = {{"var", variance},     {"stddev", std::sqrt(variance)},
                                                    {"logsumexp", lse},    {"log_softmax", x[0] - lse},
                                                    {"prod", product},     {"mse_loss", squares},
                                                    {"bce", logistic},     {"kl_div", divergence},
                                                    {"mul", .3 * y[3]},    {"div", y[3] / .3},
                                                    {"sub", x[1] - 100.2}, {"pow", std::pow(x[1], .3)}};
  // CHECK: var: rounded once 1
  // CHECK: stddev: rounded once 1
  // CHECK: logsumexp: rounded once 1
  // CHECK: log_softmax: rounded once 1
  // CHECK: prod: rounded once 1
  // CHECK: mse_loss: rounded once 1
  // CHECK: bce: rounded once 1
  // CHECK: kl_div: rounded once 1
  // CHECK: mul: rounded once 1
  // CHECK: div: rounded once 1
  // CHECK: sub: rounded once 1
  // CHECK: pow: rounded once 1
  for (size_t n = 0; n < std::size(wanted); ++n)
    checkRounded(wanted[n].first, results.at("result" + std::to_string(n)), wanted[n].second);
}

/// A number of f64 next to the middle of two of bf16, which f32 rounds to the middle.
static void files() {
  Array wide(f64, {3});
  wide.data<double>()[0] = 1 + 0x1p-8 + 0x1p-40;
  wide.data<double>()[1] = -(1 + 0x3p-8 - 0x1p-40);
  wide.data<double>()[2] = 1e300;
  save_safetensors("wide.safetensors", {{"x", wide}});
  Array x = load_safetensors("wide.safetensors", {.cast = bf16}).at("x");
  std::printf("from f64: %g %g %g\n", bf16ToFloat(x, 0), bf16ToFloat(x, 1), bf16ToFloat(x, 2));
}

int main() {
  masters();
  drawnMasters();
  training();
  steps();
  // CHECK: from f64: 1.00781 -1.00781 inf
  files();
}
