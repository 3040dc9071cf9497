//===- steps.cpp - Arguments, state and results of training steps ---------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: frontend-steps %t.lion.mlir > %t.mlir
// RUN: xf-opt -split-input-file %t.mlir | FileCheck %s
// RUN: xf-opt %t.lion.mlir -pass-pipeline='builtin.module(xf-gradient,func.func(xf-fuse),xf-tile-program{machine=x86-64-v3})' | FileCheck %s --check-prefix=TILED

#include "frontend/Show.h"

using namespace xf;

namespace {
struct Net : nn::Module {
  nn::Linear body{4, 3}, head{3, 2};
  XF_MEMBERS(body, head)
};
struct Featured : nn::Module {
  Parameter projection{{6, 4}, features_init()};
  nn::Linear head{6, 2};
  XF_MEMBERS(projection, head)
};
} // namespace

static void print(const Program &program) {
  std::puts("// -----");
  std::fputs(program.str().c_str(), stdout);
}

static void groups() {
  TensorSpec x{"x", f32, {2, 4}}, y{"y", i64, {2}};
  Net net;
  auto classify = [&](const Tensor &x, const Tensor &y) {
    Tensor logits = net.head(net.body(x));
    return Losses{cross_entropy(logits, y), {{"accuracy", mean(argmax(logits) == y)}}};
  };

  // With a schedule, the step counts for itself; frozen parameters are no part of the gradient, and have no state.
  // CHECK-LABEL: func.func @train(
  // CHECK-SAME: {xf.name = "y", {{.*}}}, %[[FROZEN:[a-z0-9]+]]: tensor<3x4xf32> {xf.name = "body.weight"
  // CHECK-SAME: {xf.name = "accumulated", xf.state = "accumulated"}
  // CHECK-SAME: tensor<2x3xf32> {xf.name = "head.weight.accumulated", xf.state = "head.weight.accumulated"}
  // CHECK-SAME: tensor<i64> {xf.name = "step", xf.state = "step"}
  // CHECK-SAME: tensor<i64> {xf.name = "averaged", xf.state = "averaged"}
  // CHECK-SAME: {xf.name = "head.weight.first", xf.state = "head.weight.first"}
  // CHECK-SAME: {xf.name = "head.weight.second", xf.state = "head.weight.second"}
  // CHECK-SAME: {xf.name = "head.weight.ema", xf.state = "head.weight.ema"}
  // CHECK-NOT: "body.weight.
  // CHECK-SAME: -> (tensor<f32> {xf.name = "loss"}, tensor<f32> {xf.name = "accuracy"}, tensor<f32> {xf.name = "gradient_norm"}
  // CHECK-NOT: xf.updates = "body
  // CHECK-SAME: xf.updates = "head.weight"
  // CHECK: xf.gradient @train.function0({{.*}}) wrt [0, 1] : {{.*}} -> (tensor<f32>, tensor<f32>, tensor<2x3xf32>, tensor<2xf32>)
  Program program("net", net);
  program.train_step("train", net, {x, y}, classify,
                     optim::AdamW{.groups = {{"*.bias", {.weight_decay = 0}}, {"body*", {.frozen = true}}},
                                  .clip_norm = 1,
                                  .accumulate = 4,
                                  .master = f32,
                                  .ema = 0.999},
                     schedule::warmup(1000) | schedule::cosine(100'000));

  // A tensor as loss is the only result, and the operation of AdamW does all.
  // CHECK-LABEL: func.func @groups(
  // CHECK-SAME: {xf.name = "learning_rate"}
  // CHECK-SAME: -> (tensor<f32> {xf.name = "loss"}, tensor<i64> {xf.name = "step"
  // CHECK: xf.adamw {{.*}} decay 1.0
  // CHECK: xf.adamw {{.*}} decay 0.0
  // CHECK: %[[HALF:.*]] = xf.mul %{{.*}}, %{{.*}} : (tensor<f32>, tensor<f32>) -> tensor<f32>
  // CHECK: xf.adamw {{.*}} rate %[[HALF]] {{.*}} decay 5.0{{.*}}e-01 {{.*}}tensor<2x3xf32>
  // CHECK: xf.adamw {{.*}} decay 0.0
  program.train_step(
      "groups", net, {x}, [&](const Tensor &x) { return mean(square(net.head(net.body(x)))); },
      optim::AdamW{.weight_decay = 1,
                   .groups = {{"*.bias", {.weight_decay = 0}},
                              {"head*", {.learning_rate_factor = 0.5}},
                              {"head.weight", {.weight_decay = 0.5}}}});

  // The same function evaluates.
  // CHECK-LABEL: func.func @evaluate(
  // CHECK-SAME: -> (tensor<f32> {xf.name = "loss"}, tensor<f32> {xf.name = "accuracy"})
  program.entry("evaluate", {x, y}, classify);
  std::fputs(program.str().c_str(), stdout);
}

static void sixteenBits() {
  // 16-bit parameters without masters have state of their own type.
  // CHECK-LABEL: func.func @narrow(
  // CHECK-SAME: tensor<3x4xbf16> {xf.name = "weight.momentum", xf.state = "weight.momentum"}
  // CHECK-NOT: master
  // CHECK-LABEL: func.func @masters(
  // CHECK-SAME: tensor<3x4xf32> {xf.name = "weight.master", xf.state = "weight.master"}
  // CHECK-SAME: tensor<3x4xf32> {xf.name = "weight.momentum", xf.state = "weight.momentum"}
  nn::Linear layer(4, 3);
  layer.to(bf16);
  Program half("half", layer), full("full", layer);
  auto square16 = [&](const Tensor &x) { return mean(square(cast(layer(x), f32))); };
  half.train_step("narrow", layer, {{"x", bf16, {2, 4}}}, square16, optim::Lion{.master = std::nullopt});
  full.train_step("masters", layer, {{"x", bf16, {2, 4}}}, square16, optim::Lion{});
  print(half);
  print(full);
}

static void frozenFeatures() {
  // Random features are frozen, unless a group says otherwise.
  // CHECK-LABEL: func.func @drawn(
  // CHECK-SAME: {xf.name = "projection", {{[^}]*}}xf.parameter
  // CHECK-NOT: xf.updates = "projection"
  // CHECK-SAME: xf.updates = "head.weight"
  // CHECK-LABEL: func.func @learned(
  // CHECK-SAME: xf.updates = "projection"
  Featured featured;
  Program drawn("drawn", featured);
  auto project = [&](const Tensor &x) { return mean(square(featured.head(linear(x, featured.projection)))); };
  drawn.train_step("drawn", featured, {{"x", f32, {2, 4}}}, project, optim::SGD{});
  drawn.train_step("learned", featured, {{"x", f32, {2, 4}}}, project,
                   optim::SGD{.groups = {{"projection", {.frozen = false}}}});
  print(drawn);
}

int main(int, char **paths) {
  groups();
  sixteenBits();
  frozenFeatures();
  // Lion's new parameter and momentum, of a parameter with a master three tensors, are one kernel, which replaces what
  // it reads.
  // TILED-LABEL: func.func @lion
  // TILED-SAME: %[[RATE:[a-z0-9]+]]: memref<f32> {xf.name = "learning_rate"}, %[[W:[a-z0-9]+]]: memref<48x64xbf16> {xf.name = "weight"
  // TILED-SAME: %[[MASTER:[a-z0-9]+]]: memref<48x64xf32> {xf.name = "weight.master"
  // TILED-SAME: %[[MOMENTUM:[a-z0-9]+]]: memref<48x64xf32> {xf.name = "weight.momentum"
  // TILED: memref.alloc() : memref<48x64xf32>
  // TILED-NOT: memref.alloc() : memref<48x64x
  // TILED: xft.launch @map{{.*}} : memref<1x3072x
  // TILED-NOT: xft.launch
  // TILED-NOT: xft.copy
  // TILED: return
  nn::Linear wide(64, 48, /*with_bias=*/false);
  wide.to(bf16);
  Program lion("lion", wide);
  lion.train_step(
      "lion", wide, {{"x", bf16, {32, 64}}}, [&](const Tensor &x) { return mean(square(cast(wide(x), f32))); },
      optim::Lion{.weight_decay = 0.1});
  lion.save(paths[1]);
}
