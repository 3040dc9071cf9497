//===- gpt2.cpp - A decoder of GPT-2's shape, for measurements -------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   gpt2 [--layers=12] [--width=768] [--heads=12] [--vocabulary=50257] [--tokens=1024] [--batch=1]
//        [--train] [--checkpoint] [--loss-rows=ROWS] [--clip] [--bf16] FILE.mlir
//
// Writes a program with the entry `logits`, the causal decoder's forward pass, or with --train the entry `train`: loss,
// gradients and AdamW. --checkpoint keeps a block's input only; --loss-rows computes logits and loss by slices of rows,
// so that all logits never exist at once; --bf16 has parameters in bf16, with f32 masters. Pre-norm blocks, tanh GELU,
// output tied to the embedding.
//
//===----------------------------------------------------------------------===//

#include <xf/xf.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace xf;

namespace {
struct Options {
  int64_t layers = 12, width = 768, heads = 12, vocabulary = 50257, tokens = 1024, batch = 1, loss_rows = 0;
  bool train = false, checkpoint = false, clip = false, bf16 = false;
  const char *file = nullptr;
};

struct Block : nn::Module {
  nn::LayerNorm ln_1, ln_2;
  nn::MultiheadAttention attn;
  nn::MLP mlp;
  XF_MEMBERS(ln_1, ln_2, attn, mlp)

  explicit Block(const Options &options)
      : ln_1(options.width), ln_2(options.width),
        attn({.width = options.width, .heads = options.heads, .pattern = causal(), .fused = true}),
        mlp({.width = options.width, .hidden = 4 * options.width, .activation = [](Tensor x) {
               return gelu(x, Gelu::tanh);
             }}) {}

  Tensor operator()(Tensor x) const {
    x = x + attn(ln_1(x));
    return x + mlp(ln_2(x));
  }
};

struct Decoder : nn::Module {
  const Options options;
  nn::Embedding wte, wpe;
  std::vector<Block> h;
  nn::LayerNorm ln_f;
  XF_MEMBERS(wte, wpe, h, ln_f)

  explicit Decoder(const Options &options)
      : options(options), wte(options.vocabulary, options.width, 0.02), wpe(options.tokens, options.width, 0.02),
        ln_f(options.width) {
    for (int64_t layer = 0; layer < options.layers; ++layer)
      h.emplace_back(options);
  }

  Tensor hidden(Tensor ids) const {
    Tensor x = wte(ids) + wpe.weight;
    for (const Block &block : h)
      x = options.checkpoint ? checkpoint(block, x) : block(x);
    return ln_f(x);
  }

  Tensor operator()(Tensor ids) const { return linear(hidden(ids), wte.weight); }

  /// The mean of the losses of slices of the sequence, each of which is computed again for the gradient.
  Tensor loss(Tensor ids, Tensor targets) const {
    if (!options.loss_rows)
      return cross_entropy((*this)(ids), targets);
    Tensor x = hidden(ids), total;
    for (int64_t row = 0; row < options.tokens; row += options.loss_rows) {
      int64_t end = std::min(row + options.loss_rows, options.tokens);
      Tensor part = checkpoint([&] {
        Tensor rows = slice(x, 1, row, end);
        return cross_entropy(linear(rows, wte.weight), slice(targets, 1, row, end)) *
               (double(end - row) / double(options.tokens));
      });
      total = row ? total + part : part;
    }
    return total;
  }
};
} // namespace

static bool parseNumber(const char *argument, const char *name, int64_t &number) {
  size_t length = std::strlen(name);
  if (std::strncmp(argument, name, length) != 0 || argument[length] != '=')
    return false;
  char *end;
  number = std::strtoll(argument + length + 1, &end, 10);
  return *end == 0 && number > 0;
}

static bool parse(int argc, char **argv, Options &options) {
  for (int n = 1; n < argc; ++n) {
    const char *argument = argv[n];
    bool known = parseNumber(argument, "--layers", options.layers) || parseNumber(argument, "--width", options.width) ||
                 parseNumber(argument, "--heads", options.heads) ||
                 parseNumber(argument, "--vocabulary", options.vocabulary) ||
                 parseNumber(argument, "--tokens", options.tokens) || parseNumber(argument, "--batch", options.batch) ||
                 parseNumber(argument, "--loss-rows", options.loss_rows);
    for (auto [name, flag] : {std::pair("--train", &options.train), std::pair("--checkpoint", &options.checkpoint),
                              std::pair("--clip", &options.clip), std::pair("--bf16", &options.bf16)})
      if (std::strcmp(argument, name) == 0)
        known = *flag = true;
    if (!known && (argument[0] == '-' || options.file))
      return false;
    if (!known)
      options.file = argument;
  }
  return options.file;
}

int main(int argc, char **argv) {
  Options options;
  if (!parse(argc, argv, options))
    return std::fputs("usage: gpt2 [--layers=N] [--width=N] [--heads=N] [--vocabulary=N] [--tokens=N] [--batch=N] "
                      "[--train] [--checkpoint] [--loss-rows=N] [--clip] [--bf16] FILE.mlir\n",
                      stderr),
           2;
  try {
    Decoder model(options);
    model.to(options.bf16 ? bf16 : f32);
    Program program("gpt2", model);
    TensorSpec ids{"ids", i32, {options.batch, options.tokens}},
        targets{"targets", i32, {options.batch, options.tokens}};
    if (options.train)
      program.train_step(
          "train", model, {ids, targets}, [&](Tensor x, Tensor y) { return model.loss(x, y); },
          optim::AdamW{.clip_norm = options.clip ? 1.0 : 0.0});
    else
      program.entry("logits", {ids}, model);
    program.save(options.file);
  } catch (const Error &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
