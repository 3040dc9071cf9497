"""Writes performer.txt, performer_hyperbolic.txt and performer_bidirectional.txt: PerformerLM of performer-pytorch, in f64.

usage: performer.py FOLDER   FOLDER: where performer_pytorch of the package performer-pytorch, 1.1.4, lies; needs einops

Its epsilons are 0: with them, its stabiliser lets outputs see later tokens. Hyperbolic features are its positive ones, of
the projection and of its negative. Features of the bidirectional form are written here: with an epsilon, and a gradient
that passes through the maxima.
"""

import functools
import pathlib
import sys
import types

import torch
from torch import nn

here = pathlib.Path(__file__).parent
sys.path.insert(0, str(here.parent.parent / "Inputs"))
import golden

golden.compute_in_f64()
# Packages that this form of the model does not use.
for name, member in (("local_attention", "LocalAttention"), ("axial_positional_embedding", "AxialPositionalEmbedding")):
    sys.modules[name] = types.SimpleNamespace(**{member: None})
package = types.ModuleType("performer_pytorch")
package.__path__ = [sys.argv[1] + "/performer_pytorch"]
sys.modules["performer_pytorch"] = package
from performer_pytorch import performer_pytorch as performer

kernel = performer.softmax_kernel


def features(data, *, projection_matrix, hyperbolic, **options):
    if hyperbolic:
        projection_matrix = torch.cat([projection_matrix, -projection_matrix])
    return kernel(data, projection_matrix=projection_matrix, eps=0, **options)


def bidirectional_features(data, *, projection_matrix, is_query, **options):
    x = data * data.shape[-1] ** -0.25
    u = x @ projection_matrix.T
    top = u.amax(-1, keepdim=True) if is_query else u.amax((-1, -2), keepdim=True)
    return ((u - x.square().sum(-1, keepdim=True) / 2 - top).exp() + 1e-6) / len(projection_matrix) ** 0.5


def guarded_attention(q, k, v):
    weights = q @ k.transpose(-1, -2)
    return weights @ v / (weights.sum(-1, keepdim=True) + 1e-6)


def write(path, kernel, causal=True):
    performer.softmax_kernel, performer.linear_attention = kernel, guarded_attention
    model = performer.PerformerLM(num_tokens=29, max_seq_len=7, dim=16, depth=2, heads=2, dim_head=8, nb_features=12,
                                  causal=causal)
    for layer in model.modules():
        if isinstance(layer, performer.FastAttention):
            layer.causal_linear_fn = functools.partial(performer.causal_linear_attention_noncuda, eps=0)
            # A parameter, for its gradient.
            shape = layer.projection_matrix.shape
            del layer.projection_matrix
            layer.projection_matrix = nn.Parameter(torch.zeros(shape))
    parameters = golden.fill(model)
    ids = torch.tensor([[3, 1, 28, 0, 14, 9, 9], [11, 5, 20, 2, 7, 7, 1]])
    buffers = {name: buffer.shape for name, buffer in model.named_buffers()}
    logits = model(ids)
    if causal:
        golden.write(path, parameters, {"ids": ids}, {"logits": logits}, buffers)
        return
    targets = torch.tensor([[-100, 4, -100, -100, 17, -100, 2], [0, -100, -100, 28, -100, -100, -100]])
    loss = nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten())
    golden.write(path, parameters, {"ids": ids, "targets": targets}, {"logits": logits, "loss": loss}, buffers)


write(here / "performer.txt", functools.partial(features, hyperbolic=False))
write(here / "performer_hyperbolic.txt", functools.partial(features, hyperbolic=True))
write(here / "performer_bidirectional.txt", bidirectional_features, causal=False)
