//===- linformer.cpp - Linformers of all sharings against equation 7 ------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: rm -rf %t && mkdir %t
// RUN: models-linformer %S/Inputs/linformer.txt %t | FileCheck %s
// RUN: %python %S/Inputs/run_saved.py %t reference | FileCheck %s --check-prefix=OTHER
// RUN: %if simulator %{ %python %S/Inputs/run_saved.py %t cuda f32 | FileCheck %s --check-prefix=GPU %}
// OTHER-COUNT-8: reference: equal
// GPU-COUNT-4: cuda: equal

#include "Golden.h"

#include <xf/models/linformer.h>

using namespace xf;
using models::Linformer, models::LinformerSharing;

static void compare(const golden::Settings &settings, const char *name, LinformerSharing sharing) {
  auto make = [=] {
    return Linformer({.width = 16,
                      .layers = 2,
                      .heads = 2,
                      .hidden = 32,
                      .vocabulary = 11,
                      .tokens = 12,
                      .rank = 4,
                      .sharing = sharing});
  };
  golden::compare(settings, name, {}, make,
                  [](const Linformer &model, const std::vector<Tensor> &inputs) { return model(inputs[0]); });
}

/// The number of projections of 12 layers of 12 heads (section 4), from the number of parameters.
static int64_t projections(LinformerSharing sharing) {
  Linformer model({.sharing = sharing}), smaller({.rank = 64, .sharing = sharing});
  return (model.parameter_count() - smaller.parameter_count()) / (512 * 64);
}

int main(int argc, char **argv) {
  golden::Settings settings = golden::settings(argc, argv);
  // CHECK: none f64: 33 numbers, equal
  // CHECK: none f32: 33 numbers, equal
  compare(settings, "none", LinformerSharing::none);
  // CHECK: headwise f64: 33 numbers, equal
  // CHECK: headwise f32: 33 numbers, equal
  compare(settings, "headwise", LinformerSharing::headwise);
  // CHECK: kv f64: 31 numbers, equal
  // CHECK: kv f32: 31 numbers, equal
  compare(settings, "kv", LinformerSharing::kv);
  // CHECK: layerwise f64: 30 numbers, equal
  // CHECK: layerwise f32: 30 numbers, equal
  compare(settings, "layerwise", LinformerSharing::layerwise);
  // CHECK: projections: 288, 24, 12, 1
  std::printf("projections: %ld, %ld, %ld, %ld\n", long(projections(LinformerSharing::none)),
              long(projections(LinformerSharing::headwise)), long(projections(LinformerSharing::kv)),
              long(projections(LinformerSharing::layerwise)));
}
