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


def heads_of(y, table, name, p):
    weight, bias = table[f"{name}.{p}_proj.weight"], table[f"{name}.{p}_proj.bias"]
    return F.linear(y, weight, bias).unflatten(-1, (HEADS, -1)).transpose(1, 2)


def block(x, table, name, attention, mask, memory=None):
    """memory: the encoder's result, and which of its tokens are valid, batch x 1 x 1 x tokens."""
    def linear(y, part):
        return F.linear(y, table[f"{name}.{part}.weight"], table[f"{name}.{part}.bias"])

    def norm(y, part):
        return F.layer_norm(y, (WIDTH,), table[f"{name}.{part}.weight"], table[f"{name}.{part}.bias"])

    y = norm(x, "norm1")
    q, k, v = (heads_of(y, table, name + ".attention", p) for p in "qkv")
    x = x + linear(attention(q, k, v, mask, table, name).transpose(1, 2).flatten(2), "attention.out_proj")
    if memory:
        q = heads_of(norm(x, "cross_norm"), table, name + ".cross", "q")
        k, v = (heads_of(memory[0], table, name + ".cross", p) for p in "kv")
        x = x + linear(softmax_attention(q, k, v, memory[1], table, name).transpose(1, 2).flatten(2), "cross.out_proj")
    return x + linear(F.gelu(linear(norm(x, "norm2"), "mlp.fc1")), "mlp.fc2")


def stack(x, table, attention, mask, prefix="stack", memory=None, valid=None):
    """mask: heads x N x N, of positions. valid: batch x 1 x 1 x N, or all."""
    n = x.shape[1]
    plain = torch.ones(n, n, dtype=bool)
    plain = plain.tril() if not mask[:, 0, 1:].any() else plain
    if valid is not None:
        plain, mask = plain & valid, mask & valid
    outputs = []
    for layer in range(LAYERS - 1):
        x = block(x, table, f"{prefix}.blocks.{layer}", softmax_attention, plain, memory)
        outputs.append(x)
    if attention is None:
        return block(x, table, f"{prefix}.blocks.{LAYERS - 1}", softmax_attention, plain, memory)
    tiled = mask.tile(len(outputs), len(outputs))
    if attention is performer and not mask.all():  # at its own position, a token does not see later layers
        above = torch.ones(len(outputs), len(outputs), dtype=bool).triu(1)
        tiled = tiled & ~torch.kron(above, torch.eye(n, dtype=bool))
    pooled = block(torch.cat(outputs, 1), table, f"{prefix}.blocks.{LAYERS - 1}", attention, tiled, memory)
    return x + pooled.unflatten(1, (len(outputs), n)).amax(1)


def stack_parameters(kind, tokens, prefix="stack", memory=False):
    table = {}
    for name in (f"{prefix}.blocks.{layer}" for layer in range(LAYERS)):
        norms = ("norm1", "norm2", "cross_norm") if memory else ("norm1", "norm2")
        table |= {f"{name}.{n}.{p}": (WIDTH,) for n in norms for p in ("weight", "bias")}
        for attention in ("attention", "cross") if memory else ("attention",):
            for p in "q_proj", "k_proj", "v_proj", "out_proj":
                table |= {f"{name}.{attention}.{p}.weight": (WIDTH, WIDTH), f"{name}.{attention}.{p}.bias": (WIDTH,)}
        table |= {f"{name}.mlp.fc1.weight": (4 * WIDTH, WIDTH), f"{name}.mlp.fc1.bias": (4 * WIDTH,),
                  f"{name}.mlp.fc2.weight": (WIDTH, 4 * WIDTH), f"{name}.mlp.fc2.bias": (WIDTH,)}
    if kind is performer:
        table[name + ".attention.features"] = (FEATURES, SIZE)
    if kind is linformer:
        table[name + ".projection"] = (tokens * (PARTITION - 1), RANK)
    name = "norm" if prefix == "stack" else prefix + "_norm"
    return table | {name + ".weight": (WIDTH,), name + ".bias": (WIDTH,)}


def norm(x, table, eps, name="norm"):
    return F.layer_norm(x, (WIDTH,), table[name + ".weight"], table[name + ".bias"], eps)


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


def sinusoids(n):
    angles = torch.arange(n)[:, None] * 10000 ** (-torch.arange(0, WIDTH, 2) / WIDTH)
    return torch.stack([angles.sin(), angles.cos()], -1).flatten(1)


def translation(name, encoder, decoder, lengths=None, n=7, m=5):
    """decoder: None for an ordinary one. lengths: of the sources."""
    valid = (torch.arange(n) < torch.tensor(lengths or [n, n])[:, None])[:, None, None]

    def embed(ids, table):
        return table["words.weight"][ids] * WIDTH**0.5 + sinusoids(ids.shape[1])

    def f(source, target, table):
        every = torch.ones(HEADS, n, n, dtype=bool)
        memory = stack(embed(source, table), table, encoder, every, "encoder", valid=valid if lengths else None)
        memory = norm(memory, table, 1e-5, "encoder_norm"), valid
        below = torch.ones(m, m, dtype=bool).tril().expand(HEADS, -1, -1)
        x = stack(embed(target, table), table, decoder, below, "decoder", memory)
        return norm(x, table, 1e-5, "decoder_norm") @ table["words.weight"].T

    parameters = {"words.weight": (11, WIDTH)} | stack_parameters(encoder, n, "encoder")
    case(name, {"source": ((2, n), 11), "target": ((2, m), 11)}, parameters | stack_parameters(decoder, m, "decoder", True), f)


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
translation("translation-T", softmax_attention, softmax_attention, [4, 7])
translation("translation-P", performer, performer)
translation("translation-L", linformer, None)
