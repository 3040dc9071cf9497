# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers of timm's and Hugging Face's ViT: python3 vit.py > vit.txt, with timm 1.0 and transformers 5.24."""

import functools

import timm
import torch
import torch.nn.functional as F
import transformers
from golden import case, module_case
from timm.layers import GroupNormAct, StdConv2dSame
from timm.models.vision_transformer_hybrid import HybridEmbed

small = dict(img_size=(8, 12), patch_size=4, embed_dim=16, depth=2, num_heads=2, mlp_ratio=2, num_classes=5)
vision = timm.models.vision_transformer.VisionTransformer
module_case("timm", vision(**small), {"images": (2, 3, 8, 12)})
mean = vision(**small, class_token=False, global_pool="avg", fc_norm=False)
module_case("mean", mean, {"images": (2, 3, 8, 12)})

NAMES = {"vit.layers.": "vit.encoder.layer.", "attention.q_proj": "attention.attention.query",
         "attention.k_proj": "attention.attention.key", "attention.v_proj": "attention.attention.value",
         "attention.o_proj": "attention.output.dense", "mlp.fc1": "intermediate.dense", "mlp.fc2": "output.dense"}


def published(name):
    """The name in the checkpoints, such as google/vit-base-patch16-224."""
    for new, old in NAMES.items():
        name = name.replace(new, old)
    return name


config = transformers.ViTConfig(hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32,
                                image_size=8, patch_size=4, num_labels=5)
module_case("huggingface", transformers.ViTForImageClassification(config), {"images": (2, 3, 8, 8)},
            lambda result: result.logits, published)

# Images of another size than that of training.
larger = transformers.ViTForImageClassification(config)
larger.forward = functools.partial(larger.forward, interpolate_pos_encoding=True)
module_case("larger", larger, {"images": (2, 3, 12, 20)}, lambda result: result.logits, published)

# R50+ViT-B/16 with few layers: of its ResNet, the stem and two stages.
backbone = timm.models.resnetv2.ResNetV2(
    layers=(1, 2), channels=(32, 64), num_classes=0, global_pool="", in_chans=3, stem_chs=8, stem_type="same", preact=False,
    conv_layer=functools.partial(StdConv2dSame, eps=1e-8), norm_layer=functools.partial(GroupNormAct, num_groups=4))
hybrid = vision(**small | dict(img_size=(16, 24), patch_size=1, embed_layer=functools.partial(HybridEmbed, backbone)))
module_case("hybrid", hybrid, {"images": (2, 3, 16, 24)})

sizes = (9, 5), (2, 4), (1, 11)
case("interpolate", {"images": (2, 2, 5, 7)}, {"scale": (2, 1, 1)}, lambda images, table: torch.cat([
    F.interpolate(images * table["scale"], size, mode=kind, align_corners=False).flatten()
    for kind in ("bilinear", "bicubic") for size in sizes]))

case("groups", {"x": (2, 12, 3, 5)}, {"weight": (12,), "bias": (12,)},
     lambda x, table: F.group_norm(x, 4, table["weight"], table["bias"]))
