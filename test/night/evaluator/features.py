# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Feature maps of kernelised attention and their stabilisers, by the specification."""

import numpy

from evaluator import tape

EXPONENTIAL = ("favor", "hyperbolic", "trigonometric")


def is_causal(pattern):
    """Whether the form of a pattern says that j <= i. Programs take only such, or ones that are far from it."""
    kind = pattern["kind"]
    if kind == "intersection":
        return any(map(is_causal, pattern["members"]))
    if kind in ("union", "heads"):
        return all(map(is_causal, pattern["members"]))
    if kind in ("window", "dilated"):
        return pattern.get("right", 0) is not None and pattern.get("right", 0) <= 0
    return kind in ("causal", "strided", "fixed")


def stabilizer_of(pattern):
    if "stabilizer" in pattern:
        return pattern["stabilizer"]
    if pattern["feature"] not in EXPONENTIAL:
        return "none"
    return "running" if "of" in pattern and is_causal(pattern["of"]) else "sequence"


def epsilon_of(pattern):
    if "epsilon" in pattern:
        return pattern["epsilon"]
    if pattern["feature"] == "relu":
        return 1e-3
    none = stabilizer_of(pattern) == "running" or ("of" in pattern and is_causal(pattern["of"]))
    return 1e-6 if pattern["feature"] == "favor" and not none else 0.0


def guard_of(pattern):
    return pattern.get("guard", 0.0 if stabilizer_of(pattern) == "running" else 1e-6)


def project(pattern, x, inputs):
    """u = W x~ or x~ and |x~|^2 / 2, where x~ is x times D^-1/4 in exponential features."""
    exponential = pattern["feature"] in EXPONENTIAL
    if exponential and pattern.get("scale_input", True):
        x = x * x.shape[3]**-0.25
    u = tape.einsum("bhjd,md->bhjm", x, inputs["w"]) if "w" in inputs else x
    return u, (tape.total(x * x, 3, keepdims=True) * 0.5 if exponential else None)


def stabilizer(pattern, u, seen=None):
    """The largest exponent of each row or, where `seen` says which rows count, of those of each head. Its rounding is
    taken for that of u."""
    exponents = tape.absolute(u) if pattern["feature"] == "hyperbolic" else u
    if seen is not None:
        exponents = tape.select(seen, exponents, -numpy.inf)
        exponents = tape.reshape(exponents, (*u.shape[:2], 1, u.shape[2] * u.shape[3]))
    top = tape.largest(exponents, 3)
    if stabilizer_of(pattern) == "running":  # cancels
        top = tape.constant(top)
    return tape.Value(numpy.where(numpy.isfinite(top.val) | (seen is None), top.val, 0), None, [(top, lambda g: g)])


def features(pattern, u, norm, s):
    """phi of rows, given the exponent s that is taken off."""
    feature, epsilon, m = pattern["feature"], epsilon_of(pattern), u.shape[3]
    if feature == "favor":
        return (tape.exp(u - norm - s) + epsilon) * m**-0.5
    if feature == "hyperbolic":
        return tape.concat([tape.exp(u - norm - s), tape.exp(-u - norm - s)], 3) * (2 * m)**-0.5
    if feature == "trigonometric":
        factor = tape.exp(norm - s) * m**-0.5
        return tape.concat([factor * tape.cos(u), factor * tape.sin(u)], 3)
    phi = {"relu": lambda: tape.select(u.val > 0, u, 0), "exp": lambda: tape.exp(u), "square": lambda: u * u,
           "elu": lambda: tape.select(u.val > 0, u + 1, tape.exp(tape.select(u.val > 0, 0, u))),
           "abs": lambda: tape.absolute(u), "sigmoid": lambda: tape.sigmoid(u), "identity": lambda: u,
           "softmax": lambda: softmax(u)}[feature]()
    return phi + epsilon if epsilon else phi


def softmax(u):
    e = tape.exp(u - u.val.max(3, keepdims=True))
    return e / tape.total(e, 3, keepdims=True)


REGIONS = {  # a feature region's lines, of %x (tensor<D>) and %c (tensor<MxD>), and what it computes
    "linear": ("%u = xf.linear %x, %c : ({x}, {c}) -> {u}\nxf.yield %u : {u}", lambda x, c: linear(x, c)),
    "exp": ("%y = xf.linear %x, %c : ({x}, {c}) -> {u}\n%u = xf.exp %y : {u}\nxf.yield %u : {u}",
            lambda x, c: tape.exp(linear(x, c))),
    "sigmoid": ("%y = xf.linear %x, %c : ({x}, {c}) -> {u}\n%u = xf.sigmoid %y : {u}\nxf.yield %u : {u}",
                lambda x, c: tape.sigmoid(linear(x, c))),
}


def linear(x, c): return tape.einsum("bhjd,md->bhjm", x, c)


def of_queries_and_keys(program, inputs, mask):
    """phi(q) and phi(k), those of keys per head of keys, or of queries where their stabiliser differs by head."""
    pattern = program["pattern"]
    if "feature_region" in program:
        compute = REGIONS[program["feature_region"]][1]
        epsilon = epsilon_of(pattern)
        return [compute(inputs[x], inputs["c"]) + epsilon for x in ("q", "k")]
    kind = stabilizer_of(pattern) if pattern["feature"] in EXPONENTIAL else "none"
    (u, q_norm), (t, k_norm) = (project(pattern, inputs[x], inputs) for x in ("q", "k"))
    phi_q = features(pattern, u, q_norm, 0 if kind == "none" else stabilizer(pattern, u))
    if kind in ("none", "row"):
        return phi_q, features(pattern, t, k_norm, 0)
    # Of keys that some query of the head sees. A running one cancels, so it may be any that is large enough.
    heads = mask.shape[1]
    places = numpy.arange(heads) * t.shape[1] // heads
    t, k_norm = tape.take(t, places, 1), tape.take(k_norm, places, 1)
    seen = mask.any(2)[..., None]
    top = stabilizer(pattern, t, seen) if seen.size else 0
    return phi_q, tape.select(seen, features(pattern, tape.select(seen, t, 0), tape.select(seen, k_norm, 0), top), 0)
