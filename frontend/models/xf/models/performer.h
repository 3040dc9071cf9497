//===- xf/models/performer.h - Performers for texts and proteins -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// K. Choromanski et al., "Rethinking Attention with Performers", arXiv 2009.14794. FAVOR+ estimates the kernel of the
// softmax by positive random features, whose projections are drawn anew during training. Attention is causal for
// language models, and over all tokens for models of masked tokens:
//
//   models::Performer model(models::PerformerOptions::protein());
//   program.train_step("train", model, {{"ids", i32, {8, 1024}}, {"targets", i32, {8, 1024}}},
//                      [&](Tensor ids, Tensor targets) { return model.masked_loss(ids, targets); }, adam);
//
// Parameters have the names of performer-pytorch's PerformerLM. They include its buffers of projections, which training
// does not change, as there. The form is that of PerformerLM, too: norms first, sinusoids added to the embeddings,
// rotary queries and keys. Left out: reversible layers, local heads, and the epsilon that the published code adds to
// causal features. With this epsilon, the stabiliser would let outputs see later tokens.
//
// V. Likhosherstov, K. Choromanski, J. Davis, X. Song, A. Weller, "Sub-Linear Memory: How to Make Performers SLiM",
// arXiv 2012.11346: PerformerOptions::slice.
//
//===----------------------------------------------------------------------===//

#ifndef XF_MODELS_PERFORMER_H
#define XF_MODELS_PERFORMER_H

#include "xf/features.h"
#include "xf/linear_attention.h"
#include "xf/nn/caller.h"
#include "xf/nn/heads.h"
#include "xf/nn/layers.h"
#include "xf/ops/losses.h"
#include "xf/safetensors.h"

namespace xf::models {

/// Options of a Performer. The defaults are those of the paper's timings (section 4.1), with 256 features.
struct PerformerOptions {
  int64_t vocabulary = 256, width = 512, layers = 6, heads = 8, hidden = 2048, features = 256;
  /// Feature::favor or Feature::hyperbolic. Hyperbolic features are twice as many for the same projection, and have a
  /// lower variance.
  Feature feature = Feature::favor;
  FeatureRows rows = FeatureRows::orthogonal;
  double dropout = 0.1;
  /// Whether a token sees only itself and earlier tokens. If not, each token sees all, and 1e-6 is added to features.
  bool causal = true;
  /// Number of tokens of a slice (SLiM), or 0 to compute all tokens at once. All layers compute one slice before the
  /// next, and the gradient recomputes it. So intermediate values take memory for one slice only; the states of the
  /// layers are kept for all slices. Features then have no stabiliser: they overflow where the product of a key and a
  /// row of W is large. Throws Error unless `causal`.
  int64_t slice = 0;

  /// Returns the options of the bidirectional model of proteins of 1024 tokens (section 4.3). The vocabulary has 20
  /// standard and 5 anomalous amino acids (appendix C), and the start, the end, padding and the mask of the paper's
  /// code.
  static PerformerOptions protein() {
    return {.vocabulary = 29, .width = 512, .layers = 36, .heads = 8, .hidden = 1024, .causal = false};
  }
};

/// FAVOR+ attention (sections 2.2 to 2.4).
struct PerformerAttention : nn::Module {
  nn::Linear to_q, to_k, to_v, to_out;
  Parameter projection;
  PerformerOptions options;

  explicit PerformerAttention(const PerformerOptions &o, Here here = Here::current())
      : to_q(o.width, o.width, false, here), to_k(o.width, o.width, false, here), to_v(o.width, o.width, false, here),
        to_out(o.width, o.width, false, here),
        projection({o.features, nn::head_size(o.width, o.heads, here)}, features_init(o.rows), f32, here), options(o) {}
  void visit_members(nn::Visitor &visitor) const override {
    visitor.members("to_q, to_k, to_v, to_out, fast_attention.projection_matrix", to_q, to_k, to_v, to_out, projection);
  }
  Kernelized kernel() const {
    return {.feature = options.feature, .of = options.causal ? std::optional(xf::causal()) : std::nullopt};
  }
  Tensor heads(const nn::Linear &projection, const Tensor &x) const {
    return split_heads(projection(x), options.heads);
  }
  /// Computes the attention of all tokens x, batch x tokens x width. Does not apply the projection to_out.
  Tensor operator()(const Tensor &x, Here here = Here::current()) const {
    nn::Caller caller(here);
    Rotary rotary{.interleaved = true};
    return scaled_dot_product_attention(rotary(heads(to_q, x)), rotary(heads(to_k, x)), heads(to_v, x),
                                        {.pattern = kernelized(kernel()), .parameters = {projection}});
  }
  /// Computes the features of queries and keys, and the values, of the tokens x. The first token has position `first`.
  LinearAttentionRows rows(const Tensor &x, int64_t first) const {
    Rotary rotary{.interleaved = true};
    auto features = [&](const nn::Linear &of) {
      return feature_map(rotary(heads(of, x), first), projection, kernel());
    };
    return {features(to_q), features(to_k), heads(to_v, x)};
  }
};

/// A layer: attention and feed-forward. Each reads a norm of its input, and adds a residual.
struct PerformerLayer : nn::Module {
  nn::LayerNorm norm1, norm2;
  PerformerAttention attention;
  nn::Linear w1, w2;
  PerformerOptions options;

  explicit PerformerLayer(const PerformerOptions &o, Here here = Here::current())
      : norm1(o.width, 1e-5, true, here), norm2(o.width, 1e-5, true, here), attention(o, here),
        w1(o.width, o.hidden, true, here), w2(o.hidden, o.width, true, here), options(o) {}
  void visit_members(nn::Visitor &visitor) const override {
    visitor.members("0.norm, 0.fn, 1.norm, 1.fn.fn.w1, 1.fn.fn.w2", norm1, attention, norm2, w1, w2);
  }
  Tensor operator()(const Tensor &x, Here here = Here::current()) const {
    nn::Caller caller(here);
    return finish(x, attention(norm1(x)));
  }
  /// Returns what the layer computes before and after its attention, for sliced_layers. The layer must outlive the
  /// result.
  SlicedLayer parts() const {
    return {[this](const Tensor &x, int64_t first) { return attention.rows(norm1(x), first); },
            [this](const Tensor &x, const Tensor &o) { return finish(x, o); }};
  }
  Tensor finish(Tensor x, const Tensor &o) const {
    x = x + dropout(attention.to_out(merge_heads(o)), options.dropout);
    return x + w2(dropout(gelu(w1(norm2(x))), options.dropout));
  }
};

/// A Performer, from ids to logits.
struct Performer : nn::Module {
  nn::Embedding token_emb;
  std::vector<PerformerLayer> layers;
  nn::LayerNorm norm;
  nn::Linear to_out;
  PerformerOptions options;

  explicit Performer(const PerformerOptions &o = {}, Here here = Here::current())
      : token_emb(o.vocabulary, o.width, 1, here), norm(o.width, 1e-5, true, here),
        to_out(o.width, o.vocabulary, true, here), options(o) {
    if (o.slice && !o.causal)
      throw Error("expected .causal = true beside .slice, got false", here);
    for (int64_t layer = 0; layer < o.layers; ++layer)
      layers.emplace_back(o, here);
  }
  void visit_members(nn::Visitor &visitor) const override {
    visitor.members("token_emb, performer.net.layers, norm, to_out", token_emb, layers, norm, to_out);
  }
  /// Computes logits, batch x tokens x vocabulary, at each token of `ids`, batch x tokens. They are those of the next
  /// token or, if the model is not causal, of the token itself.
  Tensor operator()(const Tensor &ids, Here here = Here::current()) const {
    nn::Caller caller(here);
    Tensor x = token_emb(ids);
    x = dropout(x + sinusoids(ids.size(1), options.width, {.interleaved = false, .dtype = x.dtype()}), options.dropout);
    return to_out(norm(options.slice ? sliced(x) : whole(x)));
  }
  /// Returns the mean cross entropy over the masked tokens of `ids`. `targets`, batch x tokens, has the tokens that the
  /// masks replace, and -100 where `ids` has no mask.
  Tensor masked_loss(const Tensor &ids, const Tensor &targets, Here here = Here::current()) const {
    return cross_entropy((*this)(ids, here), targets, {.ignore_index = -100}, here);
  }
  Tensor whole(Tensor x) const {
    for (const PerformerLayer &layer : layers)
      x = layer(x);
    return x;
  }
  Tensor sliced(const Tensor &x) const {
    std::vector<SlicedLayer> parts;
    for (const PerformerLayer &layer : layers)
      parts.push_back(layer.parts());
    return sliced_layers(x, parts, {.slice = options.slice, .guard = 0});
  }

  /// Draws the projections of all layers anew, in place. `values` is the state dict of a model or of an executable.
  /// Equal `seed` and `step` draw equal projections.
  void redraw(const StateDict &values, uint64_t seed, uint64_t step) const {
    for (size_t n = 0; n < layers.size(); ++n)
      redraw_features(values.at(name(n)), {.rows = options.rows, .seed = seed + 0x9E3779B97F4A7C15 * n, .step = step});
  }
  /// Returns the name of the projection of layer n in the state dict.
  static std::string name(size_t n) {
    return "performer.net.layers." + std::to_string(n) + ".0.fn.fast_attention.projection_matrix";
  }

  /// Returns the options to read a published file.
  static ReadOptions checkpoint() { return {.drop = {"*pos_emb.emb", "*calls_since_last_redraw"}}; }
};

} // namespace xf::models

#endif // XF_MODELS_PERFORMER_H
