"""Writes transformer_xl.txt: the layers of transformers' Transformer-XL in f64.

usage: transformer_xl.py MODELING    MODELING: transformers/models/transfo_xl/modeling_transfo_xl.py of transformers 4.30.2
"""

import pathlib
import sys

import torch
from torch import nn

here = pathlib.Path(__file__).parent
sys.path.insert(0, str(here.parent.parent / "Inputs"))
import golden

text = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
text = text[text.index("class PositionalEmbedding"):text.index("class AdaptiveEmbedding")].replace(".float()", "")
layers = {"torch": torch, "nn": nn}
exec(text, layers)

WIDTH, HEADS, SIZE, HIDDEN, COUNT, TOKENS, MEMORY = 12, 2, 4, 20, 29, 5, 4


class Model(nn.Module):
    def __init__(self, untied):
        super().__init__()
        self.word_emb = nn.ModuleDict({"emb_layers": nn.ModuleList([nn.Embedding(COUNT, WIDTH)])})
        biases = {}
        if not untied:
            self.r_w_bias, self.r_r_bias = (nn.Parameter(torch.zeros(HEADS, SIZE)) for _ in range(2))
            biases = {"r_w_bias": self.r_w_bias, "r_r_bias": self.r_r_bias}
        make = layers["RelPartialLearnableDecoderLayer"]
        self.layers = nn.ModuleList([make(HEADS, WIDTH, SIZE, HIDDEN, 0.0, **biases) for _ in range(2)])

    def forward(self, ids, memory):
        x = self.word_emb["emb_layers"][0](ids.T) * WIDTH**0.5
        r = layers["PositionalEmbedding"](WIDTH)(torch.arange(MEMORY + TOKENS - 1, -1, -1.0))
        mask = torch.triu(torch.ones(TOKENS, MEMORY + TOKENS, dtype=torch.bool), 1 + MEMORY)[:, :, None]
        kept = []
        for layer, m in zip(self.layers, memory):
            kept.append(torch.cat([m.transpose(0, 1), x])[-6:].transpose(0, 1))
            x = layer(x, r, dec_attn_mask=mask, mems=m.transpose(0, 1))[0]
        return x.transpose(0, 1), kept


def case(path, untied):
    model = Model(untied)
    parameters = {"transformer." + name: p for name, p in model.named_parameters()}
    parameters["crit.out_layers.0.bias"] = nn.Parameter(torch.zeros(COUNT))
    for name, parameter in parameters.items():
        parameter.data = golden.weight(name, parameter.shape)
    memory = {f"memory{n}": torch.Size((2, MEMORY, WIDTH)) for n in range(2)}
    ids = torch.tensor([[3, 1, 28, 0, 14], [11, 5, 20, 2, 7]])
    x, kept = model(ids, [golden.number(name, shape) for name, shape in memory.items()])
    logits = x @ model.word_emb["emb_layers"][0].weight.T + parameters["crit.out_layers.0.bias"]
    golden.write(here / path, parameters, {"ids": ids, **memory}, {"logits": logits, "kept0": kept[0], "kept1": kept[1]})


case("transformer_xl.txt", False)
case("transformer_xl_untied.txt", True)
