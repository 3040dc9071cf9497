//===- xf/models/mvit.h - Multiscale Vision Transformer -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fan, Xiong, Mangalam, Li, Yan, Malik, Feichtenhofer: "Multiscale Vision Transformers", arXiv 2104.11227 (MViT).
// Li, Wu, Fan, Mangalam, Xiong, Malik, Feichtenhofer: "MViTv2: Improved Multiscale Vision Transformers for
// Classification and Detection", arXiv 2112.01526 (MViTv2).
//
//   models::MViT model(models::MViTOptions::tiny());
//   model.load_state_dict(rename(load_safetensors("mvitv2_tiny.safetensors"), models::MViT::timm()));
//
// This is MViTv2 for images. The score function reads relative positions from two tensors, each much smaller than
// queries times keys. Left out: class tokens, stochastic depth, interpolation of positions to other resolutions, and
// the absolute positions of the first version.
//
//===----------------------------------------------------------------------===//

#ifndef XF_MODELS_MVIT_H
#define XF_MODELS_MVIT_H

#include "xf/nn.h"
#include "xf/nn/heads.h"
#include "xf/nn/vision.h"
#include "xf/ops/arrange.h"
#include "xf/scores.h"

#include <algorithm>

namespace xf::models {

/// Options of MViT. The defaults are those of MViTv2-T.
struct MViTOptions {
  /// Width and number of heads of the first stage. Both double with each later stage. `layers` is the number of layers
  /// of each stage.
  int64_t width = 96, heads = 1;
  std::vector<int64_t> layers = {1, 2, 5, 2};
  /// Where tokens become wider from one stage to the next. true: in the attention of the first layer of a stage. false:
  /// in the MLP of the last layer of the stage before.
  bool expand_attention = true;
  /// Height and width of the image. Both must be multiples of 16, and of 4 x 2^(n - 1) for n stages.
  Size2 image = 224;
  int64_t channels = 3, classes = 1000;

  static MViTOptions tiny() { return {}; }
  static MViTOptions small() { return {.layers = {1, 2, 11, 2}}; }
  static MViTOptions base() { return {.layers = {2, 3, 16, 3}}; }
  static MViTOptions large() { return {.width = 144, .heads = 2, .layers = {2, 6, 36, 4}, .expand_attention = false}; }
};

/// Sizes of a layer. `in` is the width of its tokens, `width` the width inside of its attention, and `out` the width of
/// its result. Its tokens, queries and keys are images, row by row, of the sizes `tokens`, `queries` and `keys`.
struct MViTSizes {
  int64_t in, width, out, heads;
  Size2 tokens, queries, keys;

  /// Applies `pooling`, a function of images, to the tokens of each head of x, batch x heads x tokens x width of a
  /// head.
  Tensor pool(const Tensor &x, const std::function<Tensor(Tensor)> &pooling, Here here) const {
    Tensor image = transpose(x, 2, 3, here);
    image = pooling(reshape(image, {x.size(0) * x.size(1), x.size(3), tokens.height, tokens.width}, here));
    return transpose(reshape(image, {x.size(0), x.size(1), x.size(3), -1}, here), 2, 3, here);
  }
};

/// Pooling attention (MViT, section 3.1). A depthwise convolution, the same for every head, pools q, k and v; then they
/// are normalised. Scores have relative positions (MViTv2, equation 4). The pooled q is added to the output (equation
/// 5).
struct MViTAttention : nn::Module {
  MViTSizes sizes;
  nn::Linear qkv, proj;
  nn::Conv2d pool_q, pool_k, pool_v;
  nn::LayerNorm norm_q, norm_k, norm_v;
  Parameter rel_pos_h, rel_pos_w;
  XF_MEMBERS(qkv, pool_q, norm_q, pool_k, norm_k, pool_v, norm_v, rel_pos_h, rel_pos_w, proj)

  MViTAttention(const MViTSizes &s, Here here)
      : sizes(s), qkv(s.in, 3 * s.width, true, here), proj(s.width, s.width, true, here),
        pool_q(pooling(s.queries, here)), pool_k(pooling(s.keys, here)), pool_v(pooling(s.keys, here)),
        norm_q(nn::head_size(s.width, s.heads, here), 1e-6, true, here),
        norm_k(nn::head_size(s.width, s.heads), 1e-6, true, here),
        norm_v(nn::head_size(s.width, s.heads), 1e-6, true, here),
        rel_pos_h(offsets(s.queries.height, s.keys.height, here)),
        rel_pos_w(offsets(s.queries.width, s.keys.width, here)) {}
  /// Computes the attention of x, batch x tokens x width.
  Tensor operator()(const Tensor &x, Here here = Here::current()) const {
    std::vector<Tensor> parts = chunk(qkv(x, here), 3, 2, here);
    auto pooled = [&](Tensor part, const nn::Conv2d &pool, const nn::LayerNorm &norm) {
      part = transpose(reshape(part, {x.size(0), x.size(1), sizes.heads, -1}, here), 1, 2, here);
      return norm(sizes.pool(part, [&](const Tensor &image) { return pool(image, here); }, here), here);
    };
    Tensor q = pooled(parts[0], pool_q, norm_q), k = pooled(parts[1], pool_k, norm_k);
    auto score = scores::image_products(q, rel_pos_h, rel_pos_w, sizes.queries, sizes.keys, here);
    q = q + scaled_dot_product_attention(q, k, pooled(parts[2], pool_v, norm_v), {.score = score}, here);
    return proj(reshape(transpose(q, 1, 2, here), {x.size(0), q.size(2), sizes.width}, here), here);
  }

private:
  nn::Conv2d pooling(Size2 pooled, Here here) const {
    int64_t size = nn::head_size(sizes.width, sizes.heads, here), stride = sizes.tokens.height / pooled.height;
    return nn::Conv2d(size, size, 3, {.stride = stride, .padding = 1, .groups = size}, false, here);
  }
  Parameter offsets(int64_t queries, int64_t keys, Here here) const {
    return Parameter({2 * std::max(queries, keys) - 1, nn::head_size(sizes.width, sizes.heads, here)},
                     normal_init(0.02), f32, here);
  }
};

/// A pre-norm layer. Its residual is pooled like the queries of its attention, and projected where the width changes.
struct MViTBlock : nn::Module {
  MViTAttention attn;
  nn::LayerNorm norm1, norm2;
  nn::MLP mlp;
  std::optional<nn::Linear> shortcut_proj_attn, shortcut_proj_mlp;
  XF_MEMBERS(norm1, attn, norm2, mlp, shortcut_proj_attn, shortcut_proj_mlp)

  MViTBlock(const MViTSizes &s, Here here)
      : attn(s, here), norm1(s.in, 1e-6, true, here), norm2(s.width, 1e-6, true, here),
        mlp({.width = s.width, .hidden = 4 * s.width}, here) {
    mlp.fc2 = nn::Linear(4 * s.width, s.out, true, here);
    if (s.in != s.width)
      shortcut_proj_attn.emplace(s.in, s.width, true, here);
    if (s.width != s.out)
      shortcut_proj_mlp.emplace(s.width, s.out, true, here);
  }
  Tensor operator()(const Tensor &x, Here here = Here::current()) const {
    Tensor y = norm1(x, here), shortcut = shortcut_proj_attn ? (*shortcut_proj_attn)(y, here) : x;
    int64_t stride = attn.sizes.tokens.height / attn.sizes.queries.height;
    auto pool = [&](const Tensor &image) {
      return max_pool(image, {.size = stride + 1, .stride = stride, .padding = 1}, here);
    };
    if (stride > 1)
      shortcut = squeeze(attn.sizes.pool(unsqueeze(shortcut, 1, here), pool, here), 1, here);
    Tensor sum = shortcut + attn(y, here);
    y = norm2(sum, here);
    return (shortcut_proj_mlp ? (*shortcut_proj_mlp)(y, here) : sum) + mlp(y, here);
  }
};

/// Multiscale Vision Transformer: overlapping patches, four stages, and a linear classifier of the mean token.
struct MViT : nn::Module {
  nn::Conv2d patch_embed;
  std::vector<nn::Sequential> stages;
  nn::LayerNorm norm;
  nn::Linear head;
  XF_MEMBERS(patch_embed, stages, norm, head)

  explicit MViT(const MViTOptions &o, Here here = Here::current())
      : patch_embed(o.channels, o.width, 7, {.stride = 4, .padding = 3}, true, here),
        norm(o.width << (o.layers.size() - 1), 1e-6, true, here),
        head(o.width << (o.layers.size() - 1), o.classes, true, here) {
    Size2 tokens(o.image.height / 4, o.image.width / 4);
    auto shrink = [](Size2 size, int64_t by) { return Size2(size.height / by, size.width / by); };
    int64_t in = o.width, last = static_cast<int64_t>(o.layers.size()) - 1;
    for (int64_t stage = 0; stage <= last; ++stage) {
      stages.push_back(nn::Sequential());
      for (int64_t n = 0; n < o.layers[stage]; ++n) {
        int64_t wide = o.width << stage, wider = o.width << std::min(stage + 1, last);
        int64_t out = o.expand_attention || n + 1 < o.layers[stage] ? wide : wider;
        Size2 queries = shrink(tokens, stage > 0 && n == 0 ? 2 : 1), keys = shrink(tokens, std::max(4 >> stage, 1));
        stages.back().append(MViTBlock({in, wide, out, o.heads << stage, tokens, queries, keys}, here));
        in = out;
        tokens = queries;
      }
    }
  }
  /// Returns the logits, batch x classes, of images: batch x channels x height x width.
  Tensor operator()(const Tensor &images, Here here = Here::current()) const {
    Tensor x = transpose(flatten(patch_embed(images, here), 2, 3, here), 1, 2, here);
    for (const nn::Sequential &stage : stages)
      x = stage(x, here);
    return head(mean(norm(x, here), 1, false, here), here);
  }

  /// Returns the rules for rename() to read timm's checkpoints (mvitv2_tiny, ..).
  static std::vector<std::pair<std::string, std::string>> timm() {
    return {{"patch_embed.proj.", "patch_embed."}, {"stages.*.blocks.*.", "stages.*.*."}, {"head.fc.", "head."}};
  }
};

} // namespace xf::models

#endif // XF_MODELS_MVIT_H
