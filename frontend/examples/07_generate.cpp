//===- 07_generate.cpp - A language model with a cache --------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Usage: 07_generate [weights.safetensors]: continues a text of bytes, 40 bytes at most. Without weights the model is a
// random one, whose text is nonsense. A call computes only its new tokens, because the keys and values of earlier
// tokens stay in the memory of the executable.
//
//===----------------------------------------------------------------------===//

#include <xf/xf.h>

#include <cstdio>

using namespace xf;

struct Block : nn::Module {
  nn::RMSNorm norm1{64}, norm2{64};
  nn::MultiheadAttention attention{
      {.width = 64, .heads = 4, .kv_heads = 2, .pattern = causal(), .bias = false, .rotary = Rotary()}};
  nn::MLP mlp{{.width = 64, .hidden = 128}};
  XF_MEMBERS(norm1, attention, norm2, mlp)

  Tensor operator()(Tensor x, const nn::KVCache::Layer &cache) const {
    x = x + attention(norm1(x), cache);
    return x + mlp(norm2(x));
  }
};

struct Model : nn::Module {
  nn::Embedding token{256, 64, .02};
  std::vector<Block> blocks{Block(), Block()};
  nn::RMSNorm norm{64};
  XF_MEMBERS(token, blocks, norm)

  /// Computes the logits of the token after the last token of `ids`.
  Tensor operator()(const Tensor &ids, const nn::KVCache &cache) const {
    Tensor x = token(ids);
    for (size_t n = 0; n < blocks.size(); ++n)
      x = blocks[n](x, cache[n]);
    Dim tokens = ids.size(1);
    return linear(norm(reshape(slice(x, 1, tokens - 1, tokens), {1, 64})), token.weight);
  }
};

int main(int count, char **arguments) {
  Model model;
  Program program("generate", model);
  nn::KVCache cache = program.state("cache", nn::KVCache(model, {.capacity = 256}));
  Dim tokens = dim("tokens", {.min = 1, .max = 256});
  program.entry("step", {{"ids", i32, {1, tokens}}}, [&](Tensor ids) { return model(ids, cache); });
  Executable run = program.compile();
  if (count > 1)
    run.load_state_dict(load_safetensors(arguments[1]));

  std::string text = "Attention is ";
  std::fputs(text.c_str(), stdout);
  auto print = [](int32_t token, size_t) { std::printf("%c", token >= 32 && token < 127 ? token : '.'); };
  std::vector<int32_t> prompt(text.begin(), text.end());
  generate(run, "step", prompt,
           {.tokens = 40, .temperature = .8, .top_p = .95, .seed = 1, .stop = {'\n'}, .each = print});
  std::printf("\n%d tokens held\n", run.state("cache.count").item<int>());
}
