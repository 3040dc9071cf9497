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

#include "models/Model.h"

using namespace xf;
using models::DeltaNet;

int main(int, char **arguments) {
  // CHECK: 1365677056 parameters
  std::printf("%lld parameters\n", static_cast<long long>(DeltaNet().parameter_count()));
  // CHECK: f64: 1 of 1 results, 31 of 31 gradients, of 31 parameters
  // CHECK: f32: 1 of 1 results, 31 of 31 gradients, of 31 parameters
  test::check<DeltaNet>(
      {.golden = arguments[1],
       .folder = arguments[2],
       .make =
           [] { return DeltaNet({.vocabulary = 29, .width = 16, .layers = 2, .heads = 2, .hidden = 20, .eps = 1e-4}); },
       .checkpoint = {},
       .run = [](const DeltaNet &model,
                 const std::vector<Tensor> &inputs) { return test::Outputs{{"logits", model(inputs[0])}}; }});
}
