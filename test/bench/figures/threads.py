# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How many times as fast two threads are as one, where this process may use two processors. Decoding waits for memory, of
which two threads may read less than twice as much as one: further rows have the time of reading alone, and decoding beside it."""

import os

from figures.decode import DEPTH
from figures.harness import Case
from figures.programs import Attention, Linear

ATTENTION = {"dense N = 1024": Attention("#xf.dense", 1024, 64, 8), "causal N = 4096": Attention("#xf.causal", 4096, 64, 2),
             "one causal head, N = 4096": Attention("#xf.causal", 4096, 64, 1),
             "window 256, N = 4096": Attention("#xf.window<left = 256>", 4096, 64, 2),
             "strided 128, N = 4096": Attention("#xf.strided<stride = 128>", 4096, 64, 2)}
LINEAR = {"197 x 768 x 3072": Linear(197, 768, 3072), "1024 x 768 x 3072": Linear(1024, 768, 3072), "16 x 4096 x 4096": Linear(16, 4096, 4096)}
DECODE = Attention("#xf.dense", 16384, DEPTH, 32, "f32", 1, 4)
DECODE_BYTES, DECODE_FLOP = 2 * 4 * 16384 * DEPTH * 4, 4 * 32 * 16384 * DEPTH


def reading(lab):
    """What is measured here is no program: it bounds what one can gain."""
    return {"xf": lab.reader(DECODE_BYTES, 2), "one thread": lab.reader(DECODE_BYTES)}


def beside_reading(lab):
    return {"xf": DECODE.call(lab, threads=2), "read": lab.reader(DECODE_BYTES, 2)}


def cases(lab):
    if len(os.sched_getaffinity(0)) < 2:
        print("threads: expected two processors to run on, got one: not measured", flush=True)
        return
    of_attention = lambda attention, gradient=False: lambda lab: {
        name: attention.call(lab, gradient, threads=count) for name, count in (("xf", 2), ("one thread", 1))}
    of_linear = lambda layer: lambda lab: {
        name: lab.call(layer.text(), "linear", threads=count) for name, count in (("xf", 2), ("one thread", 1))}
    for name, attention in ATTENTION.items():
        for gradient in (False, True):
            yield Case(f"f32 {name}{', gradient' * gradient}", "Two threads", "times", of_attention(attention, gradient), goal=1.9, base="one thread")
    for name, layer in LINEAR.items():
        yield Case(f"f32 product {name}", "Two threads", "times", of_linear(layer), goal=1.9, base="one thread")
    yield Case("f32 decode GQA 8:1, N = 16384", "Two threads", "times", of_attention(DECODE), goal=1.8, base="one thread")
    yield Case("f32 read alone of decode GQA 8:1, N = 16384", "Two threads", "times", reading, base="one thread")
    yield Case("f32 decode GQA 8:1, N = 16384, over what two threads read", "Two threads", "stream", beside_reading, DECODE_BYTES, goal=0.85,
               base="read", facts={"flop": DECODE_FLOP / 2})  # of one thread, as the peak is
