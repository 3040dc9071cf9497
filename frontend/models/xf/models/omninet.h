//===- xf/models/omninet.h - OmniNet for text, translation and images -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tay, Dehghani, Aribandi, Gupta, Pham, Qin, Bahri, Juan, Metzler: "OmniNet: Omnidirectional Representations from
// Transformers", arXiv 2103.01075.
//
//   models::OmniNetLM model({.stack = models::omninet(models::OmniKind::performer, 512, 8, 6, 3)});
//   models::OmniNetViT model({.stack = models::omninet(models::OmniKind::transformer, 768, 12, 12, 4), .patch = 32});
//
// The layers are those of nn::OmniNet. No checkpoints are published. The partition size has no default, because the
// paper tunes it for each task.
//
//===----------------------------------------------------------------------===//

#ifndef XF_MODELS_OMNINET_H
#define XF_MODELS_OMNINET_H

#include "xf/nn/layers.h"
#include "xf/nn/omninet.h"

#include <cmath>

namespace xf::models {

/// Attention of the omnidirectional layers: OmniNet-T, -P, -L and -B (section 3.3).
enum class OmniKind { transformer, performer, linformer, bigbird };

/// Options of omninet() beside the sizes.
struct OmniVariant {
  /// Whether all layers are causal. A token then sees tokens of earlier positions and of its own position. For a
  /// performer, which sums along a sequence, the sequence has the tokens by position and then by layer. A Linformer
  /// cannot be causal.
  bool causal = false;
  /// For OmniNet-L: the number of positions, and the number of rows to which they are projected.
  int64_t tokens = 0, rank = 64;
  /// For OmniNet-P: the number of random features.
  int64_t features = 64;
  /// For OmniNet-B: the blocks of positions.
  xf::BigBird blocks = {};
};

/// Returns the options of a stack of `layers` layers. Every `partition`-th layer is omnidirectional, with attention of
/// kind `kind`. Throws Error for a causal Linformer.
inline nn::OmniNetOptions omninet(OmniKind kind, int64_t width, int64_t heads, int64_t layers, int64_t partition,
                                  const OmniVariant &variant = {}, Here here = Here::current()) {
  nn::OmniNetOptions options{.width = width, .heads = heads, .layers = layers, .partition = partition};
  Pattern all = variant.causal ? causal(here) : dense(here);
  options.pattern = options.inner = all;
  options.granularity = Granularity::position;
  switch (kind) {
  case OmniKind::transformer:
    break;
  case OmniKind::performer:
    options.inner = kernelized({.of = variant.causal ? std::optional(all) : std::nullopt}, here);
    options.features = variant.features;
    options.granularity = variant.causal ? Granularity::token : Granularity::position;
    break;
  case OmniKind::linformer:
    if (variant.causal)
      throw Error("expected a causal kind of attention, got linformer", here);
    options.inner = low_rank({.rank = variant.rank}, here);
    options.tokens = variant.tokens;
    break;
  case OmniKind::bigbird:
    options.inner = variant.causal ? bigbird(variant.blocks, here) & all : bigbird(variant.blocks, here);
    break;
  }
  return options;
}

/// Options of OmniNetLM. The stack has to be causal.
struct OmniNetLMOptions {
  nn::OmniNetOptions stack;
  int64_t vocabulary = 32000, positions = 256;
};

/// OmniNet as a language model (section 4.1): tokens and learned positions, the stack, and the logits of the next
/// token.
struct OmniNetLM : nn::Module {
  nn::Embedding words;
  nn::PositionEmbedding positions;
  nn::OmniNet stack;
  nn::LayerNorm norm;
  nn::Linear head;
  XF_MEMBERS(words, positions, stack, norm, head)

  explicit OmniNetLM(const OmniNetLMOptions &o, Here here = Here::current())
      : words(o.vocabulary, o.stack.width, 0.02, here), positions(o.positions, o.stack.width, here),
        stack(o.stack, here), norm(o.stack.width, 1e-5, true, here), head(o.stack.width, o.vocabulary, false, here) {}
  /// Computes the logits of the next token, batch x tokens x vocabulary, at each token of `ids`, batch x tokens.
  Tensor operator()(const Tensor &ids, Here here = Here::current()) const {
    return head(norm(stack(positions(words(ids, here), here), here), here), here);
  }
};

/// Options of OmniNetTranslator. The decoder has to be causal; its blocks read the encoder's result. An encoder or
/// decoder with a `partition` of 1 has only ordinary layers.
struct OmniNetTranslatorOptions {
  nn::OmniNetOptions encoder, decoder;
  int64_t vocabulary = 32000;
};

/// OmniNet for translation (section 4.2): the encoder and the decoder of Vaswani 2017 with nn::OmniNet in place of
/// their layers. Source, target and logits share a table of embeddings (3.4); positions are sinusoids (3.5).
struct OmniNetTranslator : nn::Module {
  nn::Embedding words;
  nn::OmniNet encoder, decoder;
  nn::LayerNorm encoder_norm, decoder_norm;
  XF_MEMBERS(words, encoder, encoder_norm, decoder, decoder_norm)

  explicit OmniNetTranslator(OmniNetTranslatorOptions o, Here here = Here::current())
      : words(o.vocabulary, o.encoder.width, 1 / std::sqrt(static_cast<double>(o.encoder.width)), here),
        encoder(o.encoder, here), decoder((o.decoder.memory = true, o.decoder), here),
        encoder_norm(o.encoder.width, 1e-5, true, here), decoder_norm(o.decoder.width, 1e-5, true, here) {}
  /// Returns the encoder's result for `source`, batch x tokens, as batch x tokens x width. `lengths`, of shape [batch],
  /// is the number of tokens before the padding of each entry; undefined: there is no padding.
  Tensor encode(const Tensor &source, const Tensor &lengths = {}, Here here = Here::current()) const {
    return encoder_norm(encoder(embed(source, here), {.lengths = lengths}, here), here);
  }
  /// Computes the logits of the next token, batch x tokens x vocabulary, at each token of `target`, batch x tokens.
  /// `memory` and `lengths` are the result and the lengths of encode().
  Tensor decode(const Tensor &target, const Tensor &memory, const Tensor &lengths = {},
                Here here = Here::current()) const {
    Tensor x = decoder(embed(target, here), {.memory = memory, .memory_lengths = lengths}, here);
    return linear(decoder_norm(x, here), words.weight, {}, here);
  }
  Tensor operator()(const Tensor &source, const Tensor &target, const Tensor &lengths = {},
                    Here here = Here::current()) const {
    return decode(target, encode(source, lengths, here), lengths, here);
  }

private:
  Tensor embed(const Tensor &ids, Here here) const {
    int64_t width = words.weight.shape()[1].value();
    Tensor x = words(ids, here) * std::sqrt(static_cast<double>(width));
    return x + sinusoids(ids.size(1), width, {.dtype = x.dtype()}, here);
  }
};

/// Options of OmniNetViT. Except for `stack`, the defaults are those of ViT-B/32.
struct OmniNetViTOptions {
  nn::OmniNetOptions stack;
  Size2 patch = 32, image = 224;
  int64_t channels = 3, classes = 1000;
  /// Returns the number of tokens: the class token and the patches.
  int64_t tokens() const { return 1 + image.height / patch.height * (image.width / patch.width); }
};

/// OmniNet as a Vision Transformer (section 4.4): ViT with nn::OmniNet in place of its layers.
struct OmniNetViT : nn::Module {
  Parameter class_token, positions;
  nn::PatchEmbedding patches;
  nn::OmniNet stack;
  nn::LayerNorm norm;
  nn::Linear head;
  XF_MEMBERS(class_token, patches, positions, stack, norm, head)

  explicit OmniNetViT(const OmniNetViTOptions &o, Here here = Here::current())
      : class_token({1, 1, o.stack.width}, constant_init(0), f32, here),
        positions({1, o.tokens(), o.stack.width}, normal_init(0.02), f32, here),
        patches({.channels = o.channels, .size = o.patch, .width = o.stack.width}, here), stack(o.stack, here),
        norm(o.stack.width, 1e-6, true, here), head(o.stack.width, o.classes, constant_init(0), true, here) {}
  /// Returns the logits, batch x classes, of images: batch x channels x height x width.
  Tensor operator()(const Tensor &images, Here here = Here::current()) const {
    Tensor x = patches(images, here);
    x = concat({broadcast_to(class_token, {x.size(0), 1, x.size(2)}, here), x}, 1, here) + positions;
    Tensor first = slice(norm(stack(x, here), here), 1, 0, 1, 1, here);
    return head(reshape(first, {x.size(0), x.size(2)}, here), here);
  }
};

} // namespace xf::models

#endif // XF_MODELS_OMNINET_H
