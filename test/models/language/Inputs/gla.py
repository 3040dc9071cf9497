"""Writes gla.txt: layers of torch around the naive gated linear attention of flash-linear-attention, in f64.

usage: gla.py FOLDER   FOLDER: fla of the package fla-core, 0.6.0
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

WIDTH, KEYS, HEADS = 16, 8, 2
# Above the published 1e-6, as in deltanet.py.
EPS = 1e-4
naive_gla = decoder.load(sys.argv[1], "gla").naive_recurrent_gla


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.q_proj, self.k_proj = (nn.Linear(WIDTH, KEYS, bias=False) for _ in range(2))
        self.v_proj, self.g_proj, self.o_proj = (nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(3))
        self.gk_proj = nn.Sequential(nn.Linear(WIDTH, 3, bias=False), nn.Linear(3, KEYS))
        self.g_norm_swish_gate = nn.RMSNorm(WIDTH // HEADS, eps=EPS)

    def forward(self, x):
        gates = nn.functional.logsigmoid(self.gk_proj(x)) / 4
        rows = (y.unflatten(-1, (HEADS, -1)) for y in (self.q_proj(x), self.k_proj(x), self.v_proj(x), gates))
        o = self.g_norm_swish_gate(naive_gla(*rows)[0]).flatten(2)
        return self.o_proj(o * nn.functional.silu(self.g_proj(x)))


model = decoder.Decoder(Attention, width=WIDTH, hidden=20, count=29, eps=EPS)
parameters = golden.fill(model)
ids = torch.tensor([[3, 1, 28, 0, 14, 9, 9], [11, 5, 20, 2, 7, 7, 1]])
golden.write(here / "gla.txt", parameters, {"ids": ids}, {"logits": model(ids)})
