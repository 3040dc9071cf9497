# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers of the Routing Transformer's attention (Roy 2020), by masks: python3 routing.py > routing.txt.

Each cluster holds the tokens that suit its centroid best; a token's result is the mean over the clusters that hold it."""

import torch
from golden_of import attend, case, elements

B, H, N, D, CLUSTERS, SIZE = 2, 2, 28, 6, 4, 7
causal = torch.ones(N, N).tril().bool()


def routing(x, v, _):
    q = torch.nn.functional.layer_norm(x, (D,), eps=1e-3)
    scores = (q @ elements("centroids", (H, CLUSTERS, D)).mT).detach()
    held = torch.zeros_like(scores, dtype=torch.bool).scatter(-2, scores.topk(SIZE, -2).indices, True)
    total = 0
    for c in range(CLUSTERS):
        inside = held[..., c]
        pairs = inside[..., None] & inside[..., None, :] & causal
        total = total + attend(q @ q.mT / D**0.5, pairs, v)
    return total / held.sum(-1, keepdim=True).clamp(min=1)


case("routing", {"x": (B, H, N, D), "v": (B, H, N, D)}, {}, routing)
