"""Writes deltanet.txt: layers of torch around the naive delta rule of flash-linear-attention, in f64.

usage: deltanet.py FOLDER   FOLDER: fla of the package fla-core, 0.6.0, which needs einops
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

WIDTH, HEADS, TAPS = 16, 2, 4
# Above the published 1e-6: heads of so small a model are near it, where the norm enlarges the error of f32.
EPS = 1e-4
delta_rule = decoder.load(sys.argv[1], "delta_rule").delta_rule_recurrence


class ShortConvolution(nn.Conv1d):
    def __init__(self):
        super().__init__(WIDTH, WIDTH, TAPS, groups=WIDTH, bias=False)

    def forward(self, x):
        return nn.functional.silu(super().forward(nn.functional.pad(x.transpose(1, 2), (TAPS - 1, 0)))).transpose(1, 2)


def unit(x):
    return x / (x.square().sum(-1, keepdim=True) + 1e-6).sqrt()


class DeltaRule(nn.Module):
    def __init__(self):
        super().__init__()
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(3))
        self.b_proj = nn.Linear(WIDTH, HEADS, bias=False)
        self.q_conv1d, self.k_conv1d, self.v_conv1d = (ShortConvolution() for _ in range(3))
        self.o_norm = nn.RMSNorm(WIDTH // HEADS, eps=EPS)
        self.o_proj = nn.Linear(WIDTH, WIDTH, bias=False)

    def forward(self, x):
        q = unit(decoder.split(self.q_conv1d(self.q_proj(x)), HEADS))
        k = unit(decoder.split(self.k_conv1d(self.k_proj(x)), HEADS))
        v = decoder.split(self.v_conv1d(self.v_proj(x)), HEADS)
        o, _ = delta_rule(q, k, v, self.b_proj(x).sigmoid().transpose(1, 2))
        return self.o_proj(decoder.merge(self.o_norm(o)))


model = decoder.Decoder(DeltaRule, width=WIDTH, hidden=20, count=29, eps=EPS)
parameters = golden.fill(model)
ids = torch.tensor([[3, 1, 28, 0, 14, 9, 9], [11, 5, 20, 2, 7, 7, 1]])
golden.write(here / "deltanet.txt", parameters, {"ids": ids}, {"logits": model(ids)})
