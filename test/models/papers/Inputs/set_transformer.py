# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers of Set Transformer in plain torch, with the names of the paper's code: python3 set_transformer.py >
set_transformer.txt. Heads are a dimension here; there they are stacked in the batch."""

import torch
import torch.nn.functional as F
from golden import module_case
from torch import nn

IN, OUTPUTS, OUT, POINTS, WIDTH, HEADS = 3, 2, 5, 4, 12, 3


class MAB(nn.Module):
    def __init__(self, dim_q, dim_k, ln):
        super().__init__()
        self.fc_q, self.fc_k, self.fc_v = nn.Linear(dim_q, WIDTH), nn.Linear(dim_k, WIDTH), nn.Linear(dim_k, WIDTH)
        self.ln0, self.ln1 = (nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)) if ln else (nn.Identity(), nn.Identity())
        self.fc_o = nn.Linear(WIDTH, WIDTH)

    def forward(self, x, y):
        q, k, v = (z.unflatten(-1, (HEADS, -1)).transpose(1, 2) for z in (self.fc_q(x), self.fc_k(y), self.fc_v(y)))
        p = (q @ k.transpose(-1, -2) / WIDTH**0.5).softmax(-1)
        o = self.ln0((q + p @ v).transpose(1, 2).flatten(2))
        return self.ln1(o + F.relu(self.fc_o(o)))


class SAB(nn.Module):
    def __init__(self, ln):
        super().__init__()
        self.mab = MAB(WIDTH, WIDTH, ln)

    def forward(self, x):
        return self.mab(x, x)


class ISAB(nn.Module):
    def __init__(self, dim, ln):
        super().__init__()
        self.I, self.mab0, self.mab1 = nn.Parameter(torch.zeros(1, POINTS, WIDTH)), MAB(WIDTH, dim, ln), MAB(dim, WIDTH, ln)

    def forward(self, x):
        return self.mab1(x, self.mab0(self.I.expand(len(x), -1, -1), x))


class PMA(nn.Module):
    def __init__(self, ln):
        super().__init__()
        self.S, self.mab = nn.Parameter(torch.zeros(1, OUTPUTS, WIDTH)), MAB(WIDTH, WIDTH, ln)

    def forward(self, x):
        return self.mab(self.S.expand(len(x), -1, -1), x)


class SetTransformer(nn.Module):
    def __init__(self, ln):
        super().__init__()
        self.enc = nn.Sequential(ISAB(IN, ln), ISAB(WIDTH, ln))
        self.dec = nn.Sequential(PMA(ln), SAB(ln), SAB(ln), nn.Linear(WIDTH, OUT))

    def forward(self, x):
        return self.dec(self.enc(x))


module_case("plain", SetTransformer(False), {"sets": (2, 7, IN)})
module_case("normed", SetTransformer(True), {"sets": (2, 7, IN)})
