//===- calls.cpp - Models point at the line that calls them -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: models-calls | FileCheck %s
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
#include <xf/program.h>

#include <cstdio>

using namespace xf::models;
using xf::Tensor;

/// Calls a model with an input of a type or a rank that it has no use for.
template <typename Call>
static void report(xf::Dtype dtype, xf::Shape shape, Call call) {
  try {
    xf::Program program("calls");
    program.entry("call", {xf::TensorSpec{"x", dtype, shape}}, call);
    std::puts("no error");
  } catch (const xf::Error &error) {
    std::puts(error.what());
  }
}

static const xf::Shape ids = {1, 4}, vector = {4};

static void callOnFloats() {
  // Tokens that are no integers.
  // CHECK: calls.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected
  report(xf::f32, ids, [](Tensor x) { return Bert(BertOptions{.width = 8, .layers = 1, .heads = 2})(x); });
  // CHECK: calls.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected
  report(xf::f32, ids, [](Tensor x) { return BigBird(BigBirdOptions{.width = 8, .layers = 1, .heads = 2})(x); });
  // CHECK: calls.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected
  report(xf::f32, ids, [](Tensor x) { return DeltaNet(DeltaNetOptions{.width = 8, .layers = 1, .heads = 2})(x); });
  // CHECK: calls.cpp:[[#@LINE+2]]:{{[0-9]+}}: expected
  report(xf::f32, ids,
         [](Tensor x) { return GLA(GLAOptions{.width = 8, .key_width = 8, .layers = 1, .heads = 2})(x); });
  // CHECK: calls.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected
  report(xf::f32, ids, [](Tensor x) { return GPT2(GPT2Options{.width = 8, .layers = 1, .heads = 2})(x); });
  // CHECK: calls.cpp:[[#@LINE+2]]:{{[0-9]+}}: expected
  report(xf::f32, ids,
         [](Tensor x) { return LinearTransformer(LinearTransformerOptions{.width = 8, .layers = 1})(x); });
  // CHECK: calls.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected
  report(xf::f32, ids, [](Tensor x) { return Linformer(LinformerOptions{.width = 8, .layers = 1, .heads = 2})(x); });
  // CHECK: calls.cpp:[[#@LINE+2]]:{{[0-9]+}}: expected
  report(xf::f32, ids,
         [](Tensor x) { return Llama(LlamaOptions{.width = 8, .layers = 1, .heads = 2, .kv_heads = 1})(x); });
  // CHECK: calls.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected
  report(xf::f32, ids, [](Tensor x) { return Longformer(LongformerOptions{.width = 8, .layers = 1, .heads = 2})(x); });
  // CHECK: calls.cpp:[[#@LINE+2]]:{{[0-9]+}}: expected
  report(xf::f32, ids,
         [](Tensor x) { return Nystromformer(NystromformerOptions{.width = 8, .layers = 1, .heads = 2})(x); });
  // CHECK: calls.cpp:[[#@LINE+2]]:{{[0-9]+}}: expected
  report(xf::f32, ids, [](Tensor x) {
    return OmniNetLM(OmniNetLMOptions{.stack = {.width = 8, .heads = 2, .layers = 2, .partition = 2}})(x);
  });
  // CHECK: calls.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected
  report(xf::f32, ids, [](Tensor x) { return Performer(PerformerOptions{.width = 8, .layers = 1, .heads = 2})(x); });
  // CHECK: calls.cpp:[[#@LINE+2]]:{{[0-9]+}}: expected
  report(xf::f32, ids,
         [](Tensor x) { return RetNet(RetNetOptions{.width = 8, .value_width = 8, .layers = 1, .heads = 2})(x); });
  // CHECK: calls.cpp:[[#@LINE+2]]:{{[0-9]+}}: expected
  report(xf::f32, ids,
         [](Tensor x) { return SparseTransformer(SparseTransformerOptions{.width = 8, .layers = 1})(x); });
  // CHECK: calls.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected
  report(xf::f32, ids, [](Tensor x) { return TransformerXL(TransformerXLOptions{.width = 8, .layers = 1})(x).logits; });
  // CHECK: calls.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected
  report(xf::f32, ids, [](Tensor x) { return T5(T5Options{.width = 8, .layers = 1})(x, x); });
}

int main() {
  callOnFloats();
  // An error of an operation names the model's line besides.
  // CHECK: calls.cpp:[[#@LINE+2]]:{{[0-9]+}}: expected {{.*}} (in gpt2.h:{{[0-9]+}})
  report(xf::i32, {1, 9},
         [](Tensor x) { return GPT2(GPT2Options{.positions = 8, .width = 8, .layers = 1, .heads = 2})(x); });
  // Images and points of a wrong rank.
  // CHECK: calls.cpp:[[#@LINE+2]]:{{[0-9]+}}: expected
  report(xf::f32, vector,
         [](Tensor x) { return GaussianViT(GaussianViTOptions{.width = 8, .layers = 1, .heads = 2})(x); });
  // CHECK: calls.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected
  report(xf::f32, vector, [](Tensor x) { return MViT(MViTOptions{.width = 8, .heads = 1, .layers = {1}})(x); });
  // CHECK: calls.cpp:[[#@LINE+2]]:{{[0-9]+}}: expected
  report(xf::f32, vector, [](Tensor x) {
    return OmniNetViT(OmniNetViTOptions{.stack = {.width = 8, .heads = 2, .layers = 2, .partition = 2}})(x);
  });
  // CHECK: calls.cpp:[[#@LINE+2]]:{{[0-9]+}}: expected
  report(xf::f32, vector, [](Tensor x) {
    return Perceiver(PerceiverOptions{.width = 8, .blocks = 1, .layers = 1, .heads = 2, .image = 4})(x);
  });
  // CHECK: calls.cpp:[[#@LINE+2]]:{{[0-9]+}}: expected
  report(xf::f32, vector, [](Tensor x) {
    return SetTransformer(SetTransformerOptions{.in = 2, .outputs = 1, .out = 1, .width = 8, .heads = 2})(x);
  });
  // CHECK: calls.cpp:[[#@LINE+2]]:{{[0-9]+}}: expected
  report(xf::f32, vector,
         [](Tensor x) { return Swin(SwinOptions{.width = 8, .layers = {1}, .heads = {2}, .image = 56})(x); });
  // CHECK: calls.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected
  report(xf::f32, vector, [](Tensor x) { return T2TViT(T2TViTOptions{.width = 8, .layers = 1, .heads = 2})(x); });
  // CHECK: calls.cpp:[[#@LINE+2]]:{{[0-9]+}}: expected
  report(xf::f32, vector,
         [](Tensor x) { return ViT(ViTOptions{.width = 8, .layers = 1, .heads = 2, .image = 32})(x); });
  // A block that the user calls.
  // CHECK: calls.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected {{.*}} (in gpt2.h:{{[0-9]+}})
  report(xf::f32, vector, [](Tensor x) { return GPT2Block(GPT2Options{.width = 8, .layers = 1, .heads = 2})(x); });
  // After a call of a model, errors are where they were before.
  // CHECK: calls.cpp:[[#@LINE+2]]:{{[0-9]+}}: expected
  // CHECK-NOT: (in
  report(xf::f32, ids, [](Tensor x) { return x + xf::zeros({3}, xf::f32); });
}
