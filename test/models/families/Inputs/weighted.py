# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers of attention with weights by distance, by formulas: python3 weighted.py > weighted.txt.

"urpe" multiplies probabilities by signed numbers of heads and distances (Luo 2022). "causal", "dense" and "documents" are
Transformer-XL's attention (Dai 2019) with its log-sum-exp, of lengths, and of segments, "between" the same without an order.
"quadratic" weighs by squares of products (Aksenov 2024)."""

import torch
from golden_of import attend, case

B, H, N, K, D, COLUMNS = 2, 2, 11, 14, 6, 3
i, j = torch.arange(N)[:, None] + K - N, torch.arange(K)
everywhere = torch.ones(B, 1, N, K, dtype=torch.bool)


def urpe(q, k, v, factors, _):
    p = torch.softmax((q @ k.mT / D**0.5).masked_fill(j > i, -torch.inf), -1)
    return (p * factors[:, i - j + K - 1]) @ v


def relative(visible, zero):
    def f(q, k, v, r, content, position, _):
        band = r[:, (i - j + zero).clamp(min=0)]
        scores = (q + content[:, None]) @ k.mT + torch.einsum("bhid,hijd->bhij", q + position[:, None], band)
        scores = scores / D**0.5
        lse = torch.logsumexp(scores.masked_fill(~visible, -torch.inf), -1, keepdim=True)
        lse = torch.where(visible.any(-1, keepdim=True), lse, 0)
        return torch.cat((attend(scores, visible, v), lse), -1)

    return f


def quadratic(q, k, v, _):
    p = (q @ k.mT).square().masked_fill(j > i, 0)
    return p @ v / (p.sum(-1, keepdim=True) + 0.25)


lengths, queries = torch.tensor([9, 14])[:, None, None, None], torch.tensor([11, 6])[:, None, None, None]
short = (j < lengths) & (torch.arange(N)[:, None] < queries)
segment = torch.tensor([[0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2], [0, 0, 0, 0, 0, 0, 3, 3, 3, 3, 1, 1, 1, 1]])
same = (segment[:, K - N :, None] == segment[:, None, :])[:, None]
heads = {"q": (B, H, N, D), "k": (B, H, K, D), "v": (B, H, K, COLUMNS)}
biases = {"content": (H, D), "position": (H, D)}
case("urpe", {**heads, "factors": (H, 2 * K - 1)}, {}, urpe)
case("causal", {**heads, "r": (H, K, D), **biases}, {}, relative(short & (j <= i), 0))
case("dense", {**heads, "r": (H, 2 * K - 1, D), **biases}, {}, relative(short, K - 1))
case("documents", {**heads, "r": (H, K, D), **biases}, {}, relative(same & (j <= i), 0))
case("between", {**heads, "r": (H, 2 * K - 1, D), **biases}, {}, relative(same, K - 1))
case("quadratic", heads, {}, quadratic)
