//===- llama.cpp - Llama against transformers -----------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: models-llama %S/Inputs/llama.txt %S/Inputs/llama_tied.txt %t | FileCheck %s
// RUN: %compare %t/untied reference f64 ids
// RUN: %compare %t/untied reference f32 ids
// RUN: %compare %t/untied cuda f32 ids
// RUN: %compare %t/tied reference f64 ids

#include "models/Model.h"

using namespace xf;
using models::Llama, models::LlamaOptions;

static void check(const LlamaOptions &options, const std::string &golden, const std::string &folder) {
  test::check<Llama>(
      {.golden = golden,
       .folder = folder,
       .make = [&] { return Llama(options); },
       .checkpoint = Llama::checkpoint(options),
       .run = [](const Llama &model,
                 const std::vector<Tensor> &inputs) { return test::Outputs{{"logits", model(inputs[0])}}; }});
}

int main(int, char **arguments) {
  // CHECK: 6738415616 8030261248 8030261248 70553706496 1235814400 3212749824
  for (const LlamaOptions &options :
       {LlamaOptions::llama2_7b(), LlamaOptions::llama3_8b(), LlamaOptions::llama31_8b(), LlamaOptions::llama3_70b(),
        LlamaOptions::llama32_1b(), LlamaOptions::llama32_3b()})
    std::printf("%lld ", static_cast<long long>(Llama(options).parameter_count()));
  std::puts("parameters");
  LlamaOptions options{
      .vocabulary = 29, .width = 24, .layers = 2, .heads = 4, .kv_heads = 2, .hidden = 20, .rotary = {.base = 500}};
  // CHECK: f64: 1 of 1 results, 21 of 21 gradients, of 21 parameters
  // CHECK: f32: 1 of 1 results, 21 of 21 gradients, of 21 parameters
  check(options, arguments[1], std::string(arguments[3]) + "/untied");
  options.tied = true;
  options.rotary.scaling = RotaryScaling::llama3({.factor = 4, .length = 64});
  // CHECK: f64: 1 of 1 results, 20 of 20 gradients, of 20 parameters
  // CHECK: f32: 1 of 1 results, 20 of 20 gradients, of 20 parameters
  check(options, arguments[2], std::string(arguments[3]) + "/tied");
}
