//===- retnet.cpp - RetNet, as attention and as RNN -----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: models-retnet %S/Inputs/retnet.txt %t | FileCheck %s
// RUN: %compare %t reference f64 ids
// RUN: %compare %t reference f32 ids
// RUN: %compare %t cuda f32 ids
// States are updated in place: nothing is copied.
// RUN: xfc explain %t/steps.mlir | FileCheck %s --check-prefix=STEP
// STEP: entry 'step': {{[0-9]+}} launches, arena

#include "Steps.h"

using namespace xf;
using models::RetNet;

/// The logits of all tokens at once, and token by token.
static test::Outputs run(const RetNet &model, const std::vector<Tensor> &inputs) {
  std::vector<Tensor> states = model.start(2), steps;
  for (int64_t n = 0; n < 7; ++n)
    steps.push_back(model.step(slice(inputs[0], 1, n, n + 1), constant(std::vector<int64_t>{n}, {1}), states));
  return {{"logits", model(inputs[0])}, {"steps", concat(steps, 1)}};
}

static RetNet small() {
  return RetNet({.vocabulary = 29, .width = 16, .value_width = 24, .layers = 2, .heads = 2, .hidden = 20});
}

static void compareSteps(const std::string &path) {
  RetNet model = small();
  model.to(f64);
  model.initialize(1);
  test::compareSteps(
      model, model.start(2),
      [&](const Tensor &id, const Tensor &position, std::vector<Tensor> &states) {
        return model.step(id, position, states);
      },
      path);
}

int main(int, char **arguments) {
  // CHECK: 1351727104 parameters
  std::printf("%lld parameters\n", static_cast<long long>(RetNet().parameter_count()));
  // CHECK: f64: 2 of 2 results, 25 of 25 gradients, of 25 parameters
  // CHECK: f32: 2 of 2 results, 25 of 25 gradients, of 25 parameters
  test::check<RetNet>({.golden = arguments[1], .folder = arguments[2], .make = small, .checkpoint = {}, .run = run});
  // CHECK: steps: equal
  compareSteps(std::string(arguments[2]) + "/steps.mlir");
}
