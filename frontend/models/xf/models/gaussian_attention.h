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
//   models::GaussianViT learned({.scores = models::GridScores::content});    // "SA learned embedding + content"
//
// No checkpoints are published. Scores of learned embeddings are computed as in the paper's code; the sizes are those
// of table 1.
//
//===----------------------------------------------------------------------===//

#ifndef XF_MODELS_GAUSSIAN_ATTENTION_H
#define XF_MODELS_GAUSSIAN_ATTENTION_H

#include "xf/nn.h"
#include "xf/nn/heads.h"
#include "xf/nn/vision.h"
#include "xf/ops/arrange.h"
#include "xf/scores.h"

#include <cmath>

namespace xf::models {

/// The scores of a query and a key. Delta (y, x) is the offset of the key from the query on the image.
///
///   quadratic: -1/2 |(I + S_h) (Delta - centre_h)|^2 (section 4.2)
///   learned:   <u_h, r_y> + <w_h, c_x>, where r_y and c_x are learned embeddings of the two coordinates of Delta, and
///              u_h and w_h learned vectors (section 4.3, without content)
///   content:   <q, k> / sqrt(width) + <q, (r_y, c_x)> / sqrt(width), with queries q and keys k of as many elements as
///              a token (section 4.3, with content; Ramachandran 2019)
enum class GridScores { quadratic, learned, content };

/// Options of GaussianViT. The defaults are those of the paper's CIFAR-10 (appendix B).
struct GaussianViTOptions {
  int64_t width = 400, layers = 6, heads = 9, hidden = 512;
  Size2 patch = 2, image = 32;
  int64_t channels = 3, classes = 10;
  double dropout = 0.1;
  GridScores scores = GridScores::quadratic;
};

/// A post-norm layer. Attention uses the tokens themselves as values. The projection `value` is applied to the results
/// of all heads.
struct GaussianLayer : nn::Module {
  /// quadratic: the centres, heads x 2 (y, x), and the matrices S, heads x 2 x 2. The identity is added to S.
  Parameter centres, factors;
  /// learned and content: an embedding for each offset along y (`rows`, from 1 - height on) and along x (`columns`,
  /// from 1 - width on). They are (2 height - 1) x size and (2 width - 1) x size, where size is the width of a token,
  /// or half of it with content.
  Parameter rows, columns;
  /// learned: u and w, heads x width of a token.
  Parameter row_keys, column_keys;
  /// content: the projections of tokens to the queries and keys of the heads.
  std::optional<nn::Linear> query, key;
  nn::Linear value, output;
  nn::LayerNorm norm1, norm2;
  nn::MLP mlp;
  XF_MEMBERS(centres, factors, rows, columns, row_keys, column_keys, query, key, value, output, norm1, mlp, norm2)

  GaussianLayer(const GaussianViTOptions &o, Here here)
      : value(o.heads * o.width, o.width, true, here), output(o.width, o.width, true, here),
        norm1(o.width, 1e-12, true, here), norm2(o.width, 1e-12, true, here),
        mlp({.width = o.width, .hidden = o.hidden}, here), heads(o.heads), dropped(o.dropout),
        grid(o.image.height / o.patch.height, o.image.width / o.patch.width) {
    if (o.scores == GridScores::quadratic) {
      centres = Parameter({heads, 2}, normal_init(1), f32, here);
      factors = Parameter({heads, 2, 2}, normal_init(0.01), f32, here);
      return;
    }
    bool hasContent = o.scores == GridScores::content;
    int64_t size = hasContent ? nn::head_size(o.width, 2, here) : o.width;
    rows = Parameter({2 * grid.height - 1, size}, normal_init(0.02), f32, here);
    columns = Parameter({2 * grid.width - 1, size}, normal_init(0.02), f32, here);
    if (hasContent) {
      query.emplace(o.width, heads * o.width, true, here);
      key.emplace(o.width, heads * o.width, true, here);
    } else {
      row_keys = Parameter({heads, size}, normal_init(0.02), f32, here);
      column_keys = Parameter({heads, size}, normal_init(0.02), f32, here);
    }
  }

  /// Applies the layer to x, batch x tokens x width. The tokens are those of an image, row by row.
  Tensor operator()(const Tensor &x, Here here = Here::current()) const {
    Tensor q =
        query ? split_heads((*query)(x, here), heads, here) : zeros({x.size(0), heads, x.size(1), 1}, x.dtype(), here);
    Tensor k = key ? split_heads((*key)(x, here), heads, here) : zeros({x.size(0), 1, x.size(1), 1}, x.dtype(), here);
    Tensor v = reshape(x, {x.size(0), 1, x.size(1), x.size(2)}, here);
    scores::Function score = scoresOf(q, here);
    Tensor attended = value(merge_heads(scaled_dot_product_attention(q, k, v, {.score = score}, here), here), here);
    Tensor sum = norm1(x + dropout(output(attended, here), dropped, here), here);
    return norm2(sum + dropout(mlp(sum, here), dropped, here), here);
  }

private:
  scores::Function scoresOf(const Tensor &q, Here here) const {
    if (centres.defined()) {
      Tensor identity = constant(std::vector<double>{1, 0, 0, 1}, {2, 2}, q.dtype(), here);
      return scores::quadratic(centres, factors + identity, grid.width, here);
    }
    // The tables of scores are by the offset of the query from the key.
    Tensor down = flip(rows, 0, here), across = flip(columns, 0, here);
    if (query) {
      int64_t half = rows.shape()[1].value();
      Tensor scaled = q * (1 / std::sqrt(2.0 * static_cast<double>(half)));
      return scores::image_products(scaled, pad(down, {{1, 0, half}}, 0, here), pad(across, {{1, half, 0}}, 0, here),
                                    grid, grid, here);
    }
    Tensor y = matmul(row_keys, transpose(down, {}, here), here),
           x = matmul(column_keys, transpose(across, {}, here), here);
    return scores::image_bias(reshape(y, {heads, -1, 1}, here) + reshape(x, {heads, 1, -1}, here), here);
  }

  int64_t heads;
  double dropped;
  Size2 grid;
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
