//===- gpt2.cpp - GPT-2 against transformers ------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: models-gpt2 %S/Inputs/gpt2.txt %t | FileCheck %s
// RUN: %compare %t reference f64 ids
// RUN: %compare %t reference f32 ids
// RUN: %compare %t cuda f32 ids

#include "models/Model.h"

using namespace xf;
using models::GPT2, models::GPT2Options;

int main(int, char **arguments) {
  // CHECK: 124439808 354823168 774030080 1557611200
  for (const GPT2Options &options :
       {GPT2Options::small(), GPT2Options::medium(), GPT2Options::large(), GPT2Options::xl()})
    std::printf("%lld ", static_cast<long long>(GPT2(options).parameter_count()));
  std::puts("parameters");
  // CHECK: f64: 1 of 1 results, 28 of 28 gradients, of 28 parameters
  // CHECK: f32: 1 of 1 results, 28 of 28 gradients, of 28 parameters
  test::check<GPT2>(
      {.golden = arguments[1],
       .folder = arguments[2],
       .make = [] { return GPT2({.vocabulary = 29, .positions = 12, .width = 16, .layers = 2, .heads = 4}); },
       .checkpoint = GPT2::checkpoint(),
       .run = [](const GPT2 &model,
                 const std::vector<Tensor> &inputs) { return test::Outputs{{"logits", model(inputs[0])}}; }});
}
