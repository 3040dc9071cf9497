#!/usr/bin/env python3
# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Decodes five tokens behind a cache of 499 on the simulated GPU: entry `step` of growing-cache.mlir.

usage: growing_cache.py BENCH BUILD OBJECT.so

BENCH is the folder of xfrt.py. Prints how often the driver has launched a graph, and the copies on the device that it was
given.
"""

import ctypes
import sys

import numpy

bench, build, path = sys.argv[1:]
sys.path.insert(0, bench)
import xfrt  # noqa: E402

FIRST, CALLS = 499, 5
random = numpy.random.default_rng(1)
draw = lambda *shape: random.standard_normal(shape).astype("float32")
entry = xfrt.Library(build, path).entry("step", device=xfrt.CUDA)
keys, values = draw(1, 2, 4096, 64), draw(1, 2, 4096, 64)
keys[:, :, FIRST:], values[:, :, FIRST:] = numpy.nan, numpy.nan  # what the cache does not hold yet
entry.bind({"q": draw(1, 8, 1, 64), "k": draw(1, 2, 1, 64), "v": draw(1, 2, 1, 64), "at": numpy.array(0, "int32"),
            "length": numpy.array([0]), "keys": keys, "values": values})
named = dict(zip(entry.arguments, entry.given))
for at in range(FIRST, FIRST + CALLS):
    for name in "qkv":
        named[name][...] = draw(*named[name].shape)
    named["at"][...], named["length"][...] = at, at + 1
    o = entry()["o"]
    k, v = (numpy.repeat(named[name][0, :, :at + 1].astype("float64"), 4, 0) for name in ("keys", "values"))
    scores = numpy.einsum("hd,hjd->hj", named["q"][0, :, 0].astype("float64"), k) / 8
    weights = numpy.exp(scores - scores.max(-1, keepdims=True))
    expected = numpy.einsum("hj,hjd->hd", weights / weights.sum(-1, keepdims=True), v)
    assert numpy.abs(o[0, :, 0] - expected).max() < 2e-5 and (k[::4, -1] == named["k"][0, :, 0]).all(), at
entry.close()
calls = ctypes.CDLL("libcuda.so.1").xfSimCalls
print(f"lengths {FIRST + 1} to {FIRST + CALLS}: as numpy says; {calls(b'cuGraphLaunch')} graphs, "
      f"{calls(b'cuMemcpyDtoDAsync_v2')} copies on the device", flush=True)
