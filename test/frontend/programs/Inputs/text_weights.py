#!/usr/bin/env python3
# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random weights of a small BERT under the names of its checkpoints, ids of sentences, and their embeddings by numpy.

usage: text_weights.py FOLDER

Writes FOLDER/weights.safetensors, FOLDER/ids.txt and FOLDER/embeddings.npy (f64); FOLDER/checkpoints/bert has the same weights
and a configuration with another epsilon, with which FOLDER/configured.npy has the embeddings.
"""

import json
import pathlib
import sys

import numpy

from safetensors_file import save

VOCABULARY, POSITIONS, WIDTH, HIDDEN, LAYERS, HEADS = 50, 12, 16, 24, 2, 4
SENTENCES = [[3], [7, 1, 49, 0, 12], list(range(12)), [9, 9, 9]]


def make(random):
    normal = lambda *shape: random.standard_normal(shape) * 0.3
    weights = {"embeddings.word_embeddings.weight": normal(VOCABULARY, WIDTH),
               "embeddings.position_embeddings.weight": normal(POSITIONS, WIDTH),
               "embeddings.token_type_embeddings.weight": normal(2, WIDTH),
               "embeddings.position_ids": numpy.arange(POSITIONS, dtype="f8")}

    def add(name, out, size):
        weights[name + ".weight"], weights[name + ".bias"] = normal(out, size), normal(out)

    def add_norm(name):
        weights[name + ".weight"], weights[name + ".bias"] = 1 + normal(WIDTH), normal(WIDTH)

    add_norm("embeddings.LayerNorm")
    for n in range(LAYERS):
        layer = f"encoder.layer.{n}."
        for part in ("query", "key", "value"):
            add(layer + "attention.self." + part, WIDTH, WIDTH)
        add(layer + "attention.output.dense", WIDTH, WIDTH)
        add_norm(layer + "attention.output.LayerNorm")
        add(layer + "intermediate.dense", HIDDEN, WIDTH)
        add(layer + "output.dense", WIDTH, HIDDEN)
        add_norm(layer + "output.LayerNorm")
    add("pooler.dense", WIDTH, WIDTH)
    return {name: value.astype("f4") for name, value in weights.items()}


def embed(weights, ids, eps=1e-12):
    w = {name: value.astype("f8") for name, value in weights.items()}
    linear = lambda x, name: x @ w[name + ".weight"].T + w[name + ".bias"]

    def norm(x, name):
        x = x - x.mean(-1, keepdims=True)
        return x / numpy.sqrt((x * x).mean(-1, keepdims=True) + eps) * w[name + ".weight"] + w[name + ".bias"]

    def gelu(x):
        # Abramowitz and Stegun 7.1.26 is not exact enough: the series of erf, by the standard library.
        from math import erf
        return x * 0.5 * (1 + numpy.vectorize(erf)(x / numpy.sqrt(2)))

    x = w["embeddings.word_embeddings.weight"][ids] + w["embeddings.position_embeddings.weight"][:len(ids)]
    x = norm(x + w["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
    for n in range(LAYERS):
        layer = f"encoder.layer.{n}."
        heads = lambda part: linear(x, layer + "attention.self." + part).reshape(len(ids), HEADS, -1).transpose(1, 0, 2)
        q, k, v = heads("query"), heads("key"), heads("value")
        scores = q @ k.transpose(0, 2, 1) / numpy.sqrt(WIDTH // HEADS)
        p = numpy.exp(scores - scores.max(-1, keepdims=True))
        o = (p / p.sum(-1, keepdims=True) @ v).transpose(1, 0, 2).reshape(len(ids), WIDTH)
        x = norm(x + linear(o, layer + "attention.output.dense"), layer + "attention.output.LayerNorm")
        x = norm(x + linear(gelu(linear(x, layer + "intermediate.dense")), layer + "output.dense"), layer + "output.LayerNorm")
    mean = x.mean(0)
    return mean / numpy.linalg.norm(mean)


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1])
    weights = make(numpy.random.default_rng(5))
    save(folder / "weights.safetensors", weights)
    save(folder / "prefixed.safetensors", {"bert." + name: value for name, value in weights.items()})
    (folder / "ids.txt").write_text("".join(" ".join(map(str, ids)) + "\n" for ids in SENTENCES))
    numpy.save(folder / "embeddings.npy", numpy.array([embed(weights, ids) for ids in SENTENCES]))
    (folder / "checkpoints" / "bert").mkdir(parents=True)
    save(folder / "checkpoints" / "bert" / "model.safetensors", weights)
    (folder / "checkpoints" / "bert" / "config.json").write_text(json.dumps({
        "model_type": "bert", "num_attention_heads": HEADS, "hidden_size": WIDTH, "layer_norm_eps": 0.2, "hidden_act": "gelu"}))
    numpy.save(folder / "configured.npy", numpy.array([embed(weights, ids, 0.2) for ids in SENTENCES]))
