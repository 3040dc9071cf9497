# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the ops beside attention mean, on values of tape.py: by name, a function of operands and attributes."""

import math

import numpy

from evaluator import attention, philox, programs, tape
from evaluator import types_of_xf as xf


def unary(f): return lambda x, **_: f(x)


def gelu(x, form):
    if form == "sigmoid":
        return x * tape.sigmoid(x * 1.702)
    if form == "erf":
        return x * (tape.erf(x * math.sqrt(.5)) + 1) * .5
    return x * (tape.tanh((x + x * x * x * .044715) * math.sqrt(2 / math.pi)) + 1) * .5


def softmax(x):
    e = tape.exp(x - x.val.max(-1, keepdims=True))
    y = e / tape.total(e, -1, keepdims=True)
    return tape.differentiated_by_result(y, x, lambda g, y: y * (g - tape.total(y * g, -1, keepdims=True)))


def mean(x):
    return tape.total(x, -1, keepdims=True) / x.shape[-1]


def layer_norm(x, *affine, eps, weight, bias):
    centred = x - mean(x)
    y = centred / tape.sqrt(mean(centred * centred) + eps)
    affine = list(affine)
    if weight:
        y = y * affine.pop(0)
    return y + affine.pop(0) if bias else y


def rms_norm(x, *affine, eps):
    y = x / tape.sqrt(mean(x * x) + eps)
    return y * affine[0] if affine else y


def linear(x, w, *bias):
    y = tape.einsum("bi,oi->bo", tape.reshape(x, (-1, x.shape[-1])), w)
    y = tape.reshape(y, x.shape[:-1] + (w.shape[0],))
    return y + bias[0] if bias else y


def matmul(a, b, transpose_a, transpose_b):
    lead = a.shape[:-2] if len(a.shape) >= len(b.shape) else b.shape[:-2]
    a, b = (tape.reshape(tape.broadcast(x, lead + x.shape[-2:]), (-1,) + x.shape[-2:]) for x in (a, b))
    y = tape.einsum(f"n{'ka' if transpose_a else 'ak'},n{'bk' if transpose_b else 'kb'}->nab", a, b)
    return tape.reshape(y, lead + y.shape[1:])


def reduce(x, kind, axes):
    if kind == "max":
        order = [n for n in range(len(x.shape)) if n not in axes] + sorted(axes)
        kept = [x.shape[n] for n in order[:len(order) - len(axes)]]
        return tape.reshape(tape.largest(tape.reshape(tape.transpose(x, order), (*kept, -1)), len(kept)), tuple(kept))
    y = tape.total(x, tuple(axes))
    return y / math.prod(x.shape[n] for n in axes) if kind == "mean" else y


def slice_of(x, offsets, strides, shape):
    return tape.gather(x, tuple(slice(o, o + s * (n - 1) + 1, s) for o, s, n in zip(offsets, strides, shape)))


def pad(x, low, strides, shape):
    at = tuple(slice(o, o + s * (n - 1) + 1, s) for o, s, n in zip(low, strides, x.shape))
    val, err = numpy.zeros(shape), numpy.zeros(shape)
    val[at], err[at] = x.val, x.err
    return tape.Value(val, err, [(x, lambda g: tape.gather(g, at))])


def split_heads(x, heads):
    b, n, width = x.shape
    return tape.transpose(tape.reshape(x, (b, n, heads, width // heads)), (0, 2, 1, 3))


def merge_heads(x):
    b, h, n, d = x.shape
    return tape.reshape(tape.transpose(x, (0, 2, 1, 3)), (b, n, h * d))


def stack_layers(*layers):
    b, n, d = layers[0].shape
    stacked = tape.concat([tape.reshape(x, (b, n, 1, d)) for x in layers], 2)
    return tape.reshape(stacked, (b, n * len(layers), d))


def pool_layers(x, layers, kind):
    b, n, d = x.shape
    x = tape.reshape(x, (b, n // layers, layers, d))
    if kind == "last":
        return tape.gather(x, (slice(None), slice(None), layers - 1))
    y = tape.largest(x, 2) if kind == "max" else tape.total(x, 2, keepdims=True) / layers
    return tape.reshape(y, (b, n // layers, d))


COMPARE = {"lt": numpy.less, "le": numpy.less_equal, "gt": numpy.greater, "ge": numpy.greater_equal, "eq": numpy.equal,
           "ne": numpy.not_equal}


def compare_and_where(a, b, c, d, kind):
    """where(a < b, c, d)."""
    holds, near = COMPARE[kind](a.val, b.val), tape.near_zero(a.val - b.val, a.err + b.err)
    return tape.choose(holds, near, c, d)


def embedding(table, ids):
    return tape.gather(table, (ids.val.astype(int),))


def cross_entropy(logits, targets):
    rows, labels = tape.reshape(logits, (-1, logits.shape[-1])), targets.val.astype(int).ravel()
    used = numpy.flatnonzero(labels != -100)
    if not used.size:
        return tape.total(tape.reshape(logits, (-1,)) * 0.0, 0)
    rows = tape.take(rows, used, 0)
    top = rows.val.max(1, keepdims=True)
    lse = tape.log(tape.total(tape.exp(rows - top), 1)) + top[:, 0]
    picked = tape.gather(rows, (numpy.arange(used.size), labels[used]))
    return tape.total(lse - picked, 0) / used.size


def cast(x, to, narrows):
    if to == "i1":
        return tape.stepwise(x, lambda v: (v != 0).astype(float))
    if to[0] == "i":
        return tape.stepwise(x, numpy.trunc)
    return tape.converted(x, lambda v: xf.rounded(v, to)) if narrows else tape.widened(x)


def take_along(x, indices):
    places = indices.val.astype(int)
    return tape.gather(x, (*numpy.indices(places.shape)[:-1], places))


def cumsum(x, reverse):
    seen = numpy.tri(x.shape[-1])
    y = tape.einsum("bi,oi->bo", tape.reshape(x, (math.prod(x.shape[:-1]), x.shape[-1])), tape.wrap(seen.T if reverse else seen))
    return tape.reshape(y, x.shape)


def slice_update(state, x, position, axis):
    index = [slice(None)] * len(state.shape)
    index[axis] = slice(int(position.val), int(position.val) + x.shape[axis])
    replaced = numpy.zeros(state.shape, bool)
    replaced[tuple(index)] = True
    return tape.select(replaced, pad(x, [s.start or 0 for s in index], [1] * len(index), state.shape), state)


def attend(*operands, program):
    named = dict(zip(programs.operands(program), operands))
    kinds = {n: kind for n, (kind, _) in programs.operands(program).items()}
    arrays = {n: x.val.astype(int) if kinds[n][0] == "i" else x.val for n, x in named.items()}
    floats = {n: x for n, x in named.items() if kinds[n][0] != "i"}
    return attention.evaluate(program, program["sizes"], arrays, floats)["o"]


def atan2(a, b):
    val, square = numpy.arctan2(a.val, b.val), a * a + b * b
    err = (a.err * abs(b.val) + b.err * abs(a.val)) / square.val + 4 * abs(val)
    return tape.Value(val, err, [(a, lambda g: tape.unbroadcast(g * b / square, a.shape)),
                                 (b, lambda g: tape.unbroadcast(-(g * a / square), b.shape))])


def dropout(x, seed, p):
    kept = philox.kept_elements(seed.val.astype(int), x.val.size, p).reshape(x.shape)
    return tape.select(kept, x * (1 / (1 - p) if p < 1 else 0.0), 0.0)


def clip_scale(*gradients, max_norm):
    norm = tape.sqrt(sum((tape.total(tape.reshape(g * g, (-1,)), 0) for g in gradients[1:]),
                         tape.total(tape.reshape(gradients[0] * gradients[0], (-1,)), 0)))
    scale = max_norm / (norm + 1e-6)
    return tape.select(scale.val < 1, scale, 1)


def adamw(p, g, m, v, rate, clip, step, beta1, beta2, eps, decay):
    g = clip * g
    m, v = m * beta1 + g * (1 - beta1), v * beta2 + g * g * (1 - beta2)
    t = float(step.val)
    p = p * (1 - rate * decay) - rate * (m / (1 - beta1**t)) / (tape.sqrt(v / (1 - beta2**t)) + eps)
    return p, m, v


def sgd(p, g, v, rate, clip, momentum, decay):
    v = v * momentum + clip * g + p * decay
    return p - rate * v, v


def by_result(f, pull): return lambda x: tape.differentiated_by_result(f(x), x, pull)


UNARY = {"neg": lambda x: -x, "log": tape.log, "exp": by_result(tape.exp, lambda g, y: g * y),
         "sqrt": by_result(tape.sqrt, lambda g, y: g * 0.5 / y),
         "rsqrt": by_result(lambda x: 1 / tape.sqrt(x), lambda g, y: g * (y * y * y * -0.5)),
         "tanh": by_result(tape.tanh, lambda g, y: g * (1 - y * y)),
         "sigmoid": by_result(tape.sigmoid, lambda g, y: g * (y * (1 - y))), "erf": tape.erf, "abs": tape.absolute, "square": lambda x: x * x,
         "sin": tape.sin, "cos": tape.cos, "relu": lambda x: tape.maximum(x, 0), "silu": lambda x: x * tape.sigmoid(x)}
UNARY.update({
    "floor": lambda x: tape.stepwise(x, numpy.floor), "ceil": lambda x: tape.stepwise(x, numpy.ceil),
    "round": lambda x: tape.stepwise(x, numpy.round), "stop_gradient": tape.constant,
    "tan": lambda x: tape.function(x, numpy.tan, lambda x: 1 / (tape.cos(x) * tape.cos(x))),
    "asin": lambda x: tape.function(x, numpy.arcsin, lambda x: 1 / tape.sqrt(1 - x * x)),
    "acos": lambda x: tape.function(x, numpy.arccos, lambda x: -1 / tape.sqrt(1 - x * x)),
    "atan": lambda x: tape.function(x, numpy.arctan, lambda x: 1 / (1 + x * x)),
    "sinh": lambda x: tape.function(x, numpy.sinh, lambda x: (tape.exp(x) + tape.exp(-x)) * .5),
    "cosh": lambda x: tape.function(x, numpy.cosh, lambda x: (tape.exp(x) - tape.exp(-x)) * .5),
    "cbrt": lambda x: tape.function(x, numpy.cbrt, lambda x: tape.exp(tape.log(x) * (-2 / 3)) * (1 / 3)),
    "log2": lambda x: tape.function(x, numpy.log2, lambda x: 1 / (x * math.log(2))),
    "log10": lambda x: tape.function(x, numpy.log10, lambda x: 1 / (x * math.log(10))),
    "log1p": lambda x: tape.function(x, numpy.log1p, lambda x: 1 / (x + 1)),
    "expm1": lambda x: tape.function(x, numpy.expm1, tape.exp),
    "softplus": lambda x: tape.function(x, lambda v: numpy.logaddexp(0, v), tape.sigmoid)})
POSITIVE = ("log", "sqrt", "rsqrt", "log2", "log10", "log1p", "cbrt")  # drawn of positive operands
BOUNDED = ("exp", "expm1", "sinh", "cosh", "tan")  # drawn of operands of small size
HUGE = ("sin", "cos", "tan", "tanh", "sigmoid", "erf", "atan", "log", "log2", "log10", "log1p")  # drawn of operands of any size
INNER = ("asin", "acos")  # drawn of operands within (-1, 1)
BINARY = {"add": tape.add, "sub": lambda a, b: a - b, "mul": tape.mul, "div": lambda a, b: a / b,
          "maximum": tape.maximum, "minimum": lambda a, b: -tape.maximum(-a, -b),
          "pow": lambda a, b: tape.exp(b * tape.log(a)), "atan2": atan2}
OTHER = {"attention": attend, "cumsum": cumsum, "gelu": gelu, "softmax": softmax, "layer_norm": layer_norm, "rms_norm": rms_norm, "linear": linear,
         "matmul": matmul, "reduce": reduce, "slice": slice_of, "pad": pad, "split_heads": split_heads,
         "merge_heads": merge_heads, "stack_layers": stack_layers, "pool_layers": pool_layers,
         "where": compare_and_where, "cast": cast, "take_along": take_along, "slice_update": slice_update,
         "top_k": lambda x, count: tape.ordered(x, count), "embedding": embedding, "cross_entropy": cross_entropy, "dropout": dropout,
         "reshape": lambda x, shape: tape.reshape(x, tuple(shape)), "adamw": adamw, "sgd": sgd, "clip_scale": clip_scale,
         "transpose": lambda x, permutation: tape.transpose(x, permutation),
         "concat": lambda *x, axis: tape.concat(list(x), axis),
         "broadcast": lambda x, shape: tape.broadcast(x, tuple(shape)), "add_constant": lambda x, value: x + value}


def compute(op, operands, attributes):
    """The result of an op, or the tuple of its results."""
    attributes = {name: value for name, value in attributes.items() if name != "checkpoint"}
    if op in UNARY:
        return UNARY[op](*operands)
    if op in BINARY:
        return BINARY[op](*operands)
    return OTHER[op](*operands, **attributes)
