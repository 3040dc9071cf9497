"""The decoder that the models of flash-linear-attention share, written in torch: those of the package need Triton."""

import importlib.util

from torch import nn


def load(folder, op):
    """Loads naive.py of an op without the package around it."""
    spec = importlib.util.spec_from_file_location("naive", f"{folder}/ops/{op}/naive.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def split(x, heads):
    return x.unflatten(-1, (heads, -1)).transpose(1, 2)


def merge(x):
    return x.transpose(1, 2).flatten(2)


class Gated(nn.Module):
    def __init__(self, width, hidden):
        super().__init__()
        self.gate_proj, self.up_proj = (nn.Linear(width, hidden, bias=False) for _ in range(2))
        self.down_proj = nn.Linear(hidden, width, bias=False)

    def forward(self, x):
        return self.down_proj(nn.functional.silu(self.gate_proj(x)) * self.up_proj(x))


class Block(nn.Module):
    def __init__(self, attention, width, hidden, eps):
        super().__init__()
        self.attn_norm, self.mlp_norm = (nn.RMSNorm(width, eps=eps) for _ in range(2))
        self.attn, self.mlp = attention(), Gated(width, hidden)

    def forward(self, x):
        x = x + self.attn(self.attn_norm(x))
        return x + self.mlp(self.mlp_norm(x))


class Decoder(nn.Module):
    def __init__(self, attention, *, width, hidden, count, eps=1e-6):
        super().__init__()
        self.model = nn.Module()
        self.model.embeddings = nn.Embedding(count, width)
        self.model.layers = nn.ModuleList(Block(attention, width, hidden, eps) for _ in range(2))
        self.model.norm = nn.RMSNorm(width, eps=eps)
        self.lm_head = nn.Linear(width, count, bias=False)

    def forward(self, ids):
        x = self.model.embeddings(ids)
        for layer in self.model.layers:
            x = layer(x)
        return self.lm_head(self.model.norm(x))
