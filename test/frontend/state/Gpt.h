//===- Gpt.h - A small GPT with a cache -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_FRONTEND_STATE_GPT_H
#define XF_TEST_FRONTEND_STATE_GPT_H

#include <xf/xf.h>

/// Options of the model: positions are learned, or rotary where `rotary` is true.
struct GptOptions {
  int64_t classes = 61, width = 48, heads = 4, kv_heads = 4, layers = 2, capacity = 64;
  bool rotary = false;
  xf::Pattern pattern = xf::causal();
};

struct GptBlock : xf::nn::Module {
  xf::nn::LayerNorm norm1, norm2;
  xf::nn::MultiheadAttention attention;
  xf::nn::MLP mlp;
  XF_MEMBERS(norm1, attention, norm2, mlp)

  explicit GptBlock(const GptOptions &o)
      : norm1(o.width), norm2(o.width), attention({.width = o.width,
                                                   .heads = o.heads,
                                                   .kv_heads = o.kv_heads,
                                                   .pattern = o.pattern,
                                                   .rotary = o.rotary ? std::optional(xf::Rotary()) : std::nullopt}),
        mlp({.width = o.width, .hidden = 2 * o.width}) {}

  xf::Tensor operator()(xf::Tensor x, const xf::nn::AttentionInputs &inputs) const {
    x = x + attention(norm1(x), inputs);
    return x + mlp(norm2(x));
  }
};

struct Gpt : xf::nn::Module {
  GptOptions options;
  xf::nn::Embedding token, position;
  std::vector<GptBlock> blocks;
  xf::nn::LayerNorm norm;
  xf::nn::Linear head; ///< with the embeddings, a token would be followed by itself
  XF_MEMBERS(token, position, blocks, norm, head)

  explicit Gpt(const GptOptions &o)
      : options(o), token(o.classes, o.width), position(o.capacity, o.width),
        blocks(static_cast<size_t>(o.layers), GptBlock(o)), norm(o.width),
        head(o.width, o.classes, xf::normal_init(.5), false) {
    for (GptBlock &block : blocks)
      block = GptBlock(o); // weights of its own
  }

  /// Logits of all tokens.
  xf::Tensor operator()(const xf::Tensor &ids, const xf::nn::KVCache &cache = {}) const {
    xf::Tensor places = cache.positions(ids.size(1)), x = token(ids);
    if (!options.rotary)
      x = x + position(places);
    for (size_t n = 0; n < blocks.size(); ++n) {
      xf::nn::AttentionInputs inputs{.cache = cache[n]};
      if (!cache.defined())
        inputs.positions = places;
      x = blocks[n](x, inputs);
    }
    return head(norm(x));
  }
};

/// The last row of logits.
inline xf::Tensor last(const xf::Tensor &logits) {
  return reshape(slice(logits, 1, logits.size(1) - 1, logits.size(1)), {logits.size(0), logits.size(2)});
}

#endif // XF_TEST_FRONTEND_STATE_GPT_H
