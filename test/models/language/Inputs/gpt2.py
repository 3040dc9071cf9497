"""Writes gpt2.txt: transformers' GPT-2 of small size, in f64."""

import pathlib
import sys

import torch
import transformers

here = pathlib.Path(__file__).parent
sys.path.insert(0, str(here.parent.parent / "Inputs"))
import golden

config = transformers.GPT2Config(vocab_size=29, n_positions=12, n_embd=16, n_layer=2, n_head=4, resid_pdrop=0, embd_pdrop=0,
                                 attn_pdrop=0, attn_implementation="eager")
model = transformers.GPT2LMHeadModel(config).double().eval()
parameters = {name.removeprefix("transformer."): p for name, p in model.named_parameters()}
for name, parameter in parameters.items():
    parameter.data = golden.weight(name, parameter.shape)
ids = torch.tensor([[3, 1, 28, 0, 14, 9, 9], [11, 5, 20, 2, 7, 1, 26]])
golden.write(here / "gpt2.txt", parameters, {"ids": ids}, {"logits": model(ids).logits},
             buffers={f"h.{n}.attn.bias": (1, 1, 12, 12) for n in range(2)})
