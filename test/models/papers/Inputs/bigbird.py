# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers of Hugging Face's BigBird with the random blocks of the pattern bigbird(): python3 bigbird.py > bigbird.txt, with
transformers 5.24."""

import pathlib
import sys

import torch
import transformers
from golden import case, elements
from transformers.models.big_bird import modeling_big_bird

sys.path.append(str(pathlib.Path(__file__).parents[3] / "night"))
from evaluator import philox  # noqa: E402

BLOCK, RANDOM, TOKENS, SEED = 4, 2, 40, 5
BLOCKS = TOKENS // BLOCK

config = transformers.BigBirdConfig(hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32,
                                    vocab_size=23, max_position_embeddings=TOKENS, block_size=BLOCK,
                                    num_random_blocks=RANDOM, attention_type="block_sparse",
                                    hidden_dropout_prob=0, attention_probs_dropout_prob=0)
model = transformers.BigBirdModel(config, add_pooling_layer=False).double().train()
model.embeddings.word_embeddings.padding_idx = None  # whose gradient would be 0


def draw(layer):
    """Blocks of each head and of each row of blocks but the first and the last."""
    def row(head, n):
        seen = {0, BLOCKS - 1, n - 1, n, n + 1}
        return sorted(philox.draw(SEED + layer, head, n, [b for b in range(BLOCKS) if b not in seen], RANDOM))
    return lambda **_: [[row(head, n) for n in range(1, BLOCKS - 1)] for head in range(config.num_attention_heads)]


for number, layer in enumerate(model.encoder.layer):
    layer.attention.self._bigbird_block_rand_mask_with_head = draw(number)
names = {n: "bert." + n for n, _ in model.named_parameters()}


def f(ids, table):
    arguments = {n: table[names[n]] for n in names}
    return torch.func.functional_call(model, arguments, (ids,)).last_hidden_state


case("bigbird", {"ids": ((2, TOKENS), 23)}, {names[n]: tuple(p.shape) for n, p in model.named_parameters()}, f)
with torch.device("meta"):
    for size in ({}, dict(hidden_size=1024, num_hidden_layers=24, num_attention_heads=16, intermediate_size=4096)):
        whole = transformers.BigBirdModel(transformers.BigBirdConfig(**size), add_pooling_layer=False)
        print(sum(p.numel() for p in whole.parameters()), "parameters", file=sys.stderr)
