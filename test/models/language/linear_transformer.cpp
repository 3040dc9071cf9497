//===- linear_transformer.cpp - Linear transformer, as attention and as RNN -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: models-linear-transformer %S/Inputs/linear_transformer.txt %t %t.sliced | FileCheck %s
// RUN: %compare %t reference f64 ids
// RUN: %compare %t reference f32 ids
// RUN: %compare %t cuda f32 ids

#include "models/Model.h"

using namespace xf;
using models::LinearTransformer, models::LinearState;

/// The logits of all tokens at once, and token by token.
static test::Outputs run(const LinearTransformer &model, const std::vector<Tensor> &inputs) {
  std::vector<LinearState> states = model.start(2);
  std::vector<Tensor> steps;
  for (int64_t n = 0; n < 6; ++n)
    steps.push_back(model.step(slice(inputs[0], 1, n, n + 1), constant(std::vector<int64_t>{n}, {1}), states));
  return {{"logits", model(inputs[0])}, {"steps", concat(steps, 1)}};
}

/// The logits of all tokens in slices, the last of which is shorter; their gradients twice.
static test::Outputs runSliced(const LinearTransformer &model, const std::vector<Tensor> &inputs) {
  Tensor logits = model(inputs[0]);
  return {{"logits", logits}, {"steps", logits}};
}

int main(int, char **arguments) {
  // CHECK: f64: 2 of 2 results, 37 of 37 gradients, of 37 parameters
  // CHECK: f32: 2 of 2 results, 37 of 37 gradients, of 37 parameters
  models::LinearTransformerOptions options{.vocabulary = 29, .width = 12, .layers = 2, .heads = 2, .hidden = 20};
  auto make = [&] { return LinearTransformer(options); };
  test::check<LinearTransformer>(
      {.golden = arguments[1], .folder = arguments[2], .make = make, .checkpoint = {}, .run = run});
  // CHECK: f64: 2 of 2 results, 37 of 37 gradients, of 37 parameters
  options.slice = 4;
  test::check<LinearTransformer>({.golden = arguments[1],
                                  .folder = arguments[3],
                                  .make = make,
                                  .checkpoint = {},
                                  .run = runSliced,
                                  .dtypes = {f64}});
}
