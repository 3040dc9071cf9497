# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What counts as equal: each row by the specification's tolerance, or within what roundings may do to it."""

import numpy

from evaluator import types_of_xf as xf

FORWARD = {"f64": 1e-12, "f32": 2e-6, "f16": 1e-3, "bf16": 6e-3}
BACKWARD = {"f64": 1e-10, "f32": 1e-5, "f16": 2e-3, "bf16": 1.2e-2}
FLOOR = {"f64": 1e-290, "f32": 1e-30, "f16": 2.0**-25, "bf16": 1e-30}  # below it, elements may be lost


def ratio_of(name, got, want, kind, compute):
    """The largest error of a row relative to what it may have; infinite for a NaN that is not expected, or none that is.

    `want` is a Value; `kind` the type of the result, `compute` that of the tensors that it was computed from."""
    values, err = want.val, want.err
    if got.shape != values.shape:
        return numpy.inf
    if got.size == 0:
        return 0.0
    with numpy.errstate(invalid="ignore", over="ignore"):
        values = numpy.where(abs(values) > 65000, numpy.nan, values) if kind == "f16" else values
        lost = ~numpy.isfinite(values)
        if kind != "f16" and not numpy.array_equal(got[lost], values[lost], equal_nan=True):
            return numpy.inf
        difference = numpy.where(lost, 0, got - values)
    values, err = numpy.where(lost, 0, values), numpy.where(lost, 0, err)
    unit = xf.UNIT["f64" if compute == "f64" else "f32"]
    own = unit * err + xf.UNIT[kind] * abs(values) + (FLOOR[kind] if kind == "f16" else 0) * (values != 0)
    by_row = lambda x: numpy.sqrt((x * x).sum(-1)) if x.ndim else abs(x)
    if name == "lse":
        difference, values, own = (x[..., None] for x in (difference, numpy.maximum(abs(values), 1), own))
    tolerance = (FORWARD if not name.startswith("d_") else BACKWARD)[compute]
    allowed = numpy.maximum(tolerance * by_row(values), by_row(own)) + FLOOR[kind] * (by_row(values) > 0)
    error = by_row(difference)
    with numpy.errstate(divide="ignore", invalid="ignore"):
        ratio = numpy.where(error == 0, 0, error / allowed)
    ratio = numpy.where(numpy.isnan(ratio), numpy.inf, ratio)
    return float(ratio.max())
