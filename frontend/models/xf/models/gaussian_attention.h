//===- xf/models/gaussian_attention.h - Attention by position alone -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Cordonnier, Loukas, Jaggi: "On the Relationship between Self-Attention and Convolutional Layers", arXiv 1911.03584.
//
//   models::GaussianViT model({});     // CIFAR-10, "SA quadratic embedding" of table 1: 12.1 million parameters
//   Tensor centres = model.layers[0].centres;   // where the heads look: figures 3 and 4 draw them
//
// No checkpoints are published. Left out: learned relative embeddings and their sum with content (sections 4.3, 4.4).
//
//===----------------------------------------------------------------------===//

#ifndef XF_MODELS_GAUSSIAN_ATTENTION_H
#define XF_MODELS_GAUSSIAN_ATTENTION_H

#include "xf/nn.h"
#include "xf/nn/vision.h"
#include "xf/scores.h"

namespace xf::models {

/// Options of GaussianViT. The defaults are those of the paper's CIFAR-10 (appendix B).
struct GaussianViTOptions {
  int64_t width = 400, layers = 6, heads = 9, hidden = 512;
  Size2 patch = 2, image = 32;
  int64_t channels = 3, classes = 10;
  double dropout = 0.1;
};

/// A post-norm layer. The scores of its heads depend only on the offset Delta of the key from the query: -1/2 |(I +
/// S_h) (Delta - centre_h)|^2 (section 4.2). Heads do not project tokens: the value of a token is the token itself, and
/// `value` projects the results of all heads.
struct GaussianLayer : nn::Module {
  /// The centres, heads x 2 (y, x), and S, which is added to the identity, heads x 2 x 2.
  Parameter centres, factors;
  nn::Linear value, output;
  nn::LayerNorm norm1, norm2;
  nn::MLP mlp;
  XF_MEMBERS(centres, factors, value, output, norm1, mlp, norm2)

  GaussianLayer(const GaussianViTOptions &o, Here here)
      : centres({o.heads, 2}, normal_init(1), f32, here), factors({o.heads, 2, 2}, normal_init(0.01), f32, here),
        value(o.heads * o.width, o.width, true, here), output(o.width, o.width, true, here),
        norm1(o.width, 1e-12, true, here), norm2(o.width, 1e-12, true, here),
        mlp({.width = o.width, .hidden = o.hidden}, here), columns(o.image.width / o.patch.width), dropped(o.dropout) {}

  /// Applies the layer to x, batch x tokens x width. Tokens are row by row.
  Tensor operator()(const Tensor &x, Here here = Here::current()) const {
    int64_t heads = centres.shape()[0].value();
    Tensor identity = constant(std::vector<double>{1, 0, 0, 1}, {2, 2}, x.dtype(), here);
    Tensor q = zeros({x.size(0), heads, x.size(1), 1}, x.dtype(), here),
           k = zeros({x.size(0), 1, x.size(1), 1}, x.dtype(), here),
           v = reshape(x, {x.size(0), 1, x.size(1), x.size(2)}, here);
    auto score = scores::quadratic(centres, factors + identity, columns, here);
    Tensor attended = value(merge_heads(scaled_dot_product_attention(q, k, v, {.score = score}, here), here), here);
    Tensor sum = norm1(x + dropout(output(attended, here), dropped, here), here);
    return norm2(sum + dropout(mlp(sum, here), dropped, here), here);
  }

private:
  int64_t columns;
  double dropped;
};

/// Gaussian attention on an image: patches of 2 x 2 pixels, the layers, and a linear classifier of the mean token.
class GaussianViT : public nn::Module {
public:
  explicit GaussianViT(const GaussianViTOptions &o, Here here = Here::current())
      : patches({.channels = o.channels, .size = o.patch, .width = o.width}, here),
        head(o.width, o.classes, true, here) {
    for (int64_t n = 0; n < o.layers; ++n)
      layers.push_back(GaussianLayer(o, here));
  }
  /// Returns the logits, batch x classes, of images: batch x channels x height x width.
  Tensor operator()(const Tensor &images, Here here = Here::current()) const {
    Tensor x = patches(images, here);
    for (const GaussianLayer &layer : layers)
      x = layer(x, here);
    return head(mean(x, 1, false, here), here);
  }

  nn::PatchEmbedding patches;
  std::vector<GaussianLayer> layers;
  nn::Linear head;
  XF_MEMBERS(patches, layers, head)
};

} // namespace xf::models

#endif // XF_MODELS_GAUSSIAN_ATTENTION_H
