#!/usr/bin/env python3
# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Weights of a Vision Transformer that tells red from green from blue, under the names of timm or of Hugging Face.

usage: vision_weights.py FILE timm|mean|huggingface, where mean is timm without a class token

The image is 8 x 8 pixels, four patches; the one layer's attention adds the mean of all tokens to each of them.
"""

import sys

import numpy

from safetensors_file import save

WIDTH, PATCH, SIDE, CLASSES, HIDDEN = 64, 4, 2, 3, 8


def make():
    """The class token attends to all patches alike (q and k are 0) and takes their mean, of which column c holds channel c."""
    zeros = numpy.zeros
    weights = {"class_token": zeros((1, 1, WIDTH)), "positions": zeros((1, SIDE * SIDE + 1, WIDTH)),
               "patches.weight": zeros((WIDTH, 3, PATCH, PATCH)), "patches.bias": zeros(WIDTH),
               "norm.weight": numpy.ones(WIDTH), "norm.bias": zeros(WIDTH),
               "head.weight": zeros((CLASSES, WIDTH)), "head.bias": zeros(CLASSES)}
    for channel in range(3):
        weights["patches.weight"][channel, channel] = 1 / PATCH**2
        weights["head.weight"][channel, channel] = 1
    layer = {"norm1.weight": numpy.ones(WIDTH), "norm1.bias": zeros(WIDTH), "norm2.weight": numpy.ones(WIDTH), "norm2.bias": zeros(WIDTH),
             "linear1.weight": zeros((HIDDEN, WIDTH)), "linear1.bias": zeros(HIDDEN),
             "linear2.weight": zeros((WIDTH, HIDDEN)), "linear2.bias": zeros(WIDTH),
             "out.weight": numpy.eye(WIDTH), "out.bias": zeros(WIDTH)}
    for part in "qkv":
        layer[part + ".weight"] = numpy.eye(WIDTH) if part == "v" else zeros((WIDTH, WIDTH))
        layer[part + ".bias"] = zeros(WIDTH)
    return weights, layer


def named(style):
    weights, layer = make()
    if style == "mean":
        del weights["class_token"]
        weights["positions"] = weights["positions"][:, 1:]
    if style != "huggingface":
        names = {"class_token": "cls_token", "positions": "pos_embed", "patches": "patch_embed.proj"}
        parts = {"norm1": "norm1", "norm2": "norm2", "linear1": "mlp.fc1", "linear2": "mlp.fc2", "out": "attn.proj"}
        prefix = "blocks.0."
        for kind in ("weight", "bias"):
            layer["qkv." + kind] = numpy.concatenate([layer.pop(part + "." + kind) for part in "qkv"])
        parts["qkv"] = "attn.qkv"
    else:
        embeddings = "vit.embeddings."
        names = {"class_token": embeddings + "cls_token", "positions": embeddings + "position_embeddings",
                 "patches": embeddings + "patch_embeddings.projection", "norm": "vit.layernorm", "head": "classifier"}
        attention = "attention.attention."
        parts = {"norm1": "layernorm_before", "norm2": "layernorm_after", "linear1": "intermediate.dense",
                 "linear2": "output.dense", "out": "attention.output.dense", "q": attention + "query",
                 "k": attention + "key", "v": attention + "value"}
        prefix = "vit.encoder.layer.0."

    def rename(name, table):
        part, dot, kind = name.partition(".")
        return table.get(part, part) + dot + kind

    return {rename(name, names): value for name, value in weights.items()} | {
        prefix + rename(name, parts): value for name, value in layer.items()}


if __name__ == "__main__":
    save(sys.argv[1], named(sys.argv[2]))
