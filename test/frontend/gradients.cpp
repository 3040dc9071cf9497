//===- gradients.cpp - Gradients of functions and training steps -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: frontend-gradients > %t.mlir
// RUN: xf-opt -split-input-file %t.mlir > %t.verified.mlir
// RUN: FileCheck %s --input-file %t.verified.mlir
// RUN: xf-opt -split-input-file --xf-gradient %t.mlir > %t.expanded.mlir
// RUN: FileCheck %s --input-file %t.expanded.mlir --check-prefix=EXPANDED

#include "frontend/Show.h"

using namespace xf;

// EXPANDED-NOT: xf.gradient
// EXPANDED-NOT: xf.vjp @

static void recordGradients(Program &program) {
  // Differentiated with respect to the first argument; x is captured.
  // CHECK-LABEL: func.func @value_and_grad(
  // CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32> {xf.name = "x"}, %[[W:[a-z0-9]+]]: tensor<4xf32>
  // CHECK: %[[R:.*]]:2 = xf.gradient @value_and_grad.function0(%[[W]], %[[X]]) wrt [0]
  // CHECK: return %[[R]]#0, %[[R]]#1
  // CHECK: func.func private @value_and_grad.function0(%[[W:.*]]: tensor<4xf32>, %[[X:.*]]: tensor<4xf32>) -> tensor<f32>
  // CHECK: xf.mul %[[X]], %[[W]]
  program.entry("value_and_grad", {{"x", f32, {4}}, {"w", f32, {4}}}, [](Tensor x, Tensor w) {
    auto f = [](const std::vector<Tensor> &at, Tensor x) { return sum(x * at[0]); };
    auto [value, gradients] = value_and_grad(f)({w}, x);
    return Results{{"value", value}, {"gradient", gradients[0]}};
  });

  // The same tensor as argument and as capture: only the argument's part is the gradient.
  // CHECK-LABEL: func.func @constant_part(
  // CHECK: xf.gradient @constant_part.function0(%[[X:.*]], %[[X]]) wrt [0]
  program.entry("constant_part", {{"x", f32, {4}}}, [](Tensor x) {
    return value_and_grad([&](const std::vector<Tensor> &at) { return sum(x * at[0]); })({x}).gradients[0];
  });

  // CHECK-LABEL: func.func @pulled_back(
  // CHECK: xf.vjp @pulled_back.function0(%[[X:.*]]) cotangents(%[[C:.*]] : tensor<4xf32>) wrt [0]
  program.entry("pulled_back", {{"x", f32, {4}}, {"c", f32, {4}}}, [](Tensor x, Tensor c) {
    return vjp([](const std::vector<Tensor> &at) { return exp(at[0]); }, {x}, c).gradients[0];
  });
}

static void train(Program &program) {
  // CHECK-LABEL: func.func @train(
  // CHECK-SAME: {xf.name = "x"}, %[[RATE:[a-z0-9]+]]: tensor<f32> {xf.name = "learning_rate"}
  // CHECK-SAME: %[[W:[a-z0-9]+]]: tensor<3x4xf32> {xf.name = "weight", xf.parameter = "weight"}
  // CHECK-SAME: %[[B:[a-z0-9]+]]: tensor<3xf32> {xf.name = "bias", xf.parameter = "bias"}
  // CHECK-SAME: %[[STEP:[a-z0-9]+]]: tensor<i64> {xf.name = "step", xf.state = "step"}
  // CHECK-SAME: {xf.name = "weight.first", xf.state = "weight.first"}
  // CHECK-SAME: -> (tensor<f32> {xf.name = "loss"}, tensor<i64> {xf.name = "step", xf.updates = "step"}
  // CHECK-SAME: tensor<3x4xf32> {xf.name = "weight", xf.updates = "weight"}
  // CHECK: %[[G:.*]]:3 = xf.gradient @train.function0(%[[W]], %[[B]], %{{.*}}) wrt [0, 1]
  // CHECK: %[[NEXT:.*]] = xf.add %[[STEP]]
  // CHECK: %[[CLIP:.*]] = xf.clip_scale %[[G]]#1, %[[G]]#2 max_norm 1.0
  // CHECK: xf.adamw %[[W]], %[[G]]#1, {{.*}} rate %[[RATE]] step %[[NEXT]] clip %[[CLIP]] betas 9.0{{.*}}, 0.9{{.*}} decay 1.0{{.*}}e-01
  // CHECK: xf.adamw %[[B]], %[[G]]#2, {{.*}} decay 0.0
  nn::Linear layer(4, 3);
  TensorSpec x{"x", f32, {2, 4}};
  auto loss = [&](Tensor x) { return mean(square(layer(x))); };
  program.train_step("train", layer, {x}, loss,
                     optim::AdamW{.beta2 = 0.95, .weight_decay = 0.1, .clip_norm = 1, .decay_vectors = false});
  // CHECK-LABEL: func.func @descend(
  // CHECK-SAME: {xf.name = "weight.velocity", xf.state = "weight.velocity"}
  // CHECK: %[[ONE:.*]] = arith.constant dense<1.0{{.*}}> : tensor<f32>
  // CHECK: xf.sgd {{.*}} clip %[[ONE]] momentum 9.0{{.*}}e-01 decay 0.0
  program.train_step("descend", layer, {x}, loss, optim::SGD{.momentum = 0.9});
}

static Program trainNarrow() {
  // 16-bit parameters have 16-bit gradients, f32 state and f32 masters, which the same operation updates.
  // CHECK-LABEL: func.func @train_narrow(
  // CHECK-SAME: %[[W:[a-z0-9]+]]: tensor<3x4xbf16> {xf.name = "weight", xf.parameter = "weight"}
  // CHECK-SAME: %[[M:[a-z0-9]+]]: tensor<3x4xf32> {xf.name = "weight.first", xf.state = "weight.first"}
  // CHECK-SAME: %[[V:[a-z0-9]+]]: tensor<3x4xf32> {xf.name = "weight.second", xf.state = "weight.second"}
  // CHECK-SAME: %[[MASTER:[a-z0-9]+]]: tensor<3x4xf32> {xf.name = "weight.master", xf.state = "weight.master"}
  // CHECK-SAME: -> (tensor<f32> {xf.name = "loss"}
  // CHECK-SAME: tensor<3x4xf32> {xf.name = "weight.master", xf.updates = "weight.master"}
  // CHECK: %[[G:.*]]:3 = xf.gradient
  // CHECK: xf.clip_scale %[[G]]#1, %[[G]]#2 max_norm 1.0{{.*}} : (tensor<3x4xbf16>, tensor<3xbf16>) -> tensor<f32>
  // CHECK: xf.adamw %[[W]], %[[G]]#1, %[[M]], %[[V]] master %[[MASTER]] {{.*}} : tensor<3x4xbf16> master tensor<3x4xf32>
  // CHECK-LABEL: func.func @descend_narrow(
  // CHECK: xf.sgd {{.*}} master {{.*}} : tensor<3xbf16> master tensor<3xf32>
  nn::Linear narrow(4, 3);
  narrow.to(bf16);
  Program half("narrow", narrow);
  TensorSpec rows{"x", bf16, {2, 4}};
  auto error = [&](Tensor x) { return mean(square(cast(narrow(x), f32))); };
  half.train_step("train_narrow", narrow, {rows}, error, optim::AdamW{.clip_norm = 1});
  half.train_step("descend_narrow", narrow, {rows}, error, optim::SGD{});
  return half;
}

static Program differentiateByName() {
  // Gradients have the names of their parameters, and an entry returns all at once.
  // CHECK-LABEL: func.func @by_name(
  // CHECK-SAME: -> (tensor<f32> {xf.name = "value"}, tensor<2x4xf32> {xf.name = "0.weight"}, tensor<2xf32> {xf.name = "0.bias"}
  nn::Sequential net(nn::Linear(4, 2), gelu, nn::LayerNorm(2));
  Program parts("parts", net);
  auto netLoss = [&](const Tensor &x) { return mean(square(net(x))); };
  parts.entry("by_name", {{"x", f32, {2, 4}}}, value_and_grad(net, netLoss));
  // A gradient is differentiated like anything else.
  // CHECK-LABEL: func.func @twice(
  // CHECK: xf.gradient @twice.function0
  // CHECK: func.func private @twice.function0
  // CHECK: xf.gradient @twice.function1
  // EXPANDED-LABEL: func.func @twice(
  parts.entry("twice", {{"x", f32, {}}}, [](Tensor x) {
    auto cube = [](const std::vector<Tensor> &at) { return at[0] * at[0] * at[0]; };
    auto slope = [&](const std::vector<Tensor> &at) { return value_and_grad(cube)(at).gradients[0]; };
    return value_and_grad(slope)({x}).gradients[0];
  });
  return parts;
}

static Program trainPart() {
  // A part of a model is trained under the names of the whole, which is frozen besides.
  // CHECK-LABEL: func.func @part(
  // CHECK-SAME: {xf.name = "head.weight", xf.parameter = "head.weight"}
  // CHECK-SAME: {xf.name = "head.weight.velocity", xf.state = "head.weight.velocity"}
  // CHECK-NOT: xf.updates = "body
  // CHECK-SAME: xf.updates = "head.weight"
  struct Net : nn::Module {
    nn::Linear body{4, 3}, head{3, 2};
    XF_MEMBERS(body, head)
  } whole;
  Program frozen("frozen", whole);
  auto wholeLoss = [&](Tensor x) { return mean(square(whole.head(whole.body(x)))); };
  frozen.train_step("part", whole.head, {{"x", f32, {2, 4}}}, wholeLoss, optim::SGD{.momentum = 0.9});
  return frozen;
}

int main() {
  Program program("gradients");
  recordGradients(program);
  train(program);
  std::fputs(program.str().c_str(), stdout);
  for (const Program &other : {trainNarrow(), differentiateByName(), trainPart()}) {
    std::puts("// -----");
    std::fputs(other.str().c_str(), stdout);
  }
}
