# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows whose aims have one reason: docs/performance.md says what bounds them."""

import re

GROUPS = (  # name, topic, what names of rows match
    ("bf16 products, many rows", "Products", r"^bf16 (ViT|GPT)"),
    ("bf16 products, one row", "Products", r"^bf16 1 x"),
    ("bf16 attention", "Attention, bf16", r""),
    ("f32 attention, long heads", "Attention, f32", r"N = (4096|16384),"),
    ("f32 causal attention, short heads", "Attention, f32", r"N = (128|256|512),"),
    ("bf16 training step over f32's", "Whole models", r""),
    ("decoding, one or two rows share keys", "Decoding", r"(MHA|one head), [12] quer"),
    ("decoding, four or eight rows", "Decoding", r"(MHA|one head), [48] quer|GQA 8:1, 1 query"),
    ("f32 decoding, 16 to 64 rows", "Decoding", r"^f32 GQA 8:1, [248] quer"),
    ("bf16 decoding, 16 to 64 rows", "Decoding", r"^bf16 GQA 8:1, [248] quer"),
    ("f32 patterns", "Patterns", r"^f32"),
    ("bf16 patterns", "Patterns", r"^bf16"),
    ("a window's time per row", "Growth", r""),
    ("compile time", "Compile time", r""),
    ("two threads", "Two threads", r""),
)


def table(rows, number, shortfall):
    """A row for each group: how many aims are met, and the one that is farthest."""
    lines = ["| | met | farthest | figure | aim |", "|---|---|---|---|---|"]
    for name, topic, pattern in GROUPS:
        found = [row for row in rows if row["goal"] is not None and row["topic"] == topic and re.search(pattern, row["name"])]
        if found:
            last, met = max(found, key=shortfall), sum(row["met"] for row in found)
            lines.append(f"| {name} | {met} of {len(found)} | {last['name']} | {number(last['figure'])} | {number(last['goal'])} |")
    return lines
