//===- swin.cpp - Swin Transformers against timm --------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: rm -rf %t && mkdir %t
// RUN: models-swin %S/Inputs/swin.txt %t | FileCheck %s
// RUN: %python %S/Inputs/run_saved.py %t reference | FileCheck %s --check-prefix=OTHER
// RUN: %if simulator %{ %python %S/Inputs/run_saved.py %t cuda f32 | FileCheck %s --check-prefix=GPU %}
// OTHER-COUNT-2: reference: equal
// GPU: cuda: equal

#include "Golden.h"

#include <xf/models/swin.h>

using namespace xf;
using models::SwinOptions;

int main(int argc, char **argv) {
  auto make = [] {
    return models::Swin(
        {.width = 8, .layers = {2, 1}, .heads = {2, 4}, .patch = 2, .window = 3, .image = {24, 36}, .classes = 5});
  };
  // CHECK: swin f64: 52 numbers, equal
  // CHECK: swin f32: 52 numbers, equal
  golden::compare(golden::settings(argc, argv), "swin", models::Swin::timm(), make,
                  [](const models::Swin &model, const std::vector<Tensor> &inputs) { return model(inputs[0]); });
  // The numbers of timm's models.
  // CHECK: T 28288354, S 49606258, B 87768224, L 196532476
  std::printf("T %ld, S %ld, B %ld, L %ld\n", long(models::Swin(SwinOptions::tiny()).parameter_count()),
              long(models::Swin(SwinOptions::small()).parameter_count()),
              long(models::Swin(SwinOptions::base()).parameter_count()),
              long(models::Swin(SwinOptions::large()).parameter_count()));
}
