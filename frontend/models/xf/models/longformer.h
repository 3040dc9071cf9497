//===- xf/models/longformer.h - Longformer's encoder -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Beltagy, Peters, Cohan: "Longformer: The Long-Document Transformer", arXiv 2004.05150.
//
//   models::Longformer model(models::LongformerOptions::base());
//   model.load_state_dict(rename(load_safetensors("longformer-base-4096.safetensors"),
//                                models::Longformer::huggingface()), {.strict = false});
//
// Left out: global tokens anywhere but at the start, the pooler, the head of pre-training, the character language model
// with dilated windows (its pattern is dilated()), and the encoder-decoder.
//
//===----------------------------------------------------------------------===//

#ifndef XF_MODELS_LONGFORMER_H
#define XF_MODELS_LONGFORMER_H

#include "xf/nn/layers.h"

namespace xf::models {

/// Options of Longformer. The defaults are those of longformer-base-4096.
struct LongformerOptions {
  int64_t width = 768, layers = 12, heads = 12, hidden = 3072;
  int64_t vocabulary = 50265, positions = 4098;
  /// Number of keys around a query that it sees (`window`). The first `global` tokens see all tokens, and are seen by
  /// all.
  int64_t window = 512, global = 1;
  /// Position of the first token. RoBERTa counts from 2.
  int64_t first = 2;
  double dropout = 0.1;

  static LongformerOptions base() { return {}; }
  static LongformerOptions large() { return {.width = 1024, .layers = 24, .heads = 16, .hidden = 4096}; }
};

/// Attention to a window and to the global tokens (section 3.1). Global tokens have other projections than the rest:
/// one for their queries, and one each for the keys and values that these queries see.
struct LongformerAttention : nn::Module {
  nn::Linear query, key, value, query_global, key_global, value_global, output;
  XF_MEMBERS(query, key, value, query_global, key_global, value_global, output)

  LongformerAttention(const LongformerOptions &o, Here here)
      : query(linear(o, here)), key(linear(o, here)), value(linear(o, here)), query_global(linear(o, here)),
        key_global(linear(o, here)), value_global(linear(o, here)), output(linear(o, here)), heads(o.heads),
        global(o.global), local(xf::window(o.window / 2, o.window / 2, here)), dropped(o.dropout) {
    if (global > 0)
      local = local | keys({{0, global}}, 0, here);
  }
  /// Computes the attention of x, batch x tokens x width. `lengths` is the number of visible tokens of each batch
  /// entry.
  Tensor operator()(const Tensor &x, const Tensor &lengths, Here here = Here::current()) const {
    Tensor o = attend(query(x, here), key(x, here), value(x, here), local, lengths, here);
    if (global == 0)
      return output(o, here);
    Tensor first = query_global(slice(x, 1, 0, global, 1, here), here);
    first = attend(first, key_global(x, here), value_global(x, here), dense(here), lengths, here);
    return output(concat({first, slice(o, 1, global, x.size(1), 1, here)}, 1, here), here);
  }

private:
  static nn::Linear linear(const LongformerOptions &o, Here here) { return nn::Linear(o.width, o.width, true, here); }
  Tensor attend(const Tensor &q, const Tensor &k, const Tensor &v, const Pattern &pattern, const Tensor &lengths,
                Here here) const {
    AttentionOptions clauses{.pattern = pattern, .lengths = lengths, .seed = DropoutSeed::next(here)};
    clauses.dropout = clauses.seed.defined() ? dropped : 0;
    return merge_heads(scaled_dot_product_attention(split_heads(q, heads, here), split_heads(k, heads, here),
                                                    split_heads(v, heads, here), clauses, here),
                       here);
  }
  int64_t heads, global;
  Pattern local;
  double dropped;
};

/// A post-norm layer.
struct LongformerLayer : nn::Module {
  LongformerAttention attention;
  nn::LayerNorm norm1, norm2;
  nn::MLP mlp;
  double dropped;
  XF_MEMBERS(attention, norm1, mlp, norm2)

  LongformerLayer(const LongformerOptions &o, Here here)
      : attention(o, here), norm1(o.width, 1e-5, true, here), norm2(o.width, 1e-5, true, here),
        mlp({.width = o.width, .hidden = o.hidden}, here), dropped(o.dropout) {}
  Tensor operator()(const Tensor &x, const Tensor &lengths, Here here = Here::current()) const {
    Tensor sum = norm1(x + dropout(attention(x, lengths, here), dropped, here), here);
    return norm2(sum + dropout(mlp(sum, here), dropped, here), here);
  }
};

/// Longformer's encoder: RoBERTa with LongformerAttention.
struct Longformer : nn::Module {
  LongformerOptions options;
  nn::Embedding words, positions, types;
  nn::LayerNorm norm;
  std::vector<LongformerLayer> layers;
  XF_MEMBERS(words, positions, types, norm, layers)

  explicit Longformer(const LongformerOptions &o, Here here = Here::current())
      : options(o), words(o.vocabulary, o.width, 0.02, here), positions(o.positions, o.width, 0.02, here),
        types(1, o.width, 0.02, here), norm(o.width, 1e-5, true, here) {
    for (int64_t n = 0; n < o.layers; ++n)
      layers.push_back(LongformerLayer(o, here));
  }
  /// Returns the last hidden states, batch x tokens x width, of `ids`, batch x tokens. `lengths` is the number of
  /// visible tokens of each batch entry; undefined: all.
  Tensor operator()(const Tensor &ids, const Tensor &lengths = {}, Here here = Here::current()) const {
    int64_t first = options.first;
    Tensor at = slice(positions.weight, 0, first, first + ids.size(1), 1, here);
    Tensor x = dropout(norm(words(ids, here) + at + types.weight, here), options.dropout, here);
    for (const LongformerLayer &layer : layers)
      x = layer(x, lengths, here);
    return x;
  }

  /// Returns the rules for rename() to read Hugging Face's checkpoints (allenai/longformer-base-4096, ..).
  static std::vector<std::pair<std::string, std::string>> huggingface() {
    return {{"longformer.embeddings.word_embeddings.", "words."},
            {"longformer.embeddings.position_embeddings.", "positions."},
            {"longformer.embeddings.token_type_embeddings.", "types."},
            {"longformer.embeddings.LayerNorm.", "norm."},
            {"longformer.encoder.layer.*.attention.self.", "layers.*.attention."},
            {"longformer.encoder.layer.*.attention.output.dense.", "layers.*.attention.output."},
            {"longformer.encoder.layer.*.attention.output.LayerNorm.", "layers.*.norm1."},
            {"longformer.encoder.layer.*.intermediate.dense.", "layers.*.mlp.fc1."},
            {"longformer.encoder.layer.*.output.dense.", "layers.*.mlp.fc2."},
            {"longformer.encoder.layer.*.output.LayerNorm.", "layers.*.norm2."}};
  }
};

} // namespace xf::models

#endif // XF_MODELS_LONGFORMER_H
