//===- xf/models/gpt2.h - GPT-2 -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A. Radford, J. Wu, R. Child, D. Luan, D. Amodei, I. Sutskever, "Language Models are Unsupervised Multitask Learners",
// 2019.
//
// Parameters have the names of the published checkpoints (openai-community/gpt2 on Hugging Face). These store weights
// of projections as in x out, so read them with the options GPT2::checkpoint(). Left out: the tokenizer (byte-pair
// encoding).
//
//===----------------------------------------------------------------------===//

#ifndef XF_MODELS_GPT2_H
#define XF_MODELS_GPT2_H

#include "xf/nn.h"
#include "xf/nn/caller.h"
#include "xf/nn/layers.h"
#include "xf/ops/arrange.h"
#include "xf/safetensors.h"

#include <cmath>

namespace xf::models {

/// Sizes of GPT-2, as published.
struct GPT2Options {
  int64_t vocabulary = 50257, positions = 1024, width = 768, layers = 12, heads = 12;
  /// Probability of dropout of embeddings, pairs and residuals. There is no dropout unless a DropoutSeed exists.
  double dropout = 0.1;
  double eps = 1e-5;

  /// Return the options of gpt2 (124,439,808 parameters), gpt2-medium (354,823,168), gpt2-large (774,030,080) and
  /// gpt2-xl (1,557,611,200).
  static GPT2Options small() { return {}; }
  static GPT2Options medium() { return {.width = 1024, .layers = 24, .heads = 16}; }
  static GPT2Options large() { return {.width = 1280, .layers = 36, .heads = 20}; }
  static GPT2Options xl() { return {.width = 1600, .layers = 48, .heads = 25}; }
};

/// The feed-forward of GPT-2.
struct GPT2MLP : nn::Module {
  nn::Linear c_fc, c_proj;
  XF_MEMBERS(c_fc, c_proj)

  explicit GPT2MLP(const GPT2Options &o, Here here = Here::current())
      : c_fc(o.width, 4 * o.width, normal_init(0.02), true, here),
        c_proj(4 * o.width, o.width, normal_init(0.02 / std::sqrt(2.0 * static_cast<double>(o.layers))), true, here) {}
  Tensor operator()(const Tensor &x, Here here = Here::current()) const {
    nn::Caller caller(here);
    return c_proj(gelu(c_fc(x), Gelu::tanh));
  }
};

/// A block: attention and feed-forward. Each reads a norm of its input, and adds a residual.
struct GPT2Block : nn::Module {
  nn::LayerNorm ln_1, ln_2;
  nn::MultiheadAttention attn;
  GPT2MLP mlp;
  double dropout;
  XF_MEMBERS(ln_1, attn, ln_2, mlp)

  explicit GPT2Block(const GPT2Options &o, Here here = Here::current())
      : ln_1(o.width, o.eps, true, here), ln_2(o.width, o.eps, true, here),
        attn({.width = o.width,
              .heads = o.heads,
              .pattern = causal(),
              .fused = true,
              .names = {.out = "c_proj", .fused = "c_attn"},
              .dropout = o.dropout,
              .output_scale = 1 / std::sqrt(2.0 * static_cast<double>(o.layers))},
             here),
        mlp(o, here), dropout(o.dropout) {}
  Tensor operator()(Tensor x, const nn::KVCache::Layer &cache = {}, Here here = Here::current()) const {
    nn::Caller caller(here);
    x = x + xf::dropout(attn(ln_1(x), cache), dropout);
    return x + xf::dropout(mlp(ln_2(x)), dropout);
  }
};

/// GPT-2, from ids to logits.
struct GPT2 : nn::Module {
  nn::Embedding wte, wpe;
  std::vector<GPT2Block> h;
  nn::LayerNorm ln_f;
  double dropout;
  XF_MEMBERS(wte, wpe, h, ln_f)

  explicit GPT2(const GPT2Options &o = {}, Here here = Here::current())
      : wte(o.vocabulary, o.width, 0.02, here), wpe(o.positions, o.width, 0.02, here), ln_f(o.width, o.eps, true, here),
        dropout(o.dropout) {
    for (int64_t layer = 0; layer < o.layers; ++layer)
      h.emplace_back(o, here);
  }

  /// Computes the logits of the next token, batch x tokens x vocabulary, at each token of `ids`, batch x tokens.
  Tensor operator()(const Tensor &ids, Here here = Here::current()) const {
    nn::Caller caller(here);
    return linear(hidden(ids), wte.weight);
  }
  /// Computes the logits of the token after the last token of `ids`, batch x vocabulary. Attention also sees the tokens
  /// that `cache` holds.
  Tensor next(const Tensor &ids, const nn::KVCache &cache = {}, Here here = Here::current()) const {
    nn::Caller caller(here);
    Tensor x = hidden(ids, cache);
    return linear(squeeze(slice(x, 1, x.size(1) - 1, x.size(1)), 1), wte.weight);
  }
  /// Computes the last hidden states, batch x tokens x width.
  Tensor hidden(const Tensor &ids, const nn::KVCache &cache = {}, Here here = Here::current()) const {
    nn::Caller caller(here);
    Dim tokens = ids.size(1);
    Tensor positions = cache.defined() ? wpe(cache.positions(tokens)) : slice(wpe.weight, 0, 0, tokens);
    Tensor x = xf::dropout(wte(ids) + positions, dropout);
    for (size_t n = 0; n < h.size(); ++n)
      x = h[n](x, cache[n]);
    return ln_f(x);
  }

  /// Returns the options to read a published file. If the file's names begin with "transformer.", add a rule that
  /// removes this prefix.
  static ReadOptions checkpoint() {
    return {.drop = {"h.*.attn.bias", "h.*.attn.masked_bias", "lm_head.weight"},
            .transpose = {"h.*.attn.c_*.weight", "h.*.mlp.c_*.weight"}};
  }
};

} // namespace xf::models

#endif // XF_MODELS_GPT2_H
