# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What counts as equal: tolerances by class, and the comparison of an array with the expected one."""
import numpy as np

# Relative L2 and largest error (divided by max(1, largest expected)), forward and backward.
CLASSES = {
    "T64":  {"fwd": (1e-12, 1e-12), "bwd": (1e-10, 1e-10)},
    "T32":  {"fwd": (2e-6, 1e-5), "bwd": (1e-5, 5e-5)},
    "T32k": {"fwd": (1e-5, 5e-5), "bwd": (5e-5, 2.5e-4)},
    "T32k3": {"fwd": (3e-5, 1.5e-4), "bwd": (2e-4, 1e-3)},         # kernelised attention of inputs three times as large
    "T32m": {"fwd": (5e-6, 2.5e-5), "bwd": (5e-5, 2.5e-4)},        # whole models
    "T16":  {"fwd": (1e-3, 4e-3), "bwd": (2e-3, 8e-3)},
    "TB16": {"fwd": (6e-3, 3e-2), "bwd": (1.2e-2, 6e-2)},
    "EXACT": {"fwd": (0.0, 0.0), "bwd": (0.0, 0.0)},
}


def errors(got, want, scale=None):
    """(relative L2, scaled maximum) over the finite entries; inf where the pattern of NaN and infinities differs.
    With `scale`, both are relative to that size instead of the array's own: for results that cancel to zero analytically."""
    got, want = np.asarray(got, float), np.asarray(want, float)
    if got.shape != want.shape:
        return np.inf, np.inf
    special = ~np.isfinite(want)
    if not np.array_equal(np.isnan(got), np.isnan(want)) or not np.array_equal(got[np.isinf(want)], want[np.isinf(want)]) or not np.isfinite(got[~special]).all():
        return np.inf, np.inf
    d, w = (got - want)[~special], want[~special]
    worst, top = np.abs(d).max(initial=0.0), np.abs(w).max(initial=0.0)
    if worst == 0.0:
        return 0.0, 0.0
    if scale is not None:
        return float(worst / scale), float(worst / max(1.0, scale))
    if top == 0.0:
        return np.inf, np.inf
    return float(np.linalg.norm(d / top) / np.linalg.norm(w / top)), float(worst / max(1.0, top))


def accept(got, want, cls, side="fwd", abs_floor=0.0, scale=None):
    """True when `got` is within the class; abs_floor: errors up to this size are free (results near the subnormal range)."""
    got, want = np.asarray(got, float), np.asarray(want, float)
    if abs_floor and got.shape == want.shape:
        with np.errstate(invalid="ignore"):
            got = np.where(np.abs(got - want) <= abs_floor, want, got)
    with np.errstate(invalid="ignore"):
        l2, top = errors(got, want, scale)
    rel, largest = CLASSES[cls][side]
    return l2 <= rel and top <= largest


UNIT = {"f64": (2.0 ** -53, 2.0 ** -53), "f32": (2.0 ** -24, 2.0 ** -24), "f16": (2.0 ** -11, 2.0 ** -24), "bf16": (2.0 ** -8, 2.0 ** -24)}


def elementwise(got, want, magnitude, top_score, dtype, abs_floor=0.0):
    """Largest |error| / bound, bound = (3 u_store + u_sum (16 + 8 top_score)) magnitude, magnitude = sum_j p_ij |v_j|:
    the stores of P, V-products and the result, and a score error of 8 units of the largest intermediate score."""
    store, acc = UNIT[dtype]
    bound = (3 * store + acc * (16 + 8 * top_score[..., None])) * magnitude + abs_floor
    err = np.abs(np.asarray(got, float) - want)
    return float(np.where(err == 0, 0.0, err / np.where(bound > 0, bound, 1e-320)).max(initial=0))
