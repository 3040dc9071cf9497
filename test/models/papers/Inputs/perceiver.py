# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers of Hugging Face's Perceiver for images: python3 perceiver.py > perceiver.txt, with transformers 5.24."""

import sys

import torch
import transformers
from golden import module_case
from transformers.models.perceiver import modeling_perceiver as hf

HEIGHT, WIDTH, BANDS = 6, 5, 3


def positions_of_f64(index_dims, output_range=(-1.0, 1.0), device=None):
    """Places that are not rounded to f32, as Hugging Face's are."""
    lines = [torch.linspace(*output_range, count, device=device) for count in index_dims]
    return torch.stack(torch.meshgrid(*lines, indexing="ij"), -1)


hf.build_linear_positions = positions_of_f64


class Classifier(torch.nn.Module):
    """PerceiverForImageClassificationFourier with images of another size."""

    def __init__(self, config, resolution, bands):
        super().__init__()
        positions = dict(concat_pos=True, max_resolution=resolution, num_bands=bands, sine_only=False)
        self.perceiver = hf.PerceiverModel(
            config,
            input_preprocessor=hf.PerceiverImagePreprocessor(config, prep_type="pixels", spatial_downsample=1,
                                                             fourier_position_encoding_kwargs=positions),
            decoder=hf.PerceiverClassificationDecoder(
                config, num_channels=config.d_latents, use_query_residual=True,
                trainable_position_encoding_kwargs=dict(num_channels=config.d_latents, index_dims=1)))

    def forward(self, images):
        return self.perceiver(inputs=images).logits


small = transformers.PerceiverConfig(num_latents=4, d_latents=16, d_model=3 + 2 + 4 * BANDS, num_blocks=2,
                                     num_self_attends_per_block=2, num_self_attention_heads=2, num_cross_attention_heads=1, num_labels=5,
                                     image_size=HEIGHT)
module_case("perceiver", Classifier(small, (HEIGHT, WIDTH), BANDS), {"images": (2, 3, HEIGHT, WIDTH)})
with torch.device("meta"):
    config = transformers.PerceiverConfig(num_latents=512, d_latents=1024, d_model=261, num_blocks=8,
                                          num_self_attends_per_block=6, num_cross_attention_heads=1, num_labels=1000)
    print(sum(p.numel() for p in Classifier(config, (224, 224), 64).parameters()), "parameters", file=sys.stderr)
