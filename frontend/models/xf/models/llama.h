//===- xf/models/llama.h - Llama -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// H. Touvron et al., "LLaMA: Open and Efficient Foundation Language Models", arXiv 2302.13971; "Llama 2", arXiv
// 2307.09288; A. Dubey et al., "The Llama 3 Herd of Models", arXiv 2407.21783. Grouped queries, rotary embeddings,
// SwiGLU and RMS norms.
//
// Parameters have the names of LlamaForCausalLM's checkpoints (meta-llama/Llama-3.2-1B). Left out: the tokenizer, which
// converts text to ids.
//
//===----------------------------------------------------------------------===//

#ifndef XF_MODELS_LLAMA_H
#define XF_MODELS_LLAMA_H

#include "xf/nn.h"
#include "xf/nn/caller.h"
#include "xf/nn/layers.h"
#include "xf/ops/arrange.h"
#include "xf/safetensors.h"

namespace xf::models {

/// Options of Llama. The defaults are those of Llama 3 8B.
struct LlamaOptions {
  int64_t vocabulary = 128256, width = 4096, layers = 32, heads = 32, kv_heads = 8, hidden = 14336;
  Rotary rotary = {.base = 500000};
  double eps = 1e-5;
  /// Whether one weight serves as the table of embeddings and as the projection to logits.
  bool tied = false;
  /// Size of a head; 0: width / heads.
  int64_t head_size = 0;

  /// Return the options of Llama 2 7B (6,738,415,616 parameters), Llama 3 8B (8,030,261,248), Llama 3.1 8B (the same
  /// with scaled frequencies), Llama 3 70B (70,553,706,496), and Llama 3.2 1B (1,235,814,400) and 3B (3,212,749,824).
  static LlamaOptions llama2_7b() {
    return {.vocabulary = 32000, .kv_heads = 32, .hidden = 11008, .rotary = {.base = 10000}};
  }
  static LlamaOptions llama3_8b() { return {}; }
  static LlamaOptions llama31_8b() { return {.rotary = scaled(8)}; }
  static LlamaOptions llama3_70b() { return {.width = 8192, .layers = 80, .heads = 64, .hidden = 28672}; }
  static LlamaOptions llama32_1b() {
    return {.width = 2048, .layers = 16, .hidden = 8192, .rotary = scaled(32), .tied = true};
  }
  static LlamaOptions llama32_3b() {
    return {.width = 3072, .layers = 28, .heads = 24, .hidden = 8192, .rotary = scaled(32), .tied = true};
  }
  /// Returns the rotary embedding of Llama 3.1 and 3.2.
  static Rotary scaled(double factor) { return {.base = 500000, .scaling = RotaryScaling::llama3({.factor = factor})}; }
};

/// A block: attention and gated feed-forward. Each reads a norm of its input, and adds a residual.
struct LlamaBlock : nn::Module {
  nn::RMSNorm input_layernorm, post_attention_layernorm;
  nn::MultiheadAttention self_attn;
  nn::SwiGLU mlp;
  XF_MEMBERS(self_attn, mlp, input_layernorm, post_attention_layernorm)

  explicit LlamaBlock(const LlamaOptions &o, Here here = Here::current())
      : input_layernorm(o.width, o.eps, here), post_attention_layernorm(o.width, o.eps, here),
        self_attn({.width = o.width,
                   .heads = o.heads,
                   .kv_heads = o.kv_heads,
                   .head_size = o.head_size,
                   .pattern = causal(),
                   .bias = false,
                   .rotary = o.rotary,
                   .names = {.out = "o_proj"}},
                  here),
        mlp({.width = o.width, .hidden = o.hidden, .bias = false}, here) {}
  Tensor operator()(Tensor x, const nn::AttentionInputs &inputs, Here here = Here::current()) const {
    nn::Caller caller(here);
    x = x + self_attn(input_layernorm(x), inputs);
    return x + mlp(post_attention_layernorm(x));
  }
};

/// Llama, from ids to logits.
struct Llama : nn::Module {
  nn::Embedding embed_tokens;
  std::vector<LlamaBlock> layers;
  nn::RMSNorm norm;
  std::optional<nn::Linear> lm_head;

  explicit Llama(const LlamaOptions &o = {}, Here here = Here::current())
      : embed_tokens(o.vocabulary, o.width, 0.02, here), norm(o.width, o.eps, here) {
    for (int64_t layer = 0; layer < o.layers; ++layer)
      layers.emplace_back(o, here);
    if (!o.tied)
      lm_head.emplace(o.width, o.vocabulary, normal_init(0.02), false, here);
  }
  void visit_members(nn::Visitor &visitor) const override {
    visitor.member("model.embed_tokens", embed_tokens);
    visitor.member("model.layers", layers);
    visitor.member("model.norm", norm);
    visitor.member("lm_head", lm_head);
  }

  /// Computes the logits of the next token, batch x tokens x vocabulary, at each token of `ids`, batch x tokens.
  /// `inputs` are optional inputs of every attention, such as lengths and positions.
  Tensor operator()(const Tensor &ids, const nn::AttentionInputs &inputs = {}, Here here = Here::current()) const {
    nn::Caller caller(here);
    Tensor x = hidden(ids, inputs);
    return lm_head ? (*lm_head)(x) : linear(x, embed_tokens.weight);
  }
  /// Computes the logits of the token after the last token of `ids`, batch x vocabulary. Attention also sees the tokens
  /// that `cache` holds.
  Tensor next(const Tensor &ids, const nn::KVCache &cache, Here here = Here::current()) const {
    nn::Caller caller(here);
    Tensor x = hidden(ids, {}, cache);
    x = squeeze(slice(x, 1, x.size(1) - 1, x.size(1)), 1);
    return lm_head ? (*lm_head)(x) : linear(x, embed_tokens.weight);
  }
  /// Computes the last hidden states, batch x tokens x width.
  Tensor hidden(const Tensor &ids, nn::AttentionInputs inputs = {}, const nn::KVCache &cache = {},
                Here here = Here::current()) const {
    nn::Caller caller(here);
    Tensor x = embed_tokens(ids);
    for (size_t n = 0; n < layers.size(); ++n) {
      inputs.cache = cache[n];
      x = layers[n](x, inputs);
    }
    return norm(x);
  }

  /// Returns the options to read a published file. If embeddings are tied, reads one matrix, although files may contain
  /// it twice.
  static ReadOptions checkpoint(const LlamaOptions &o) {
    return {.drop = o.tied ? std::vector<std::string>{"*.rotary_emb.inv_freq", "lm_head.weight"}
                           : std::vector<std::string>{"*.rotary_emb.inv_freq"}};
  }
};

} // namespace xf::models

#endif // XF_MODELS_LLAMA_H
