# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The classifier of lra.cpp in PyTorch, with each attention in the form that is fastest there.

An attention takes q, k, v of B x N x H x D (views of one projection), and gives B x N x (H D). None computes a pair that
its pattern does not have, and none masks: blocks are views, gathered blocks have equal numbers of keys.
"""

import torch
import torch.nn.functional as F

LOCAL_BLOCK, SPARSE_BLOCK, SUMMARY, BIGBIRD_BLOCK, RANK = 50, 128, 32, 64, 256


def sdpa(q, k, v, **options):
    """Of tensors B x N x H x D."""
    o = F.scaled_dot_product_attention(*(x.transpose(1, 2) for x in (q, k, v)), **options)
    return o.transpose(1, 2)


def dense(q, k, v):
    return sdpa(q, k, v).flatten(2)


def local(q, k, v):
    """Blocks become batches; the last, shorter one is by itself."""
    size = q.shape[1] // LOCAL_BLOCK * LOCAL_BLOCK
    blocks = [x[:, :size].unflatten(1, (-1, LOCAL_BLOCK)).flatten(0, 1) for x in (q, k, v)]
    parts = [sdpa(*blocks).unflatten(0, (q.shape[0], -1)).flatten(1, 2)] if size else []
    if size < q.shape[1]:
        parts.append(sdpa(*(x[:, size:] for x in (q, k, v))))
    return torch.cat(parts, 1).flatten(2)


def linformer(q, k, v, projection):
    low = [torch.matmul(projection.T, x.flatten(2)).unflatten(2, x.shape[2:]) for x in (k, v)]
    return sdpa(q, *low).flatten(2)


def normalized(q, k, v):
    """phi(q) (phi(k)^T v) over phi(q) . sum phi(k): features q and k of B x H x N x M, v of B x H x N x D."""
    numerator = torch.matmul(q, torch.matmul(k.transpose(2, 3), v))
    denominator = torch.matmul(q, k.sum(2).unsqueeze(3)) + 1e-6
    return (numerator / denominator).transpose(1, 2).flatten(2)


def linear(q, k, v):
    q, k, v = (x.transpose(1, 2) for x in (q, k, v))
    return normalized(F.elu(q) + 1, F.elu(k) + 1, v)


def performer(q, k, v, features):
    q, k, v = (x.transpose(1, 2) for x in (q, k, v))
    scale = q.shape[3] ** -0.25

    def map_features(x, dims):
        x = x * scale
        u = torch.matmul(x, features.T)
        stabilizer = u.detach().amax(dims, keepdim=True)
        return (torch.exp(u - x.square().sum(3, keepdim=True) / 2 - stabilizer) + 1e-6) * features.shape[0] ** -0.5
    return normalized(map_features(q, (3,)), map_features(k, (2, 3)), v)


def sparse(q, k, v):
    """Block by block: the summary keys of the blocks before, compacted, and the own block below its diagonal."""
    def summaries(x):
        blocks = x[:, :x.shape[1] // SPARSE_BLOCK * SPARSE_BLOCK].unflatten(1, (-1, SPARSE_BLOCK))
        return blocks[:, :, SPARSE_BLOCK - SUMMARY:].flatten(1, 2)
    summary_k, summary_v, parts = summaries(k), summaries(v), []
    for number, begin in enumerate(range(0, q.shape[1], SPARSE_BLOCK)):
        own = slice(begin, begin + SPARSE_BLOCK)
        before = number * SUMMARY
        rows = q[:, own].shape[1]
        seen = torch.ones(rows, before + rows, dtype=torch.bool).tril(before)
        parts.append(sdpa(q[:, own], torch.cat([summary_k[:, :before], k[:, own]], 1),
                          torch.cat([summary_v[:, :before], v[:, own]], 1), attn_mask=seen))
    return torch.cat(parts, 1).flatten(2)


class BigBird:
    """Rows of blocks that see equally many blocks are one batch of gathered keys. `seen`: H x blocks x blocks."""

    def __init__(self, seen):
        self.heads, self.blocks, _ = seen.shape
        counts = seen[0].sum(1)
        self.groups = []
        for count in counts.unique():
            rows = (counts == count).nonzero()[:, 0]
            columns = seen[:, rows].nonzero()[:, 2].view(self.heads, len(rows), count)
            offsets = torch.arange(self.heads).view(-1, 1)
            self.groups.append(((rows + offsets * self.blocks).flatten(),
                                (columns + offsets.unsqueeze(2) * self.blocks).flatten(), int(count)))
        order = torch.cat([rows for rows, _, _ in self.groups])
        self.back = torch.argsort(order)

    def __call__(self, q, k, v):
        batch, size, _, depth = q.shape
        assert batch == 1
        flat = [x[0].transpose(0, 1).reshape(self.heads * self.blocks, BIGBIRD_BLOCK * depth) for x in (q, k, v)]
        parts = []
        for rows, columns, count in self.groups:
            queries, keys, values = (x.index_select(0, index).view(1, len(rows), -1, depth)
                                     for x, index in zip(flat, (rows, columns, columns)))
            parts.append(F.scaled_dot_product_attention(queries, keys, values).view(len(rows), -1))
        o = torch.cat(parts).index_select(0, self.back)
        return o.view(1, self.heads, size, depth).transpose(1, 2).flatten(2)


class Block(torch.nn.Module):
    def __init__(self, attend, size, width, heads, learned):
        super().__init__()
        self.attend, self.heads = attend, heads
        self.norm1, self.norm2 = torch.nn.LayerNorm(width), torch.nn.LayerNorm(width)
        self.attention = torch.nn.Module()
        self.attention.in_proj_weight = torch.nn.Parameter(torch.empty(3 * width, width))
        torch.nn.init.xavier_uniform_(self.attention.in_proj_weight)
        self.attention.out_proj = torch.nn.Linear(width, width, bias=False)
        self.projection = torch.nn.Parameter(torch.randn(size, RANK) / 16) if learned else None
        self.mlp = torch.nn.Module()
        self.mlp.fc1, self.mlp.fc2 = torch.nn.Linear(width, 4 * width), torch.nn.Linear(4 * width, width)

    def forward(self, x, *drawn):
        q, k, v = F.linear(self.norm1(x), self.attention.in_proj_weight).unflatten(2, (3, self.heads, -1)).unbind(2)
        matrix = drawn if self.projection is None else (self.projection,)
        x = x + self.attention.out_proj(self.attend(q, k, v, *matrix))
        return x + self.mlp.fc2(F.gelu(self.mlp.fc1(self.norm2(x)), approximate="tanh"))


class Classifier(torch.nn.Module):
    """Parameters have the names that lra.cpp gives them."""

    def __init__(self, attention, size, layers, width, heads, seen=None):
        super().__init__()
        attend = BigBird(seen) if attention == "bigbird" else globals()[attention]
        self.embedding, self.positions = torch.nn.Embedding(257, width), torch.nn.Embedding(size, width)
        torch.nn.init.normal_(self.positions.weight, std=0.02)
        self.blocks = torch.nn.ModuleList(
            Block(attend, size, width, heads, attention == "linformer") for _ in range(layers))
        self.norm = torch.nn.LayerNorm(width)
        self.hidden, self.output = torch.nn.Linear(width, 4 * width), torch.nn.Linear(4 * width, 2)

    def forward(self, text, *drawn):
        x = self.embedding(text) + self.positions.weight
        for block in self.blocks:
            x = block(x, *drawn)
        return self.output(F.relu(self.hidden(self.norm(x).mean(1))))


def training_step(model, inputs, classes, rate):
    """A function that makes a step and gives its loss."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate, betas=(0.9, 0.98), eps=1e-9, weight_decay=0.1, fused=True)

    def step():
        optimizer.zero_grad(set_to_none=True)
        loss = F.cross_entropy(model(*inputs), classes)
        loss.backward()
        optimizer.step()
        return loss.item()
    return step
