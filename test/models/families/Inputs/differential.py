# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers of the Differential Transformer's attention, by its paper: python3 differential.py > differential.txt."""

import torch
from golden_of import attend, case

TOKENS, WIDTH, HEADS, SIZE, EPS, START = 17, 16, 2, 4, 1e-3, 0.8 - 0.6 * 2.718281828459045**-0.3


def differential(x, p):
    q, k = (torch.unflatten(x @ p[n + ".weight"].T, -1, (HEADS, 2, SIZE)).movedim(1, 3) for n in ("q_proj", "k_proj"))
    v = torch.unflatten(x @ p["v_proj.weight"].T, -1, (HEADS, 2 * SIZE)).movedim(1, 2)
    visible = torch.ones(TOKENS, TOKENS).tril().bool()
    o = [attend(q[:, :, n] @ k[:, :, n].mT / SIZE**0.5, visible, v) for n in range(2)]
    factor = [(p[f"lambda_q{n}"] * p[f"lambda_k{n}"]).sum().exp() for n in (1, 2)]
    o = o[0] - (factor[0] - factor[1] + START) * o[1]
    o = o * torch.rsqrt(o.square().mean(-1, keepdim=True) + EPS) * p["subln.weight"] * (1 - START)
    return o.movedim(1, 2).flatten(2) @ p["out_proj.weight"].T


shapes = {n + "_proj.weight": (WIDTH, WIDTH) for n in ("q", "k", "v", "out")}
shapes |= {n: (SIZE,) for n in ("lambda_q1", "lambda_k1", "lambda_q2", "lambda_k2")} | {"subln.weight": (2 * SIZE,)}
case("differential", {"x": (2, TOKENS, WIDTH)}, shapes, differential)
