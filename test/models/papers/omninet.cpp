//===- omninet.cpp - OmniNets against masks of pairs ----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: rm -rf %t && mkdir %t
// RUN: models-omninet %S/Inputs/omninet.txt %t | FileCheck %s
// RUN: %python %S/Inputs/run_saved.py %t reference | FileCheck %s --check-prefix=OTHER
// RUN: %if simulator %{ %python %S/Inputs/run_saved.py %t cuda f32 | FileCheck %s --check-prefix=GPU %}
// OTHER-COUNT-18: reference: equal
// GPU-COUNT-8: cuda: equal

#include "Golden.h"

#include <xf/models/omninet.h>

using namespace xf;
using models::OmniKind, models::OmniNetLM, models::OmniNetTranslator, models::OmniNetViT;

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

/// Sources of `lengths` valid tokens of 7, if not empty.
static void translation(const golden::Settings &settings, const char *name, OmniKind kind, int64_t decoderPartition,
                        const std::vector<Dtype> &dtypes, const std::vector<int32_t> &lengths = {}) {
  auto make = [=] {
    models::OmniVariant variant{.tokens = 7, .rank = 4, .features = 6}, causal{.causal = true, .features = 6};
    OmniKind decoder = decoderPartition > 1 ? kind : OmniKind::transformer;
    return OmniNetTranslator({.encoder = models::omninet(kind, 16, 2, 3, 3, variant),
                              .decoder = models::omninet(decoder, 16, 2, 3, decoderPartition, causal),
                              .vocabulary = 11});
  };
  golden::compare(
      settings, name, {}, make,
      [&](const OmniNetTranslator &model, const std::vector<Tensor> &inputs) {
        Tensor valid;
        if (!lengths.empty())
          valid = constant(std::vector<int64_t>(lengths.begin(), lengths.end()), {2}, i32);
        return model(inputs[0], inputs[1], valid);
      },
      dtypes);
}

/// Prints whether the translator has the parameters of a Transformer of 6 and 6 layers, with a table of 32000 words.
static void countTranslator() {
  int64_t expected = 32000 * 512 + 4 * 512;
  for (int n = 0; n < 6; ++n) {
    nn::TransformerLayerOptions layer{.width = 512, .heads = 8, .hidden = 2048};
    expected +=
        nn::TransformerEncoderLayer(layer).parameter_count() + nn::TransformerDecoderLayer(layer).parameter_count();
  }
  OmniNetTranslator model({.encoder = models::omninet(OmniKind::transformer, 512, 8, 6, 3),
                           .decoder = models::omninet(OmniKind::transformer, 512, 8, 6, 3, {.causal = true})});
  std::printf("translation: %ld, the Transformer's %ld\n", long(model.parameter_count()), long(expected));
}

template <typename F>
static void report(const F &f) {
  try {
    Program program("errors");
    program.entry("f", {{"x", f32, {2, 4, 16}}}, f);
  } catch (const Error &error) {
    std::printf("%s\n", error.what());
  }
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
  // CHECK: translation-T f64: 132 numbers, equal
  // CHECK: translation-T f32: 132 numbers, equal
  translation(settings, "translation-T", OmniKind::transformer, 3, {f64, f32}, {4, 7});
  // CHECK: translation-P f64: 134 numbers, equal
  // CHECK: translation-P f32: 134 numbers, equal
  translation(settings, "translation-P", OmniKind::performer, 3, {f64});
  translation({settings.cases, ""}, "translation-P", OmniKind::performer, 3, {f32}); // not on the simulated GPU
  // CHECK: translation-L f64: 133 numbers, equal
  translation(settings, "translation-L", OmniKind::linformer, 1, {f64});
  nn::OmniNetOptions stack{.width = 16, .heads = 2, .layers = 2, .partition = 2};
  nn::OmniNet encoder(stack);
  stack.memory = true;
  nn::OmniNet decoder(stack);
  // CHECK: omninet.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a memory for blocks with .memory = true, got none
  report([&](Tensor x) { return decoder(x); });
  // CHECK: omninet.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected no memory without .memory = true, got one
  report([&](Tensor x) { return encoder(x, {.memory = x}); });
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
  // CHECK: translation: [[COUNT:[0-9]+]], the Transformer's [[COUNT]]
  countTranslator();
}
