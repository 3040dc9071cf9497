//===- 06_scores.cpp - Score functions by name ----------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Usage: 06_scores > scores.mlir: one entry for each of the published score functions of positions. Learned tensors are
// inputs of the entries and receive gradients.
//
//===----------------------------------------------------------------------===//

#include <xf/xf.h>

#include <cstdio>

using namespace xf;

static constexpr int64_t headCount = 4, height = 6, width = 6, tokens = height * width, depth = 16;

int main() {
  Program program("scores");
  auto inputs = [](std::vector<TensorSpec> learned) {
    Shape rows = {1, headCount, tokens, depth};
    std::vector<TensorSpec> specs = {{"q", f32, rows}, {"k", f32, rows}, {"v", f32, rows}};
    specs.insert(specs.end(), learned.begin(), learned.end());
    return specs;
  };

  // Bias linear in the distance, with a slope per head (Press 2022), and a soft cap of the score (Gemma 2).
  program.entry("alibi", inputs({}), [](Tensor q, Tensor k, Tensor v) {
    auto score = scores::chain({scores::alibi(headCount), scores::soft_cap(30)});
    return scaled_dot_product_attention(q, k, v, {.pattern = causal(), .score = score});
  });

  // A learned bias for each bucket of distances (Raffel 2020); T5 does not scale q k.
  program.entry("t5", inputs({{"buckets", f32, {32, headCount}}}), [](Tensor q, Tensor k, Tensor v, Tensor buckets) {
    Tensor table = scores::t5_table(buckets, {.keys = tokens, .farthest = 32});
    return scaled_dot_product_attention(q, k, v, {.score = scores::distance_bias(table), .scale = 1.0});
  });

  // A learned bias for each offset on an image (Liu 2021).
  TensorSpec offsets{"offsets", f32, {headCount, 2 * height - 1, 2 * width - 1}};
  program.entry("image", inputs({offsets}), [](Tensor q, Tensor k, Tensor v, Tensor offsets) {
    return scaled_dot_product_attention(q, k, v, {.score = scores::image_bias(offsets)});
  });

  // Scores of content and distance (Dai 2019): the last 12 tokens are queries, all others are memory.
  constexpr int64_t model = 32;
  std::vector<TensorSpec> learned = {{"r_proj", f32, {headCount * depth, model}},
                                     {"content", f32, {headCount, depth}},
                                     {"position", f32, {headCount, depth}}};
  program.entry("transformer_xl", inputs(learned), [](const std::vector<Tensor> &in) {
    Tensor distances = linear(distance_sinusoids(tokens, model), in[3]); // W_kR R_d of all heads
    Tensor relative = transpose(reshape(distances, {tokens, headCount, depth}), 0, 1);
    return relative_attention(slice(in[0], 2, tokens - 12, tokens), in[1], in[2], relative,
                              {.content_bias = in[4], .position_bias = in[5], .rows = 8});
  });

  // Scores by the position on the image alone, whatever the content (Cordonnier 2020).
  program.entry("gaussian", inputs({{"centres", f32, {headCount, 2}}}),
                [](Tensor q, Tensor k, Tensor v, Tensor centres) {
                  return scaled_dot_product_attention(q, k, v, {.score = scores::gaussian(centres, 0.5, width)});
                });

  for (const char *entry : {"alibi", "t5", "image", "transformer_xl", "gaussian"})
    program.vjp(entry);
  std::fputs(program.str().c_str(), stdout);
}
