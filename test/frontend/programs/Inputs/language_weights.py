#!/usr/bin/env python3
# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random weights of a small GPT-2 and a small Llama under the names of their checkpoints, and the tokens that follow a prompt.

usage: language_weights.py FOLDER

Writes FOLDER/gpt2.safetensors and FOLDER/llama.safetensors; FOLDER/gpt2.txt and FOLDER/llama.txt have the 12 likeliest
tokens after the prompt, one by one, by numpy in f64.
"""

import pathlib
import sys

import numpy

from safetensors_file import save

VOCABULARY, POSITIONS, WIDTH, HIDDEN, LAYERS, HEADS, KEY_HEADS = 128, 40, 16, 24, 2, 4, 2
PROMPT, COUNT = [84, 104, 101, 32], 12


def softmax(scores):
    p = numpy.exp(scores - scores.max(-1, keepdims=True))
    return p / p.sum(-1, keepdims=True)


def attend(q, k, v):
    """heads x tokens x size each, causal; keys are shared by groups of heads."""
    k, v = (numpy.repeat(x, len(q) // len(x), axis=0) for x in (k, v))
    scores = q @ k.transpose(0, 2, 1) / numpy.sqrt(q.shape[-1])
    hidden = numpy.triu(numpy.ones(scores.shape[1:], bool), 1)
    return (softmax(numpy.where(hidden, -numpy.inf, scores)) @ v).transpose(1, 0, 2).reshape(q.shape[1], -1)


def split(x, heads):
    return x.reshape(len(x), heads, -1).transpose(1, 0, 2)


def make_gpt2(normal):
    weights = {"wte.weight": normal(VOCABULARY, WIDTH), "wpe.weight": normal(POSITIONS, WIDTH),
               "ln_f.weight": 1 + normal(WIDTH), "ln_f.bias": normal(WIDTH)}
    for n in range(LAYERS):
        layer = f"h.{n}."
        for norm in ("ln_1", "ln_2"):
            weights[layer + norm + ".weight"], weights[layer + norm + ".bias"] = 1 + normal(WIDTH), normal(WIDTH)
        for name, size, out in (("attn.c_attn", WIDTH, 3 * WIDTH), ("attn.c_proj", WIDTH, WIDTH), ("mlp.c_fc", WIDTH, 4 * WIDTH),
                                ("mlp.c_proj", 4 * WIDTH, WIDTH)):
            weights[layer + name + ".weight"], weights[layer + name + ".bias"] = normal(size, out), normal(out)
        weights[layer + "attn.bias"] = normal(1, 1, 2, 2)  # a mask of Hugging Face's, which is no parameter
    return weights


def gpt2(w, ids):
    def norm(x, name):
        x = x - x.mean(-1, keepdims=True)
        return x / numpy.sqrt((x * x).mean(-1, keepdims=True) + 1e-5) * w[name + ".weight"] + w[name + ".bias"]

    conv = lambda x, name: x @ w[name + ".weight"] + w[name + ".bias"]
    gelu = lambda x: x * (1 + numpy.tanh(numpy.sqrt(2 / numpy.pi) * (x + 0.044715 * x**3))) / 2
    x = w["wte.weight"][ids] + w["wpe.weight"][:len(ids)]
    for n in range(LAYERS):
        layer = f"h.{n}."
        q, k, v = (split(part, HEADS) for part in numpy.split(conv(norm(x, layer + "ln_1"), layer + "attn.c_attn"), 3, axis=1))
        x = x + conv(attend(q, k, v), layer + "attn.c_proj")
        x = x + conv(gelu(conv(norm(x, layer + "ln_2"), layer + "mlp.c_fc")), layer + "mlp.c_proj")
    return norm(x, "ln_f")[-1] @ w["wte.weight"].T


def make_llama(normal):
    weights = {"model.embed_tokens.weight": normal(VOCABULARY, WIDTH), "model.norm.weight": 1 + normal(WIDTH),
               "lm_head.weight": normal(VOCABULARY, WIDTH)}
    size = WIDTH // HEADS
    for n in range(LAYERS):
        layer = f"model.layers.{n}."
        for norm in ("input_layernorm", "post_attention_layernorm"):
            weights[layer + norm + ".weight"] = 1 + normal(WIDTH)
        for name, out, into in (("self_attn.q_proj", WIDTH, WIDTH), ("self_attn.k_proj", KEY_HEADS * size, WIDTH),
                                ("self_attn.v_proj", KEY_HEADS * size, WIDTH), ("self_attn.o_proj", WIDTH, WIDTH),
                                ("mlp.gate_proj", HIDDEN, WIDTH), ("mlp.up_proj", HIDDEN, WIDTH), ("mlp.down_proj", WIDTH, HIDDEN)):
            weights[layer + name + ".weight"] = normal(out, into)
    return weights


def llama(w, ids):
    norm = lambda x, name: x / numpy.sqrt((x * x).mean(-1, keepdims=True) + 1e-5) * w[name + ".weight"]
    linear = lambda x, name: x @ w[name + ".weight"].T

    def turn(x):
        half = x.shape[-1] // 2
        angles = numpy.arange(x.shape[1])[:, None] * 10000.0**(-numpy.arange(half) / half)
        a, b, cos, sin = x[..., :half], x[..., half:], numpy.cos(angles), numpy.sin(angles)
        return numpy.concatenate([a * cos - b * sin, b * cos + a * sin], axis=-1)

    x = w["model.embed_tokens.weight"][ids]
    for n in range(LAYERS):
        layer = f"model.layers.{n}."
        y = norm(x, layer + "input_layernorm")
        q, k, v = (split(linear(y, layer + f"self_attn.{part}_proj"), heads) for part, heads in
                   (("q", HEADS), ("k", KEY_HEADS), ("v", KEY_HEADS)))
        x = x + linear(attend(turn(q), turn(k), v), layer + "self_attn.o_proj")
        y = norm(x, layer + "post_attention_layernorm")
        gate = linear(y, layer + "mlp.gate_proj")
        x = x + linear(gate / (1 + numpy.exp(-gate)) * linear(y, layer + "mlp.up_proj"), layer + "mlp.down_proj")
    return norm(x, "model.norm")[-1] @ w["lm_head.weight"].T


def write(folder, name, make, logits, random):
    weights = {key: value.astype("f4") for key, value in make(lambda *shape: random.standard_normal(shape) * 0.4).items()}
    save(folder / (name + ".safetensors"), weights)
    exact, ids = {key: value.astype("f8") for key, value in weights.items()}, list(PROMPT)
    for _ in range(COUNT):
        ids.append(int(numpy.argmax(logits(exact, numpy.array(ids)))))
    (folder / (name + ".txt")).write_text(" ".join(map(str, ids[len(PROMPT):])) + "\n")
    (folder / (name + ".bytes")).write_bytes(bytes(ids[len(PROMPT):]) + b"\n")


if __name__ == "__main__":
    random = numpy.random.default_rng(11)
    write(pathlib.Path(sys.argv[1]), "gpt2", make_gpt2, gpt2, random)
    write(pathlib.Path(sys.argv[1]), "llama", make_llama, llama, random)
