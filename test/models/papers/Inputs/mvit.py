# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers of timm's MViTv2: python3 mvit.py > mvit.txt, with timm 1.0."""

from golden import module_case
from timm.models.mvitv2 import MultiScaleVit, MultiScaleVitCfg

module_case("mvit", MultiScaleVit(MultiScaleVitCfg(depths=(1, 1), embed_dim=8, num_heads=1, stride_q=((1, 1), (2, 2))),
                                  img_size=(32, 32), num_classes=5), {"images": (1, 3, 32, 32)})
module_case("mvit_mlp", MultiScaleVit(MultiScaleVitCfg(depths=(2, 1), embed_dim=8, num_heads=2, stride_q=((1, 1), (2, 2)),
                                                       expand_attn=False), img_size=(32, 32), num_classes=5),
            {"images": (2, 3, 32, 32)})
