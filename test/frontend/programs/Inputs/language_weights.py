#!/usr/bin/env python3
# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random weights of a small GPT-2 and a small Llama under the names of their checkpoints, and the tokens that follow a prompt.

usage: language_weights.py FOLDER

Writes FOLDER/gpt2.safetensors and FOLDER/llama.safetensors; FOLDER/gpt2.txt and FOLDER/llama.txt have the 12 likeliest
tokens after the prompt, one by one, by numpy in f64. FOLDER/checkpoints/NAME/model.safetensors with a config.json, and
NAME.txt beside the folder, are models with settings that only the configuration says.
"""

import dataclasses
import json
import pathlib
import sys

import numpy

from safetensors_file import save

VOCABULARY, POSITIONS, WIDTH, HIDDEN, LAYERS = 128, 40, 16, 24, 2
PROMPT, COUNT = [84, 104, 101, 32], 12


@dataclasses.dataclass
class Settings:
    heads: int = 4
    key_heads: int = 2
    size: int = 4  # columns of a head
    eps: float = 1e-5
    theta: float = 10000.0
    scaling: dict = None  # of Llama 3.1, or linear
    tied: bool = False


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


def make_gpt2(normal, s):
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


def gpt2(w, ids, s):
    def norm(x, name):
        x = x - x.mean(-1, keepdims=True)
        return x / numpy.sqrt((x * x).mean(-1, keepdims=True) + s.eps) * w[name + ".weight"] + w[name + ".bias"]

    conv = lambda x, name: x @ w[name + ".weight"] + w[name + ".bias"]
    gelu = lambda x: x * (1 + numpy.tanh(numpy.sqrt(2 / numpy.pi) * (x + 0.044715 * x**3))) / 2
    x = w["wte.weight"][ids] + w["wpe.weight"][:len(ids)]
    for n in range(LAYERS):
        layer = f"h.{n}."
        q, k, v = (split(part, s.heads) for part in numpy.split(conv(norm(x, layer + "ln_1"), layer + "attn.c_attn"), 3, axis=1))
        x = x + conv(attend(q, k, v), layer + "attn.c_proj")
        x = x + conv(gelu(conv(norm(x, layer + "ln_2"), layer + "mlp.c_fc")), layer + "mlp.c_proj")
    return norm(x, "ln_f")[-1] @ w["wte.weight"].T


def make_llama(normal, s):
    weights = {"model.embed_tokens.weight": normal(VOCABULARY, WIDTH), "model.norm.weight": 1 + normal(WIDTH)}
    if not s.tied:
        weights["lm_head.weight"] = normal(VOCABULARY, WIDTH)
    for n in range(LAYERS):
        layer = f"model.layers.{n}."
        for norm in ("input_layernorm", "post_attention_layernorm"):
            weights[layer + norm + ".weight"] = 1 + normal(WIDTH)
        for name, out, into in (("self_attn.q_proj", s.heads * s.size, WIDTH), ("self_attn.k_proj", s.key_heads * s.size, WIDTH),
                                ("self_attn.v_proj", s.key_heads * s.size, WIDTH), ("self_attn.o_proj", WIDTH, s.heads * s.size),
                                ("mlp.gate_proj", HIDDEN, WIDTH), ("mlp.up_proj", HIDDEN, WIDTH), ("mlp.down_proj", WIDTH, HIDDEN)):
            weights[layer + name + ".weight"] = normal(out, into)
    return weights


def frequencies(s):
    f = s.theta**(-numpy.arange(s.size // 2) * 2 / s.size)
    if not s.scaling:
        return f
    if s.scaling["rope_type"] == "linear":
        return f / s.scaling["factor"]
    low, high, length = (s.scaling[name] for name in ("low_freq_factor", "high_freq_factor", "original_max_position_embeddings"))
    kept = numpy.clip((length * f / (2 * numpy.pi) - low) / (high - low), 0, 1)  # of short waves all, of long ones none
    return kept * f + (1 - kept) * f / s.scaling["factor"]


def llama(w, ids, s):
    norm = lambda x, name: x / numpy.sqrt((x * x).mean(-1, keepdims=True) + s.eps) * w[name + ".weight"]
    linear = lambda x, name: x @ w[name + ".weight"].T

    def turn(x):
        half = x.shape[-1] // 2
        angles = numpy.arange(x.shape[1])[:, None] * frequencies(s)
        a, b, cos, sin = x[..., :half], x[..., half:], numpy.cos(angles), numpy.sin(angles)
        return numpy.concatenate([a * cos - b * sin, b * cos + a * sin], axis=-1)

    x = w["model.embed_tokens.weight"][ids]
    for n in range(LAYERS):
        layer = f"model.layers.{n}."
        y = norm(x, layer + "input_layernorm")
        q, k, v = (split(linear(y, layer + f"self_attn.{part}_proj"), heads) for part, heads in
                   (("q", s.heads), ("k", s.key_heads), ("v", s.key_heads)))
        x = x + linear(attend(turn(q), turn(k), v), layer + "self_attn.o_proj")
        y = norm(x, layer + "post_attention_layernorm")
        gate = linear(y, layer + "mlp.gate_proj")
        x = x + linear(gate / (1 + numpy.exp(-gate)) * linear(y, layer + "mlp.up_proj"), layer + "mlp.down_proj")
    return norm(x, "model.norm")[-1] @ w["model.embed_tokens.weight" if s.tied else "lm_head.weight"].T


def write(path, tokens, make, logits, random, s=Settings()):
    weights = {key: value.astype("f4") for key, value in make(lambda *shape: random.standard_normal(shape) * 0.4, s).items()}
    save(path, weights)
    exact, ids = {key: value.astype("f8") for key, value in weights.items()}, list(PROMPT)
    for _ in range(COUNT):
        ids.append(int(numpy.argmax(logits(exact, numpy.array(ids), s))))
    added = ids[len(PROMPT):]
    tokens.with_suffix(".txt").write_text(" ".join(map(str, added)) + "\n")
    tokens.with_suffix(".bytes").write_bytes(bytes(added) + b"\n")
    return added


def write_checkpoint(folder, random, name, make, logits, s, config):
    (folder / name).mkdir(parents=True)
    write(folder / name / "model.safetensors", folder / name, make, logits, random, s)
    (folder / name / "config.json").write_text(json.dumps(config))


def write_checkpoints(folder, random):
    s = Settings(heads=2, size=8, eps=0.3)
    write_checkpoint(folder, random, "gpt2", make_gpt2, gpt2, s, {"model_type": "gpt2", "n_head": 2, "layer_norm_epsilon": 0.3,
                     "n_embd": WIDTH, "n_layer": LAYERS, "vocab_size": VOCABULARY, "activation_function": "gelu_new"})
    sizes = {"model_type": "llama", "hidden_size": WIDTH, "intermediate_size": HIDDEN, "num_hidden_layers": LAYERS}
    s = Settings(heads=3, key_heads=1, size=6, eps=0.2, theta=7.0, tied=True)
    write_checkpoint(folder, random, "llama", make_llama, llama, s, sizes | {"num_attention_heads": 3, "num_key_value_heads": 1,
                     "head_dim": 6, "rms_norm_eps": 0.2, "rope_theta": 7, "tie_word_embeddings": True, "a_new_member": 1})
    scaling = {"rope_type": "llama3", "factor": 4.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
               "original_max_position_embeddings": 32}
    s = Settings(eps=1e-6, theta=20.0, scaling=scaling)
    write_checkpoint(folder, random, "scaled", make_llama, llama, s, sizes | {"num_attention_heads": 4, "num_key_value_heads": 2,
                     "rope_parameters": scaling | {"rope_theta": 20.0}})
    scaling = {"type": "linear", "factor": 8.0}
    s = Settings(eps=1e-6, scaling={"rope_type": "linear", "factor": 8.0})
    write_checkpoint(folder, random, "linear", make_llama, llama, s, sizes | {"num_attention_heads": 4, "num_key_value_heads": 2,
                     "rope_scaling": scaling})


if __name__ == "__main__":
    random, folder = numpy.random.default_rng(11), pathlib.Path(sys.argv[1])
    write(folder / "gpt2.safetensors", folder / "gpt2", make_gpt2, gpt2, random)
    write(folder / "llama.safetensors", folder / "llama", make_llama, llama, random)
    write_checkpoints(folder / "checkpoints", random)
    zeros = make_gpt2(lambda *shape: numpy.zeros(shape, "f4"), Settings())
    save(folder / "numbered.safetensors", {name.replace("h.", "h.99999"): value.astype("f4") for name, value in zeros.items()})
