//===- xf/models/t2t_vit.h - Tokens-to-Token ViT -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Yuan, Chen, Wang, Yu, Shi, Jiang, Tay, Feng, Yan: "Tokens-to-Token ViT: Training Vision Transformers from Scratch on
// ImageNet", arXiv 2101.11986.
//
//   models::T2TViT model(models::T2TViTOptions::size(14));
//   model.load_state_dict(rename(load_safetensors("t2t_vit_14.safetensors", {.drop = {"pos_embed"}}),
//                                models::T2TViT::published()));
//
// Positions are fixed sinusoids. Random features of the performer are parameters, which the paper's code does not
// train: leave them out of train_step. If they are drawn, their rows have length sqrt(width); in the paper's code, the
// length is sqrt(features). Left out: the convolution as a T2T module, and the variants of table 5 (Dense, SE, Ghost,
// ..).
//
//===----------------------------------------------------------------------===//

#ifndef XF_MODELS_T2T_VIT_H
#define XF_MODELS_T2T_VIT_H

#include "xf/nn/layers.h"
#include "xf/ops/arrange.h"

#include <cmath>

namespace xf::models {

/// Options of T2TViT. The defaults are those of T2T-ViT-14.
struct T2TViTOptions {
  int64_t width = 384, layers = 14, heads = 6, hidden = 1152;
  int64_t channels = 3, classes = 1000;
  /// Width of the tokens of the T2T module.
  int64_t token_width = 64;
  /// Whether the layers of the T2T module use performers with token_width / 2 features. If not, they use the softmax
  /// (T2T-ViT_t).
  bool performer = true;
  double dropout = 0;

  /// Returns the options of T2T-ViT-7, 10, 12, 14, 19 or 24 (table 1). Throws Error for another number of layers.
  static T2TViTOptions size(int64_t layers, Here here = Here::current()) {
    switch (layers) {
    case 7:
    case 10:
    case 12:
      return {.width = 256, .layers = layers, .heads = 4, .hidden = 512};
    case 14:
      return {};
    case 19:
      return {.width = 448, .layers = layers, .heads = 7, .hidden = 1344};
    case 24:
      return {.width = 512, .layers = layers, .heads = 8, .hidden = 1536};
    default:
      throw Error("expected 7, 10, 12, 14, 19 or 24 layers, got " + std::to_string(layers), here);
    }
  }
};

/// One layer of the T2T module: attention with one head, whose output is narrower than its input tokens. The residual
/// is v.
struct T2TLayer : nn::Module {
  nn::LayerNorm norm1, norm2;
  nn::Linear projections, proj;
  nn::MLP mlp;
  Parameter features;
  XF_MEMBERS(norm1, projections, proj, norm2, mlp, features)

  T2TLayer(int64_t in, int64_t width, bool performer, Here here)
      : norm1(in, 1e-5, true, here), norm2(width, 1e-5, true, here), projections(in, 3 * width, performer, here),
        proj(width, width, true, here), mlp({.width = width, .hidden = width}, here) {
    if (performer)
      features = Parameter({width / 2, width}, features_init(FeatureRows::regularized), f32, here);
  }
  /// Applies the layer to x, batch x tokens x in.
  Tensor operator()(const Tensor &x, Here here = Here::current()) const {
    std::vector<Tensor> all = chunk(unsqueeze(projections(norm1(x, here), here), 1, here), 3, -1, here);
    AttentionOptions clauses{.scale = 1 / std::sqrt(static_cast<double>(x.size(-1).value()))};
    if (features.defined()) {
      std::swap(all[0], all[1]); // kqv in the checkpoints
      Kernelized kernel{.epsilon = 0, .stabilizer = Stabilizer::none, .scale_input = false, .guard = 1e-8};
      clauses = {.pattern = kernelized(kernel, here), .parameters = {features}};
    }
    Tensor o = squeeze(scaled_dot_product_attention(all[0], all[1], all[2], clauses, here), 1, here);
    Tensor sum = squeeze(all[2], 1, here) + proj(o, here);
    return sum + mlp(norm2(sum, here), here);
  }
};

/// T2T-ViT: two soft splits, each followed by a layer, and a third soft split (section 3.1), then a deep, narrow ViT
/// (3.2).
class T2TViT : public nn::Module {
public:
  explicit T2TViT(const T2TViTOptions &o, Here here = Here::current())
      : options(o), attention1(o.channels * 49, o.token_width, o.performer, here),
        attention2(o.token_width * 9, o.token_width, o.performer, here),
        project(o.token_width * 9, o.width, true, here), class_token({1, 1, o.width}, normal_init(0.02), f32, here),
        norm(o.width, 1e-5, true, here), head(o.width, o.classes, true, here) {
    for (int64_t n = 0; n < o.layers; ++n) {
      layers.push_back(nn::TransformerEncoderLayer({.width = o.width,
                                                    .heads = o.heads,
                                                    .hidden = o.hidden,
                                                    .norm = Norm::first,
                                                    .activation = gelu,
                                                    .dropout = o.dropout},
                                                   here));
      layers.back().self_attn = nn::MultiheadAttention(
          {.width = o.width, .heads = o.heads, .bias = {false, false, false, true}, .fused = true}, here);
    }
  }
  /// Returns the logits, batch x classes, of square images: batch x channels x size x size. The batch may be a named
  /// size.
  Tensor operator()(const Tensor &images, Here here = Here::current()) const {
    Windows overlapping{.size = 3, .stride = 2, .padding = 1};
    Tensor x = attention1(image_windows(images, {.size = 7, .stride = 4, .padding = 2}, here), here);
    x = attention2(image_windows(asImage(x, here), overlapping, here), here);
    x = project(image_windows(asImage(x, here), overlapping, here), here);
    x = concat({broadcast_to(class_token, {x.size(0), 1, options.width}, here), x}, 1, here);
    x = x + sinusoids(x.size(1).value(), options.width, {.dtype = x.dtype()}, here);
    for (const nn::TransformerEncoderLayer &layer : layers)
      x = layer(x, here);
    return head(squeeze(slice(norm(x, here), 1, 0, 1, 1, here), 1, here), here);
  }

  /// Returns the rules for rename() to read the paper's checkpoints: those with performers, or T2T-ViT_t if `performer`
  /// is false.
  static std::vector<std::pair<std::string, std::string>> published(bool performer = true) {
    std::vector<std::pair<std::string, std::string>> rules = {{"cls_token", "class_token"},
                                                              {"tokens_to_token.project.", "project."},
                                                              {"blocks.*.attn.qkv.", "layers.*.self_attn.in_proj_"},
                                                              {"blocks.*.attn.proj.", "layers.*.self_attn.out_proj."},
                                                              {"blocks.*.mlp.fc1.", "layers.*.linear1."},
                                                              {"blocks.*.mlp.fc2.", "layers.*.linear2."},
                                                              {"blocks.*.", "layers.*."}};
    auto add = [&](const char *from, const char *to) {
      rules.push_back({std::string("tokens_to_token.*.") + from, std::string("*.") + to});
    };
    add(performer ? "kqv." : "attn.qkv.", "projections.");
    if (performer)
      add("w", "features"), add("mlp.0.", "mlp.fc1."), add("mlp.2.", "mlp.fc2.");
    else
      add("attn.proj.", "proj.");
    add("", "");
    return rules;
  }

  T2TViTOptions options;
  T2TLayer attention1, attention2;
  nn::Linear project;
  Parameter class_token;
  std::vector<nn::TransformerEncoderLayer> layers;
  nn::LayerNorm norm;
  nn::Linear head;
  XF_MEMBERS(attention1, attention2, project, class_token, layers, norm, head)

private:
  /// Reshapes the tokens of a square image, row by row, to batch x width x rows x columns.
  static Tensor asImage(const Tensor &x, Here here) {
    int64_t rows = std::lround(std::sqrt(static_cast<double>(x.size(1).value())));
    return reshape(transpose(x, {0, 2, 1}, here), {x.size(0), x.size(2), rows, rows}, here);
  }
};

} // namespace xf::models

#endif // XF_MODELS_T2T_VIT_H
