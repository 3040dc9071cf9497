//===- xf/models/bigbird.h - BigBird's encoder -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Zaheer, Guruganesh, Dubey, Ainslie, Alberti, Ontanon, Pham, Ravula, Wang, Yang, Ahmed: "Big Bird: Transformers for
// Longer Sequences", arXiv 2007.14062.
//
//   models::BigBird model(models::BigBirdOptions::base());
//   model.load_state_dict(rename(load_safetensors("bigbird-roberta-base.safetensors"), models::BigBird::huggingface()),
//                         {.strict = false});
//
// Blocks that a query sees at random are drawn by the pattern bigbird(), not by numpy's generator as in the published
// code. Left out: the pooler, the heads of pre-training, the decoder, and ETC's extra global tokens.
//
//===----------------------------------------------------------------------===//

#ifndef XF_MODELS_BIGBIRD_H
#define XF_MODELS_BIGBIRD_H

#include "xf/nn/layers.h"

namespace xf::models {

/// Options of BigBird. The defaults are those of bigbird-roberta-base.
struct BigBirdOptions {
  int64_t width = 768, layers = 12, heads = 12, hidden = 3072;
  int64_t vocabulary = 50358, positions = 4096, types = 2;
  /// Blocks of the pattern. Layer n draws its random blocks with the seed `attention.seed` + n.
  xf::BigBird attention = {};
  double dropout = 0.1;

  static BigBirdOptions base() { return {}; }
  static BigBirdOptions large() { return {.width = 1024, .layers = 24, .heads = 16, .hidden = 4096}; }
};

/// Optional inputs of a call of BigBird: the number of tokens of each batch entry (`lengths`), and the type of each
/// token (`types`, batch x tokens; default: 0).
struct BigBirdInputs {
  Tensor lengths = {}, types = {};
};

/// BigBird's encoder: BERT with the pattern of window, global and random blocks.
class BigBird : public nn::Module {
public:
  explicit BigBird(const BigBirdOptions &o, Here here = Here::current())
      : words(o.vocabulary, o.width, 0.02, here), types(o.types, o.width, 0.02, here),
        positions(o.positions, o.width, here), norm(o.width, 1e-12, true, here), dropped(o.dropout) {
    for (int64_t n = 0; n < o.layers; ++n) {
      xf::BigBird attention = o.attention;
      attention.seed += n;
      layers.push_back(nn::TransformerEncoderLayer({.width = o.width,
                                                    .heads = o.heads,
                                                    .hidden = o.hidden,
                                                    .eps = 1e-12,
                                                    .activation = [](const Tensor &x) { return gelu(x, Gelu::tanh); },
                                                    .dropout = o.dropout},
                                                   here));
      layers.back().self_attn = nn::MultiheadAttention(
          {.width = o.width, .heads = o.heads, .pattern = bigbird(attention, here), .dropout = o.dropout}, here);
    }
  }
  /// Returns the last hidden states, batch x tokens x width, of `ids`, batch x tokens.
  Tensor operator()(const Tensor &ids, const BigBirdInputs &inputs = {}, Here here = Here::current()) const {
    Tensor type = inputs.types.defined() ? types(inputs.types, here) : slice(types.weight, 0, 0, 1, 1, here);
    Tensor x = dropout(norm(positions(words(ids, here) + type, here), here), dropped, here);
    for (const nn::TransformerEncoderLayer &layer : layers)
      x = layer(x, {.lengths = inputs.lengths}, here);
    return x;
  }

  /// Returns the rules for rename() to read Hugging Face's checkpoints (google/bigbird-roberta-base, ..).
  static std::vector<std::pair<std::string, std::string>> huggingface() {
    return {{"bert.embeddings.word_embeddings.", "words."},
            {"bert.embeddings.token_type_embeddings.", "types."},
            {"bert.embeddings.position_embeddings.", "positions."},
            {"bert.embeddings.LayerNorm.", "norm."},
            {"bert.encoder.layer.*.attention.self.query.", "layers.*.self_attn.q_proj."},
            {"bert.encoder.layer.*.attention.self.key.", "layers.*.self_attn.k_proj."},
            {"bert.encoder.layer.*.attention.self.value.", "layers.*.self_attn.v_proj."},
            {"bert.encoder.layer.*.attention.output.dense.", "layers.*.self_attn.out_proj."},
            {"bert.encoder.layer.*.attention.output.LayerNorm.", "layers.*.norm1."},
            {"bert.encoder.layer.*.intermediate.dense.", "layers.*.linear1."},
            {"bert.encoder.layer.*.output.dense.", "layers.*.linear2."},
            {"bert.encoder.layer.*.output.LayerNorm.", "layers.*.norm2."}};
  }

  nn::Embedding words, types;
  nn::PositionEmbedding positions;
  nn::LayerNorm norm;
  std::vector<nn::TransformerEncoderLayer> layers;
  double dropped;
  XF_MEMBERS(words, types, positions, norm, layers)
};

} // namespace xf::models

#endif // XF_MODELS_BIGBIRD_H
