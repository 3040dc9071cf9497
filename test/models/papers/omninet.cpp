//===- omninet.cpp - OmniNets of text and images against masks of pairs ---===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: rm -rf %t && mkdir %t
// RUN: models-omninet %S/Inputs/omninet.txt %t | FileCheck %s
// RUN: %python %S/Inputs/run_saved.py %t reference | FileCheck %s --check-prefix=OTHER
// RUN: %if simulator %{ %python %S/Inputs/run_saved.py %t cuda f32 | FileCheck %s --check-prefix=GPU %}
// OTHER-COUNT-14: reference: equal
// GPU-COUNT-7: cuda: equal

#include "Golden.h"

#include <xf/models/omninet.h>

using namespace xf;
using models::OmniKind, models::OmniNetLM, models::OmniNetViT;

static void text(const golden::Settings &settings, const char *name, OmniKind kind) {
  auto make = [=] {
    models::OmniVariant variant{.causal = true, .features = 6, .blocks = {.block = 2, .random = 1, .seed = 3}};
    return OmniNetLM({.stack = models::omninet(kind, 16, 2, 3, 3, variant), .vocabulary = 11, .positions = 12});
  };
  golden::compare(settings, name, {}, make,
                  [](const OmniNetLM &model, const std::vector<Tensor> &inputs) { return model(inputs[0]); });
}

static void images(const golden::Settings &settings, const char *name, OmniKind kind) {
  auto make = [=] {
    models::OmniVariant variant{.tokens = 7, .rank = 4, .features = 6, .blocks = {.block = 1, .random = 1, .seed = 3}};
    return OmniNetViT(
        {.stack = models::omninet(kind, 16, 2, 3, 3, variant), .patch = 4, .image = {8, 12}, .classes = 5});
  };
  golden::compare(settings, name, {}, make,
                  [](const OmniNetViT &model, const std::vector<Tensor> &inputs) { return model(inputs[0]); });
}

int main(int argc, char **argv) {
  golden::Settings settings = golden::settings(argc, argv);
  // CHECK: text-T f64: 54 numbers, equal
  // CHECK: text-T f32: 54 numbers, equal
  text(settings, "text-T", OmniKind::transformer);
  // CHECK: text-P f64: 55 numbers, equal
  // CHECK: text-P f32: 55 numbers, equal
  text(settings, "text-P", OmniKind::performer);
  // CHECK: text-B f64: 54 numbers, equal
  // CHECK: text-B f32: 54 numbers, equal
  text(settings, "text-B", OmniKind::bigbird);
  // CHECK: images-T f64: 58 numbers, equal
  // CHECK: images-T f32: 58 numbers, equal
  images(settings, "images-T", OmniKind::transformer);
  // CHECK: images-P f64: 59 numbers, equal
  // CHECK: images-P f32: 59 numbers, equal
  images(settings, "images-P", OmniKind::performer);
  // CHECK: images-L f64: 59 numbers, equal
  // CHECK: images-L f32: 59 numbers, equal
  images(settings, "images-L", OmniKind::linformer);
  // CHECK: images-B f64: 58 numbers, equal
  // CHECK: images-B f32: 58 numbers, equal
  images(settings, "images-B", OmniKind::bigbird);
  try {
    models::omninet(OmniKind::linformer, 16, 2, 3, 3, {.causal = true});
  } catch (const Error &error) {
    // CHECK: omninet.cpp:{{[0-9]+}}:{{[0-9]+}}: expected a causal kind of attention, got linformer
    std::printf("%s\n", error.what());
  }
  // ViT-B/32 has 88224232: an omnidirectional layer takes a layer's place. P adds 64 x 64 random features to each of
  // the three, L projections of 3 x 50 tokens to 64 rows.
  // CHECK: images: 88224232 88236520 88253032 88224232
  std::printf("images:");
  for (OmniKind kind : {OmniKind::transformer, OmniKind::performer, OmniKind::linformer, OmniKind::bigbird}) {
    OmniNetViT base({.stack = models::omninet(kind, 768, 12, 12, 4, {.tokens = 50})});
    std::printf(" %ld", long(base.parameter_count()));
  }
  std::printf("\n");
}
