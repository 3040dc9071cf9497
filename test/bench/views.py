# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Strided and fixed attention as written by hand in PyTorch: views, dense products, one softmax. Needs torch.

Each function takes N and returns a function of q, k, v [B, H, N, D]. What a query must not see costs -inf.
"""

import torch


def cost(hidden):
    return torch.zeros(hidden.shape).masked_fill(hidden, -torch.inf)


def strided(size, stride=128):
    """Keys up to `stride` back, from the blocks before and of the query; of its residue, those two blocks back or more."""
    blocks = size // stride
    distance = torch.arange(stride)[:, None] + stride - torch.arange(2 * stride)
    near = ((distance < 0) | (distance > stride)).repeat(blocks, 1, 1)
    near[0, :, :stride] = True  # the first block has none before
    rank = torch.arange(blocks)
    far = (rank[:, None] - rank < 2)[:, None].expand(-1, stride, -1)
    costs = cost(torch.cat([near, far], -1))

    def attend(q, k, v):
        q, k, v = (x.unflatten(2, (blocks, stride)) for x in (q * q.shape[-1]**-0.5, k, v))
        columns = lambda x: x.transpose(2, 3)
        band = lambda x: torch.cat([x.roll(1, 2), x], 3)
        scores = torch.cat([q @ band(k).mT, columns(columns(q) @ columns(k).mT)], -1)
        near, far = (scores + costs).softmax(-1).split([2 * stride, blocks], -1)
        return (near @ band(v) + columns(columns(far) @ columns(v))).flatten(2, 3)

    return attend


def fixed(size, block=128, summary=32):
    """Keys of the query's block up to it; the last `summary` keys of each block before."""
    blocks = size // block
    own = torch.ones(block, block, dtype=torch.bool).triu(1).repeat(blocks, 1)
    of_key = torch.arange(blocks).repeat_interleave(summary)
    before = (torch.arange(blocks)[:, None] <= of_key).repeat_interleave(block, 0)
    costs = cost(torch.cat([own, before], -1))

    def attend(q, k, v):
        q = q * q.shape[-1]**-0.5
        in_blocks = lambda x: x.unflatten(2, (blocks, block))
        summaries = lambda x: in_blocks(x)[:, :, :, -summary:].flatten(2, 3)
        scores = torch.cat([(in_blocks(q) @ in_blocks(k).mT).flatten(2, 3), q @ summaries(k).mT], -1)
        own, before = (scores + costs).softmax(-1).split([block, blocks * summary], -1)
        return (in_blocks(own) @ in_blocks(v)).flatten(2, 3) + before @ summaries(v)

    return attend


CASES = {"strided_128": strided, "fixed_128_32": fixed}


def bind(name, arguments, vjp):
    """A call of case `name` on the arrays of an entry, or of its gradient too; and o."""
    torch.set_num_threads(1)
    q, k, v = (torch.from_numpy(arguments[x]) for x in "qkv")
    attend = CASES[name](q.shape[2])
    with torch.no_grad():
        o = attend(q, k, v)
    if not vjp:
        return torch.no_grad()(lambda: attend(q, k, v)), o.numpy()
    leaves = [x.clone().requires_grad_() for x in (q, k, v)]
    cotangent = torch.from_numpy(arguments["d_o"])
    return lambda: torch.autograd.grad(attend(*leaves), leaves, cotangent), o.numpy()
