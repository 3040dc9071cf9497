# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers of Linformer: python3 linformer.py > linformer.txt. Equation 7 of the paper in torch's encoder layers."""

import torch
import torch.nn.functional as F
from golden import case

WIDTH, HEADS, HIDDEN, LAYERS, MOST, TOKENS, RANK = 16, 2, 32, 2, 12, 10, 4
OF_LAYER = {"none": 2, "headwise": 2, "kv": 1, "layerwise": 0}


def parameters(sharing):
    table = {"words.weight": (11, WIDTH), "positions.weight": (MOST, WIDTH), "norm.weight": (WIDTH,), "norm.bias": (WIDTH,)}
    for layer in (f"layers.{n}" for n in range(LAYERS)):
        table |= {f"{layer}.self_attn.in_proj_weight": (3 * WIDTH, WIDTH), f"{layer}.self_attn.in_proj_bias": (3 * WIDTH,),
                  f"{layer}.self_attn.out_proj.weight": (WIDTH, WIDTH), f"{layer}.self_attn.out_proj.bias": (WIDTH,),
                  f"{layer}.linear1.weight": (HIDDEN, WIDTH), f"{layer}.linear1.bias": (HIDDEN,),
                  f"{layer}.linear2.weight": (WIDTH, HIDDEN), f"{layer}.linear2.bias": (WIDTH,)}
        table |= {f"{layer}.norm{n}.{p}": (WIDTH,) for n in (1, 2) for p in ("weight", "bias")}
    shape = (HEADS, MOST, RANK) if sharing == "none" else (MOST, RANK)
    return table | {f"projections.{n}": shape for n in range(max(1, LAYERS * OF_LAYER[sharing]))}


def model(sharing):
    def f(ids, table):
        def norm(x, name):
            return F.layer_norm(x, (WIDTH,), table[name + ".weight"], table[name + ".bias"])

        def linear(x, name):
            return F.linear(x, table[name + ".weight"], table[name + ".bias"])

        x = norm(table["words.weight"][ids] + table["positions.weight"][:TOKENS], "norm")
        for n in range(LAYERS):
            layer, first = f"layers.{n}", n * OF_LAYER[sharing]
            projected = F.linear(x, table[layer + ".self_attn.in_proj_weight"], table[layer + ".self_attn.in_proj_bias"])
            q, k, v = (y.unflatten(-1, (HEADS, -1)).transpose(1, 2) for y in projected.chunk(3, -1))
            e = table[f"projections.{first}"][..., :TOKENS, :].transpose(-1, -2)
            f_ = table[f"projections.{first + (OF_LAYER[sharing] == 2)}"][..., :TOKENS, :].transpose(-1, -2)
            p = (q @ (e @ k).transpose(-1, -2) / (WIDTH // HEADS) ** 0.5).softmax(-1)
            x = norm(x + linear((p @ (f_ @ v)).transpose(1, 2).flatten(2), layer + ".self_attn.out_proj"), layer + ".norm1")
            x = norm(x + linear(F.gelu(linear(x, layer + ".linear1")), layer + ".linear2"), layer + ".norm2")
        return x

    return f


for sharing in OF_LAYER:
    case(sharing, {"ids": ((2, TOKENS), 11)}, parameters(sharing), model(sharing))
