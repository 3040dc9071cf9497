# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers of Hugging Face's Longformer: python3 longformer.py > longformer.txt, with transformers 5.24."""

import sys

import torch
import transformers
from golden import case

softmax = torch.nn.functional.softmax
torch.nn.functional.softmax = lambda x, dim, dtype=None: softmax(x, dim)  # theirs rounds to f32
TOKENS, WINDOW = 24, 8
small = dict(hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32, vocab_size=23,
             max_position_embeddings=TOKENS + 2, attention_window=[WINDOW] * 2, type_vocab_size=1, layer_norm_eps=1e-5,
             pad_token_id=1)
model = transformers.LongformerModel(transformers.LongformerConfig(**small), add_pooling_layer=False).double().eval()
model.embeddings.word_embeddings.padding_idx = None  # whose gradient would be 0
model.embeddings.position_embeddings.padding_idx = None
names = {n: "longformer." + n for n, _ in model.named_parameters()}
shapes = {names[n]: tuple(p.shape) for n, p in model.named_parameters()}
at = torch.arange(2, TOKENS + 2)[None].expand(2, -1)


def run(count):
    """With `count` global tokens."""
    def f(ids, table):
        mask = torch.zeros_like(ids)
        mask[:, :count] = 1
        inputs = dict(input_ids=ids, attention_mask=torch.ones_like(ids), global_attention_mask=mask, position_ids=at)
        arguments = {n: table[names[n]] for n in names}
        return torch.func.functional_call(model, arguments, (), inputs).last_hidden_state

    return f


case("one", {"ids": ((2, TOKENS), 23)}, shapes, run(1))
case("three", {"ids": ((2, TOKENS), 23)}, shapes, run(3))
with torch.device("meta"):
    base = dict(vocab_size=50265, max_position_embeddings=4098, type_vocab_size=1)
    for size in ({}, dict(hidden_size=1024, num_hidden_layers=24, num_attention_heads=16, intermediate_size=4096,
                          attention_window=[512] * 24)):
        whole = transformers.LongformerModel(transformers.LongformerConfig(**base, **size), add_pooling_layer=False)
        print(sum(p.numel() for p in whole.parameters()), "parameters", file=sys.stderr)
