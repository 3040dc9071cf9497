//===- 04_score.cpp - A learned bias by distance, then a soft cap ---------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Usage: 04_score > score.mlir: a score function is a lambda; tensors that it reads are captured and receive gradients.
//
//===----------------------------------------------------------------------===//

#include <xf/xf.h>

#include <cstdio>

using namespace xf;

int main() {
  Program program("score");
  TensorSpec q{"q", f32, {1, 2, 40, 32}}, k{"k", f32, {1, 2, 40, 32}}, v{"v", f32, {1, 2, 40, 32}};
  TensorSpec bias{"table", f32, {2, 40}};
  program.entry("attend", {q, k, v, bias}, [](Tensor q, Tensor k, Tensor v, Tensor table) {
    auto score = [&](Score s) { return tanh((s.value + table(s.h, s.i - s.j)) / 30) * 30; };
    return scaled_dot_product_attention(q, k, v, {.pattern = causal(), .score = score});
  });
  program.vjp("attend");
  std::fputs(program.str().c_str(), stdout);
}
