# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers of Hugging Face's DeepseekV2Attention: python3 latent.py > latent.txt, with transformers 5.24.

"latent" is the layer, "latent_last" its last token."""

import torch
from golden_of import compute_in_f64, module_case
from transformers.models.deepseek_v2.modeling_deepseek_v2 import DeepseekV2Attention, DeepseekV2Config

compute_in_f64()
TOKENS, ROTARY = 13, 4
config = DeepseekV2Config(hidden_size=16, num_attention_heads=4, num_key_value_heads=4, q_lora_rank=10, kv_lora_rank=12,
                          qk_nope_head_dim=6, qk_rope_head_dim=ROTARY, v_head_dim=5, num_hidden_layers=1,
                          attn_implementation="eager")
layer = DeepseekV2Attention(config, 0)
angles = torch.arange(TOKENS)[:, None] * 10000.0 ** (-torch.arange(0, ROTARY, 2) / ROTARY)
visible = torch.ones(TOKENS, TOKENS).tril().bool()
mask = torch.zeros(TOKENS, TOKENS).masked_fill(~visible, -torch.inf)[None, None]


class Layer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = layer

    def forward(self, x):
        return self.layer(x, attention_mask=mask, position_embeddings=torch.polar(torch.ones_like(angles), angles)[None])[0]


published = lambda name: name.removeprefix("layer.")
module_case("latent", Layer(), {"x": (2, TOKENS, 16)}, published=published)
module_case("latent_last", Layer(), {"x": (2, TOKENS, 16)}, lambda y: y[:, -1:], published=published)
