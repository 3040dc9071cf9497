//===- 02_patterns.cpp - Patterns are values ------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Usage: 02_patterns > patterns.mlir: one entry for each way to define the keys that a query sees.
//
//===----------------------------------------------------------------------===//

#include <xf/xf.h>

#include <cstdio>

using namespace xf;

static void addEntry(Program &program, const std::string &name, const Pattern &pattern) {
  Dim batch = dim("batch", {.min = 1, .max = 64}), tokens = dim("tokens", {.min = 1, .max = 65536});
  TensorSpec q{"q", f32, {batch, 4, tokens, 64}}, k{"k", f32, {batch, 4, tokens, 64}},
      v{"v", f32, {batch, 4, tokens, 64}};
  program.entry(name, {q, k, v}, [&](Tensor q, Tensor k, Tensor v) {
    return scaled_dot_product_attention(q, k, v, {.pattern = pattern});
  });
}

int main() {
  Program program("patterns");
  // Named sets, and set algebra.
  addEntry(program, "near", window(256));
  addEntry(program, "sinks", window(256) | keys({{0, 4}}) & causal());
  addEntry(program, "far", causal() - window(255));
  // One set per head: even heads see their own block, odd heads the summary columns of every block.
  addEntry(program, "by_head", heads({fixed(128, 32).local(), fixed(128, 32).column()}));
  // A set that the user defines by a condition, which the compiler solves like any other.
  Pattern comb = pattern([](Index i, Index j) { return i - j >= 0 && (i + j) % 16 == 0; });
  addEntry(program, "comb", comb | window(5));
  std::fputs(program.str().c_str(), stdout);
}
