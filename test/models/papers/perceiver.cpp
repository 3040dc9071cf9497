//===- perceiver.cpp - Perceiver against Hugging Face ---------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: rm -rf %t && mkdir %t
// RUN: models-perceiver %S/Inputs/perceiver.txt %t | FileCheck %s
// RUN: %python %S/Inputs/run_saved.py %t reference | FileCheck %s --check-prefix=OTHER
// RUN: %if simulator %{ %python %S/Inputs/run_saved.py %t cuda f32 | FileCheck %s --check-prefix=GPU %}
// OTHER-COUNT-2: reference: equal
// GPU: cuda: equal

#include "Golden.h"

#include <xf/models/perceiver.h>

using namespace xf;
using models::Perceiver;

int main(int argc, char **argv) {
  auto make = [] {
    return Perceiver(
        {.latents = 4, .width = 16, .blocks = 2, .layers = 2, .heads = 2, .image = {6, 5}, .bands = 3, .classes = 5});
  };
  // CHECK: perceiver f64: 74 numbers, equal
  // CHECK: perceiver f32: 74 numbers, equal
  golden::compare(golden::settings(argc, argv), "perceiver", Perceiver::huggingface(), make,
                  [](const Perceiver &model, const std::vector<Tensor> &inputs) { return model(inputs[0]); });
  // The number of vision-perceiver-fourier.
  // CHECK: images of 224x224: 48440627
  std::printf("images of 224x224: %ld\n", long(Perceiver({}).parameter_count()));
}
