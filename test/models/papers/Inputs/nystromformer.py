# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers of Hugging Face's Nystromformer: python3 nystromformer.py > nystromformer.txt, with transformers 5.24. Its inverse
starts from each matrix's own norms, as its option "exact" does."""

import sys

import torch
import transformers
from golden import case

TOKENS = 12
config = transformers.NystromformerConfig(hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32,
                                          vocab_size=23, max_position_embeddings=TOKENS, segment_means_seq_len=TOKENS,
                                          num_landmarks=4, conv_kernel_size=5, layer_norm_eps=1e-5)
model = transformers.NystromformerModel(config).double().eval()
model.embeddings.word_embeddings.padding_idx = None  # whose gradient would be 0
for layer in model.encoder.layer:
    layer.attention.self.init_option = "exact"
names = {n: "nystromformer." + n for n, _ in model.named_parameters()}


def f(ids, table):
    arguments = {n: table[names[n]] for n in names}
    return torch.func.functional_call(model, arguments, (ids,)).last_hidden_state


case("nystromformer", {"ids": ((2, TOKENS), 23)}, {names[n]: tuple(p.shape) for n, p in model.named_parameters()}, f)
with torch.device("meta"):
    whole = transformers.NystromformerModel(transformers.NystromformerConfig(vocab_size=30000))
    print(sum(p.numel() for p in whole.parameters()), "parameters", file=sys.stderr)
