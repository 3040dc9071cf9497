# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Patterns: time per visible pair over that of own causal attention, and how time grows with the sequence."""

from figures import lab as labs
from figures import libraries
from figures.harness import Case
from figures.programs import Attention

DEPTH = 64
MODULAR = "#xf.affine<(i, j)[Nq, Nk] : (i - j ge 0, (i + j) mod {0} == 0)>"
# name: (pattern, aim or aims by N, the mask of FlexAttention)
PATTERNS = {
    "window 256": ("#xf.window<left = 256>", 1.20, lambda torch, i, j: (j <= i) & (i - j <= 256)),
    "window 32": ("#xf.window<left = 32>", 2.2, lambda torch, i, j: (j <= i) & (i - j <= 32)),
    "strided 128": ("#xf.strided<stride = 128>", 1.6,
                    lambda torch, i, j: (j <= i) & ((i - j <= 128) | ((i - j) % 128 == 0))),
    "strided 128, column": ("#xf.strided<stride = 128, part = column>", {4096: 3.0, 16384: 1.9}, None),
    "fixed 128, 32": ("#xf.fixed<block = 128, summary = 32>", None,
                      lambda torch, i, j: (j <= i) & ((i // 128 == j // 128) | (j % 128 >= 96))),
    "BigBird 64": ("#xf.bigbird<block = 64>", None, None),
    "documents": ("#xf.intersection<[#xf.causal, #xf.segments]>", None, None),
    "window 7 x 7 of 64 x 64": ("#xf.window_nd<extents = [64, 64], radius = [3, 3]>", 2.0, None),
    "comb 5, 16": (f"#xf.union<[#xf.window<left = 5>, {MODULAR.format(16)}]>", 1.6, None),
    "comb 128, 128": (f"#xf.union<[#xf.window<left = 128>, {MODULAR.format(128)}]>", 1.6, None),
}
WRITTEN = {"#xf.strided<stride = 128>": "strided_128", "#xf.fixed<block = 128, summary = 32>": "fixed_128_32"}  # views.py
GROWTH = {"causal": "#xf.causal", "window 256": "#xf.window<left = 256>", "strided 128": "#xf.strided<stride = 128>",
          "BigBird 64": "#xf.bigbird<block = 64>"}
GROWTH_SIZES = (1024, 4096, 16384, 65536, 131072)


def calls(attention, lab, gradient, mask):
    arrays = {name: labs.draw(attention.shape("q"), attention.element, seed=seed)
              for seed, name in enumerate(("q", "k", "v", "d_o")) if gradient or name != "d_o"}
    causal = Attention("#xf.causal", attention.size, DEPTH, attention.heads, attention.element)
    result = {"xf": attention.call(lab, gradient, arrays), "causal": causal.call(lab, gradient, arrays)}
    if attention.element == "f32" and attention.size == 4096:
        if not gradient:
            result |= libraries.flex_of_torch(lab, arrays, mask)
        if "torch" in lab.peers and attention.pattern in WRITTEN:
            import views  # which needs torch
            result["views"] = views.bind(WRITTEN[attention.pattern], arrays, gradient)[0]
    return result


def per_pair(lab):
    for element in ("bf16", "f32"):
        for size in (4096, 16384):
            for name, (pattern, aim, mask) in PATTERNS.items():
                if "extents" in pattern and size != 4096:
                    continue
                attention = Attention(pattern, size, DEPTH, 2 if size == 4096 else 1, element)
                pairs = attention.pairs(lab)
                for gradient in (False, True):
                    yield Case(f"{element} {name}, N = {size}{', gradient' * gradient}", "Patterns", "pair",
                               lambda lab, a=attention, g=gradient, m=mask: calls(a, lab, g, m), pairs, element,
                               aim[size] if isinstance(aim, dict) else aim, "causal", attention.heads * size * (size + 1) // 2)


def growth_calls(lab, pattern, size):
    """The same at 4096 rows, on as many rows in all, so that the ratio is that of times per row."""
    return {"xf": Attention(pattern, size, DEPTH, 1).call(lab), "4096": Attention(pattern, 4096, DEPTH, 1).call(lab)}


def growth(lab):
    for name, pattern in GROWTH.items():
        for size in GROWTH_SIZES:
            if name == "causal" and size > 16384 or size == 4096:
                continue
            aim = 1.1 if name == "window 256" and size == 131072 else None
            yield Case(f"f32 {name}, N = {size} over 4096, per row", "Growth", "pair", lambda lab, p=pattern, s=size: growth_calls(lab, p, s),
                       size, goal=aim, base="4096", base_work=4096, facts={"growth": name, "N": size})
