# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers of the Reformer's attention by hashes (Kitaev 2020), by masks: python3 reformer.py > reformer.txt.

A round sorts tokens by bucket, then by position. A token sees those before it of its bucket, in its chunk of the sorted tokens
and the chunk before, and itself only if it sees no other. Rounds are weighted by the sums of their weights."""

import torch
from golden_of import case, elements

B, H, N, D, ROUNDS, BUCKETS, CHUNK = 2, 2, 26, 6, 2, 4, 6
i, j = torch.arange(N)[:, None], torch.arange(N)


def reformer(q, v, _):
    k = q * torch.rsqrt(q.square().mean(-1, keepdim=True) + 1e-3)
    turned = torch.einsum("bhnd,hrdc->bhrnc", q, elements("rotations", (H, ROUNDS, D, BUCKETS // 2)))
    buckets = torch.cat((turned, -turned), -1).argmax(-1)
    chunks = torch.argsort(buckets, stable=True, dim=-1).argsort(-1) // CHUNK
    distance = chunks[..., :, None] - chunks[..., None, :]
    pairs = (buckets[..., :, None] == buckets[..., None, :]) & (distance >= 0) & (distance <= 1) & (j <= i)
    scores = (q @ k.mT / D**0.5).masked_fill(i == j, -1e5)[:, :, None].masked_fill(~pairs, -torch.inf)
    weights = torch.softmax(torch.logsumexp(scores, -1), 2)
    return (weights[..., None] * (torch.softmax(scores, -1) @ v[:, :, None])).sum(2)


case("reformer", {"q": (B, H, N, D), "v": (B, H, N, D)}, {}, reformer)
