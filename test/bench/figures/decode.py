# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Decoding: few queries over many keys, at the speed at which the core reads."""

from figures import lab as labs
from figures import libraries
from figures.harness import Case
from figures.programs import Attention

HEADS = {"MHA": (8, 8), "GQA 8:1": (32, 4), "one head": (1, 1)}
SIZES, QUERIES, DEPTH = (1024, 4096, 16384, 65536), (1, 2, 4, 8), 128


def calls(attention, lab, size):
    arrays = {name: labs.draw(attention.shape(name), attention.element, seed=seed) for seed, name in enumerate("qkv")}
    return {"xf": attention.call(lab, arrays=arrays), "read": lab.reader(size)} | libraries.decoding_of_torch(lab, arrays)


def cases(lab):
    for element in ("bf16", "f32"):
        for kind, (heads, key_heads) in HEADS.items():
            for queries in QUERIES:
                for size in SIZES if queries in (1, 8) else SIZES[2:3]:
                    attention = Attention("#xf.dense", size, DEPTH, heads, element, queries, key_heads)
                    moved = 2 * key_heads * size * DEPTH * (2 if element == "bf16" else 4)
                    name = f"{element} {kind}, {queries} {'query' if queries == 1 else 'queries'}, N = {size}"
                    facts = {"flop": 4 * heads * queries * size * DEPTH, "bytes": moved}
                    yield Case(name, "Decoding", "stream", lambda lab, a=attention, m=moved: calls(a, lab, m), moved, element, 0.85,
                               base="read", facts=facts)
