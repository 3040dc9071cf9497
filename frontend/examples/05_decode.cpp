//===- 05_decode.cpp - Linear attention, sequences and single tokens ------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Usage: 05_decode > decode.mlir: causal FAVOR+ (Choromanski 2021) for training, and a step for decoding. The step maps
// a token and the state (S, z) to the token's output and the next state, in the same time for every token.
//
//===----------------------------------------------------------------------===//

#include <xf/xf.h>

#include <cstdio>

using namespace xf;

int main() {
  constexpr int64_t heads = 2, width = 32, features = 64;
  Array drawn = random_features(features, width, {.seed = 1});
  std::span<float> rows = drawn.data<float>();
  Tensor w = constant(std::vector<double>(rows.begin(), rows.end()), {features, width});
  Kernelized favor{.stabilizer = Stabilizer::none, .guard = 0, .of = causal()};

  Program program("decode");
  TensorSpec q{"q", f32, {1, heads, 100, width}}, k{"k", f32, {1, heads, 100, width}},
      v{"v", f32, {1, heads, 100, width}};
  program.entry("attend", {q, k, v}, [&](Tensor q, Tensor k, Tensor v) {
    return scaled_dot_product_attention(q, k, v, {.pattern = kernelized(favor), .parameters = {w}});
  });
  program.vjp("attend");

  TensorSpec token{"q", f32, {1, heads, 1, width}}, key{"k", f32, {1, heads, 1, width}},
      value{"v", f32, {1, heads, 1, width}};
  TensorSpec s{"s", f32, {1, heads, features, width}}, z{"z", f32, {1, heads, features}};
  program.entry("step", {token, key, value, s, z}, [&](Tensor q, Tensor k, Tensor v, Tensor s, Tensor z) {
    auto next = linear_attention_step(feature_map(q, w, favor), feature_map(k, w, favor), v, s, z, {.guard = 0});
    return Results{{"o", next.o}, {"s_next", next.s}, {"z_next", next.z}};
  });
  std::fputs(program.str().c_str(), stdout);
}
