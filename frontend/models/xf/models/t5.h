//===- xf/models/t5.h - T5 -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// C. Raffel et al., "Exploring the Limits of Transfer Learning with a Unified Text-to-Text Transformer", arXiv
// 1910.10683. Version 1.1 has a gated feed-forward (N. Shazeer, arXiv 2002.05202), and its own matrix for logits.
//
// Parameters have the names of T5ForConditionalGeneration's checkpoints (google-t5/t5-small, google/t5-v1_1-base). Left
// out: the tokenizer (sentence pieces), the cache of keys and values, numbers of tokens that are not static.
//
//===----------------------------------------------------------------------===//

#ifndef XF_MODELS_T5_H
#define XF_MODELS_T5_H

#include "xf/nn.h"
#include "xf/nn/caller.h"
#include "xf/safetensors.h"
#include "xf/scores.h"

#include <cmath>

namespace xf::models {

/// Options of T5. The defaults are those of t5-small.
struct T5Options {
  int64_t vocabulary = 32128, width = 512, head_size = 64, hidden = 2048, layers = 6, heads = 8;
  int64_t buckets = 32, farthest = 128;
  double dropout = 0.1;
  /// Whether the feed-forward is gated (`gated`), and whether one weight serves as the table of embeddings and as the
  /// projection to logits (`tied`). Version 1.1 is gated and not tied.
  bool gated = false, tied = true;

  /// Return the options of t5-small (60,506,624 parameters), t5-base (222,903,552), t5-large (737,668,096), t5-3b
  /// (2,851,598,336) and t5-v1_1-base (247,577,856).
  static T5Options small() { return {}; }
  static T5Options base() { return {.width = 768, .hidden = 3072, .layers = 12, .heads = 12}; }
  static T5Options large() { return {.width = 1024, .hidden = 4096, .layers = 24, .heads = 16}; }
  static T5Options xl() { return {.width = 1024, .head_size = 128, .hidden = 16384, .layers = 24, .heads = 32}; }
  static T5Options v1_1_base() {
    return {.width = 768, .hidden = 2048, .layers = 12, .heads = 12, .gated = true, .tied = false};
  }
};

/// The feed-forward: relu between two matrices, or gated by gelu.
struct T5FeedForward : nn::Module {
  nn::Linear wi, wo;
  std::optional<nn::Linear> gate;
  double dropout;

  explicit T5FeedForward(const T5Options &o, Here here = Here::current())
      : wi(o.width, o.hidden, false, here), wo(o.hidden, o.width, false, here), dropout(o.dropout) {
    if (o.gated)
      gate.emplace(o.width, o.hidden, false, here);
  }
  void visit_members(nn::Visitor &visitor) const override {
    visitor.member("wi_0", gate);
    visitor.member(gate ? "wi_1" : "wi", wi);
    visitor.member("wo", wo);
  }
  Tensor operator()(const Tensor &x) const {
    return wo(xf::dropout(gate ? gelu((*gate)(x), Gelu::tanh) * wi(x) : relu(wi(x)), dropout));
  }
};

/// A block: self-attention, in the decoder also attention to the encoder's result, and feed-forward. Each reads a norm
/// of its input, and adds a residual.
struct T5Block : nn::Module {
  std::optional<nn::MultiheadAttention> cross;
  nn::MultiheadAttention self;
  T5FeedForward feed;
  std::vector<nn::RMSNorm> norms;
  double dropout;

  T5Block(const T5Options &o, bool decodes, Here here = Here::current())
      : self(attention(o), here), feed(o, here), dropout(o.dropout) {
    if (decodes)
      cross.emplace(attention(o), here);
    for (int n = 0; n < (decodes ? 3 : 2); ++n)
      norms.emplace_back(o.width, 1e-6, here);
  }
  static nn::MultiheadAttentionOptions attention(const T5Options &o) {
    return {.width = o.width,
            .heads = o.heads,
            .head_size = o.head_size,
            .scale = 1,
            .bias = false,
            .names = {.q = "q", .k = "k", .v = "v", .out = "o"},
            .dropout = o.dropout};
  }
  void visit_members(nn::Visitor &visitor) const override {
    visitor.member("layer.0.SelfAttention", self);
    visitor.member("layer.1.EncDecAttention", cross);
    visitor.member(cross ? "layer.2.DenseReluDense" : "layer.1.DenseReluDense", feed);
    for (size_t n = 0; n < norms.size(); ++n)
      visitor.member("layer." + std::to_string(n) + ".layer_norm", norms[n]);
  }
  Tensor operator()(Tensor x, const nn::AttentionInputs &own, const nn::AttentionInputs &other) const {
    x = x + xf::dropout(self(norms[0](x), own), dropout);
    if (cross)
      x = x + xf::dropout((*cross)(norms[1](x), other), dropout);
    return x + xf::dropout(feed(norms.back()(x)), dropout);
  }
};

/// The encoder or the decoder. Its blocks share one bias by distance.
struct T5Stack : nn::Module {
  std::vector<T5Block> block;
  nn::Embedding bias;
  nn::RMSNorm final_layer_norm;
  T5Options options;
  bool decodes;

  T5Stack(const T5Options &o, bool decodes, Here here = Here::current())
      : bias(o.buckets, o.heads, 1, here), final_layer_norm(o.width, 1e-6, here), options(o), decodes(decodes) {
    for (int64_t layer = 0; layer < o.layers; ++layer)
      block.emplace_back(o, decodes, here);
  }
  void visit_members(nn::Visitor &visitor) const override {
    visitor.member("block", block);
    visitor.member("block.0.layer.0.SelfAttention.relative_attention_bias", bias);
    visitor.member("final_layer_norm", final_layer_norm);
  }
  Tensor operator()(Tensor x, const Tensor &lengths, const nn::AttentionInputs &other = {}) const {
    Tensor table = scores::t5_table(
        bias.weight, {.keys = x.size(1).value(), .bidirectional = !decodes, .farthest = options.farthest});
    AttentionOptions clauses{.pattern = decodes ? causal() : dense(), .score = scores::distance_bias(table)};
    x = xf::dropout(x, options.dropout);
    for (const T5Block &layer : block)
      x = layer(x, {.lengths = lengths, .clauses = clauses}, other);
    return xf::dropout(final_layer_norm(x), options.dropout);
  }
};

/// T5, from ids to logits.
struct T5 : nn::Module {
  nn::Embedding shared;
  T5Stack encoder, decoder;
  std::optional<nn::Linear> lm_head;
  XF_MEMBERS(shared, encoder, decoder, lm_head)

  explicit T5(const T5Options &o = {}, Here here = Here::current())
      : shared(o.vocabulary, o.width, 1, here), encoder(o, false, here), decoder(o, true, here) {
    if (!o.tied)
      lm_head.emplace(o.width, o.vocabulary, false, here);
  }
  /// Computes the logits of the next token, batch x tokens x vocabulary, at each token of `ids`, batch x tokens, which
  /// begin with the pad token 0. `inputs`, batch x tokens, are the tokens that the encoder reads. `lengths` is the
  /// number of these in each batch entry; undefined: no padding.
  Tensor operator()(const Tensor &inputs, const Tensor &ids, const Tensor &lengths = {},
                    Here here = Here::current()) const {
    nn::Caller caller(here);
    Tensor memory = encode(inputs, lengths), x = decoder(shared(ids), {}, {.memory = memory, .lengths = lengths});
    return lm_head ? (*lm_head)(x) : linear(x * (1 / std::sqrt(1.0 * x.size(-1).value())), shared.weight);
  }
  /// Computes the encoder's result, batch x tokens x width, for `inputs`, batch x tokens.
  Tensor encode(const Tensor &inputs, const Tensor &lengths = {}, Here here = Here::current()) const {
    nn::Caller caller(here);
    return encoder(shared(inputs), lengths);
  }

  /// Returns the options to read a published file. Reads the table of embeddings once, although a file may contain it
  /// up to four times.
  static ReadOptions checkpoint(const T5Options &o) {
    ReadOptions read{.drop = {"*coder.embed_tokens.weight", "*EncDecAttention.relative_attention_bias.weight"}};
    if (o.tied)
      read.drop.push_back("lm_head.weight");
    return read;
  }
};

} // namespace xf::models

#endif // XF_MODELS_T5_H
