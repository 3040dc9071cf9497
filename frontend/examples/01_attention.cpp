//===- 01_attention.cpp - The smallest program ----------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Usage: 01_attention > attention.mlir
//
//===----------------------------------------------------------------------===//

#include <xf/xf.h>

#include <cstdio>

using namespace xf;

int main() {
  Program program("attention");
  TensorSpec q{"q", f32, {1, 2, 96, 64}}, k{"k", f32, {1, 2, 96, 64}}, v{"v", f32, {1, 2, 96, 64}};
  program.entry("attend", {q, k, v}, [](Tensor q, Tensor k, Tensor v) {
    return scaled_dot_product_attention(q, k, v, {.pattern = strided(8)});
  });
  std::fputs(program.str().c_str(), stdout);
}
