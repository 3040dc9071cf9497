//===- t2t_vit.cpp - Tokens-to-Token ViTs against plain torch -------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: rm -rf %t && mkdir %t
// RUN: models-t2t_vit %S/Inputs/t2t_vit.txt %t | FileCheck %s
// RUN: %python %S/Inputs/run_saved.py %t reference | FileCheck %s --check-prefix=OTHER
// RUN: %if simulator %{ %python %S/Inputs/run_saved.py %t cuda f32 | FileCheck %s --check-prefix=GPU %}
// OTHER-COUNT-4: reference: equal
// GPU-COUNT-2: cuda: equal

#include "Golden.h"

#include <xf/models/t2t_vit.h>

using namespace xf;
using models::T2TViT, models::T2TViTOptions;

static Tensor classify(const T2TViT &model, const std::vector<Tensor> &inputs) { return model(inputs[0]); }

static T2TViT small(bool performer) {
  return T2TViT(
      {.width = 16, .layers = 2, .heads = 2, .hidden = 32, .classes = 5, .token_width = 8, .performer = performer});
}

int main(int argc, char **argv) {
  golden::Settings settings = golden::settings(argc, argv);
  // CHECK: performer f64: 57 numbers, equal
  // CHECK: performer f32: 57 numbers, equal
  golden::compare(settings, "performer", T2TViT::published(), [] { return small(true); }, classify);
  // CHECK: transformer f64: 53 numbers, equal
  // CHECK: transformer f32: 53 numbers, equal
  golden::compare(settings, "transformer", T2TViT::published(false), [] { return small(false); }, classify);
  // Table 2 of the paper says 4.3, 5.9, 6.9, 21.5, 39.2 and 64.1 million, which count the positions.
  // CHECK: T2T-ViT-7: 4.3, T2T-ViT-10: 5.9, T2T-ViT-12: 6.9, T2T-ViT-14: 21.5, T2T-ViT-19: 39.2, T2T-ViT-24: 64.1
  const char *comma = "";
  for (int64_t layers : {7, 10, 12, 14, 19, 24}) {
    T2TViTOptions options = T2TViTOptions::size(layers);
    int64_t positions = 197 * options.width;
    std::printf("%sT2T-ViT-%ld: %.1f", comma, long(layers),
                static_cast<double>(T2TViT(options).parameter_count() + positions) / 1e6);
    comma = ", ";
  }
  std::printf("\n");
}
