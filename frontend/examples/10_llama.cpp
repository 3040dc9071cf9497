//===- 10_llama.cpp - Llama that continues a text -------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Usage: 10_llama WEIGHTS HEADS ID..: prints the twelve likeliest tokens after a prompt, one by one. WEIGHTS is a file
// of Llama 2, or the index of several files (7B: 32 heads). Sizes come from the weights. The example writes the model
// out; xf/models/llama.h provides it.
//
//===----------------------------------------------------------------------===//

#include <xf/xf.h>

#include <cstdio>
#include <cstdlib>

using namespace xf;

struct Block : nn::Module {
  nn::RMSNorm input_layernorm, post_attention_layernorm;
  nn::MultiheadAttention self_attn;
  nn::SwiGLU mlp;
  XF_MEMBERS(input_layernorm, self_attn, post_attention_layernorm, mlp)

  Block(int64_t width, int64_t hidden, nn::MultiheadAttentionOptions attention)
      : input_layernorm(width, 1e-5), post_attention_layernorm(width, 1e-5), self_attn(attention),
        mlp({.width = width, .hidden = hidden, .bias = false}) {}
  Tensor operator()(Tensor x, const nn::KVCache::Layer &cache) const {
    x = x + self_attn(input_layernorm(x), cache);
    return x + mlp(post_attention_layernorm(x));
  }
};

struct Llama : nn::Module {
  nn::Embedding embed_tokens;
  std::vector<Block> layers;
  nn::RMSNorm norm;
  nn::Linear lm_head;
  XF_MEMBERS(embed_tokens, layers, norm, lm_head)

  Llama(int64_t vocabulary, int64_t width)
      : embed_tokens(vocabulary, width), norm(width, 1e-5), lm_head(width, vocabulary, false) {}
  Tensor operator()(const Tensor &ids, const nn::KVCache &cache) const {
    Tensor x = embed_tokens(ids);
    for (size_t n = 0; n < layers.size(); ++n)
      x = layers[n](x, cache[n]);
    return lm_head(norm(squeeze(slice(x, 1, x.size(1) - 1, x.size(1)), 1)));
  }
};

int main(int count, char **arguments) {
  if (count < 4)
    return std::fputs("usage: 10_llama WEIGHTS HEADS ID..\n", stderr), 2;
  StateDict weights = load_safetensors(arguments[1], {.rename = {{"model.", ""}}, .drop = {"*.inv_freq"}, .cast = f32});
  auto size = [&](const char *name, size_t axis) { return weights.at(name).shape()[axis]; };
  int64_t width = size("embed_tokens.weight", 1), heads = std::atoll(arguments[2]);
  Llama model(size("embed_tokens.weight", 0), width);
  while (weights.count("layers." + std::to_string(model.layers.size()) + ".input_layernorm.weight"))
    model.layers.emplace_back(
        width, size("layers.0.mlp.up_proj.weight", 0),
        nn::MultiheadAttentionOptions{.width = width,
                                      .heads = heads,
                                      .kv_heads = size("layers.0.self_attn.k_proj.weight", 0) * heads / width,
                                      .pattern = causal(),
                                      .bias = false,
                                      .rotary = Rotary{.base = 10000},
                                      .names = {.out = "o_proj"}});
  Program program("llama", model);
  nn::KVCache cache = program.state("cache", nn::KVCache(model, {.capacity = 2048}));
  program.entry("next", {{"ids", i32, {1, dim("tokens", {.min = 1, .max = 2048})}}},
                [&](const Tensor &ids) { return model(ids, cache); });
  Executable run = program.compile({.hold_parameters = true});
  run.load_state_dict(weights);
  std::vector<int32_t> prompt;
  for (int n = 3; n < count; ++n)
    prompt.push_back(std::atoi(arguments[n]));
  for (int32_t token : generate(run, "next", prompt, {.tokens = 12}))
    std::printf("%d ", token);
  std::puts("");
}
