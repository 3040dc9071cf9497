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
// OTHER-COUNT-14: reference: equal
// GPU-COUNT-7: cuda: equal

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

struct TwoModels : nn::Module {
  ViT model, resized;
  XF_MEMBERS(model, resized)
  TwoModels(const ViTOptions &a, const ViTOptions &b) : model(a), resized(b) {}
};

/// A checkpoint whose positions are resized, and a program that resizes them.
static void anotherSize() {
  ViTOptions options = small(), larger = small();
  options.interpolation = Interpolation::bicubic;
  larger.image = {16, 20};
  TwoModels two(options, larger);
  two.to(f64);
  two.initialize(1);
  StateDict values = two.model.state_dict();
  values["positions"] = resize_positions(values["positions"], {2, 3}, {4, 5});
  two.resized.load_state_dict(values);
  Program program("sizes", two);
  TensorSpec images{"images", f64, {2, 3, 16, 20}};
  program.entry("difference", {images},
                [&](Tensor x) { return max(abs(two.model.features(x) - two.resized.features(x))); });
  Executable run = program.compile();
  Array x(golden::elements("images", {2, 3, 16, 20}), {2, 3, 16, 20});
  std::printf("another size: %s\n", run("difference", x).item<double>() < 1e-13 ? "equal" : "different");
}

/// Images at another size, with a factor for each channel.
struct Resized : nn::Module {
  Parameter scale{{2, 1, 1}, constant_init(1)};
  XF_MEMBERS(scale)
};

/// Both kinds at three sizes, side by side.
static Tensor interpolations(const Resized &model, const std::vector<Tensor> &inputs) {
  std::vector<Tensor> all;
  for (Interpolation kind : {Interpolation::bilinear, Interpolation::bicubic})
    for (Size2 size : {Size2(9, 5), Size2(2, 4), Size2(1, 11)})
      all.push_back(reshape(interpolate(inputs[0] * model.scale, size, kind), {-1}));
  return concat(all, 0);
}

/// Patches of a ResNet, and images of another size than that of training.
static void otherImages(const golden::Settings &settings) {
  // CHECK: larger f64: 42 numbers, equal
  // CHECK: larger f32: 42 numbers, equal
  golden::compare(
      settings, "larger", ViT::huggingface(),
      [] {
        ViTOptions options = small();
        options.image = 8;
        options.fused = false;
        options.eps = 1e-12;
        options.interpolation = Interpolation::bicubic;
        return ViT(options);
      },
      classify);
  // CHECK: hybrid f64: 70 numbers, equal
  // CHECK: hybrid f32: 70 numbers, equal
  golden::compare(
      settings, "hybrid", ViT::timm(true),
      [] {
        ViTOptions options = small();
        options.patch = 1;
        options.image = {16, 24};
        options.resnet = models::ResNetOptions{.blocks = {1, 2}, .width = 8, .groups = 4};
        return ViT(options);
      },
      classify);
  // CHECK: interpolate f64: 3 numbers, equal
  // CHECK: interpolate f32: 3 numbers, equal
  golden::compare(settings, "interpolate", {}, [] { return Resized(); }, interpolations);
  // CHECK: groups f64: 4 numbers, equal
  // CHECK: groups f32: 4 numbers, equal
  golden::compare(
      settings, "groups", {}, [] { return nn::GroupNorm(4, 12); },
      [](const nn::GroupNorm &norm, const std::vector<Tensor> &inputs) { return norm(inputs[0]); });
  // CHECK: another size: equal
  anotherSize();
}

int main(int argc, char **argv) {
  golden::Settings settings = golden::settings(argc, argv);
  otherImages(settings);
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
  // timm says 98.95 million for images of 384 x 384.
  ViTOptions hybrid = ViTOptions::hybrid();
  hybrid.image = 384;
  // CHECK: R50+B/16 98950952
  std::printf("R50+B/16 %ld\n", long(ViT(hybrid).parameter_count()));
}
