//===- deltanet.cpp - DeltaNet against the delta rule token by token ------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: models-deltanet %S/Inputs/deltanet.txt %t | FileCheck %s
// RUN: %compare %t reference f64 ids
// RUN: %compare %t reference f32 ids
// RUN: %compare %t cuda f32 ids
// States are updated in place: nothing is copied.
// RUN: xfc explain %t/steps.mlir | FileCheck %s --check-prefix=STEP
// STEP: entry 'step': {{[0-9]+}} launches, arena

#include "Steps.h"

using namespace xf;
using models::DeltaNet;

static DeltaNet small() {
  return DeltaNet({.vocabulary = 29, .width = 16, .layers = 2, .heads = 2, .hidden = 20, .eps = 1e-4});
}

/// The tokens outnumber those that the convolutions see.
static void compareSteps(const std::string &path) {
  DeltaNet model = small();
  model.to(f64);
  model.initialize(1);
  std::vector<Tensor> start;
  for (const models::DeltaState &state : model.start(2))
    start.insert(start.end(), {state.s, state.q, state.k, state.v});
  auto step = [&](const Tensor &id, const Tensor &, std::vector<Tensor> &values) {
    std::vector<models::DeltaState> states;
    for (size_t n = 0; n < values.size(); n += 4)
      states.push_back({values[n], values[n + 1], values[n + 2], values[n + 3]});
    Tensor logits = model.step(id, states);
    values.clear();
    for (const models::DeltaState &state : states)
      values.insert(values.end(), {state.s, state.q, state.k, state.v});
    return logits;
  };
  test::compareSteps(model, start, step, path);
}

int main(int, char **arguments) {
  // CHECK: 1365677056 parameters
  std::printf("%lld parameters\n", static_cast<long long>(DeltaNet().parameter_count()));
  // CHECK: f64: 1 of 1 results, 31 of 31 gradients, of 31 parameters
  // CHECK: f32: 1 of 1 results, 31 of 31 gradients, of 31 parameters
  test::check<DeltaNet>({.golden = arguments[1],
                         .folder = arguments[2],
                         .make = small,
                         .checkpoint = {},
                         .run = [](const DeltaNet &model, const std::vector<Tensor> &inputs) {
                           return test::Outputs{{"logits", model(inputs[0])}};
                         }});
  // CHECK: steps: equal
  compareSteps(std::string(arguments[2]) + "/steps.mlir");
}
