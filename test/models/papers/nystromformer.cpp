//===- nystromformer.cpp - Nystromformer against Hugging Face -------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: rm -rf %t && mkdir %t
// RUN: models-nystromformer %S/Inputs/nystromformer.txt %t | FileCheck %s
// RUN: %python %S/Inputs/run_saved.py %t reference | FileCheck %s --check-prefix=OTHER
// RUN: %if simulator %{ %python %S/Inputs/run_saved.py %t cuda f32 | FileCheck %s --check-prefix=GPU %}
// OTHER-COUNT-2: reference: equal
// GPU: cuda: equal

#include "Golden.h"

#include <xf/models/nystromformer.h>

using namespace xf;
using models::Nystromformer;

int main(int argc, char **argv) {
  auto make = [] {
    return Nystromformer({.width = 16,
                          .layers = 2,
                          .heads = 2,
                          .hidden = 32,
                          .vocabulary = 23,
                          .positions = 14,
                          .landmarks = 4,
                          .convolution = 5});
  };
  // CHECK: nystromformer f64: 40 numbers, equal
  // CHECK: nystromformer f32: 40 numbers, equal
  golden::compare(golden::settings(argc, argv), "nystromformer", models::Nystromformer::huggingface(), make,
                  [](const Nystromformer &model, const std::vector<Tensor> &inputs) { return model(inputs[0]); });
  // The number of Hugging Face's model.
  // CHECK: 512: 108500112
  std::printf("512: %ld\n", long(Nystromformer({}).parameter_count()));
}
