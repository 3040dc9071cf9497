# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers of OmniNet, plain torch with masks of all pairs: python3 omninet.py > omninet.txt. Tokens are stacked layer by
layer here, not position by position."""

import math
import pathlib
import sys

import numpy
import torch
import torch.nn.functional as F
from golden import case

sys.path.append(str(pathlib.Path(__file__).parents[3] / "night"))
from evaluator import patterns  # noqa: E402

WIDTH, HEADS, LAYERS, PARTITION, FEATURES, RANK = 16, 2, 3, 3, 6, 4
SIZE = WIDTH // HEADS


def softmax_attention(q, k, v, mask, table, name):
    return (q @ k.transpose(-1, -2) / SIZE**0.5).masked_fill(~mask, -torch.inf).softmax(-1) @ v


def performer(q, k, v, mask, table, name):
    """FAVOR+ with the maximum of each row, and of all keys, as stabilisers; causal: eps = 0, and a sum per query."""
    is_causal = not mask.all()
    w = table[name + ".attention.features"]

    def exponents(x):
        x = x / SIZE**0.25
        u = x @ w.T
        return u, (x * x).sum(-1, keepdim=True) / 2

    (uq, nq), (uk, nk) = exponents(q), exponents(k)
    # A factor of one query, or of all keys, cancels but for eps and the guard, which causal attention does not have.
    eps, guard = (0, 0) if is_causal else (1e-6, 1e-6)
    sq = uq.amax(-1, keepdim=True)
    sk = uk.amax((-1, -2), keepdim=True)
    phi_q = (torch.exp(uq - nq - sq) + eps) / math.sqrt(FEATURES)
    phi_k = (torch.exp(uk - nk - sk) + eps) / math.sqrt(FEATURES)
    weights = (phi_q @ phi_k.transpose(-1, -2)) * mask
    return weights @ v / (weights.sum(-1, keepdim=True) + guard)


def linformer(q, k, v, mask, table, name):
    e = table[name + ".projection"]
    # Its rows are position by position; the keys here are layer by layer.
    e = e.unflatten(0, (-1, PARTITION - 1)).transpose(0, 1).flatten(0, 1).T
    return (q @ (e @ k).transpose(-1, -2) / SIZE**0.5).softmax(-1) @ (e @ v)


def block(x, table, name, attention, mask):
    def linear(y, part):
        return F.linear(y, table[f"{name}.{part}.weight"], table[f"{name}.{part}.bias"])

    def norm(y, part):
        return F.layer_norm(y, (WIDTH,), table[f"{name}.{part}.weight"], table[f"{name}.{part}.bias"])

    y = norm(x, "norm1")
    q, k, v = (linear(y, f"attention.{p}_proj").unflatten(-1, (HEADS, -1)).transpose(1, 2) for p in "qkv")
    x = x + linear(attention(q, k, v, mask, table, name).transpose(1, 2).flatten(2), "attention.out_proj")
    return x + linear(F.gelu(linear(norm(x, "norm2"), "mlp.fc1")), "mlp.fc2")


def stack(x, table, attention, mask):
    """mask: heads x N x N, of positions."""
    n = x.shape[1]
    plain = torch.ones(n, n, dtype=bool)
    plain = plain.tril() if not mask[:, 0, 1:].any() else plain
    outputs = []
    for layer in range(LAYERS - 1):
        x = block(x, table, f"stack.blocks.{layer}", softmax_attention, plain)
        outputs.append(x)
    tiled = mask.repeat(1, len(outputs), len(outputs))
    if attention is performer and not mask.all():  # at its own position, a token does not see later layers
        above = torch.ones(len(outputs), len(outputs), dtype=bool).triu(1)
        tiled = tiled & ~torch.kron(above, torch.eye(n, dtype=bool))
    pooled = block(torch.cat(outputs, 1), table, f"stack.blocks.{LAYERS - 1}", attention, tiled)
    return x + pooled.unflatten(1, (len(outputs), n)).amax(1)


def stack_parameters(kind, tokens):
    table = {}
    for name in (f"stack.blocks.{layer}" for layer in range(LAYERS)):
        table |= {f"{name}.norm{n}.{p}": (WIDTH,) for n in (1, 2) for p in ("weight", "bias")}
        for p in "q_proj", "k_proj", "v_proj", "out_proj":
            table |= {f"{name}.attention.{p}.weight": (WIDTH, WIDTH), f"{name}.attention.{p}.bias": (WIDTH,)}
        table |= {f"{name}.mlp.fc1.weight": (4 * WIDTH, WIDTH), f"{name}.mlp.fc1.bias": (4 * WIDTH,),
                  f"{name}.mlp.fc2.weight": (WIDTH, 4 * WIDTH), f"{name}.mlp.fc2.bias": (WIDTH,)}
    if kind is performer:
        table[name + ".attention.features"] = (FEATURES, SIZE)
    if kind is linformer:
        table[name + ".projection"] = (tokens * (PARTITION - 1), RANK)
    return table | {"norm.weight": (WIDTH,), "norm.bias": (WIDTH,)}


def norm(x, table, eps):
    return F.layer_norm(x, (WIDTH,), table["norm.weight"], table["norm.bias"], eps)


def text(name, kind, mask):
    def f(ids, table):
        x = table["words.weight"][ids] + table["positions.weight"][: ids.shape[1]]
        return norm(stack(x, table, kind, mask), table, 1e-5) @ table["head.weight"].T

    n = mask.shape[-1]
    parameters = {"words.weight": (11, WIDTH), "positions.weight": (n, WIDTH), "head.weight": (11, WIDTH)}
    case(name, {"ids": ((2, n), 11)}, parameters | stack_parameters(kind, n), f)


def images(name, kind, mask):
    def f(x, table):
        patches = F.conv2d(x, table["patches.weight"], table["patches.bias"], 4).flatten(2).transpose(1, 2)
        x = torch.cat([table["class_token"].expand(len(x), -1, -1), patches], 1) + table["positions"]
        return F.linear(norm(stack(x, table, kind, mask), table, 1e-6)[:, 0], table["head.weight"], table["head.bias"])

    parameters = {"class_token": (1, 1, WIDTH), "positions": (1, 7, WIDTH), "patches.weight": (WIDTH, 3, 4, 4),
                  "patches.bias": (WIDTH,), "head.weight": (5, WIDTH), "head.bias": (5,)}
    case(name, {"images": (2, 3, 8, 12)}, parameters | stack_parameters(kind, 7), f)


def bigbird(n, blocks):
    i, j = numpy.arange(n)[:, None], numpy.arange(n)[None]
    return torch.stack([torch.from_numpy(patterns.in_bigbird(blocks, patterns.Where(n, n, h), i, j)) for h in range(HEADS)])


blocks = {"block": 2, "random": 1, "seed": 3}
below = torch.tril(torch.ones(12, 12, dtype=bool)).expand(HEADS, -1, -1)
text("text-T", softmax_attention, below)
text("text-P", performer, below)
text("text-B", softmax_attention, below & bigbird(12, blocks))
every = torch.ones(HEADS, 7, 7, dtype=bool)
images("images-T", softmax_attention, every)
images("images-P", performer, every)
images("images-L", linformer, every)
images("images-B", softmax_attention, bigbird(7, {"block": 1, "random": 1, "seed": 3}))
