//===- t5.cpp - T5 against transformers -----------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: models-t5 %S/Inputs/t5.txt %S/Inputs/t5_gated.txt %t | FileCheck %s
// RUN: %compare %t/tied reference f64 inputs ids lengths
// RUN: %compare %t/tied cuda f32 inputs ids lengths
// RUN: %compare %t/gated reference f64 inputs ids lengths
// RUN: %compare %t/gated reference f32 inputs ids lengths

#include "models/Model.h"

using namespace xf;
using models::T5, models::T5Options;

static void check(const T5Options &options, const std::string &golden, const std::string &folder) {
  test::check<T5>({.golden = golden,
                   .folder = folder,
                   .make = [&] { return T5(options); },
                   .checkpoint = T5::checkpoint(options),
                   .run =
                       [](const T5 &model, const std::vector<Tensor> &inputs) {
                         return test::Outputs{{"logits", model(inputs[0], inputs[1], inputs[2])}};
                       }});
}

int main(int, char **arguments) {
  // CHECK: 60506624 222903552 737668096 2851598336 247577856
  for (const T5Options &options :
       {T5Options::small(), T5Options::base(), T5Options::large(), T5Options::xl(), T5Options::v1_1_base()})
    std::printf("%lld ", static_cast<long long>(T5(options).parameter_count()));
  std::puts("parameters");
  T5Options options{.vocabulary = 29,
                    .width = 12,
                    .head_size = 4,
                    .hidden = 20,
                    .layers = 2,
                    .heads = 2,
                    .buckets = 8,
                    .farthest = 6};
  // CHECK: f64: 1 of 1 results, 47 of 47 gradients, of 47 parameters
  // CHECK: f32: 1 of 1 results, 47 of 47 gradients, of 47 parameters
  check(options, arguments[1], std::string(arguments[3]) + "/tied");
  options.gated = true;
  options.tied = false;
  // CHECK: f64: 1 of 1 results, 52 of 52 gradients, of 52 parameters
  // CHECK: f32: 1 of 1 results, 52 of 52 gradients, of 52 parameters
  check(options, arguments[2], std::string(arguments[3]) + "/gated");
}
