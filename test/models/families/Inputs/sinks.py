# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers of attention sinks: python3 sinks.py > sinks.txt, with transformers 5.24.

"learned" is Hugging Face's GptOssAttention with a sliding window of 5 keys; "first" is StreamingLLM's window, which keeps
the first tokens, by its mask."""

import torch
from golden_of import attend, case, compute_in_f64, module_case
from transformers.models.gpt_oss.modeling_gpt_oss import GptOssAttention, GptOssConfig

compute_in_f64()
TOKENS, SIZE = 23, 6
config = GptOssConfig(hidden_size=16, num_attention_heads=4, num_key_value_heads=2, head_dim=SIZE, sliding_window=5,
                      num_hidden_layers=2, layer_types=["sliding_attention", "full_attention"],
                      attn_implementation="eager")
i, j = torch.arange(TOKENS)[:, None], torch.arange(TOKENS)
window = (j <= i) & (i - j < 5)
angles = i * 10000.0 ** (-torch.arange(0, SIZE, 2) / SIZE)


class Layer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = GptOssAttention(config, 0)

    def forward(self, x):
        mask = torch.zeros(TOKENS, TOKENS).masked_fill(~window, -torch.inf)[None, None]
        return self.layer(x, position_embeddings=(angles.cos()[None], angles.sin()[None]), attention_mask=mask)[0]


module_case("learned", Layer(), {"x": (2, TOKENS, 16)}, published=lambda name: name.removeprefix("layer."))
rows = {n: (2, 2, TOKENS, SIZE) for n in ("q", "k", "v")}
case("first", rows, {}, lambda q, k, v, _: attend(q @ k.mT / SIZE**0.5, window | ((j < 4) & (j <= i)), v))
