# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays of f64 that know how they were computed: gradients, and how far a computation with roundings may be off.

A Value has its elements (`val`), computed in f64, and a bound of the error to first order (`err`), in units of one
rounding: what a program that rounds after each operation makes of it, each sum in an order of its own. Gradients are
Values too, so that they come with their bounds.
"""

import itertools
import math

import numpy

from evaluator import types_of_xf as xf

numbers = itertools.count()
unit = 2.0**-24  # one rounding, for what depends on the sign of a difference that is nearly 0
stored = 0  # the error of one rounding of a result that a gradient reads from memory, relative to the result ..
smallest = 0  # .. or to the smallest normal number of its type, below which digits are lost


class Value:
    __slots__ = ("val", "err", "inputs", "number")

    def __init__(self, val, err=None, inputs=()):
        self.val = numpy.asarray(val, numpy.float64)
        self.err = numpy.zeros(self.val.shape) if err is None else err
        self.inputs, self.number = inputs, next(numbers)

    shape = property(lambda self: self.val.shape)

    def __add__(self, other): return add(self, other)
    def __radd__(self, other): return add(self, other)
    def __sub__(self, other): return add(self, -wrap(other))
    def __rsub__(self, other): return add(wrap(other), -self)
    def __neg__(self): return Value(-self.val, self.err, [(self, lambda g: -g)])
    def __mul__(self, other): return mul(self, other)
    def __rmul__(self, other): return mul(self, other)
    def __truediv__(self, other): return mul(self, reciprocal(wrap(other)))
    def __rtruediv__(self, other): return mul(wrap(other), reciprocal(self))


def wrap(x):
    """A number is a constant, which programs round to the type that they compute in; arrays are exact."""
    if isinstance(x, Value):
        return x
    is_rounded = isinstance(x, (int, float)) and float(numpy.float32(x)) != x
    return Value(x, numpy.asarray(abs(x)) if is_rounded else None)


# ---- element by element ----

def unbroadcast(g, shape):
    """The sum of a cotangent over the dimensions along which a value of this shape was repeated."""
    if g.shape == tuple(shape):
        return g
    lead = len(g.shape) - len(shape)
    axes = tuple(range(lead)) + tuple(n + lead for n, size in enumerate(shape) if size == 1 and g.shape[n + lead] != 1)
    return reshape(total(g, axes), shape)


def add(a, b):
    a, b = wrap(a), wrap(b)
    val = a.val + b.val
    return Value(val, a.err + b.err + abs(val),
                 [(a, lambda g: unbroadcast(g, a.shape)), (b, lambda g: unbroadcast(g, b.shape))])


def mul(a, b):
    a, b = wrap(a), wrap(b)
    val = a.val * b.val
    return Value(val, a.err * abs(b.val) + abs(a.val) * b.err + abs(val),
                 [(a, lambda g: unbroadcast(g * b, a.shape)), (b, lambda g: unbroadcast(g * a, b.shape))])


def pointwise(x, val, slope, ulps=2):
    """f(x): its elements, and f'(x) as a function that gives a Value."""
    return Value(val, x.err * abs(slope().val) + ulps * abs(val), [(x, lambda g: g * slope())])


def reciprocal(x):
    val = 1 / x.val
    return Value(val, x.err * val * val + abs(val), [(x, lambda g: -(g * reciprocal(x) * reciprocal(x)))])


def exp(x):
    val = numpy.exp(x.val)
    result = Value(val, val * (x.err + 2))
    result.inputs = [(x, lambda g: g * result)]
    return result


def log(x): return pointwise(x, numpy.log(x.val), lambda: reciprocal(x))
def sin(x): return pointwise(x, numpy.sin(x.val), lambda: cos(x))
def cos(x): return Value(numpy.cos(x.val), x.err * abs(numpy.sin(x.val)) + 2, [(x, lambda g: -(g * sin(x)))])


def tanh(x):
    """The slope is sech^2: far out, 1 - tanh^2 as programs compute it has lost all digits."""
    val, slope = numpy.tanh(x.val), 1 / numpy.cosh(numpy.clip(x.val, -300, 300))**2
    error = 2 * slope * x.err + 4
    return Value(val, x.err * slope + 2 * abs(val), [(x, lambda g: g * Value(slope, error))])


def sqrt(x):
    val = numpy.sqrt(x.val)
    result = Value(val, x.err / (2 * numpy.where(val > 0, val, 1)) + val)
    result.inputs = [(x, lambda g: g * 0.5 / result)]
    return result


def doubtful(g, near):
    """The cotangent where a derivative jumps: anything, at elements that may lie on either side."""
    return Value(g.val, g.err + numpy.where(near, abs(g.val) / unit, 0), [(g, lambda h: doubtful(h, near))]) \
        if near.any() else g


def near_zero(difference, err):
    """Where a computed difference may have the other sign."""
    return (abs(difference) <= 4 * unit * err) & (err > 0)


def absolute(x):
    near = near_zero(x.val, x.err) | (x.val == 0)
    return Value(abs(x.val), x.err, [(x, lambda g: doubtful(g * numpy.sign(x.val), near))])


def function(x, f, slope, ulps=4):
    """f(x) of numpy, whose derivative is `slope`, a function of Values."""
    return pointwise(x, f(x.val), lambda: slope(x), ulps)


def sigmoid(x):
    val = 1 / (1 + numpy.exp(-x.val))
    result = Value(val, x.err * val * (1 - val) + 3 * val)
    result.inputs = [(x, lambda g: g * result * (1 - result))]
    return result


def differentiated_by_result(y, x, pull):
    """y = f(x), an op's result, whose gradient programs compute from the stored y: pull(g, y) gives that of x."""
    read = Value(y.val, y.err + stored * numpy.maximum(abs(y.val), smallest))
    return Value(y.val, y.err, [(x, lambda g: pull(g, read))])


def select(mask, a, b):
    """a where the mask (an array of booleans) says so, else b; what is not chosen is not looked at."""
    a, b = wrap(a), wrap(b)
    shape = numpy.broadcast_shapes(mask.shape, a.shape, b.shape)

    def chosen(mask, g, shape):
        return unbroadcast(Value(numpy.where(mask, g.val, 0), numpy.where(mask, g.err, 0),
                                 [(g, lambda h: select(mask, h, 0))]), shape)
    return Value(numpy.broadcast_to(numpy.where(mask, a.val, b.val), shape),
                 numpy.broadcast_to(numpy.where(mask, a.err, b.err), shape),
                 [(a, lambda g: chosen(mask, g, a.shape)), (b, lambda g: chosen(~mask, g, b.shape))])


def maximum(a, b):
    """With a gradient to the first of equals."""
    a, b = wrap(a), wrap(b)
    near = near_zero(a.val - b.val, a.err + b.err) | (a.val == b.val)
    chosen = select(a.val >= b.val, a, b)
    return Value(chosen.val, numpy.maximum(*numpy.broadcast_arrays(a.err, b.err)), [(chosen, lambda g: doubtful(g, near))])


def choose(holds, near, a, b):
    """a or b by a comparison, which may have gone the other way where `near`."""
    chosen = select(holds, a, b)
    if not near.any():
        return chosen
    other = numpy.where(near, abs(wrap(a).val - wrap(b).val) / unit, 0)
    return Value(chosen.val, chosen.err + other, [(chosen, lambda g: doubtful(g, near))])


def erf(x):
    val = numpy.vectorize(math.erf, otypes=[float])(x.val)
    slope = 2 / math.sqrt(math.pi) * numpy.exp(-x.val**2)
    return Value(val, x.err * slope + 2 * abs(val), [(x, lambda g: g * (exp(-(x * x)) * (2 / math.sqrt(math.pi))))])


def rounding(x, units):
    """The error of one rounding of x: as large below `smallest`, where digits are lost, as there; none of 0."""
    return units * numpy.where(x.val == 0, 0, numpy.maximum(abs(x.val), smallest))


def stepwise(x, f):
    """f(x) for a function f that is constant but for steps, at which x may lie on either side. No gradient passes."""
    reach = 2 * unit * x.err
    val, sides = f(x.val), (f(x.val - reach), f(x.val + reach))
    with numpy.errstate(invalid="ignore"):
        step = numpy.maximum(abs(sides[0] - val), abs(sides[1] - val))
    return Value(val, numpy.where(step == 0, 0, step / unit))


def converted(x, to_type):
    """x as a number of a type that rounds it, `to_type` being the rounding. Its cotangent is only converted."""
    y = stepwise(x, to_type)
    return Value(y.val, y.err, [(x, lambda g: widened(g))])


def swallowed(x, much, kind):
    """x + much, a sum of this type in which digits of x are lost: of a number that swallows all of x, exactly that number."""
    y = stepwise(x, lambda v: xf.rounded(v + much.val, kind))
    error = numpy.where(y.val == xf.rounded(much.val, kind), y.err, y.err + abs(y.val))
    return Value(y.val, error, [(x, lambda g: g), (much, lambda g: unbroadcast(g, much.shape))])


def widened(x):
    """x as a number of a type that has its digits; a cotangent is converted back, which rounds."""
    return Value(x.val, x.err, [(x, lambda g: Value(g.val, g.err + abs(g.val), [(g, lambda h: h)]))])


def rounded(x, units, both=True):
    """x as a number of fewer digits, one rounding of which is `units` of those counted here; with both, cotangents as
    well."""
    if not units:
        return x
    return Value(x.val, x.err + rounding(x, units), [(x, lambda g: rounded(g, units) if both else g)])


def rounded_weights(p, units, axis):
    """Weights of a softmax that are rounded where they multiply values. Gradients subtract <d_o, o> from d_p: the sum of
    p d_p along `axis`, which has the roundings that are in o."""
    if not units:
        return p
    def cotangent(g):
        return Value(g.val, g.err + units * abs(p.val * g.val).sum(axis, keepdims=True), [(g, lambda h: h)])
    return Value(p.val, p.err + rounding(p, units), [(p, cotangent)])


def rounded_gradient(x, units):
    """x, whose cotangent is rounded."""
    return Value(x.val, x.err, [(x, lambda g: rounded(g, units, both=False))]) if units else x


def constant(x):
    """Stops gradients."""
    return Value(x.val, x.err)


# ---- sums and shapes ----

def of_sum(count):
    """How many roundings of its terms' magnitude a sum has."""
    return 1 + numpy.sqrt(count)


def total(x, axes, keepdims=False):
    axes = tuple(axes) if isinstance(axes, (tuple, list)) else (axes,)
    count = numpy.prod([x.shape[a] for a in axes]) if axes else 1
    err = (x.err + of_sum(count) * abs(x.val)).sum(axes, keepdims=keepdims) if axes else x.err
    kept = tuple(1 if n in [a % len(x.shape) for a in axes] else size for n, size in enumerate(x.shape))
    return Value(x.val.sum(axes, keepdims=keepdims), err, [(x, lambda g: broadcast(reshape(g, kept), x.shape))])


def largest(x, axis):
    """The maximum along an axis, which stays; the gradient goes to the first of equals."""
    place = numpy.expand_dims(x.val.argmax(axis), axis)
    first = numpy.zeros(x.shape, bool)
    numpy.put_along_axis(first, place, True, axis)
    top = numpy.take_along_axis(x.val, place, axis)
    near = near_zero(top - x.val, x.err + numpy.take_along_axis(x.err, place, axis))
    near &= near.sum(axis, keepdims=True) > 1

    def pull(g):
        spread = broadcast(g, x.shape)
        given = select(first, spread, 0)
        return Value(given.val, given.err + numpy.where(near, abs(spread.val) / unit, 0), [(given, lambda h: h)])
    return Value(top, x.err.max(axis, keepdims=True), [(x, pull)])


def exchanged(g, near):
    """The cotangents of elements that may have each other's place in a row: any of those that the row's have, also where
    an element's own is 0 because it is not taken."""
    largest = numpy.where(near, abs(g.val), 0).max(-1, keepdims=True, initial=0)
    return Value(g.val, g.err + numpy.where(near, 2 * largest / unit, 0), [(g, lambda h: exchanged(h, near))]) \
        if near.any() else g


def ordered(x, count):
    """The `count` largest elements of each row, in order; where neighbours may be either, so may their gradients."""
    order = numpy.argsort(-x.val, -1, kind="stable")
    rows = tuple(numpy.indices(order.shape)[:-1])
    sorted_ = gather(x, (*rows, order))
    most = sorted_.err.max(-1, keepdims=True, initial=0)
    near = numpy.zeros(x.shape, bool)
    close = near_zero(numpy.diff(sorted_.val), 2 * numpy.broadcast_to(most, x.shape)[..., 1:]) | (numpy.diff(sorted_.val) == 0)
    near[..., 1:] |= close
    near[..., :-1] |= close
    sorted_ = Value(sorted_.val, numpy.broadcast_to(most, x.shape), [(sorted_, lambda g: exchanged(g, near))])
    return gather(sorted_, (..., slice(0, count)))


def broadcast(x, shape):
    return Value(numpy.broadcast_to(x.val, shape), numpy.broadcast_to(x.err, shape),
                 [(x, lambda g: unbroadcast(g, x.shape))])


def reshape(x, shape):
    return Value(x.val.reshape(shape), x.err.reshape(shape), [(x, lambda g: reshape(g, x.shape))])


def transpose(x, order):
    back = numpy.argsort(order)
    return Value(x.val.transpose(order), x.err.transpose(order), [(x, lambda g: transpose(g, back))])


def gather(x, index):
    """x[index] for a tuple of arrays of integers, or slices; gradients of elements read more than once add up."""
    def scatter(g):
        val, err, most = numpy.zeros(x.shape), numpy.zeros(x.shape), numpy.zeros(x.shape)
        numpy.add.at(val, index, g.val)
        numpy.add.at(most, index, 1)
        numpy.add.at(err, index, g.err + of_sum(most.max(initial=1)) * abs(g.val))
        return Value(val, err, [(g, lambda h: gather(h, index))])
    return Value(x.val[index], x.err[index], [(x, scatter)])


def take(x, places, axis):
    """x's rows along an axis, by number."""
    return gather(x, (slice(None),) * axis + (numpy.asarray(places),))


def concat(values, axis):
    starts = numpy.cumsum([0] + [v.shape[axis] for v in values])

    def part(n):
        index = (slice(None),) * axis + (slice(starts[n], starts[n + 1]),)
        return lambda g: gather(g, index)
    return Value(numpy.concatenate([v.val for v in values], axis), numpy.concatenate([v.err for v in values], axis),
                 [(v, part(n)) for n, v in enumerate(values)])


def einsum(spec, a, b):
    """Of two operands none of which has a dimension that appears in it alone, so that gradients are of this form."""
    left, right, out = spec.replace("->", ",").split(",")
    count = numpy.prod([n for letter, n in dict([*zip(left, a.shape), *zip(right, b.shape)]).items()
                        if letter not in out] or [1])

    def product(x, y):
        return numpy.einsum(spec, x, y, optimize=True)
    x, y = abs(a.val), abs(b.val)
    err = product(x, b.err + (1 + of_sum(count)) * y) + product(a.err, y)
    return Value(product(a.val, b.val), err, [(a, lambda g: einsum(f"{out},{right}->{left}", g, b)),
                                              (b, lambda g: einsum(f"{left},{out}->{right}", a, g))])


def gradients(outputs, cotangents, inputs):
    """The gradients of sum <output, cotangent> in the inputs; zeros where there is no path."""
    slots, reached = {}, {}

    def put(value, g):
        slots[value.number] = slots[value.number] + g if value.number in slots else g
        reached[value.number] = value
    for output, cotangent in zip(outputs, cotangents):
        put(output, wrap(cotangent))
    wanted, done = {value.number for value in inputs}, {}
    while reached:
        number = max(reached)
        value, g = reached.pop(number), slots.pop(number)
        if number in wanted:
            done[number] = g
        for source, pull in value.inputs:
            put(source, pull(g))
    return [done.get(value.number, Value(numpy.zeros(value.shape))) for value in inputs]
