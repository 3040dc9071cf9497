//===- places.cpp - Models point at the line that constructs them -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: models-places | FileCheck %s
// Every model has its line here.
// RUN: sh -c 'for header in %source/frontend/models/xf/models/*.h; do grep -qF "<xf/models/${header##*/}>" %s || echo $header; done' > %t
// RUN: cmp %t /dev/null

#include <xf/models/bert.h>
#include <xf/models/bigbird.h>
#include <xf/models/deltanet.h>
#include <xf/models/gaussian_attention.h>
#include <xf/models/gla.h>
#include <xf/models/gpt2.h>
#include <xf/models/linear_transformer.h>
#include <xf/models/linformer.h>
#include <xf/models/llama.h>
#include <xf/models/longformer.h>
#include <xf/models/mvit.h>
#include <xf/models/nystromformer.h>
#include <xf/models/omninet.h>
#include <xf/models/perceiver.h>
#include <xf/models/performer.h>
#include <xf/models/retnet.h>
#include <xf/models/set_transformer.h>
#include <xf/models/sparse_transformer.h>
#include <xf/models/swin.h>
#include <xf/models/t2t_vit.h>
#include <xf/models/t5.h>
#include <xf/models/transformer_xl.h>
#include <xf/models/vit.h>

#include <cstdio>

using namespace xf::models;

template <typename Construct>
static void report(Construct construct) {
  try {
    construct();
    std::puts("no error");
  } catch (const xf::Error &error) {
    std::puts(error.what());
  }
}

static void makeFirstHalf() {
  // Where something else is wrong in the middle of a model, and in its last member.
  // CHECK: places.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected
  report([] { Bert(BertOptions{.width = 8, .layers = 1, .heads = 3}); });
  // CHECK: places.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected
  report([] { Bert(BertOptions{.types = -1, .width = 8, .layers = 1, .heads = 2}); });
  // CHECK: places.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected
  report([] { BigBird(BigBirdOptions{.width = 8, .layers = 1, .heads = 3}); });
  // CHECK: places.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected
  report([] { DeltaNet(DeltaNetOptions{.width = 8, .layers = 1, .heads = 3}); });
  // CHECK: places.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected
  report([] { DeltaNet(DeltaNetOptions{.width = 8, .layers = 1, .heads = 2, .convolution = -1}); });
  // CHECK: places.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected
  report([] { GaussianViT(GaussianViTOptions{.width = 8, .layers = 1, .heads = 2, .hidden = -1}); });
  // CHECK: places.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected
  report([] { GLA(GLAOptions{.width = 8, .key_width = 8, .layers = 1, .heads = 3}); });
  // CHECK: places.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected
  report([] { GLA(GLAOptions{.width = 8, .key_width = 8, .layers = 1, .heads = 2, .gate_rank = -1}); });
  // CHECK: places.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected
  report([] { GPT2(GPT2Options{.width = 8, .layers = 1, .heads = 3}); });
  // CHECK: places.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected
  report([] { GPT2(GPT2Options{.positions = -1, .width = 8, .layers = 1, .heads = 2}); });
  // CHECK: places.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected
  report([] { LinearTransformer(LinearTransformerOptions{.width = 8, .layers = 1, .hidden = -1}); });
  // CHECK: places.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected
  report([] { LinearTransformer(LinearTransformerOptions{.vocabulary = -1, .width = 8, .layers = 1}); });
  // CHECK: places.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected
  report([] { Linformer(LinformerOptions{.width = 8, .layers = 1, .heads = 3}); });
  // CHECK: places.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected
  report([] { Llama(LlamaOptions{.width = 8, .layers = 1, .heads = 3}); });
  // CHECK: places.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected
  report([] { Llama(LlamaOptions{.width = 8, .layers = 1, .heads = 2, .kv_heads = 1, .hidden = -1}); });
  // CHECK: places.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected
  report([] { Longformer(LongformerOptions{.width = 8, .layers = 1, .heads = 2, .hidden = -1}); });
}

int main() {
  makeFirstHalf();
  // CHECK: places.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected
  report([] { MViT(MViTOptions{.width = 8, .heads = 3, .layers = {1}}); });
  // CHECK: places.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected
  report([] { Nystromformer(NystromformerOptions{.width = 8, .layers = 1, .heads = 2, .hidden = -1}); });
  // CHECK: places.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected
  report([] { OmniNetLM(OmniNetLMOptions{.stack = {}, .vocabulary = -1}); });
  // CHECK: places.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected
  report([] { OmniNetViT(OmniNetViTOptions{.stack = {}, .classes = -1}); });
  // CHECK: places.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected
  report([] { Perceiver(PerceiverOptions{.width = 8, .blocks = 1, .layers = 1, .heads = 3, .image = 4}); });
  // CHECK: places.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected
  report([] { Performer(PerformerOptions{.width = 8, .layers = 1, .heads = 3}); });
  // CHECK: places.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected
  report([] { Performer(PerformerOptions{.width = 8, .layers = 1, .heads = 2, .features = -1}); });
  // CHECK: places.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected
  report([] { RetNet(RetNetOptions{.width = 8, .value_width = 8, .layers = 1, .heads = 3}); });
  // CHECK: places.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected
  report([] { RetNet(RetNetOptions{.width = 8, .value_width = 8, .layers = 1, .heads = 2, .hidden = -1}); });
  // CHECK: places.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected
  report([] { SetTransformer(SetTransformerOptions{.in = 2, .outputs = 1, .out = -1, .width = 8, .heads = 2}); });
  // CHECK: places.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected
  report([] { SparseTransformer(SparseTransformerOptions{.width = 8, .layers = 1, .vocabulary = -1}); });
  // CHECK: places.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected
  report([] { Swin(SwinOptions{.width = 8, .layers = {1}, .heads = {3}, .image = 56}); });
  // CHECK: places.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected
  report([] { T2TViT(T2TViTOptions{.width = 8, .layers = 1, .heads = 3}); });
  // CHECK: places.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected
  report([] { T5(T5Options{.width = 8, .hidden = -1, .layers = 1}); });
  // CHECK: places.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected
  report([] { T5(T5Options{.width = 8, .layers = 1, .heads = -1}); });
  // CHECK: places.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected
  report([] { TransformerXL(TransformerXLOptions{.width = 8, .layers = 1, .heads = -1}); });
  // CHECK: places.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected
  report([] { TransformerXL(TransformerXLOptions{.width = 8, .layers = 1, .hidden = -1}); });
  // CHECK: places.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected
  report([] { ViT(ViTOptions{.width = 8, .layers = 1, .heads = 3, .image = 32}); });
}
