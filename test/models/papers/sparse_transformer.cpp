//===- sparse_transformer.cpp - Sparse Transformers against masks of pairs ===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: rm -rf %t && mkdir %t
// RUN: models-sparse_transformer %S/Inputs/sparse_transformer.txt %t | FileCheck %s
// RUN: %python %S/Inputs/run_saved.py %t reference | FileCheck %s --check-prefix=OTHER
// RUN: %if simulator %{ %python %S/Inputs/run_saved.py %t cuda f32 | FileCheck %s --check-prefix=GPU %}
// OTHER-COUNT-4: reference: equal
// GPU-COUNT-2: cuda: equal

#include "Golden.h"

#include <xf/models/sparse_transformer.h>

using namespace xf;
using models::SparseTransformer, models::SparseTransformerOptions;

static Tensor logits(const SparseTransformer &model, const std::vector<Tensor> &inputs) { return model(inputs[0]); }

static SparseTransformer images() {
  return SparseTransformer({.width = 16,
                            .layers = 2,
                            .heads = 2,
                            .vocabulary = 11,
                            .hidden = 32,
                            .head_size = 4,
                            .extents = {4, 3, 3},
                            .patterns = {strided(9).local(), strided(9).column()}});
}

static SparseTransformer text() {
  FixedPattern of = fixed(8, 2);
  return SparseTransformer({.width = 16,
                            .layers = 2,
                            .heads = 4,
                            .vocabulary = 11,
                            .hidden = 64,
                            .head_size = 4,
                            .extents = {3, 8},
                            .patterns = {heads({of.slot(0), of.slot(1), of.slot(2), of.slot(3)})}});
}

static void count(const char *name, const SparseTransformerOptions &options) {
  int64_t elements = 1;
  for (int64_t extent : options.extents)
    elements *= extent;
  std::printf("%s: %ld parameters, context %ld\n", name, long(SparseTransformer(options).parameter_count()),
              long(elements));
}

int main(int argc, char **argv) {
  golden::Settings settings = golden::settings(argc, argv);
  // CHECK: images f64: 40 numbers, equal
  // CHECK: images f32: 40 numbers, equal
  golden::compare(settings, "images", {}, images, logits);
  // CHECK: text f64: 39 numbers, equal
  // CHECK: text f32: 39 numbers, equal
  golden::compare(settings, "text", {}, text, logits);
  // The paper says 59, 95 and 152 million, for 3072, 12160 and 12288 bytes.
  // CHECK: CIFAR-10: 59196672 parameters, context 3072
  count("CIFAR-10", SparseTransformerOptions::cifar10());
  // CHECK: enwik8: 94948864 parameters, context 12160
  count("enwik8", SparseTransformerOptions::enwik8());
  // CHECK: ImageNet 64x64: 151644672 parameters, context 12288
  count("ImageNet 64x64", SparseTransformerOptions::imagenet64());
}
