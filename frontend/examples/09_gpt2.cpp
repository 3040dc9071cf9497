//===- 09_gpt2.cpp - GPT-2 that continues a text --------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Usage: 09_gpt2 WEIGHTS HEADS ID..: prints the twelve likeliest tokens after a prompt, one by one. WEIGHTS is a file
// of openai-community/gpt2 (12 heads). Sizes come from the weights. The example writes the model out; xf/models/gpt2.h
// provides it.
//
//===----------------------------------------------------------------------===//

#include <xf/xf.h>

#include <cstdio>
#include <cstdlib>

using namespace xf;

struct Block : nn::Module {
  nn::LayerNorm ln_1, ln_2;
  nn::MultiheadAttention attn;
  nn::MLP mlp;
  XF_MEMBERS(ln_1, attn, ln_2, mlp)

  Block(int64_t width, int64_t heads)
      : ln_1(width), ln_2(width), attn({.width = width,
                                        .heads = heads,
                                        .pattern = causal(),
                                        .fused = true,
                                        .names = {.out = "c_proj", .fused = "c_attn"}}),
        mlp({.width = width, .hidden = 4 * width, .activation = [](const Tensor &x) { return gelu(x, Gelu::tanh); }}) {}
  Tensor operator()(Tensor x, const nn::KVCache::Layer &cache) const {
    x = x + attn(ln_1(x), cache);
    return x + mlp(ln_2(x));
  }
};

struct GPT2 : nn::Module {
  nn::Embedding wte, wpe;
  std::vector<Block> h;
  nn::LayerNorm ln_f;
  XF_MEMBERS(wte, wpe, h, ln_f)

  GPT2(int64_t vocabulary, int64_t positions, int64_t width)
      : wte(vocabulary, width), wpe(positions, width), ln_f(width) {}
  Tensor operator()(const Tensor &ids, const nn::KVCache &cache) const {
    Tensor x = wte(ids) + wpe(cache.positions(ids.size(1)));
    for (size_t n = 0; n < h.size(); ++n)
      x = h[n](x, cache[n]);
    return linear(ln_f(squeeze(slice(x, 1, x.size(1) - 1, x.size(1)), 1)), wte.weight);
  }
};

int main(int count, char **arguments) {
  if (count < 4)
    return std::fputs("usage: 09_gpt2 WEIGHTS HEADS ID..\n", stderr), 2;
  StateDict weights = load_safetensors(
      arguments[1], {.rename = {{"h.*.mlp.c_fc.", "h.*.mlp.fc1."}, {"h.*.mlp.c_proj.", "h.*.mlp.fc2."}},
                     .drop = {"h.*.attn.bias", "h.*.attn.masked_bias", "lm_head.weight"},
                     .transpose = {"h.*.attn.c_*.weight", "h.*.mlp.c_*.weight"}});
  int64_t positions = weights.at("wpe.weight").shape()[0], width = weights.at("wpe.weight").shape()[1];
  GPT2 model(weights.at("wte.weight").shape()[0], positions, width);
  while (weights.count("h." + std::to_string(model.h.size()) + ".ln_1.weight"))
    model.h.emplace_back(width, std::atoll(arguments[2]));
  Program program("gpt2", model);
  nn::KVCache cache = program.state("cache", nn::KVCache(model, {.capacity = positions}));
  Dim tokens = dim("tokens", {.min = 1, .max = positions});
  auto next = [&](const Tensor &ids) { return model(ids, cache); };
  program.entry("prompt", {{"ids", i32, {1, tokens}}}, next);
  program.entry("token", {{"ids", i32, {1, 1}}}, next); // costs what the cache holds
  Executable run = program.compile({.hold_parameters = true});
  run.load_state_dict(weights);
  std::vector<int32_t> prompt;
  for (int n = 3; n < count; ++n)
    prompt.push_back(std::atoi(arguments[n]));
  auto print = [](int32_t token, size_t) { std::printf("%d ", token), std::fflush(stdout); };
  generate(run, "token", prompt, {.tokens = 12, .each = print, .prefill = "prompt"});
  std::puts("");
}
