# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Dense and causal attention, forward and with gradient: from short sequences to long heads."""

from figures import lab as labs
from figures import libraries
from figures.harness import Case
from figures.programs import Attention, flop_per_pair

SIZES = (128, 256, 512, 1024, 2048, 4096, 16384)
SHORT = {128: 0.60, 256: 0.70, 512: 0.78}


def heads_of(size):
    """So many that a call takes milliseconds to seconds."""
    return 8 if size <= 1024 else 2 if size <= 4096 else 1


def goal(attention, gradient):
    """The aim, by N, D, the mask and the direction."""
    size, depth, is_causal = attention.size, attention.depth, attention.pattern == "#xf.causal"
    if attention.element == "bf16":
        if gradient:
            return {64: 0.70, 128: 0.72}[depth] if size == 4096 else None
        if size == 4096:
            return {(64, False): 0.80, (128, False): 0.84, (64, True): 0.78, (128, True): 0.82}[depth, is_causal]
        return 0.72 if size == 1024 else None
    if is_causal:
        return None if gradient else SHORT.get(size)
    if gradient:
        return {(4096, 128): 0.87, (4096, 256): 0.86, (16384, 128): 0.83}.get((size, depth))
    return {(4096, 64): 0.88, (4096, 128): 0.90, (16384, 64): 0.83, (16384, 128): 0.84}.get((size, depth))


def calls(attention, lab, gradient):
    is_causal, element = attention.pattern == "#xf.causal", attention.element
    arrays = {name: labs.draw(attention.shape(name[-1].replace("o", "q")), element, seed=seed)
              for seed, name in enumerate(("q", "k", "v", "d_o"))}
    ours = attention.call(lab, gradient, arrays if gradient else {name: arrays[name] for name in "qkv"})
    result = {"xf": ours} | libraries.attention_of_torch(lab, arrays, is_causal, gradient, attention.size <= 4096)
    if gradient or attention.size > 4096:
        return result
    result |= libraries.attention_of_openvino(lab, arrays, is_causal, element)
    return result | (libraries.attention_of_onnxruntime(lab, arrays, is_causal) if element == "f32" else {})


def case(attention, lab, gradient):
    kind, element = attention.pattern.removeprefix("#xf."), attention.element
    work = flop_per_pair(attention.depth, gradient) * attention.pairs(lab)
    name = f"{element} {kind} N = {attention.size}, D = {attention.depth}{', gradient' * gradient}"
    moved = 4 * attention.heads * attention.size * attention.depth * (2 if element == "bf16" else 4)
    facts = {"flop": work, "bytes": moved, "N": attention.size, "pattern": kind, "heads": attention.heads}
    return Case(name, f"Attention, {element}", "peak", lambda lab: calls(attention, lab, gradient), work, element, goal(attention, gradient),
                facts={} if gradient else facts)


def cases(lab):
    for element in ("bf16", "f32"):
        for size in SIZES:
            for depth in (64, 128, 256):
                if depth == 256 and (size != 4096 or element == "bf16") or size < 512 and depth != 64:
                    continue
                for pattern in ("#xf.dense", "#xf.causal"):
                    for gradient in (False, True):
                        if element == "f32" or size >= 512:
                            yield case(Attention(pattern, size, depth, heads_of(size), element), lab, gradient)
