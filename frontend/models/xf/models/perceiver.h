//===- xf/models/perceiver.h - Perceiver -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Jaegle, Gimeno, Brock, Zisserman, Vinyals, Carreira: "Perceiver: General Perception with Iterative Attention", arXiv
// 2103.03206. The model has the form of Jaegle et al.: "Perceiver IO", arXiv 2107.14795, with one cross attention and a
// decoder.
//
//   models::Perceiver model({});                                   // vision-perceiver-fourier
//   model.load_state_dict(rename(load_safetensors(path), models::Perceiver::huggingface()));
//
// Left out: a cross attention before every block (the first paper), preprocessors other than Fourier features, and
// decoders of other outputs than classes.
//
//===----------------------------------------------------------------------===//

#ifndef XF_MODELS_PERCEIVER_H
#define XF_MODELS_PERCEIVER_H

#include "xf/nn.h"
#include "xf/nn/heads.h"
#include "xf/nn/vision.h"

#include <numbers>

namespace xf::models {

/// Options of Perceiver. The defaults are those of deepmind/vision-perceiver-fourier.
struct PerceiverOptions {
  int64_t latents = 512, width = 1024;
  /// The layers are applied in turn, and this sequence of `layers` layers is applied `blocks` times, with the same
  /// weights.
  int64_t blocks = 8, layers = 6;
  int64_t heads = 8, cross_heads = 1;
  Size2 image = 224;
  int64_t channels = 3, bands = 64, classes = 1000;
  double dropout = 0.1;
  /// Returns the width of an input row: the channels of a pixel, its position (y, x), and `bands` sines and cosines of
  /// each coordinate.
  int64_t inputs() const { return channels + 2 + 4 * bands; }
};

/// Returns the Fourier features of the positions of an image, row by row (section 3.2), as (height width) x (2 + 4
/// bands). A row has the position p = (y, x), with y and x in [-1, 1], then sin(pi f y) and cos(pi f y), then sin(pi f
/// x) and cos(pi f x), for each frequency f. Frequencies range from 1 to half of the image's extent. Computes in f64,
/// and rounds the result to `dtype`.
inline Tensor fourierFeatures(Size2 image, int64_t bands, Dtype dtype, Here here = Here::current()) {
  auto line = [&](int64_t count, double first, double last) {
    double step = count > 1 ? (last - first) / static_cast<double>(count - 1) : 0;
    return arange(count, f64, here) * step + first;
  };
  int64_t height = image.height, width = image.width;
  Tensor y = broadcast_to(reshape(line(height, -1, 1), {height, 1, 1}, here), {height, width, 1}, here),
         x = broadcast_to(reshape(line(width, -1, 1), {1, width, 1}, here), {height, width, 1}, here);
  Tensor angles =
      concat({y * line(bands, 1, static_cast<double>(height) / 2), x * line(bands, 1, static_cast<double>(width) / 2)},
             2, here) *
      std::numbers::pi;
  Tensor features = concat({y, x, sin(angles, here), cos(angles, here)}, 2, here);
  return reshape(cast(features, dtype, here), {height * width, 2 + 4 * bands}, here);
}

/// A pre-norm layer with queries from `x`. Keys and values are from `x`, or from another input, which then has its own
/// norm.
struct PerceiverLayer : nn::Module {
  nn::LayerNorm layernorm1;
  std::optional<nn::LayerNorm> layernorm2;
  nn::MultiheadAttention attention;
  nn::LayerNorm layernorm;
  nn::MLP mlp;
  XF_MEMBERS(layernorm1, layernorm2, attention, layernorm, mlp)

  /// Makes a layer that attends to an input of width `memory`, or a self-attention layer if `memory` is 0. The size of
  /// a head is the width of what the layer attends to, divided by `heads`.
  PerceiverLayer(const PerceiverOptions &o, int64_t heads, int64_t memory, Here here)
      : layernorm1(o.width, 1e-5, true, here),
        attention({.width = o.width,
                   .heads = heads,
                   .head_size = nn::head_size(memory > 0 ? memory : o.width, heads, here),
                   .memory_width = memory,
                   .dropout = o.dropout},
                  here),
        layernorm(o.width, 1e-5, true, here), mlp({.width = o.width, .hidden = o.width}, here) {
    if (memory > 0)
      layernorm2.emplace(memory, 1e-5, true, here);
  }
  Tensor operator()(const Tensor &x, const Tensor &input = {}, Here here = Here::current()) const {
    Tensor normed = layernorm1(x, here);
    Tensor sum = x + attention(normed, layernorm2 ? (*layernorm2)(input, here) : normed, here);
    return sum + mlp(layernorm(sum, here), here);
  }
};

/// Perceiver. The latents, learned vectors, attend to the pixels once. Then they pass `blocks` times through the same
/// layers. At last, one query attends to the latents to find the class.
struct Perceiver : nn::Module {
  PerceiverOptions options;
  Parameter latents, query;
  PerceiverLayer cross, decoder;
  std::vector<PerceiverLayer> layers;
  nn::Linear head;
  XF_MEMBERS(latents, cross, layers, query, decoder, head)

  explicit Perceiver(const PerceiverOptions &o, Here here = Here::current())
      : options(o), latents({o.latents, o.width}, normal_init(0.02), f32, here),
        query({1, o.width}, normal_init(0.02), f32, here), cross(o, o.cross_heads, o.inputs(), here),
        decoder(o, 1, o.width, here), head(o.width, o.classes, true, here) {
    for (int64_t n = 0; n < o.layers; ++n)
      layers.push_back(PerceiverLayer(o, o.heads, 0, here));
  }
  /// Returns the latents after the last block, batch x latents x width. `inputs` has rows of options.inputs() elements,
  /// any number of them: batch x rows x options.inputs().
  Tensor features(const Tensor &inputs, Here here = Here::current()) const {
    Tensor x = cross(broadcast_to(latents, {inputs.size(0), options.latents, options.width}, here), inputs, here);
    for (int64_t block = 0; block < options.blocks; ++block)
      for (const PerceiverLayer &layer : layers)
        x = layer(x, {}, here);
    return x;
  }
  /// Returns the logits, batch x classes, of images: batch x channels x height x width.
  Tensor operator()(const Tensor &images, Here here = Here::current()) const {
    Dim batch = images.size(0);
    Tensor places = fourierFeatures(options.image, options.bands, images.dtype(), here);
    int64_t pixels = options.image.height * options.image.width;
    Tensor colours = transpose(reshape(images, {batch, options.channels, pixels}, here), 1, 2, here);
    Tensor inputs = concat({colours, broadcast_to(places, {batch, pixels, places.size(1)}, here)}, 2, here);
    Tensor x = decoder(broadcast_to(query, {batch, 1, options.width}, here), features(inputs, here), here);
    return reshape(head(x, here), {batch, options.classes}, here);
  }

  /// Returns the rules for rename() to read Hugging Face's checkpoint (deepmind/vision-perceiver-fourier).
  static std::vector<std::pair<std::string, std::string>> huggingface() {
    std::vector<std::pair<std::string, std::string>> rules = {
        {"perceiver.embeddings.latents", "latents"},
        {"perceiver.decoder.decoder.output_position_encodings.position_embeddings", "query"},
        {"perceiver.decoder.decoder.final_layer.", "head."}};
    auto layer = [&](const std::string &from, const std::string &to, bool isCross) {
      for (const char *name : {"query", "key", "value"})
        rules.push_back(
            {from + "attention.self." + name + ".", to + "attention." + std::string(1, name[0]) + "_proj."});
      rules.push_back({from + "attention.self.layernorm1.", to + "layernorm1."});
      if (isCross)
        rules.push_back({from + "attention.self.layernorm2.", to + "layernorm2."});
      rules.push_back({from + "attention.output.dense.", to + "attention.out_proj."});
      rules.push_back({from + "mlp.dense1.", to + "mlp.fc1."});
      rules.push_back({from + "mlp.dense2.", to + "mlp.fc2."});
      rules.push_back({from + "layernorm.", to + "layernorm."});
    };
    layer("perceiver.encoder.cross_attention.", "cross.", true);
    layer("perceiver.encoder.self_attends.*.", "layers.*.", false);
    layer("perceiver.decoder.decoder.decoding_cross_attention.", "decoder.", true);
    return rules;
  }
};

} // namespace xf::models

#endif // XF_MODELS_PERCEIVER_H
