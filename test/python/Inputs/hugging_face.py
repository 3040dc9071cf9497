# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: hugging_face.py window.so padded.so

Trains a small GPT-2 of transformers for 20 steps, with windows of 16 keys by eager attention and a mask, and by a compiled pattern.
The second model takes lengths: padded texts, and text that goes on with a cache, give what eager attention gives. What a program
does not compute is refused.
"""

import sys

import torch
import transformers

import xfrt.torch


def eager(module, query, key, value, attention_mask, **options):
    n = torch.arange(query.shape[2])
    sees = (n[:, None] >= n) & (n[:, None] - n < 16)
    scores = query @ key.transpose(2, 3) * query.shape[3] ** -0.5
    return (scores.masked_fill(~sees, float("-inf")).softmax(-1) @ value).transpose(1, 2), None


def make(attention, **options):
    torch.manual_seed(0)
    options = dict(vocab_size=61, n_positions=64, n_embd=32, n_layer=2, n_head=4, resid_pdrop=0, embd_pdrop=0, attn_pdrop=0,
                   use_cache=False) | options
    config = transformers.GPT2Config(**options)
    config._attn_implementation = attention
    return transformers.GPT2LMHeadModel(config)


def losses(attention):
    model = make(attention)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    ids = torch.randint(0, 61, (2, 64), generator=torch.Generator().manual_seed(1))
    result = []
    for _ in range(20):
        optimizer.zero_grad()
        loss = model(ids, labels=ids).loss
        loss.backward()
        optimizer.step()
        result.append(loss.item())
    return result


def eager_padded(module, query, key, value, attention_mask, **options):
    """Windows of 16 keys, which end at the last key; attention_mask: batch x keys."""
    i, j = torch.arange(query.shape[2])[:, None] + key.shape[2] - query.shape[2], torch.arange(key.shape[2])
    sees = ((i >= j) & (i - j < 16)).expand(len(query), 1, -1, -1)
    if attention_mask is not None:
        sees = sees & attention_mask[:, None, None].bool()
    scores = (query @ key.transpose(2, 3) * query.shape[3] ** -0.5).masked_fill(~sees, float("-inf"))
    return (scores.softmax(-1).nan_to_num(0) @ value).transpose(1, 2), None


def refused(text, function):
    try:
        function()
    except ValueError as error:
        assert text in str(error), f"expected {text!r}, got {error}"
    else:
        raise AssertionError(f"expected an error: {text}")


def padding():
    ids = torch.randint(0, 61, (3, 40), generator=torch.Generator().manual_seed(2))
    mask = (torch.arange(40) < torch.tensor([[40], [7], [25]])).long()
    with torch.no_grad():
        want, got = (make(name)(ids, attention_mask=mask).logits for name in ("eager_padded", "xf_padded"))
        assert (want - got)[mask.bool()].abs().max() < 1e-5
        assert not torch.equal(make("xf_padded")(ids).logits, got)
        options = dict(max_new_tokens=20, do_sample=False, use_cache=True, pad_token_id=0)
        want, got = (make(name).eval().generate(ids[:2], **options) for name in ("eager_padded", "xf_padded"))
        assert torch.equal(want, got)
        refused("padding on the right", lambda: make("xf_padded")(ids, attention_mask=mask.flip(1)))
        refused("as the program takes no lengths", lambda: make("xf_window")(ids[:2], attention_mask=mask[1:]))
        refused("a mask of padding", lambda: make("xf_padded")(ids, attention_mask=torch.zeros(3, 1, 40, 40)))
        packed = (torch.arange(40) % 20).expand(3, 40)
        refused("as the pattern is the program's", lambda: make("xf_padded")(ids, position_ids=packed))


def options():
    ids = torch.zeros(2, 64, dtype=torch.long)
    refused("no dropout of attention", lambda: make("xf_padded", attn_pdrop=0.1).train()(ids))
    make("xf_padded", attn_pdrop=0.1).eval()(ids)
    refused("scaling 0.353553", lambda: make("xf_padded", scale_attn_weights=False)(ids))
    refused("4 heads of queries, got 2", lambda: make("xf_padded", n_head=2)(ids))
    mistral = transformers.MistralConfig(vocab_size=61, hidden_size=32, intermediate_size=32, num_hidden_layers=1, num_attention_heads=4,
                                         num_key_value_heads=4, sliding_window=8)
    mistral._attn_implementation = "xf_padded"
    refused("no sliding window", lambda: transformers.MistralForCausalLM(mistral)(ids))
    try:
        xfrt.torch.register_attention("xf_other", lambda q, k, v: q)
    except TypeError as error:
        assert "expected an entry of a model of xfrt.torch.load, got function" in str(error)


# These lines put a compiled pattern into a model of transformers.
window = xfrt.torch.load(sys.argv[1])
xfrt.torch.register_attention("xf_window", window.attend)

xfrt.torch.register_attention("xf_padded", xfrt.torch.load(sys.argv[2]).attend)
transformers.AttentionInterface.register("eager_padded", eager_padded)
transformers.AttentionMaskInterface.register("eager_padded", transformers.AttentionMaskInterface()["flash_attention_2"])
padding()
options()

transformers.AttentionInterface.register("eager_window", eager)
want, got = losses("eager_window"), losses("xf_window")
worst = max(abs(a - b) / a for a, b in zip(want, got))
print(f"loss {want[0]:.3f} to {want[-1]:.3f}; largest difference {worst:.1e}")
print("equal" if worst < 1e-5 and want[-1] < want[0] / 2 else "different")
