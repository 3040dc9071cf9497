//===- gaussian_attention.cpp - Gaussian attention against all pairs ------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: rm -rf %t && mkdir %t
// RUN: models-gaussian_attention %S/Inputs/gaussian_attention.txt %t | FileCheck %s
// RUN: %python %S/Inputs/run_saved.py %t reference | FileCheck %s --check-prefix=OTHER
// RUN: %if simulator %{ %python %S/Inputs/run_saved.py %t cuda f32 | FileCheck %s --check-prefix=GPU %}
// OTHER-COUNT-2: reference: equal
// GPU: cuda: equal

#include "Golden.h"

#include <xf/models/gaussian_attention.h>

using namespace xf;
using models::GaussianViT;

int main(int argc, char **argv) {
  auto make = [] {
    return GaussianViT({.width = 12, .layers = 2, .heads = 3, .hidden = 20, .image = {6, 8}, .classes = 5});
  };
  // CHECK: gaussian f64: 34 numbers, equal
  // CHECK: gaussian f32: 34 numbers, equal
  golden::compare(golden::settings(argc, argv), "gaussian", {}, make,
                  [](const GaussianViT &model, const std::vector<Tensor> &inputs) { return model(inputs[0]); });
  // Table 1 says 12.1 million.
  // CHECK: CIFAR-10: 12.1 million
  std::printf("CIFAR-10: %.1f million\n", static_cast<double>(GaussianViT({}).parameter_count()) / 1e6);
}
