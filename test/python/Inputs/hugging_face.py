# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: hugging_face.py window.so

Trains a small GPT-2 of transformers for 20 steps, with windows of 16 keys by eager attention and a mask, and by a compiled pattern.
"""

import sys

import torch
import transformers

import xfrt.torch


def eager(module, query, key, value, attention_mask, **options):
    n = torch.arange(query.shape[2])
    sees = (n[:, None] >= n) & (n[:, None] - n < 16)
    scores = query @ key.transpose(2, 3) * query.shape[3] ** -0.5
    return (scores.masked_fill(~sees, float("-inf")).softmax(-1) @ value).transpose(1, 2), None


def losses(attention):
    torch.manual_seed(0)
    config = transformers.GPT2Config(vocab_size=61, n_positions=64, n_embd=32, n_layer=2, n_head=4, resid_pdrop=0, embd_pdrop=0,
                                     attn_pdrop=0, use_cache=False)
    config._attn_implementation = attention
    model = transformers.GPT2LMHeadModel(config)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    ids = torch.randint(0, 61, (2, 64), generator=torch.Generator().manual_seed(1))
    result = []
    for _ in range(20):
        optimizer.zero_grad()
        loss = model(ids, labels=ids).loss
        loss.backward()
        optimizer.step()
        result.append(loss.item())
    return result


# These lines put a compiled pattern into a model of transformers.
window = xfrt.torch.load(sys.argv[1])
transformers.AttentionInterface.register(
    "xf_window", lambda module, q, k, v, mask, **options: (window.attend(q, k, v).transpose(1, 2), None))

transformers.AttentionInterface.register("eager_window", eager)
want, got = losses("eager_window"), losses("xf_window")
worst = max(abs(a - b) / a for a, b in zip(want, got))
print(f"loss {want[0]:.3f} to {want[-1]:.3f}; largest difference {worst:.1e}")
print("equal" if worst < 1e-5 and want[-1] < want[0] / 2 else "different")
