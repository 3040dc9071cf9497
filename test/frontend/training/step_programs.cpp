//===- step_programs.cpp - Training steps to compare with the interpreter -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints a step of each optimiser, for xf-sweep to run on random parameters, state and data: f32, and bf16 with masters
// and without. Squares of gradients, which Adam keeps, have twice the error that xf-sweep allows, and it takes no
// updates in place.
//
//===----------------------------------------------------------------------===//
// RUN: frontend-step-programs f32 | sed -E 's/, xf.updates = "[^"]*"//g' > %t.f32.mlir && xf-sweep %t.f32.mlir --except=adam
// RUN: frontend-step-programs bf16 | sed -E 's/, xf.updates = "[^"]*"//g' > %t.bf16.mlir && xf-sweep %t.bf16.mlir --except=adam
// RUN: xf-sweep %t.f32.mlir --vector-bits=512 --seed=2 --except=adam

#include <xf/xf.h>

#include <cstdio>

using namespace xf;

/// Adds a step for parameters of shapes 7 x 33 and 7.
static void add(Program &program, const nn::Linear &layer, const std::string &name, const optim::Optimizer &optimizer,
                const Schedule *schedule = nullptr) {
  Dtype dtype = layer.weight.dtype();
  auto loss = [&](const Tensor &x) {
    Tensor y = cast(layer(x), f32);
    return Losses{mean(square(y)), {{"positive", mean(y > 0.0)}}};
  };
  std::vector<TensorSpec> inputs = {{"x", dtype, {5, 33}}};
  if (schedule)
    program.train_step(name, layer, inputs, loss, optimizer, *schedule);
  else
    program.train_step(name, layer, inputs, loss, optimizer);
}

static void addAll(Program &program, const nn::Linear &layer, const std::string &type) {
  Schedule schedule = schedule::warmup(2) | schedule::cosine(4, 0.1);
  std::vector<optim::Group> groups = {{"bias", {.weight_decay = 0.5, .learning_rate_factor = 0.25}}};
  add(program, layer, "adamw_" + type, optim::AdamW{.beta2 = 0.5, .clip_norm = 0.5, .ema = 0.75}, &schedule);
  add(program, layer, "adamw_accumulated_" + type, optim::AdamW{.beta2 = 0.5, .groups = groups, .accumulate = 3});
  add(program, layer, "adam_" + type, optim::Adam{.beta2 = 0.5, .weight_decay = 0.1, .groups = groups});
  add(program, layer, "lion_" + type, optim::Lion{.weight_decay = 0.1, .groups = groups, .ema = 0.5}, &schedule);
  add(program, layer, "lion_accumulated_" + type, optim::Lion{.weight_decay = 0.1, .clip_norm = 0.5, .accumulate = 3});
  add(program, layer, "adafactor_" + type, optim::Adafactor{.weight_decay = 0.1});
  add(program, layer, "nesterov_" + type, optim::SGD{.momentum = 0.9, .nesterov = true, .weight_decay = 0.1});
  add(program, layer, "sgd_accumulated_" + type, optim::SGD{.momentum = 0.9, .accumulate = 2, .ema = 0.5});
  add(program, layer, "lion_without_masters_" + type, optim::Lion{.weight_decay = 0.1, .master = std::nullopt});
}

int main(int, char **words) {
  nn::Linear layer(33, 7);
  std::string type = words[1];
  if (type == "bf16")
    layer.to(bf16);
  Program program("steps", layer);
  addAll(program, layer, type);
  std::fputs(program.str().c_str(), stdout);
}
