"""Writes retnet.txt: layers of torch around the naive retention of flash-linear-attention, in f64.

usage: retnet.py FOLDER   FOLDER: fla of the package fla-core, 0.6.0
"""

import pathlib
import sys

import torch
from torch import nn

here = pathlib.Path(__file__).parent
sys.path.insert(0, str(here.parent.parent / "Inputs"))
sys.path.insert(0, str(here))
import golden

golden.compute_in_f64()
import decoder

WIDTH, VALUES, HEADS, TOKENS = 16, 24, 2, 7
naive_retention = decoder.load(sys.argv[1], "retention").naive_retention
# Pairs n and n + size / 2, as in fla's rotary.py.
angles = torch.arange(TOKENS)[:, None] * 10000.0 ** (-torch.arange(0, 8, 2) / 8)


def rotate(x):
    a, b = x.chunk(2, -1)
    return torch.cat([a * angles.cos() - b * angles.sin(), b * angles.cos() + a * angles.sin()], -1)


class Retention(nn.Module):
    def __init__(self):
        super().__init__()
        self.q_proj, self.k_proj = (nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(2))
        self.v_proj, self.g_proj = (nn.Linear(WIDTH, VALUES, bias=False) for _ in range(2))
        self.o_proj = nn.Linear(VALUES, WIDTH, bias=False)
        self.g_norm_swish_gate = nn.RMSNorm(VALUES // HEADS, eps=1e-6)

    def forward(self, x):
        q, k, v = (decoder.split(p(x), HEADS) for p in (self.q_proj, self.k_proj, self.v_proj))
        o = self.g_norm_swish_gate(naive_retention(rotate(q), rotate(k), v))
        return self.o_proj(decoder.merge(o) * nn.functional.silu(self.g_proj(x)))


model = decoder.Decoder(Retention, width=WIDTH, hidden=20, count=29)
parameters = golden.fill(model)
ids = torch.tensor([[3, 1, 28, 0, 14, 9, 9], [11, 5, 20, 2, 7, 7, 1]])
logits = model(ids)
golden.write(here / "retnet.txt", parameters, {"ids": ids}, {"logits": logits, "steps": logits})
