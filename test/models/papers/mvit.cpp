//===- mvit.cpp - Multiscale Vision Transformers against timm -------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: rm -rf %t && mkdir %t
// RUN: models-mvit %S/Inputs/mvit.txt %t | FileCheck %s
// RUN: %python %S/Inputs/run_saved.py %t reference | FileCheck %s --check-prefix=OTHER
// RUN: %if simulator %{ %python %S/Inputs/run_saved.py %t cuda f32 | FileCheck %s --check-prefix=GPU %}
// OTHER-COUNT-3: reference: equal
// GPU: cuda: equal

#include "Golden.h"

#include <xf/models/mvit.h>

using namespace xf;
using models::MViTOptions;

static long count(const MViTOptions &options) { return long(models::MViT(options).parameter_count()); }

int main(int argc, char **argv) {
  auto compare = [&](const char *name, const MViTOptions &options, const std::vector<Dtype> &dtypes) {
    golden::compare(
        golden::settings(argc, argv), name, models::MViT::timm(), [&] { return models::MViT(options); },
        [](const models::MViT &model, const std::vector<Tensor> &inputs) { return model(inputs[0]); }, dtypes);
  };
  // CHECK: mvit f64: 56 numbers, equal
  // CHECK: mvit f32: 56 numbers, equal
  compare("mvit", {.width = 8, .heads = 1, .layers = {1, 1}, .image = 32, .classes = 5}, {f64, f32});
  // CHECK: mvit_mlp f64: 79 numbers, equal
  compare("mvit_mlp", {.width = 8, .heads = 2, .layers = {2, 1}, .expand_attention = false, .image = 32, .classes = 5},
          {f64});
  // The numbers of timm's models.
  // CHECK: T 24173320, S 34870216, B 51472744, L 217992952
  std::printf("T %ld, S %ld, B %ld, L %ld\n", count(MViTOptions::tiny()), count(MViTOptions::small()),
              count(MViTOptions::base()), count(MViTOptions::large()));
}
