# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers of timm's Swin Transformer: python3 swin.py > swin.txt, with timm 1.0."""

import timm
from golden import module_case

small = timm.models.swin_transformer.SwinTransformer(img_size=(24, 36), patch_size=2, window_size=3, embed_dim=8,
                                                     depths=(2, 1), num_heads=(2, 4), num_classes=5, drop_path_rate=0)
module_case("swin", small, {"images": (2, 3, 24, 36)})
