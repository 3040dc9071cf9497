//===- xf/models/bert.h - BERT and MiniLM -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// J. Devlin, M.-W. Chang, K. Lee, K. Toutanova, "BERT: Pre-training of Deep Bidirectional Transformers for Language
// Understanding", arXiv 1810.04805. Sentence embeddings: N. Reimers, I. Gurevych, "Sentence-BERT", arXiv 1908.10084;
// MiniLM: W. Wang et al., arXiv 2002.10957. RealFormer: R. He et al., arXiv 2012.11747.
//
// Parameters have the names of BertModel's checkpoints (google-bert/bert-base-uncased, whose names begin with "bert.";
// sentence-transformers/all-MiniLM-L6-v2). Left out: the tokenizer (word pieces), the heads of pre-training.
//
//===----------------------------------------------------------------------===//

#ifndef XF_MODELS_BERT_H
#define XF_MODELS_BERT_H

#include "xf/nn.h"
#include "xf/nn/caller.h"
#include "xf/ops/arrange.h"
#include "xf/safetensors.h"

#include <cmath>

namespace xf::models {

/// Options of BERT. The defaults are those of bert-base.
struct BertOptions {
  int64_t vocabulary = 30522, positions = 512, types = 2, width = 768, layers = 12, heads = 12, hidden = 3072;
  double dropout = 0.1;
  /// Whether the model has a pooler, which computes tanh of a linear layer of the first token.
  bool pooler = true;
  double eps = 1e-12;
  /// Whether each attention adds the scores of the previous layer to its own (RealFormer). The scores are one product
  /// of queries and keys that hold the heads of all layers so far, side by side. So no N x N matrix is kept, but in
  /// layer n scores take n times the operations.
  bool residual_scores = false;

  /// Return the options of bert-base (109,482,240 parameters with the pooler), bert-large (335,141,888) and
  /// all-MiniLM-L6 (22,713,216).
  static BertOptions base() { return {}; }
  static BertOptions large() { return {.width = 1024, .layers = 24, .heads = 16, .hidden = 4096}; }
  static BertOptions minilm_l6() { return {.width = 384, .layers = 6, .heads = 12, .hidden = 1536}; }
};

/// The sum of the embeddings of a token, its position and its type, normalised.
struct BertEmbeddings : nn::Module {
  nn::Embedding word_embeddings, position_embeddings, token_type_embeddings;
  nn::LayerNorm LayerNorm;
  double dropout;
  XF_MEMBERS(word_embeddings, position_embeddings, token_type_embeddings, LayerNorm)

  explicit BertEmbeddings(const BertOptions &o, Here here = Here::current())
      : word_embeddings(o.vocabulary, o.width, 0.02, here), position_embeddings(o.positions, o.width, 0.02, here),
        token_type_embeddings(o.types, o.width, 0.02, here), LayerNorm(o.width, o.eps, true, here), dropout(o.dropout) {
  }
  Tensor operator()(const Tensor &ids, const Tensor &types, Here here = Here::current()) const {
    nn::Caller caller(here);
    Tensor x = word_embeddings(ids) + slice(position_embeddings.weight, 0, 0, ids.size(1));
    x = x + (types.defined() ? token_type_embeddings(types) : slice(token_type_embeddings.weight, 0, 0, 1));
    return xf::dropout(LayerNorm(x), dropout);
  }
};

/// A layer: attention and feed-forward. Each adds a residual, then normalises.
struct BertLayer : nn::Module {
  nn::MultiheadAttention attention;
  nn::LayerNorm attention_norm, output_norm;
  nn::Linear intermediate, output;
  double dropout;

  explicit BertLayer(const BertOptions &o, Here here = Here::current())
      : attention({.width = o.width,
                   .heads = o.heads,
                   .names = {.q = "self.query", .k = "self.key", .v = "self.value", .out = "output.dense"},
                   .dropout = o.dropout},
                  here),
        attention_norm(o.width, o.eps, true, here), output_norm(o.width, o.eps, true, here),
        intermediate(o.width, o.hidden, normal_init(0.02), true, here),
        output(o.hidden, o.width, normal_init(0.02), true, here), dropout(o.dropout) {}
  /// Applies the layer to x. If `earlier` is not null, it holds the queries and keys of all earlier layers. The scores
  /// of these layers are then added to the layer's own, and the layer appends its own queries and keys to *earlier.
  Tensor operator()(Tensor x, const Tensor &lengths, nn::ProjectedHeads *earlier = nullptr,
                    Here here = Here::current()) const {
    nn::Caller caller(here);
    nn::MultiheadAttention attend = attention;
    if (earlier) {
      attend.options.scale = 1 / std::sqrt(static_cast<double>(attend.options.head_size));
      attend.options.before_attention = [=](const nn::ProjectedHeads &own) {
        auto joined = [](const Tensor &a, const Tensor &b) { return a.defined() ? concat({a, b}, -1) : b; };
        return *earlier = {joined(earlier->q, own.q), joined(earlier->k, own.k), own.v};
      };
    }
    x = attention_norm(x + xf::dropout(attend(x, {.lengths = lengths}), dropout));
    return output_norm(x + xf::dropout(output(gelu(intermediate(x))), dropout));
  }
  void visit_members(nn::Visitor &visitor) const override {
    visitor.member("attention", attention);
    visitor.member("attention.output.LayerNorm", attention_norm);
    visitor.member("intermediate.dense", intermediate);
    visitor.member("output.dense", output);
    visitor.member("output.LayerNorm", output_norm);
  }
};

/// BERT's encoder.
struct Bert : nn::Module {
  BertEmbeddings embeddings;
  std::vector<BertLayer> layers;
  std::optional<nn::Linear> pooler;
  bool residual_scores;

  explicit Bert(const BertOptions &o = {}, Here here = Here::current())
      : embeddings(o, here), residual_scores(o.residual_scores) {
    for (int64_t layer = 0; layer < o.layers; ++layer)
      layers.emplace_back(o, here);
    if (o.pooler)
      pooler.emplace(o.width, o.width, normal_init(0.02), true, here);
  }
  void visit_members(nn::Visitor &visitor) const override {
    visitor.member("embeddings", embeddings);
    visitor.member("encoder.layer", layers);
    visitor.member("pooler.dense", pooler);
  }

  /// Computes the last hidden states, batch x tokens x width, of `ids`, batch x tokens. `lengths` is the number of
  /// tokens of each batch entry; undefined: no padding. `types` are the types of the tokens; undefined: all are 0.
  Tensor operator()(const Tensor &ids, const Tensor &lengths = {}, const Tensor &types = {},
                    Here here = Here::current()) const {
    nn::Caller caller(here);
    Tensor x = embeddings(ids, types);
    nn::ProjectedHeads earlier;
    for (const BertLayer &layer : layers)
      x = layer(x, lengths, residual_scores ? &earlier : nullptr);
    return x;
  }
  /// Computes the pooler's output, batch x width, from the last hidden states.
  Tensor pooled(const Tensor &hidden, Here here = Here::current()) const {
    nn::Caller caller(here);
    return tanh((*pooler)(squeeze(slice(hidden, 1, 0, 1), 1)));
  }
  /// Computes embeddings of sentences, batch x width: the mean of the tokens' hidden states, scaled to length 1.
  Tensor embed(const Tensor &ids, const Tensor &lengths, Here here = Here::current()) const {
    nn::Caller caller(here);
    Tensor x = (*this)(ids, lengths), at = reshape(arange(ids.size(1), lengths.dtype()), {1, -1, 1});
    Tensor counts = reshape(lengths, {-1, 1, 1});
    Tensor total = sum(where(at < counts, x, 0.0), 1); // its length is no matter
    return total * rsqrt(maximum(sum(square(total), -1, true), 1e-24));
  }

  /// Returns the options to read a published file, without the heads of pre-training.
  static ReadOptions checkpoint() { return {.drop = {"embeddings.position_ids", "cls.*"}}; }
};

} // namespace xf::models

#endif // XF_MODELS_BERT_H
