//===- xf/models/swin.h - Swin Transformer -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Liu, Lin, Cao, Hu, Wei, Zhang, Lin, Guo: "Swin Transformer: Hierarchical Vision Transformer using Shifted Windows",
// arXiv 2103.14030.
//
//   models::Swin model(models::SwinOptions::tiny());
//   model.load_state_dict(rename(load_safetensors("swin_tiny_patch4_window7_224.safetensors"), models::Swin::timm()));
//
// Windows are the pattern swin() of one attention over the whole image: nothing is rolled, cut into windows or masked.
// Left out: stochastic depth, and images that are not a whole number of windows in every stage.
//
//===----------------------------------------------------------------------===//

#ifndef XF_MODELS_SWIN_H
#define XF_MODELS_SWIN_H

#include "xf/nn.h"
#include "xf/nn/heads.h"
#include "xf/nn/vision.h"

#include <algorithm>

namespace xf::models {

/// Options of Swin. The defaults are those of Swin-T.
struct SwinOptions {
  /// Width of the first stage, which doubles with each later stage.
  int64_t width = 96;
  /// Numbers of layers and of heads of each stage.
  std::vector<int64_t> layers = {2, 2, 6, 2}, heads = {3, 6, 12, 24};
  int64_t patch = 4, window = 7;
  Size2 image = 224;
  int64_t channels = 3, classes = 1000;

  static SwinOptions tiny() { return {}; }
  static SwinOptions small() { return {.layers = {2, 2, 18, 2}}; }
  static SwinOptions base() { return {.width = 128, .layers = {2, 2, 18, 2}, .heads = {4, 8, 16, 32}}; }
  static SwinOptions large() { return {.width = 192, .layers = {2, 2, 18, 2}, .heads = {6, 12, 24, 48}}; }
};

/// A pre-norm layer with attention inside windows. A learned table, (2 window - 1)^2 x heads, has a bias for each
/// offset of a key from its query (equation 4).
struct SwinBlock : nn::Module {
  nn::LayerNorm norm1, norm2;
  Parameter relative_position_bias_table;
  nn::MultiheadAttention attn;
  nn::MLP mlp;
  XF_MEMBERS(norm1, relative_position_bias_table, attn, norm2, mlp)

  SwinBlock(int64_t width, int64_t heads, Size2 tokens, int64_t window, bool shifted, Here here)
      : norm1(width, 1e-5, true, here), norm2(width, 1e-5, true, here),
        relative_position_bias_table({(2 * window - 1) * (2 * window - 1), heads}, normal_init(0.02), f32, here),
        attn({.width = width,
              .heads = heads,
              .pattern = pattern(tokens, window, shifted, here),
              .score = bias(relative_position_bias_table, tokens.width, window),
              .fused = true},
             here),
        mlp({.width = width, .hidden = 4 * width}, here) {}
  /// Applies the layer to x, batch x tokens x width. The tokens are those of an image, row by row.
  Tensor operator()(const Tensor &x, Here here = Here::current()) const {
    Tensor sum = x + attn(norm1(x, here), here);
    return sum + mlp(norm2(sum, here), here);
  }

private:
  static Pattern pattern(Size2 tokens, int64_t window, bool shifted, Here here) {
    auto shift = [&](int64_t extent) { return shifted && extent > window ? window / 2 : 0; };
    return xf::swin({.extents = {tokens.height, tokens.width},
                     .window = {window, window},
                     .shift = {shift(tokens.height), shift(tokens.width)}},
                    here);
  }
  /// Adds the bias of a pair in one window, found in the table by the offset of its key. The score function also runs
  /// for pairs of different windows, although their scores do not count. The remainder keeps their indices inside the
  /// table.
  static std::function<Scalar(Score)> bias(const Parameter &table, int64_t columns, int64_t window) {
    return [=](Score s) {
      int64_t side = 2 * window - 1;
      Index y = s.i / columns - s.j / columns + (window - 1), x = s.i % columns - s.j % columns + (window - 1);
      return s.value + table((y * side + x) % (side * side), s.h);
    };
  }
};

/// Patch merging (section 3.1): 2 x 2 tokens become one of twice the width.
struct SwinMerging : nn::Module {
  nn::LayerNorm norm;
  nn::Linear reduction;
  XF_MEMBERS(norm, reduction)

  SwinMerging(int64_t width, Size2 tokens, Here here)
      : norm(4 * width, 1e-5, true, here), reduction(4 * width, 2 * width, false, here), tokens(tokens) {}
  Tensor operator()(const Tensor &x, Here here = Here::current()) const {
    int64_t height = tokens.height / 2, columns = tokens.width / 2, width = x.size(2).value();
    Tensor grid = reshape(x, {x.size(0), height, 2, columns, 2, width}, here);
    grid = reshape(transpose(grid, {0, 1, 3, 4, 2, 5}, here), {x.size(0), height * columns, 4 * width}, here);
    return reduction(norm(grid, here), here);
  }

private:
  Size2 tokens;
};

/// A stage: patch merging, except in the first stage, then layers. Every second layer has shifted windows.
struct SwinStage : nn::Module {
  std::optional<SwinMerging> downsample;
  std::vector<SwinBlock> blocks;
  XF_MEMBERS(downsample, blocks)
};

/// Swin Transformer: patches, four stages, and a linear classifier of the mean token.
struct Swin : nn::Module {
  nn::PatchEmbedding patches;
  nn::LayerNorm patch_norm, norm;
  std::vector<SwinStage> layers;
  nn::Linear head;
  XF_MEMBERS(patches, patch_norm, layers, norm, head)

  explicit Swin(const SwinOptions &o, Here here = Here::current())
      : patches({.channels = o.channels, .size = o.patch, .width = o.width}, here),
        patch_norm(o.width, 1e-5, true, here), norm(o.width << (o.layers.size() - 1), 1e-5, true, here),
        head(o.width << (o.layers.size() - 1), o.classes, true, here) {
    nn::expect_at_least(static_cast<int64_t>(o.layers.size()), "a list of heads", static_cast<int64_t>(o.heads.size()),
                        here);
    Size2 tokens(o.image.height / o.patch, o.image.width / o.patch);
    for (size_t stage = 0; stage < o.layers.size(); ++stage) {
      layers.push_back(SwinStage());
      if (stage > 0) {
        layers.back().downsample.emplace(o.width << (stage - 1), tokens, here);
        tokens = {tokens.height / 2, tokens.width / 2};
      }
      int64_t window = std::min({o.window, tokens.height, tokens.width});
      if (window < 1 || tokens.height % window != 0 || tokens.width % window != 0)
        throw Error("expected whole windows of " + std::to_string(window) + " x " + std::to_string(window) + ", got " +
                        std::to_string(tokens.height) + " x " + std::to_string(tokens.width) + " tokens",
                    here);
      for (int64_t n = 0; n < o.layers[stage]; ++n)
        layers.back().blocks.push_back(SwinBlock(o.width << stage, o.heads[stage], tokens, window, n % 2 == 1, here));
    }
  }
  /// Returns the logits, batch x classes, of images: batch x channels x height x width.
  Tensor operator()(const Tensor &images, Here here = Here::current()) const {
    Tensor x = patch_norm(patches(images, here), here);
    for (const SwinStage &stage : layers) {
      x = stage.downsample ? (*stage.downsample)(x, here) : x;
      for (const SwinBlock &block : stage.blocks)
        x = block(x, here);
    }
    return head(mean(norm(x, here), 1, false, here), here);
  }

  /// Returns the rules for rename() to read timm's checkpoints (swin_tiny_patch4_window7_224, ..).
  static std::vector<std::pair<std::string, std::string>> timm() {
    const std::string block = "layers.*.blocks.*.";
    return {{"patch_embed.proj.", "patches."},
            {"patch_embed.norm.", "patch_norm."},
            {block + "attn.relative_position_bias_table", block + "relative_position_bias_table"},
            {block + "attn.qkv.", block + "attn.in_proj_"},
            {block + "attn.proj.", block + "attn.out_proj."},
            {"head.fc.", "head."}};
  }
};

} // namespace xf::models

#endif // XF_MODELS_SWIN_H
