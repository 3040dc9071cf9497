//===- transformer_xl.cpp - Transformer-XL against transformers -----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: models-transformer-xl %S/Inputs/transformer_xl.txt %S/Inputs/transformer_xl_untied.txt %t | FileCheck %s
// RUN: %compare %t/tied reference f64 ids memory0 memory1
// RUN: %compare %t/tied cuda f32 ids memory0 memory1
// RUN: %compare %t/untied reference f32 ids memory0 memory1

#include "models/Model.h"

using namespace xf;
using models::TransformerXL, models::TransformerXLOptions;

static test::Outputs run(const TransformerXL &model, const std::vector<Tensor> &inputs) {
  TransformerXL::Result result = model(inputs[0], {inputs[1], inputs[2]});
  return {{"logits", result.logits}, {"kept0", result.memory[0]}, {"kept1", result.memory[1]}};
}

static void check(const TransformerXLOptions &options, const std::string &golden, const std::string &folder) {
  test::check<TransformerXL>({.golden = golden,
                              .folder = folder,
                              .make = [&] { return TransformerXL(options); },
                              .checkpoint = {},
                              .run = run});
}

int main(int, char **arguments) {
  // The paper says 41M and 277M.
  // CHECK: 41055436 277231820
  for (const TransformerXLOptions &options : {TransformerXLOptions::enwik8(), TransformerXLOptions::enwik8_large()})
    std::printf("%lld ", static_cast<long long>(TransformerXL(options).parameter_count()));
  std::puts("parameters");
  TransformerXLOptions options{
      .vocabulary = 29, .width = 12, .layers = 2, .heads = 2, .head_size = 4, .hidden = 20, .memory = 6};
  // CHECK: f64: 3 of 3 results, 26 of 26 gradients, of 26 parameters
  // CHECK: f32: 3 of 3 results, 26 of 26 gradients, of 26 parameters
  check(options, arguments[1], std::string(arguments[3]) + "/tied");
  options.untied = true;
  // CHECK: f64: 3 of 3 results, 28 of 28 gradients, of 28 parameters
  // CHECK: f32: 3 of 3 results, 28 of 28 gradients, of 28 parameters
  check(options, arguments[2], std::string(arguments[3]) + "/untied");
}
