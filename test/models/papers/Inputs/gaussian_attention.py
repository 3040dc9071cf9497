# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers of Gaussian attention with the probabilities of all pairs: python3 gaussian_attention.py > gaussian_attention.txt."""

import functools

import torch
import torch.nn.functional as F
from golden import case

WIDTH, HEADS, HIDDEN, LAYERS, ROWS, COLUMNS = 12, 3, 20, 2, 3, 4


def parameters(kind):
    table = {"patches.weight": (WIDTH, 3, 2, 2), "patches.bias": (WIDTH,), "head.weight": (5, WIDTH), "head.bias": (5,)}
    for layer in (f"layers.{n}" for n in range(LAYERS)):
        size = WIDTH // 2 if kind == "content" else WIDTH
        if kind == "gaussian":
            table |= {f"{layer}.centres": (HEADS, 2), f"{layer}.factors": (HEADS, 2, 2)}
        else:
            table |= {f"{layer}.rows": (2 * ROWS - 1, size), f"{layer}.columns": (2 * COLUMNS - 1, size)}
        if kind == "learned":
            table |= {f"{layer}.{name}_keys": (HEADS, WIDTH) for name in ("row", "column")}
        if kind == "content":
            table |= {f"{layer}.{name}.weight": (HEADS * WIDTH, WIDTH) for name in ("query", "key")}
            table |= {f"{layer}.{name}.bias": (HEADS * WIDTH,) for name in ("query", "key")}
        for name, out, in_ in (("value", WIDTH, HEADS * WIDTH), ("output", WIDTH, WIDTH), ("mlp.fc1", HIDDEN, WIDTH),
                               ("mlp.fc2", WIDTH, HIDDEN)):
            table |= {f"{layer}.{name}.weight": (out, in_), f"{layer}.{name}.bias": (out,)}
        table |= {f"{layer}.norm{n}.{p}": (WIDTH,) for n in (1, 2) for p in ("weight", "bias")}
    return table


def f(images, table, kind):
    place = torch.stack(torch.meshgrid(torch.arange(ROWS), torch.arange(COLUMNS), indexing="ij"), -1).reshape(-1, 2)
    delta = (place[None] - place[:, None]).double()  # query, key, (y, x)
    x = F.conv2d(images, table["patches.weight"], table["patches.bias"], 2).flatten(2).transpose(1, 2)
    for layer in (f"layers.{n}" for n in range(LAYERS)):
        def linear(y, name):
            return F.linear(y, table[f"{layer}.{name}.weight"], table[f"{layer}.{name}.bias"])

        def norm(y, name):
            return F.layer_norm(y, (WIDTH,), table[f"{layer}.{name}.weight"], table[f"{layer}.{name}.bias"], 1e-12)

        if kind == "gaussian":
            s = table[layer + ".factors"] + torch.eye(2)
            offset = delta[None] - table[layer + ".centres"][:, None, None]
            precision = s.transpose(1, 2) @ s
            scores = -torch.einsum("hijy,hyx,hijx->hij", offset, precision, offset) / 2
        else:  # r_delta = (row of delta y, column of delta x)
            y, column = (delta + torch.tensor([ROWS - 1, COLUMNS - 1])).long().unbind(-1)
            r = torch.cat([table[layer + ".rows"][y], table[layer + ".columns"][column]], -1)
        if kind == "learned":
            keys = torch.cat([table[layer + ".row_keys"], table[layer + ".column_keys"]], -1)
            scores = torch.einsum("hd,ijd->hij", keys, r)
        if kind == "content":
            q, k = (linear(x, name).unflatten(-1, (HEADS, -1)) for name in ("query", "key"))
            scores = torch.einsum("bihd,bjhd->bhij", q, k) + torch.einsum("bihd,ijd->bhij", q, r)
            scores = scores / WIDTH**0.5
        p = scores.softmax(-1).expand(len(x), -1, -1, -1)
        attended = torch.einsum("bhij,bjd->bihd", p, x).flatten(2)
        x = norm(x + linear(linear(attended, "value"), "output"), "norm1")
        x = norm(x + linear(F.gelu(linear(x, "mlp.fc1")), "mlp.fc2"), "norm2")
    return F.linear(x.mean(1), table["head.weight"], table["head.bias"])


for kind in "gaussian", "learned", "content":
    case(kind, {"images": (2, 3, 2 * ROWS, 2 * COLUMNS)}, parameters(kind), functools.partial(f, kind=kind))
