//===- 03_block.cpp - A transformer block, its names, its training step ---===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Usage: 03_block FILE.mlir: writes the program, and prints the names and sizes of its parameters.
//
//===----------------------------------------------------------------------===//

#include <xf/xf.h>

#include <cstdio>

using namespace xf;

/// A pre-norm block. XF_MEMBERS names its parameters in the state dict.
struct Block : nn::Module {
  nn::LayerNorm norm1, norm2;
  nn::MultiheadAttention attention;
  nn::MLP mlp;
  XF_MEMBERS(norm1, norm2, attention, mlp)

  Block(int64_t width, int64_t heads, Pattern pattern)
      : norm1(width), norm2(width), attention({.width = width, .heads = heads, .pattern = pattern}),
        mlp({.width = width, .hidden = 4 * width, .activation = gelu}) {}

  Tensor operator()(Tensor x) const {
    x = x + attention(norm1(x));
    return x + mlp(norm2(x));
  }
};

struct Model : nn::Module {
  nn::Embedding tokens{256, 64};
  std::vector<Block> blocks;
  nn::Linear head{64, 256};
  XF_MEMBERS(tokens, blocks, head)

  Model() {
    for (int layer = 0; layer < 2; ++layer)
      blocks.emplace_back(64, 4, heads({strided(16).local(), strided(16).column()}));
  }

  Tensor operator()(Tensor ids) const {
    Tensor x = tokens(ids);
    for (const Block &block : blocks)
      x = checkpoint(block, x); // keeps a block's input only; the gradient recomputes the rest
    return head(x);
  }
};

int main(int argc, char **argv) {
  if (argc != 2)
    return std::fputs("usage: 03_block FILE.mlir\n", stderr), 2;
  try {
    Model model;
    Program program("block", model);
    Dim batch = dim("batch", {.min = 1, .max = 8});
    TensorSpec tokens{"tokens", i32, {batch, 128}}, targets{"targets", i32, {batch, 128}};
    program.entry("logits", {tokens}, model).vjp("logits");
    program.train_step(
        "train", model, {tokens, targets}, [&](Tensor t, Tensor y) { return cross_entropy(model(t), y); },
        optim::AdamW{.weight_decay = 0.1, .clip_norm = 1.0});
    program.save(argv[1]);
    for (const auto &[name, value] : model.state_dict())
      std::printf("%-32s %s\n", name.c_str(), to_string(Shape(value.shape().begin(), value.shape().end())).c_str());
  } catch (const Error &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
