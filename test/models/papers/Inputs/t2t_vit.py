# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers of T2T-ViT in plain torch, with the names of the paper's code: python3 t2t_vit.py > t2t_vit.txt."""

import math

import torch
import torch.nn.functional as F
from golden import module_case
from torch import nn

WIDTH, TOKEN, HEADS, HIDDEN, LAYERS, IMAGE = 16, 8, 2, 32, 2, 32


class Attention(nn.Module):
    def __init__(self, dim, inner, heads):
        super().__init__()
        self.heads, self.scale, self.narrows = heads, (dim // heads) ** -0.5, dim != inner
        self.qkv, self.proj = nn.Linear(dim, 3 * inner, bias=False), nn.Linear(inner, inner)

    def forward(self, x):
        q, k, v = (y.unflatten(-1, (self.heads, -1)).transpose(1, 2) for y in self.qkv(x).chunk(3, -1))
        y = self.proj(((q * self.scale @ k.transpose(-1, -2)).softmax(-1) @ v).transpose(1, 2).flatten(2))
        return v.squeeze(1) + y if self.narrows else y


class Mlp(nn.Module):
    def __init__(self, width, hidden):
        super().__init__()
        self.fc1, self.fc2 = nn.Linear(width, hidden), nn.Linear(hidden, width)

    def forward(self, x):
        return self.fc2(F.gelu(self.fc1(x)))


class TokenTransformer(nn.Module):
    def __init__(self, dim, inner):
        super().__init__()
        self.norm1, self.attn, self.norm2 = nn.LayerNorm(dim), Attention(dim, inner, 1), nn.LayerNorm(inner)
        self.mlp = Mlp(inner, inner)

    def forward(self, x):
        x = self.attn(self.norm1(x))
        return x + self.mlp(self.norm2(x))


class TokenPerformer(nn.Module):
    def __init__(self, dim, inner):
        super().__init__()
        self.kqv, self.proj = nn.Linear(dim, 3 * inner), nn.Linear(inner, inner)
        self.norm1, self.norm2 = nn.LayerNorm(dim), nn.LayerNorm(inner)
        self.mlp = nn.Sequential(nn.Linear(inner, inner), nn.GELU(), nn.Linear(inner, inner))
        self.w = nn.Parameter(torch.zeros(inner // 2, inner))

    def features(self, x):
        return torch.exp(x @ self.w.T - (x * x).sum(-1, keepdim=True) / 2) / math.sqrt(len(self.w))

    def forward(self, x):
        k, q, v = self.kqv(self.norm1(x)).chunk(3, -1)
        kp, qp = self.features(k), self.features(q)
        y = qp @ (kp.transpose(1, 2) @ v) / (qp @ kp.sum(1)[..., None] + 1e-8)
        x = v + self.proj(y)
        return x + self.mlp(self.norm2(x))


class TokensToToken(nn.Module):
    def __init__(self, layer):
        super().__init__()
        self.attention1, self.attention2 = layer(3 * 49, TOKEN), layer(TOKEN * 9, TOKEN)
        self.project = nn.Linear(TOKEN * 9, WIDTH)

    def forward(self, x):
        def image(tokens):
            side = math.isqrt(tokens.shape[1])
            return tokens.transpose(1, 2).unflatten(2, (side, side))

        x = self.attention1(F.unfold(x, 7, stride=4, padding=2).transpose(1, 2))
        x = self.attention2(F.unfold(image(x), 3, stride=2, padding=1).transpose(1, 2))
        return self.project(F.unfold(image(x), 3, stride=2, padding=1).transpose(1, 2))


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm1, self.attn, self.norm2 = nn.LayerNorm(WIDTH), Attention(WIDTH, WIDTH, HEADS), nn.LayerNorm(WIDTH)
        self.mlp = Mlp(WIDTH, HIDDEN)

    def forward(self, x):
        x = x + self.attn(self.norm1(x))
        return x + self.mlp(self.norm2(x))


class T2TViT(nn.Module):
    def __init__(self, layer):
        super().__init__()
        self.tokens_to_token, self.cls_token = TokensToToken(layer), nn.Parameter(torch.zeros(1, 1, WIDTH))
        self.blocks = nn.ModuleList(Block() for _ in range(LAYERS))
        self.norm, self.head = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, 5)

    def forward(self, x):
        x = self.tokens_to_token(x)
        x = torch.cat([self.cls_token.expand(len(x), -1, -1), x], 1)
        angles = torch.arange(x.shape[1])[:, None] / 10000 ** (2 * (torch.arange(WIDTH) // 2) / WIDTH)
        x = x + torch.where(torch.arange(WIDTH) % 2 == 0, angles.sin(), angles.cos())
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x)[:, 0])


for name, layer in (("performer", TokenPerformer), ("transformer", TokenTransformer)):
    module_case(name, T2TViT(layer), {"images": (2, 3, IMAGE, IMAGE)})
