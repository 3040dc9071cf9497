//===- set_transformer.cpp - Set Transformers against plain torch ---------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: rm -rf %t && mkdir %t
// RUN: models-set_transformer %S/Inputs/set_transformer.txt %t | FileCheck %s
// RUN: %python %S/Inputs/run_saved.py %t reference | FileCheck %s --check-prefix=OTHER
// RUN: %if simulator %{ %python %S/Inputs/run_saved.py %t cuda f32 | FileCheck %s --check-prefix=GPU %}
// OTHER-COUNT-4: reference: equal
// GPU-COUNT-2: cuda: equal

#include "Golden.h"

#include <xf/models/set_transformer.h>

using namespace xf;
using models::SetTransformer;

static SetTransformer small(bool norms) {
  return SetTransformer({.in = 3, .outputs = 2, .out = 5, .points = 4, .width = 12, .heads = 3, .norms = norms});
}

int main(int argc, char **argv) {
  golden::Settings settings = golden::settings(argc, argv);
  auto call = [](const SetTransformer &model, const std::vector<Tensor> &inputs) { return model(inputs[0]); };
  // CHECK: plain f64: 63 numbers, equal
  // CHECK: plain f32: 63 numbers, equal
  golden::compare(settings, "plain", {}, [] { return small(false); }, call);
  // CHECK: normed f64: 91 numbers, equal
  // CHECK: normed f32: 91 numbers, equal
  golden::compare(settings, "normed", {}, [] { return small(true); }, call);
}
