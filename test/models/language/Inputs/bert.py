"""Writes bert.txt: transformers' BERT of small size, in f64, and the sentence embeddings of its hidden states. And
bert_residual.txt, where each attention adds the scores of the layer before (RealFormer, section 3.1)."""

import pathlib
import sys

import torch
import transformers

here = pathlib.Path(__file__).parent
sys.path.insert(0, str(here.parent.parent / "Inputs"))
import golden

config = transformers.BertConfig(vocab_size=31, max_position_embeddings=11, hidden_size=16, num_hidden_layers=2,
                                 num_attention_heads=4, intermediate_size=24, hidden_dropout_prob=0,
                                 attention_probs_dropout_prob=0, attn_implementation="eager")
model = transformers.BertModel(config).double().eval()
model.embeddings.word_embeddings.padding_idx = None
parameters = golden.fill(model)
ids = torch.tensor([[3, 1, 30, 0, 14, 9, 9], [11, 5, 20, 2, 0, 0, 0]])
types = torch.tensor([[0, 0, 0, 1, 1, 1, 1], [0, 1, 1, 1, 0, 0, 0]])
lengths = torch.tensor([7, 4])
mask = (torch.arange(7) < lengths[:, None]).double()
y = model(ids, mask.long(), types)
x = model(ids, mask.long()).last_hidden_state
mean = (x * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
golden.write(here / "bert.txt", parameters, {"ids": ids, "lengths": lengths, "types": types},
             {"hidden": y.last_hidden_state * mask[..., None], "pooled": y.pooler_output,
              "embeddings": torch.nn.functional.normalize(mean)},
             buffers={"embeddings.position_ids": (1, 11)})

config.num_hidden_layers = 3
model = transformers.BertModel(config).double().eval()
model.embeddings.word_embeddings.padding_idx = None
parameters = golden.fill(model)
x, scores = model.embeddings(ids, token_type_ids=types), 0
for layer in model.encoder.layer:
    at = layer.attention.self
    q, k, v = (f(x).unflatten(-1, (4, 4)).transpose(1, 2) for f in (at.query, at.key, at.value))
    scores = q @ k.transpose(-1, -2) / 2 + scores
    weights = scores.masked_fill(mask[:, None, None] == 0, -torch.inf).softmax(-1)
    x = layer.attention.output((weights @ v).transpose(1, 2).flatten(2), x)
    x = layer.output(layer.intermediate(x), x)
golden.write(here / "bert_residual.txt", parameters, {"ids": ids, "lengths": lengths, "types": types},
             {"hidden": x * mask[..., None], "pooled": model.pooler(x)}, buffers={"embeddings.position_ids": (1, 11)})
