# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers of Gaussian attention with the probabilities of all pairs: python3 gaussian_attention.py > gaussian_attention.txt."""

import torch
import torch.nn.functional as F
from golden import case

WIDTH, HEADS, HIDDEN, LAYERS, ROWS, COLUMNS = 12, 3, 20, 2, 3, 4


def parameters():
    table = {"patches.weight": (WIDTH, 3, 2, 2), "patches.bias": (WIDTH,), "head.weight": (5, WIDTH), "head.bias": (5,)}
    for layer in (f"layers.{n}" for n in range(LAYERS)):
        table |= {f"{layer}.centres": (HEADS, 2), f"{layer}.factors": (HEADS, 2, 2)}
        for name, out, in_ in (("value", WIDTH, HEADS * WIDTH), ("output", WIDTH, WIDTH), ("mlp.fc1", HIDDEN, WIDTH),
                               ("mlp.fc2", WIDTH, HIDDEN)):
            table |= {f"{layer}.{name}.weight": (out, in_), f"{layer}.{name}.bias": (out,)}
        table |= {f"{layer}.norm{n}.{p}": (WIDTH,) for n in (1, 2) for p in ("weight", "bias")}
    return table


def f(images, table):
    place = torch.stack(torch.meshgrid(torch.arange(ROWS), torch.arange(COLUMNS), indexing="ij"), -1).reshape(-1, 2)
    delta = (place[None] - place[:, None]).double()  # query, key, (y, x)
    x = F.conv2d(images, table["patches.weight"], table["patches.bias"], 2).flatten(2).transpose(1, 2)
    for layer in (f"layers.{n}" for n in range(LAYERS)):
        def linear(y, name):
            return F.linear(y, table[f"{layer}.{name}.weight"], table[f"{layer}.{name}.bias"])

        def norm(y, name):
            return F.layer_norm(y, (WIDTH,), table[f"{layer}.{name}.weight"], table[f"{layer}.{name}.bias"], 1e-12)

        s = table[layer + ".factors"] + torch.eye(2)
        offset = delta[None] - table[layer + ".centres"][:, None, None]
        precision = s.transpose(1, 2) @ s
        p = (-torch.einsum("hijy,hyx,hijx->hij", offset, precision, offset) / 2).softmax(-1)
        attended = torch.einsum("hij,bjd->bihd", p, x).flatten(2)
        x = norm(x + linear(linear(attended, "value"), "output"), "norm1")
        x = norm(x + linear(F.gelu(linear(x, "mlp.fc1")), "mlp.fc2"), "norm2")
    return F.linear(x.mean(1), table["head.weight"], table["head.bias"])


case("gaussian", {"images": (2, 3, 2 * ROWS, 2 * COLUMNS)}, parameters(), f)
