//===- xf/models/transformer_xl.h - Transformer-XL -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Z. Dai, Z. Yang, Y. Yang, J. Carbonell, Q. V. Le, R. Salakhutdinov, "Transformer-XL: Attentive Language Models Beyond
// a Fixed-Length Context", arXiv 1901.02860.
//
// Parameters have the names of TransfoXLLMHeadModel's checkpoints. Left out: adaptive embeddings and softmax, which the
// model of WikiText-103 has and those of enwik8 and text8 have not; a limit of distances.
//
//===----------------------------------------------------------------------===//

#ifndef XF_MODELS_TRANSFORMER_XL_H
#define XF_MODELS_TRANSFORMER_XL_H

#include "xf/nn.h"
#include "xf/nn/caller.h"
#include "xf/relative_attention.h"

#include <cmath>

namespace xf::models {

/// Options of Transformer-XL. The defaults are those of the paper's model of 12 layers for enwik8.
struct TransformerXLOptions {
  int64_t vocabulary = 204, width = 512, layers = 12, heads = 8, head_size = 64, hidden = 2048;
  /// The largest number of tokens that are kept for the next segment.
  int64_t memory = 512;
  double dropout = 0.1;
  /// Whether each layer has its own learned biases u and v. If not, all layers share them.
  bool untied = false;

  /// Return the options of the paper's models for enwik8: 12 layers (41M parameters) and 24 layers (277M).
  static TransformerXLOptions enwik8() { return {}; }
  static TransformerXLOptions enwik8_large() {
    return {.width = 1024, .layers = 24, .head_size = 128, .hidden = 3072, .memory = 768, .dropout = 0.15};
  }
};

/// A layer: relative attention and feed-forward. Each adds a residual, then normalises.
struct TransformerXLLayer : nn::Module {
  nn::Linear qkv_net, o_net, r_net, first, second;
  nn::LayerNorm attention_norm, feed_norm;
  Parameter content_bias, position_bias;
  TransformerXLOptions options;

  TransformerXLLayer(const TransformerXLOptions &o, const Parameter &u, const Parameter &v, Here here = Here::current())
      : qkv_net(o.width, 3 * o.heads * o.head_size, normal_init(0.02), false, here),
        o_net(o.heads * o.head_size, o.width, normal_init(0.02), false, here),
        r_net(o.width, o.heads * o.head_size, normal_init(0.02), false, here),
        first(o.width, o.hidden, normal_init(0.02), true, here),
        second(o.hidden, o.width, normal_init(0.02), true, here), attention_norm(o.width, 1e-5, true, here),
        feed_norm(o.width, 1e-5, true, here), content_bias(u), position_bias(v), options(o) {}
  void visit_members(nn::Visitor &visitor) const override {
    if (options.untied) {
      visitor.member("dec_attn.r_w_bias", content_bias);
      visitor.member("dec_attn.r_r_bias", position_bias);
    }
    visitor.member("dec_attn.qkv_net", qkv_net);
    visitor.member("dec_attn.o_net", o_net);
    visitor.member("dec_attn.layer_norm", attention_norm);
    visitor.member("dec_attn.r_net", r_net);
    visitor.member("pos_ff.CoreNet.0", first);
    visitor.member("pos_ff.CoreNet.3", second);
    visitor.member("pos_ff.layer_norm", feed_norm);
  }
  /// Applies the layer to x. Keys and values are computed from `all`, the memory followed by x. `distances` are the
  /// sinusoids of the distances 0, 1, ..
  Tensor operator()(Tensor x, const Tensor &all, const Tensor &distances, Here here = Here::current()) const {
    nn::Caller caller(here);
    int64_t tokens = x.size(1).value(), count = all.size(1).value(), rows = options.heads * options.head_size;
    Tensor heads = qkv_net(all);
    auto part = [&](int64_t n) { return split_heads(slice(heads, -1, n * rows, (n + 1) * rows), options.heads); };
    Tensor relative = reshape(r_net(distances), {count, options.heads, options.head_size});
    Tensor o =
        relative_attention(slice(part(0), 2, count - tokens, count), part(1), part(2), transpose(relative, {1, 0, 2}),
                           {.content_bias = content_bias, .position_bias = position_bias});
    x = attention_norm(x + xf::dropout(o_net(merge_heads(o)), options.dropout));
    Tensor y = second(xf::dropout(relu(first(x)), options.dropout));
    return feed_norm(x + xf::dropout(y, options.dropout));
  }
};

/// Transformer-XL, from ids and memory to logits and the memory of the next segment.
struct TransformerXL : nn::Module {
  nn::Embedding embedding;
  Parameter content_bias, position_bias, bias;
  std::vector<TransformerXLLayer> layers;
  TransformerXLOptions options;

  explicit TransformerXL(const TransformerXLOptions &o = {}, Here here = Here::current())
      : embedding(o.vocabulary, o.width, 0.02, here), bias({o.vocabulary}, constant_init(0), f32, here), options(o) {
    auto makeBias = [&] { return Parameter({o.heads, o.head_size}, normal_init(0.02), f32, here); };
    content_bias = makeBias();
    position_bias = makeBias();
    for (int64_t layer = 0; layer < o.layers; ++layer)
      layers.emplace_back(o, o.untied ? makeBias() : content_bias, o.untied ? makeBias() : position_bias, here);
  }
  void visit_members(nn::Visitor &visitor) const override {
    if (!options.untied) {
      visitor.member("transformer.r_w_bias", content_bias);
      visitor.member("transformer.r_r_bias", position_bias);
    }
    visitor.member("transformer.word_emb.emb_layers.0", embedding);
    visitor.member("transformer.layers", layers);
    visitor.member("crit.out_layers.0.bias", bias);
  }
  /// The logits of the next tokens, batch x tokens x vocabulary, and the memory of each layer.
  struct Result {
    Tensor logits;
    std::vector<Tensor> memory;
  };
  /// Computes the logits of the next token at each token of `ids`, batch x tokens. Also returns the memory for the next
  /// segment: the last options.memory inputs of each layer. `memory` is the result of the call for the segment before,
  /// one tensor of batch x tokens x width for each layer, or empty. Make it an input of the program, so that no
  /// gradient passes to the segment before.
  Result operator()(const Tensor &ids, const std::vector<Tensor> &memory = {}, Here here = Here::current()) const {
    nn::Caller caller(here);
    Tensor x = xf::dropout(embedding(ids) * std::sqrt(static_cast<double>(options.width)), options.dropout);
    int64_t count = ids.size(1).value() + (memory.empty() ? 0 : memory[0].size(1).value());
    Tensor distances = xf::dropout(distance_sinusoids(count, options.width, 0, x.dtype()), options.dropout);
    Result result;
    for (size_t n = 0; n < layers.size(); ++n) {
      Tensor all = memory.empty() ? x : concat({memory[n], x}, 1);
      result.memory.push_back(slice(all, 1, std::max<int64_t>(0, count - options.memory), count));
      x = layers[n](x, all, distances);
    }
    result.logits = linear(xf::dropout(x, options.dropout), embedding.weight, bias);
    return result;
  }
};

} // namespace xf::models

#endif // XF_MODELS_TRANSFORMER_XL_H
