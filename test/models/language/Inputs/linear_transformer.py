"""Writes linear_transformer.txt: the recurrent layers of pytorch-fast-transformers, which are torch alone, in f64.

usage: linear_transformer.py FOLDER   FOLDER: fast_transformers of the package's source, 0.4.0
"""

import pathlib
import sys
import types

import torch
from torch import nn

here = pathlib.Path(__file__).parent
sys.path.insert(0, str(here.parent.parent / "Inputs"))
import golden

# Without its own __init__, which would want the compiled kernels.
package = types.ModuleType("fast_transformers")
package.__path__ = [sys.argv[1]]
sys.modules["fast_transformers"] = package
from fast_transformers.recurrent.attention.self_attention.attention_layer import RecurrentAttentionLayer
from fast_transformers.recurrent.attention.self_attention.linear_attention import RecurrentLinearAttention
from fast_transformers.recurrent.transformers import RecurrentTransformerEncoder, RecurrentTransformerEncoderLayer

WIDTH, HEADS, COUNT, TOKENS = 12, 2, 29, 6


def layer():
    attention = RecurrentAttentionLayer(RecurrentLinearAttention(WIDTH // HEADS), WIDTH, HEADS)
    return RecurrentTransformerEncoderLayer(attention, WIDTH, 20, dropout=0)


encoder = RecurrentTransformerEncoder([layer(), layer()], nn.LayerNorm(WIDTH))
model = nn.Module()
model.embedding, model.layers, model.norm = nn.Embedding(COUNT, WIDTH), encoder.layers, encoder.norm
model.predictor = nn.Linear(WIDTH, COUNT)
parameters = golden.fill(model)
angles = torch.arange(TOKENS)[:, None] * 10000.0 ** (-torch.arange(0, WIDTH, 2) / WIDTH)
positions = torch.stack([angles.sin(), angles.cos()], -1).reshape(TOKENS, WIDTH)
ids = torch.tensor([[3, 1, 28, 0, 14, 9], [11, 5, 20, 2, 7, 7]])
state, logits = None, []
for n in range(TOKENS):
    x, state = encoder(model.embedding(ids[:, n]) + positions[n], state)
    logits.append(model.predictor(x))
logits = torch.stack(logits, 1)
golden.write(here / "linear_transformer.txt", parameters, {"ids": ids}, {"logits": logits, "steps": logits})
