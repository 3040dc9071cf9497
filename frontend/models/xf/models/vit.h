//===- xf/models/vit.h - Vision Transformer -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dosovitskiy, Beyer, Kolesnikov, Weissenborn, Zhai, Unterthiner, Dehghani, Minderer, Heigold, Gelly, Uszkoreit,
// Houlsby: "An Image is Worth 16x16 Words: Transformers for Image Recognition at Scale", arXiv 2010.11929.
//
//   models::ViT model(models::ViTOptions::base(16));
//   model.load_state_dict(rename(load_safetensors("vit_base_patch16_224.safetensors"), models::ViT::timm()));
//
// A checkpoint for other images (section 3.2), here of 384 x 384 pixels:
//
//   values["positions"] = resize_positions(values["positions"], 14, 24);
//
// Left out: the hidden layer of the head of pre-training.
//
//===----------------------------------------------------------------------===//

#ifndef XF_MODELS_VIT_H
#define XF_MODELS_VIT_H

#include "xf/models/parts/resnet.h"
#include "xf/nn/layers.h"

namespace xf::models {

/// Options of ViT. The defaults are those of ViT-B/16; table 1 of the paper has the others.
struct ViTOptions {
  int64_t width = 768, layers = 12, heads = 12, hidden = 3072;
  Size2 patch = 16, image = 224;
  int64_t channels = 3, classes = 1000;
  /// Whether the classifier reads the mean of the patches (appendix D.3). There is no class token then.
  bool average = false;
  /// Whether one projection computes q, k and v (the paper's code, timm). If not, there are three (Hugging Face).
  bool fused = true;
  double eps = 1e-6;
  double dropout = 0;
  /// If set, patches are cut from the feature map that a ResNet computes, not from the image (section 3.1, "Hybrid
  /// Architecture"). `patch` is then their size in elements of the feature map.
  std::optional<ResNetOptions> resnet = {};
  /// How learned positions are interpolated if `images` have another size than `image`. If not set, such images are
  /// errors.
  std::optional<Interpolation> interpolation = {};

  static ViTOptions base(int64_t patch) { return {.patch = patch}; }
  static ViTOptions large(int64_t patch) {
    return {.width = 1024, .layers = 24, .heads = 16, .hidden = 4096, .patch = patch};
  }
  static ViTOptions huge(int64_t patch) {
    return {.width = 1280, .layers = 32, .heads = 16, .hidden = 5120, .patch = patch};
  }
  /// Returns the options of R50+ViT-B/16.
  static ViTOptions hybrid() { return {.patch = 1, .resnet = ResNetOptions()}; }
  /// Returns the number of rows of patches (height) and of columns of patches (width) of an image of `pixels`.
  Size2 grid(Size2 pixels) const {
    int64_t each = resnet ? resnet->reduction() : 1;
    return {pixels.height / (patch.height * each), pixels.width / (patch.width * each)};
  }
  int64_t patches() const { return grid(image).height * grid(image).width; }
};

/// Vision Transformer: patches, a class token and learned positions (equation 1), pre-norm layers (2, 3), and a linear
/// classifier of the normed class token (4).
class ViT : public nn::Module {
public:
  explicit ViT(const ViTOptions &options, Here here = Here::current())
      : options(options), patches({.channels = options.resnet ? options.resnet->outputs() : options.channels,
                                   .size = options.patch,
                                   .width = options.width},
                                  here),
        positions({1, options.patches() + !options.average, options.width}, normal_init(0.02), f32, here),
        norm(options.width, options.eps, true, here),
        head(options.width, options.classes, constant_init(0), true, here) {
    if (options.resnet)
      backbone.emplace(*options.resnet, here);
    if (!options.average)
      class_token = Parameter({1, 1, options.width}, constant_init(0), f32, here);
    for (int64_t n = 0; n < options.layers; ++n) {
      layers.push_back(nn::TransformerEncoderLayer({.width = options.width,
                                                    .heads = options.heads,
                                                    .hidden = options.hidden,
                                                    .norm = Norm::first,
                                                    .eps = options.eps,
                                                    .activation = gelu,
                                                    .dropout = options.dropout},
                                                   here));
      if (!options.fused)
        layers.back().self_attn = nn::MultiheadAttention({.width = options.width, .heads = options.heads}, here);
    }
  }

  /// Returns the tokens after the last norm, batch x tokens x width: the class token, if there is one, then the
  /// patches. `images` are batch x channels x height x width, where the batch may be a named size.
  Tensor features(const Tensor &images, Here here = Here::current()) const {
    Tensor x = patches(backbone ? (*backbone)(images, here) : images, here), places = positions;
    if (options.interpolation)
      places = resize_positions(positions, options.grid(options.image),
                                options.grid({images.size(2).value(), images.size(3).value()}), *options.interpolation,
                                here);
    if (class_token.defined())
      x = concat({broadcast_to(class_token, {images.size(0), 1, options.width}, here), x}, 1, here);
    x = dropout(x + places, options.dropout, here);
    for (const nn::TransformerEncoderLayer &layer : layers)
      x = layer(x, here);
    return norm(x, here);
  }
  /// Returns the logits, batch x classes.
  Tensor operator()(const Tensor &images, Here here = Here::current()) const {
    Tensor x = features(images, here);
    if (options.average)
      return head(mean(x, 1, false, here), here);
    return head(reshape(slice(x, 1, 0, 1, 1, here), {images.size(0), options.width}, here), here);
  }

  /// Returns the rules for rename() to read timm's checkpoints (vit_base_patch16_224, ..; hybrid:
  /// vit_base_r50_s16_384).
  static std::vector<std::pair<std::string, std::string>> timm(bool hybrid = false) {
    std::vector<std::pair<std::string, std::string>> rules = {{"cls_token", "class_token"},
                                                              {"pos_embed", "positions"},
                                                              {"patch_embed.proj.", "patches."},
                                                              {"blocks.*.attn.qkv.", "layers.*.self_attn.in_proj_"},
                                                              {"blocks.*.attn.proj.", "layers.*.self_attn.out_proj."},
                                                              {"blocks.*.mlp.fc1.", "layers.*.linear1."},
                                                              {"blocks.*.mlp.fc2.", "layers.*.linear2."},
                                                              {"blocks.*.", "layers.*."}};
    if (hybrid)
      rules.emplace_back("patch_embed.backbone.", "backbone.");
    return rules;
  }
  /// Returns the rules for rename() to read Hugging Face's checkpoints (google/vit-base-patch16-224, ..). Their options
  /// are `.fused = false, .eps = 1e-12`.
  static std::vector<std::pair<std::string, std::string>> huggingface() {
    return {{"vit.embeddings.cls_token", "class_token"},
            {"vit.embeddings.position_embeddings", "positions"},
            {"vit.embeddings.patch_embeddings.projection.", "patches."},
            {"vit.encoder.layer.*.attention.attention.query.", "layers.*.self_attn.q_proj."},
            {"vit.encoder.layer.*.attention.attention.key.", "layers.*.self_attn.k_proj."},
            {"vit.encoder.layer.*.attention.attention.value.", "layers.*.self_attn.v_proj."},
            {"vit.encoder.layer.*.attention.output.dense.", "layers.*.self_attn.out_proj."},
            {"vit.encoder.layer.*.intermediate.dense.", "layers.*.linear1."},
            {"vit.encoder.layer.*.output.dense.", "layers.*.linear2."},
            {"vit.encoder.layer.*.layernorm_before.", "layers.*.norm1."},
            {"vit.encoder.layer.*.layernorm_after.", "layers.*.norm2."},
            {"vit.layernorm.", "norm."},
            {"classifier.", "head."}};
  }

  ViTOptions options;
  Parameter class_token;
  std::optional<ResNet> backbone;
  nn::PatchEmbedding patches;
  Parameter positions;
  std::vector<nn::TransformerEncoderLayer> layers;
  nn::LayerNorm norm;
  nn::Linear head;
  XF_MEMBERS(class_token, backbone, patches, positions, layers, norm, head)
};

} // namespace xf::models

#endif // XF_MODELS_VIT_H
