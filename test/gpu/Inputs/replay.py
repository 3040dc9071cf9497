#!/usr/bin/env python3
# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls the entry `results` of an object several times on the simulated GPU, with other values each time.

usage: replay.py BENCH BUILD OBJECT.so

BENCH is the folder of xfrt.py. Prints how often the driver has launched a graph, and the copies that it was given.
"""

import ctypes
import sys

import numpy

bench, build, path = sys.argv[1:]
sys.path.insert(0, bench)
import xfrt  # noqa: E402

entry = xfrt.Library(build, path).entry("results", device=xfrt.CUDA)
x = numpy.zeros((5, 8), "float32")
entry.bind({"x": x})
for call in range(5):
    entry.given[0][...] = numpy.arange(40).reshape(5, 8) + call
    outputs = entry()
    assert (outputs["y"] == 2 * entry.given[0]).all() and (outputs["same"] == entry.given[0]).all(), outputs
    assert (outputs["z"] == outputs["y"].ravel()).all(), outputs
entry.close()
calls = ctypes.CDLL("libcuda.so.1").xfSimCalls
print(calls(b"cuGraphLaunch"), "graphs,", calls(b"cuMemcpyDtoDAsync_v2"), "copies")
