//===- options.cpp - Options that a model cannot have -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: models-options | FileCheck %s

#include <xf/models/deltanet.h>
#include <xf/models/gla.h>
#include <xf/models/mvit.h>
#include <xf/models/nystromformer.h>
#include <xf/models/perceiver.h>
#include <xf/models/performer.h>
#include <xf/models/retnet.h>
#include <xf/models/sparse_transformer.h>
#include <xf/models/swin.h>

#include <cstdio>

using namespace xf::models;

template <typename Model, typename Options>
static void report(const char *what, const Options &options) {
  try {
    Model model(options);
    std::printf("%s: no error\n", what);
  } catch (const xf::Error &error) {
    std::printf("%s: %s\n", what, error.message().c_str());
  }
}

int main() {
  // CHECK: no heads: expected a width that is a multiple of the heads, got width 8 and 0 heads
  report<DeltaNet>("no heads", DeltaNetOptions{.width = 8, .layers = 1, .heads = 0});
  // CHECK: no heads: expected a width that is a multiple of the heads, got width 8 and 0 heads
  report<GLA>("no heads", GLAOptions{.width = 8, .layers = 1, .heads = 0});
  // CHECK: no heads: expected a width that is a multiple of the heads, got width 8 and 0 heads
  report<Performer>("no heads", PerformerOptions{.width = 8, .layers = 1, .heads = 0});
  // CHECK: no heads: expected a width that is a multiple of the heads, got width 8 and 0 heads
  report<RetNet>("no heads", RetNetOptions{.width = 8, .value_width = 8, .layers = 1, .heads = 0});
  // CHECK: no heads: expected a width that is a multiple of the heads, got width 8 and 0 heads
  report<MViT>("no heads", MViTOptions{.width = 8, .heads = 0, .layers = {1}});
  // CHECK: heads: expected a width that is a multiple of the heads, got width 8 and 3 heads
  report<Perceiver>("heads", PerceiverOptions{.width = 8, .blocks = 1, .layers = 1, .heads = 3, .image = 4});
  // CHECK: landmarks: expected a number of landmarks of at least 1, got 0
  report<Nystromformer>("landmarks", NystromformerOptions{.width = 8, .layers = 1, .heads = 2, .landmarks = 0});
  // CHECK: slice: expected .causal = true beside .slice, got false
  report<Performer>("slice", PerformerOptions{.width = 8, .layers = 1, .heads = 2, .causal = false, .slice = 4});
  // CHECK: extents: expected a number of extents of at least 1, got 0
  report<SparseTransformer>("extents", SparseTransformerOptions{.width = 8, .layers = 1, .extents = {}});
  // CHECK: patterns: expected a number of patterns of at least 1, got 0
  report<SparseTransformer>("patterns", SparseTransformerOptions{.width = 8, .layers = 1, .patterns = {}});
  // CHECK: stages: expected a list of heads of at least 2, got 1
  report<Swin>("stages", SwinOptions{.width = 8, .layers = {1, 1}, .heads = {2}, .image = 56});
  // CHECK: windows: expected whole windows of 7 x 7, got 15 x 15 tokens
  report<Swin>("windows", SwinOptions{.width = 8, .layers = {1}, .heads = {2}, .image = 60});
}
