# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers of timm's and Hugging Face's ViT: python3 vit.py > vit.txt, with timm 1.0 and transformers 5.24."""

import timm
import transformers
from golden import module_case

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
