# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Element types: how they are stored, and one rounding of each."""

import numpy

NUMBERS = {"f32": 0, "f64": 1, "f16": 2, "bf16": 3, "i32": 4, "i64": 5, "i1": 6}
STORED = {"f32": numpy.float32, "f64": numpy.float64, "f16": numpy.float16, "bf16": numpy.uint16, "i32": numpy.int32,
          "i64": numpy.int64, "i1": numpy.uint8}
UNIT = {"f64": 2.0**-53, "f32": 2.0**-24, "f16": 2.0**-11, "bf16": 2.0**-8}


def store(values, kind):
    """As the type is stored; bf16 as its bits, rounded to even."""
    if kind != "bf16":
        with numpy.errstate(over="ignore", invalid="ignore"):
            return numpy.array(values, STORED[kind], order="C")
    bits = numpy.array(values, numpy.float32, order="C").view(numpy.uint32)
    low = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16
    return numpy.where(numpy.isnan(values), 0x7FC0, low).astype(numpy.uint16)


def load(stored, kind):
    """As f64, or int64."""
    if kind == "bf16":
        bits = numpy.atleast_1d(stored).astype(numpy.uint32) << numpy.uint32(16)
        return bits.view(numpy.float32).astype(numpy.float64).reshape(stored.shape)
    return stored.astype(numpy.int64 if kind[0] == "i" else numpy.float64)


def rounded(values, kind):
    return load(store(values, kind), kind)
