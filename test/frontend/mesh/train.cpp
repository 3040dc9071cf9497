//===- train.cpp - A step of training on several ranks --------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A language model whose batch and tokens ranks share, compiled for 4 of them and for one, on threads. Constants of an
// f32 program are rounded where ops are fused, so that meanings agree to f32's digits times the size of the terms
// alone.
//
// RUN: frontend-mesh-train > %t.mlir
// RUN: xf-shares %t.mlir --deviation=0.3 --tolerance=2e-5 --meaning-tolerance=1e-8 | FileCheck %s
// RUN: xf-shares %t.mlir --deviation=0.3 --tolerance=2e-5 --meaning-tolerance=1e-8 --seed=2 --dynamic-size=4 | FileCheck %s
// CHECK: train on #xf.mesh<"data" = 2, "sequence" = 2>: {{[0-9]+}} results, worst difference {{.*}}: right

#include "frontend/Show.h"

#include <iostream>

using namespace xf;

namespace {
struct Block : nn::Module {
  nn::LayerNorm norm1, norm2;
  nn::MultiheadAttention attention;
  nn::MLP mlp;
  XF_MEMBERS(norm1, norm2, attention, mlp)

  explicit Block(int64_t width)
      : norm1(width), norm2(width), attention({.width = width, .heads = 4, .pattern = causal()}),
        mlp({.width = width, .hidden = 2 * width}) {}
  Tensor operator()(Tensor x) const {
    x = x + attention(norm1(x));
    return x + mlp(norm2(x));
  }
};

struct Model : nn::Module {
  nn::Embedding tokens;
  Block block;
  nn::Linear head;
  XF_MEMBERS(tokens, block, head)

  Model() : tokens(32, 16), block(16), head(16, 32) {}
  Tensor operator()(Tensor ids) const { return head(block(tokens(ids))); }
};
} // namespace

int main() {
  Model model;
  Program program("model", model, Mesh{{"data", 2}, {"sequence", 2}});
  Dim batch = dim("batch", {.min = 2, .max = 16}).over("data");
  Dim length = Dim(16).over("sequence");
  TensorSpec ids{"ids", i32, {batch, length}}, targets{"targets", i32, {batch, length}};
  auto loss = [&](Tensor x, Tensor y) { return cross_entropy(model(x), y); };
  program.train_step("train", model, {ids, targets}, loss, optim::AdamW{.weight_decay = 0.1, .clip_norm = 1.0});
  std::cout << program.str();
}
