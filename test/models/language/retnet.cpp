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

#include "models/Model.h"

using namespace xf;
using models::RetNet;

/// The logits of all tokens at once, and token by token.
static test::Outputs run(const RetNet &model, const std::vector<Tensor> &inputs) {
  std::vector<Tensor> states = model.start(2), steps;
  for (int64_t n = 0; n < 7; ++n)
    steps.push_back(model.step(slice(inputs[0], 1, n, n + 1), constant(std::vector<int64_t>{n}, {1}), states));
  return {{"logits", model(inputs[0])}, {"steps", concat(steps, 1)}};
}

int main(int, char **arguments) {
  // CHECK: 1351727104 parameters
  std::printf("%lld parameters\n", static_cast<long long>(RetNet().parameter_count()));
  // CHECK: f64: 2 of 2 results, 25 of 25 gradients, of 25 parameters
  // CHECK: f32: 2 of 2 results, 25 of 25 gradients, of 25 parameters
  test::check<RetNet>(
      {.golden = arguments[1],
       .folder = arguments[2],
       .make =
           [] {
             return RetNet({.vocabulary = 29, .width = 16, .value_width = 24, .layers = 2, .heads = 2, .hidden = 20});
           },
       .checkpoint = {},
       .run = run});
}
