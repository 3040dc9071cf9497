//===- longformer.cpp - Longformer's encoder against Hugging Face ---------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: rm -rf %t && mkdir %t
// RUN: models-longformer %S/Inputs/longformer.txt %t | FileCheck %s
// RUN: %python %S/Inputs/run_saved.py %t reference | FileCheck %s --check-prefix=OTHER
// RUN: %if simulator %{ %python %S/Inputs/run_saved.py %t cuda f32 | FileCheck %s --check-prefix=GPU %}
// OTHER-COUNT-4: reference: equal
// GPU-COUNT-2: cuda: equal

#include "Golden.h"

#include <xf/models/longformer.h>

using namespace xf;
using models::Longformer, models::LongformerOptions;

static void compare(const golden::Settings &settings, const char *name, int64_t global) {
  auto make = [=] {
    return Longformer({.width = 16,
                       .layers = 2,
                       .heads = 2,
                       .hidden = 32,
                       .vocabulary = 23,
                       .positions = 26,
                       .window = 8,
                       .global = global});
  };
  golden::compare(settings, name, Longformer::huggingface(), make,
                  [](const Longformer &model, const std::vector<Tensor> &inputs) { return model(inputs[0]); });
}

int main(int argc, char **argv) {
  golden::Settings settings = golden::settings(argc, argv);
  // CHECK: one f64: 50 numbers, equal
  // CHECK: one f32: 50 numbers, equal
  compare(settings, "one", 1);
  // CHECK: three f64: 50 numbers, equal
  // CHECK: three f32: 50 numbers, equal
  compare(settings, "three", 3);
  // The numbers of Hugging Face's models without a pooler.
  // CHECK: base 148068864, large 433551360
  std::printf("base %ld, large %ld\n", long(Longformer(LongformerOptions::base()).parameter_count()),
              long(Longformer(LongformerOptions::large()).parameter_count()));
}
