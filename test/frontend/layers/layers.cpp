//===- layers.cpp - Names of layers, dropouts of one seed, mistakes -------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: frontend-layers | FileCheck %s

#include "frontend/Show.h"

using namespace xf;

static void list(const char *what, const nn::Module &module) {
  std::puts(what);
  for (const auto &[name, parameter] : module.named_parameters())
    std::printf("%s %s\n", name.c_str(), to_string(parameter.shape()).c_str());
}

static void names() {
  // torch.nn.TransformerDecoderLayer's; the encoder's are among them.
  // CHECK-LABEL: decoder
  // CHECK-NEXT: self_attn.in_proj_weight [24, 8]
  // CHECK-NEXT: self_attn.in_proj_bias [24]
  // CHECK-NEXT: self_attn.out_proj.weight [8, 8]
  // CHECK-NEXT: self_attn.out_proj.bias [8]
  // CHECK-NEXT: multihead_attn.in_proj_weight [24, 8]
  // CHECK-NEXT: multihead_attn.in_proj_bias [24]
  // CHECK-NEXT: multihead_attn.out_proj.weight [8, 8]
  // CHECK-NEXT: multihead_attn.out_proj.bias [8]
  // CHECK-NEXT: linear1.weight [16, 8]
  // CHECK-NEXT: linear1.bias [16]
  // CHECK-NEXT: linear2.weight [8, 16]
  // CHECK-NEXT: linear2.bias [8]
  // CHECK-NEXT: norm1.weight [8]
  // CHECK-NEXT: norm1.bias [8]
  // CHECK-NEXT: norm2.weight [8]
  // CHECK-NEXT: norm2.bias [8]
  // CHECK-NEXT: norm3.weight [8]
  // CHECK-NEXT: norm3.bias [8]
  list("decoder", nn::TransformerDecoderLayer({.width = 8, .heads = 2, .hidden = 16}));
  // One norm, and none of the biases.
  // CHECK-LABEL: parallel
  // CHECK-NEXT: self_attn.in_proj_weight [24, 8]
  // CHECK-NEXT: self_attn.out_proj.weight [8, 8]
  // CHECK-NEXT: linear1.weight [16, 8]
  // CHECK-NEXT: linear2.weight [8, 16]
  // CHECK-NEXT: norm1.weight [8]
  list("parallel", nn::TransformerEncoderLayer({.width = 8,
                                                .heads = 2,
                                                .hidden = 16,
                                                .norm = Norm::first,
                                                .norm_kind = nn::NormKind::rms,
                                                .parallel = true,
                                                .bias = false}));
  // Llama's, with a head size of its own and the norms of Qwen3.
  // CHECK-LABEL: llama
  // CHECK-NEXT: q_proj.weight [64, 8]
  // CHECK-NEXT: k_proj.weight [32, 8]
  // CHECK-NEXT: v_proj.weight [32, 8]
  // CHECK-NEXT: q_norm.weight [16]
  // CHECK-NEXT: k_norm.weight [16]
  // CHECK-NEXT: o_proj.weight [8, 64]
  list("llama", nn::MultiheadAttention({.width = 8,
                                        .heads = 4,
                                        .kv_heads = 2,
                                        .head_size = 16,
                                        .bias = false,
                                        .head_norm = nn::NormKind::rms,
                                        .names = {.out = "o_proj"}}));
}

static void otherNames() {
  // CHECK-LABEL: timm
  // CHECK-NEXT: qkv.weight [24, 8]
  // CHECK-NEXT: qkv.bias [24]
  // CHECK-NEXT: proj.weight [8, 8]
  // CHECK-NEXT: proj.bias [8]
  list("timm",
       nn::MultiheadAttention({.width = 8, .heads = 2, .fused = true, .names = {.out = "proj", .fused = "qkv"}}));
  // CHECK-LABEL: images
  // CHECK-NEXT: 0.gate_proj.weight [16, 8]
  // CHECK-NEXT: 0.up_proj.weight [16, 8]
  // CHECK-NEXT: 0.down_proj.weight [8, 16]
  // CHECK-NEXT: 1.weight [8, 2, 3, 5]
  // CHECK-NEXT: 1.bias [8]
  // CHECK-NEXT: 2.weight [8, 4, 3]
  // CHECK-NEXT: 3.weight [8, 3, 4, 4]
  // CHECK-NEXT: 3.bias [8]
  // CHECK-NEXT: 4.weight [10, 8]
  // CHECK-NEXT: 5.row [3, 8]
  // CHECK-NEXT: 5.column [2, 8]
  list("images",
       nn::Sequential(nn::SwiGLU({.width = 8, .hidden = 16, .bias = false}), nn::Conv2d(4, 8, {3, 5}, {.groups = 2}),
                      nn::Conv1d(4, 8, 3, {}, false), nn::PatchEmbedding({.size = 4, .width = 8}),
                      nn::PositionEmbedding(10, 8), nn::ImagePositionEmbedding({3, 2}, 8)));
}

static void dropouts() {
  nn::TransformerEncoderLayer layer({.width = 8, .heads = 2, .hidden = 16, .dropout = 0.1});
  Program program("dropout", layer);
  TensorSpec x{"x", f32, {1, 3, 8}}, seed{"seed", i64, {2}};
  program.entry("evaluate", {x}, layer);
  program.entry("train", {x, seed}, [&](Tensor x, Tensor seed) {
    DropoutSeed draws(seed);
    return layer(x);
  });
  std::fputs(program.str().c_str(), stdout);
  // No seed, no dropout.
  // CHECK-LABEL: func.func @evaluate
  // CHECK-NOT: dropout
  // Each place adds its own numbers to the seed.
  // CHECK-LABEL: func.func @train
  // CHECK: %[[ATTEND:.*]] = xf.add %[[SEED:[a-z0-9]+]],
  // CHECK: xf.attention {{.*}}dropout(1.000000e-01, %[[ATTEND]]
  // CHECK: %[[FIRST:.*]] = xf.add %[[SEED]],
  // CHECK: xf.dropout %{{.*}} seed(%[[FIRST]]
  // CHECK: %[[HIDDEN:.*]] = xf.add %[[SEED]],
  // CHECK: xf.dropout %{{.*}} seed(%[[HIDDEN]]
  // CHECK: %[[SECOND:.*]] = xf.add %[[SEED]],
  // CHECK: xf.dropout %{{.*}} seed(%[[SECOND]]
}

static void attentionMistakes() {
  Tensor x = input({2, 3, 8});
  // CHECK-LABEL: mistakes
  std::puts("mistakes");
  // CHECK: layers.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a width that is a multiple of the heads, got width 8 and 3 heads
  report([] { nn::MultiheadAttention({.width = 8, .heads = 3}); });
  // CHECK: layers.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected keys of the queries' width 8 with fused projections, got 4
  report([] { nn::MultiheadAttention({.width = 8, .heads = 2, .memory_width = 4, .fused = true}); });
  // CHECK: layers.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a bias of all of q, k and v or of none with fused projections, got 1, 0 and 1
  report([] { nn::MultiheadAttention({.width = 8, .heads = 2, .bias = {true, false, true, true}, .fused = true}); });
  nn::MultiheadAttention attention({.width = 8, .heads = 2, .rotary = Rotary()});
  // CHECK: layers.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected positions of both x and memory for a rotary embedding, got those of one
  report([&] { attention(x, {.memory = input({2, 5, 8}), .positions = input({3}, i32)}); });
  // CHECK: layers.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected lengths once, got them in the clauses too
  report([&] { attention(x, {.lengths = input({2}, i32), .clauses = AttentionOptions{.lengths = input({2}, i32)}}); });
  // CHECK: layers.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected an even size of at most 8 of a rotary embedding, got 3
  report([&] { Rotary{.size = 3}(x); });
  // CHECK: layers.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected positions of the rows of [2, 3, 8] in a rotary embedding, got [4]
  report([&] { Rotary()(x, input({4}, i32)); });
  // CHECK: layers.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected 0 < low < high and a length > 0 of rotary frequencies, got 4, 4 and 8192
  report([] { RotaryScaling::llama3({.low = 4}); });
  // CHECK: layers.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected Norm::first in a parallel layer, got Norm::last
  report([] { nn::TransformerEncoderLayer({.width = 8, .heads = 2, .hidden = 8, .parallel = true}); });
  // CHECK: layers.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected at most 2 tokens in a position embedding, got 3
  report([&] { nn::PositionEmbedding(2, 8)(x); });
  // CHECK: layers.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a width that is a multiple of 4, got 6
  report([] { image_sinusoids(3, 2, 6); });
  // CHECK: layers.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a dropout seed of 2 x i64, got [2] of i32
  report([] { DropoutSeed(input({2}, i32)); });
}

static void imageMistakes() {
  Tensor image = input({2, 3, 8, 6});
  // CHECK: layers.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a weight of 3 channels in conv2d, got 4 (image [2, 3, 8, 6], weight [5, 4, 3, 3], 1 groups)
  report([&] { conv2d(image, input({5, 4, 3, 3})); });
  // CHECK: layers.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected groups that divide the channels in conv2d, got 2 groups, 3 channels in and 4 out
  report([&] { conv2d(image, input({4, 1, 3, 3}), {}, {.groups = 2}); });
  // CHECK: layers.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected windows that span at most the 6 elements of axis 3, got 7
  report([&] { image_windows(image, {.size = {1, 7}}); });
  // CHECK: layers.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected an image of 3 channels and whole patches of 4 x 4, got [2, 3, 8, 6]
  report([&] { nn::PatchEmbedding({.size = 4, .width = 8})(image); });
  // CHECK: layers.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected patches of at least 1 x 1, got 0 x 4
  report([&] { nn::PatchEmbedding({.size = {0, 4}, .width = 8}); });
  // CHECK: layers.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected windows of at least one element, got 0
  report([&] { nn::Conv2d(3, 4, {3, 0}); });
  // CHECK: layers.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a padding below the size of a window in max_pool, got 2 and 2
  report([&] { max_pool(image, {.size = 2, .padding = 2}); });
  // CHECK: layers.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a size, step and dilation >= 1 of windows, got 2, 0 and 1
  report([&] { unfold(image, 2, 2, 0); });
  // CHECK: layers.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a size of at least 1 x 1 to interpolate to, got 0 x 4
  report([&] { interpolate(image, {0, 4}); });
  // CHECK: layers.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a static height and width >= 1 of an image to interpolate, got [2, 3, rows, 6]
  report([&] { interpolate(input({2, 3, dim("rows"), 6}), 4); });
  // CHECK: layers.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected positions of 1 x at least 3 * 3 tokens x width, got [1, 5, 8]
  report([&] { resize_positions(input({1, 5, 8}), 3, 4); });
  // CHECK: layers.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected a size of at least 1 x 1 to interpolate to, got 4 x 0
  report([&] { resize_positions(Array(f32, {1, 5, 8}), 2, {4, 0}); });
  // CHECK: layers.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected groups that divide the channels in group_norm, got 2 groups and 3 channels
  report([&] { group_norm(image, 2); });
  // CHECK: layers.cpp:[[#@LINE+1]]:{{[0-9]+}}: expected groups that divide the channels of nn::GroupNorm, got 4 groups and 6 channels
  report([&] { nn::GroupNorm(4, 6); });
}

int main() {
  names();
  otherNames();
  dropouts();
  attentionMistakes();
  imageMistakes();
}
