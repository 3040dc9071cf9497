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
// OTHER-COUNT-5: reference: equal
// GPU-COUNT-2: cuda: equal

#include "Golden.h"

#include <xf/models/gaussian_attention.h>

using namespace xf;
using models::GaussianViT, models::GridScores;

static void compare(const golden::Settings &settings, const char *name, GridScores scores,
                    const std::vector<Dtype> &dtypes = {f64, f32}) {
  auto make = [=] {
    return GaussianViT(
        {.width = 12, .layers = 2, .heads = 3, .hidden = 20, .image = {6, 8}, .classes = 5, .scores = scores});
  };
  golden::compare(
      settings, name, {}, make,
      [](const GaussianViT &model, const std::vector<Tensor> &inputs) { return model(inputs[0]); }, dtypes);
}

static double millions(GridScores scores) {
  return static_cast<double>(GaussianViT({.scores = scores}).parameter_count()) / 1e6;
}

int main(int argc, char **argv) {
  golden::Settings settings = golden::settings(argc, argv);
  // CHECK: gaussian f64: 34 numbers, equal
  // CHECK: gaussian f32: 34 numbers, equal
  compare(settings, "gaussian", GridScores::quadratic);
  // CHECK: learned f64: 38 numbers, equal
  // CHECK: learned f32: 38 numbers, equal
  compare(settings, "learned", GridScores::learned, {f64});
  compare({settings.cases, ""}, "learned", GridScores::learned, {f32}); // not on the simulated GPU
  // CHECK: content f64: 42 numbers, equal
  // CHECK: content f32: 42 numbers, equal
  compare(settings, "content", GridScores::content);
  // Table 1 says 12.1, 12.3 and 29.5 million.
  // CHECK: CIFAR-10: 12.1, 12.3, 29.5 million
  std::printf("CIFAR-10: %.1f, %.1f, %.1f million\n", millions(GridScores::quadratic), millions(GridScores::learned),
              millions(GridScores::content));
}
