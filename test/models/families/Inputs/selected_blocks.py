# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers of attention to blocks of keys that the program selects, by masks: python3 selected_blocks.py > selected_blocks.txt.

"moba" is Mixture of Block Attention (Lu 2025): a query sees its own block and the earlier ones whose mean key suits it
best. "nsa" is Native Sparse Attention (Yuan 2025): three branches and their gates."""

import torch
from golden_of import attend, case

B, H, HK, N, D, SIZE, COUNT = 2, 4, 2, 30, 6, 5, 3
i, j = torch.arange(N)[:, None], torch.arange(N)
block = torch.arange(N // SIZE)
own, causal = i // SIZE, j <= i


def select(scores):
    """The pairs of a query and the COUNT blocks with the largest scores."""
    chosen = torch.zeros_like(scores, dtype=torch.bool).scatter(-1, scores.topk(COUNT, -1).indices, True)
    return chosen.repeat_interleave(SIZE, -1) & causal


def moba(q, k, v, _):
    means = k.unflatten(2, (-1, SIZE)).mean(3)
    scores = (q @ means.mT).detach().masked_fill(block > own, -torch.inf).masked_fill(block == own, torch.inf)
    return attend(q @ k.mT / D**0.5, select(scores), v)


def nsa(q, k, v, g, p):
    small = [torch.einsum("bhnsd,s->bhnd", x.unflatten(2, (-1, SIZE)), p[n]) for x, n in ((k, "phi_k"), (v, "phi_v"))]
    everywhere = lambda x: x.repeat_interleave(H // HK, 1)
    k, v, small_k, small_v = (everywhere(x) for x in (k, v, *small))
    s, seen = q @ small_k.mT / D**0.5, block * SIZE + SIZE - 1 <= i
    importance = torch.softmax(s.masked_fill(~seen, -torch.inf), -1).nan_to_num(0).detach()
    importance = everywhere(importance.unflatten(1, (HK, -1)).sum(2))
    always = (block == 0) | (block == own)
    selected = select(importance.masked_fill(always, 9).masked_fill(block > own, -1))
    whole = q @ k.mT / D**0.5
    parts = attend(s, seen, small_v), attend(whole, selected, v), attend(whole, causal & (i - j < 7), v)
    return sum(torch.sigmoid(g[..., n, None]) * part for n, part in enumerate(parts))


heads = {"q": (B, H, N, D), "k": (B, H, N, D), "v": (B, H, N, D)}
case("moba", heads, {}, moba)
few = {"q": (B, H, N, D), "k": (B, HK, N, D), "v": (B, HK, N, D), "g": (B, H, N, 3)}
case("nsa", few, {"phi_k": (SIZE,), "phi_v": (SIZE,)}, nsa)
