//===- 08_vit.cpp - A Vision Transformer that classifies ------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Usage: 08_vit WEIGHTS IMAGES: prints the likeliest classes of images. WEIGHTS is a file of timm
// (vit_base_patch16_224, ..). IMAGES is a safetensors file with one tensor, `images`, count x 3 x height x width,
// normalised for the model. Sizes come from the weights. The example writes the model out; xf/models/vit.h provides it.
//
//===----------------------------------------------------------------------===//

#include <xf/xf.h>

#include <cstdio>

using namespace xf;

struct ViT : nn::Module {
  Parameter cls_token, pos_embed;
  nn::PatchEmbedding patch_embed;
  std::vector<nn::TransformerEncoderLayer> blocks;
  nn::LayerNorm norm;
  nn::Linear head;
  XF_MEMBERS(cls_token, pos_embed, patch_embed, blocks, norm, head)

  ViT(int64_t width, int64_t tokens, int64_t patch, int64_t classes)
      : cls_token({1, 1, width}, constant_init(0)), pos_embed({1, tokens, width}, normal_init(.02)),
        patch_embed({.size = patch, .width = width}), norm(width, 1e-6), head(width, classes) {}
  Tensor operator()(const Tensor &images) const {
    Tensor x = patch_embed(images);
    x = concat({broadcast_to(cls_token, {x.size(0), 1, x.size(2)}), x}, 1) + pos_embed;
    for (const nn::TransformerEncoderLayer &block : blocks)
      x = block(x);
    return head(norm(squeeze(slice(x, 1, 0, 1), 1)));
  }
};

int main(int count, char **arguments) {
  if (count != 3)
    return std::fputs("usage: 08_vit WEIGHTS IMAGES\n", stderr), 2;
  StateDict weights = load_safetensors(arguments[1], {.rename = {{"patch_embed.proj.", "patch_embed."},
                                                                 {"blocks.*.attn.qkv.", "blocks.*.self_attn.in_proj_"},
                                                                 {"blocks.*.attn.", "blocks.*.self_attn.out_"},
                                                                 {"blocks.*.mlp.fc", "blocks.*.linear"}}});
  auto size = [&](const char *name, size_t axis) { return weights.at(name).shape()[axis]; };
  int64_t width = size("norm.weight", 0), classes = size("head.bias", 0), top = std::min<int64_t>(5, classes);
  ViT model(width, size("pos_embed", 1), size("patch_embed.weight", 2), classes);
  while (weights.count("blocks." + std::to_string(model.blocks.size()) + ".norm1.bias"))
    model.blocks.emplace_back(nn::TransformerLayerOptions{.width = width,
                                                          .heads = width / 64,
                                                          .hidden = size("blocks.0.linear1.bias", 0),
                                                          .norm = Norm::first,
                                                          .eps = 1e-6,
                                                          .activation = gelu});
  Array images = load_safetensors(arguments[2]).at("images");
  Program program("vit", model);
  program.entry("classify", {{"images", f32, {dim("count"), 3, images.shape()[2], images.shape()[3]}}},
                [&](const Tensor &images) { return argsort(model(images), 1, true); });
  Executable run = program.compile();
  run.load_state_dict(weights);
  Array best = run("classify", images);
  for (int64_t image = 0; image < images.shape()[0]; ++image)
    for (int64_t n = 0; n < top; ++n)
      std::printf("%lld%s", static_cast<long long>(best.at<int64_t>({image, n})), n + 1 < top ? " " : "\n");
}
