//===- gla.cpp - Gated linear attention against its recurrence ------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: models-gla %S/Inputs/gla.txt %t | FileCheck %s
// RUN: %compare %t reference f64 ids
// RUN: %compare %t reference f32 ids
// RUN: %compare %t cuda f32 ids
// States are updated in place: nothing is copied.
// RUN: xfc explain %t/steps.mlir | FileCheck %s --check-prefix=STEP
// STEP: entry 'step': {{[0-9]+}} launches, arena

#include "Steps.h"

using namespace xf;
using models::GLA;

static GLA small() {
  return GLA({.vocabulary = 29,
              .width = 16,
              .key_width = 8,
              .layers = 2,
              .heads = 2,
              .hidden = 20,
              .gate_rank = 3,
              .temperature = 4,
              .eps = 1e-4});
}

static void compareSteps(const std::string &path) {
  GLA model = small();
  model.to(f64);
  model.initialize(1);
  test::compareSteps(
      model, model.start(2),
      [&](const Tensor &id, const Tensor &, std::vector<Tensor> &states) { return model.step(id, states); }, path);
}

int main(int, char **arguments) {
  // CHECK: 1365514240 parameters
  std::printf("%lld parameters\n", static_cast<long long>(GLA().parameter_count()));
  // CHECK: f64: 1 of 1 results, 31 of 31 gradients, of 31 parameters
  // CHECK: f32: 1 of 1 results, 31 of 31 gradients, of 31 parameters
  test::check<GLA>({.golden = arguments[1],
                    .folder = arguments[2],
                    .make = small,
                    .checkpoint = {},
                    .run = [](const GLA &model, const std::vector<Tensor> &inputs) {
                      return test::Outputs{{"logits", model(inputs[0])}};
                    }});
  // CHECK: steps: equal
  compareSteps(std::string(arguments[2]) + "/steps.mlir");
}
