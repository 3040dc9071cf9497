//===- vit.cpp - Vision Transformers against timm and Hugging Face --------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: rm -rf %t && mkdir %t
// RUN: models-vit %S/Inputs/vit.txt %t | FileCheck %s
// RUN: %python %S/Inputs/run_saved.py %t reference | FileCheck %s --check-prefix=OTHER
// RUN: %if simulator %{ %python %S/Inputs/run_saved.py %t cuda f32 | FileCheck %s --check-prefix=GPU %}
// OTHER-COUNT-6: reference: equal
// GPU-COUNT-3: cuda: equal

#include "Golden.h"

#include <xf/models/vit.h>

using namespace xf;
using models::ViT, models::ViTOptions;

static Tensor classify(const ViT &model, const std::vector<Tensor> &inputs) { return model(inputs[0]); }

static ViTOptions small() {
  return {.width = 16, .layers = 2, .heads = 2, .hidden = 32, .patch = 4, .image = {8, 12}, .classes = 5};
}

/// A named batch: two images at once, and one after the other.
static void anyBatch() {
  ViT model(small());
  Program program("vit", model);
  program.entry("logits", {{"images", f32, {dim("batch", {.min = 1, .max = 8}), 3, 8, 12}}}, model);
  Executable run = program.compile();
  size_t pixels = 3 * 8 * 12, different = 0;
  Array two(f32, {2, 3, 8, 12});
  std::vector<double> values = golden::elements("images", two.shape());
  std::copy(values.begin(), values.end(), two.data<float>().begin());
  Array both = run("logits", two);
  for (size_t image = 0; image < 2; ++image) {
    Array one(f32, {1, 3, 8, 12});
    std::copy_n(two.data<float>().begin() + static_cast<ptrdiff_t>(image * pixels), pixels, one.data<float>().begin());
    Array alone = run("logits", one);
    for (size_t n = 0; n < 5; ++n)
      different += alone.data<float>()[n] != both.data<float>()[image * 5 + n];
  }
  std::printf("any batch: %s\n", different ? "different" : "equal");
}

int main(int argc, char **argv) {
  golden::Settings settings = golden::settings(argc, argv);
  // CHECK: timm f64: 34 numbers, equal
  // CHECK: timm f32: 34 numbers, equal
  golden::compare(settings, "timm", ViT::timm(), [] { return ViT(small()); }, classify);
  golden::Rules withoutClass = ViT::timm();
  withoutClass.erase(withoutClass.begin());
  // CHECK: mean f64: 33 numbers, equal
  // CHECK: mean f32: 33 numbers, equal
  golden::compare(
      settings, "mean", withoutClass,
      [] {
        ViTOptions options = small();
        options.average = true;
        return ViT(options);
      },
      classify);
  // CHECK: huggingface f64: 42 numbers, equal
  // CHECK: huggingface f32: 42 numbers, equal
  golden::compare(
      settings, "huggingface", ViT::huggingface(),
      [] {
        ViTOptions options = small();
        options.image = 8;
        options.fused = false;
        options.eps = 1e-12;
        return ViT(options);
      },
      classify);
  // CHECK: any batch: equal
  anyBatch();
  // The numbers of timm's models and of Hugging Face's.
  // CHECK: B/16 86567656, B/32 88224232, L/16 304326632, H/14 632045800
  std::printf("B/16 %ld, B/32 %ld, L/16 %ld, H/14 %ld\n", long(ViT(ViTOptions::base(16)).parameter_count()),
              long(ViT(ViTOptions::base(32)).parameter_count()), long(ViT(ViTOptions::large(16)).parameter_count()),
              long(ViT(ViTOptions::huge(14)).parameter_count()));
}
