#!/usr/bin/env python3
#===- functions.py - Element-wise functions against correctly rounded ones -===#
#
# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Compares every element-wise function of the dialect with its value in extended precision, at every exponent.

    functions.py BUILD PAGE                 on the CPU; PAGE shows the bounds that are asserted here
    functions.py BUILD PAGE --write         writes them into PAGE
    functions.py BUILD PAGE --measure       prints the largest errors
    functions.py BUILD PAGE --target=cuda.. on another target (options of xf-run), with fewer points

A bound counts units in the last place (ulp) of the element type. Below the smallest normal number a unit is that of the smallest
normal number's, and a result may be 0 where a row has a `floor`: the magnitude below which results may be off by that much.
"""
import ctypes
import os
import subprocess
import sys
import tempfile

import numpy as np

X = np.longdouble
libm = ctypes.CDLL("libm.so.6")


def from_libm(name):
    function = getattr(libm, name)
    function.restype, function.argtypes = ctypes.c_longdouble, [ctypes.c_longdouble]
    return np.vectorize(lambda x: X(function(x)), otypes=[X])


class Format:
    """A type: digits of the mantissa with the leading one, the least exponent of a normal number, the largest number."""

    def __init__(self, name, digits, least, storage):
        self.name, self.digits, self.least, self.storage = name, digits, least, storage
        self.normal, self.smallest = X(2) ** least, X(2) ** (least - digits + 1)
        self.over = X(2) ** (2 - least)  # the power of two above the largest number
        self.largest = self.over * (1 - X(2) ** -digits)

    def unit(self, x):
        """The last place of the numbers around x."""
        _, exponent = np.frexp(np.where(np.isfinite(x) & (x != 0), np.abs(x), self.normal))
        return np.ldexp(X(1), np.maximum(exponent - 1, self.least) - self.digits + 1)

    def round(self, x):
        unit = self.unit(x)
        with np.errstate(all="ignore"):
            rounded = np.where(np.isfinite(x), np.copysign(np.rint(x / unit) * unit, x), x)
        return np.where(np.abs(rounded) > self.largest, np.copysign(X(np.inf), x), rounded)


FORMATS = {f.name: f for f in (Format("f32", 24, -126, np.float32), Format("f64", 53, -1022, np.float64),
                               Format("bf16", 8, -126, np.float32), Format("f16", 11, -14, np.float32))}

erf, erfc = from_libm("erfl"), from_libm("erfcl")
PI = X(2) * np.arccos(X(0))


def gelu_tanh(x):
    return x / (1 + np.exp(-2 * np.sqrt(2 / PI) * (x + X("0.044715") * x * x * x)))


def power(x, y):
    from_c = libm.powl
    from_c.restype, from_c.argtypes = ctypes.c_longdouble, [ctypes.c_longdouble] * 2
    return np.vectorize(lambda a, b: X(from_c(a, b)), otypes=[X])(x, y)


class Row:
    """A function: its op, its value, and by type the bound in ulp and the exponent of the floor, if it has one."""

    def __init__(self, op, value, bounds, floors=None, text=None, operands=1):
        self.op, self.value, self.operands = op, value, operands
        self.bounds, self.floors = dict(zip(("f32", "f64"), bounds)), dict(zip(("f32", "f64"), floors or (None, None)))
        self.text = text or op

    def bound(self, kind):
        """A 16-bit result is that of f32, rounded."""
        return 0.51 if kind in ("bf16", "f16") and self.bounds["f32"] else self.bounds["f32" if "16" in kind else kind]

    def floor(self, kind):
        power = self.floors["f64" if kind == "f64" else "f32"]
        return X(0) if power is None or kind == "f16" else X(2) ** power


NORMAL = (-126, -1022)
ROWS = [
    Row("neg", lambda x: -x, (0, 0)),
    Row("abs", np.abs, (0, 0)),
    Row("square", np.square, (.5, .5)),
    Row("sqrt", np.sqrt, (.5, .5)),
    Row("rsqrt", lambda x: 1 / np.sqrt(x), (1.5, 1.5)),
    Row("cbrt", np.cbrt, (1, 1)),
    Row("floor", np.floor, (0, 0)),
    Row("ceil", np.ceil, (0, 0)),
    Row("round", np.rint, (0, 0)),
    Row("exp", np.exp, (1.5, 1), NORMAL),
    Row("expm1", np.expm1, (1.5, 2)),
    Row("log", np.log, (1, 1.5)),
    Row("log2", np.log2, (1.5, 1.5)),
    Row("log10", np.log10, (2, 2)),
    Row("log1p", np.log1p, (1.5, 1.5)),
    Row("sin", np.sin, (2, 1.5)),
    Row("cos", np.cos, (2, 1.5)),
    Row("tan", np.tan, (4, 3)),
    Row("asin", np.arcsin, (1, 1)),
    Row("acos", np.arccos, (1.5, 1.5)),
    Row("atan", np.arctan, (2.5, 1.5)),
    Row("sinh", np.sinh, (3, 2.5)),
    Row("cosh", np.cosh, (3, 1.5)),
    Row("tanh", np.tanh, (1.5, 1.5)),
    Row("erf", erf, (2, 3)),
    Row("sigmoid", lambda x: 1 / (1 + np.exp(-x)), (2.5, 2.5), NORMAL),
    Row("softplus", lambda x: np.maximum(x, 0) + np.log1p(np.exp(-np.abs(x))), (2, 2), NORMAL),
    Row("relu", lambda x: np.where(np.isnan(x), x, np.maximum(x, 0)), (0, 0)),
    Row("silu", lambda x: x / (1 + np.exp(-x)), (2.5, 2.5), (-119, -1012)),
    Row("gelu erf", lambda x: x / 2 * erfc(-x / np.sqrt(X(2))), (200, 1500), (-123, -1018), "gelu, erf"),
    Row("gelu tanh", gelu_tanh, (200, 1500), (-119, -1012), "gelu, tanh"),
    Row("gelu sigmoid", lambda x: x / (1 + np.exp(-X("1.702") * x)), (100, 600), (-119, -1012), "gelu, sigmoid"),
    Row("add", np.add, (.5, .5), operands=2),
    Row("sub", np.subtract, (.5, .5), operands=2),
    Row("mul", np.multiply, (.5, .5), operands=2),
    Row("div", np.divide, (.5, .5), operands=2),
    Row("maximum", np.maximum, (0, 0), operands=2),
    Row("minimum", np.minimum, (0, 0), operands=2),
    Row("pow", power, (.51, 1500), (-126, -1021), operands=2),
    Row("atan2", np.arctan2, (2, 2), operands=2),
]

#===----------------------------------------------------------------------===#
# Points
#===----------------------------------------------------------------------===#

# The largest numbers that are nearest to a multiple of pi/2, of f32 and f64.
NEAREST = [16367173 * 2.0**72, 6381956970095103 * 2.0**797]


def one_operand(form, few):
    """Numbers of both signs: every exponent with several mantissas, all 16-bit ones, many where
    functions bend, and the ends of what formulas cover."""
    if form.digits < 24 and not few:
        exponents = np.arange(form.least - form.digits + 1, 2 - form.least)
        mantissas = np.arange(2 ** (form.digits - 1), 2 ** form.digits)
    else:
        random = np.random.default_rng(7)
        exponents = np.arange(form.least - form.digits + 1, 2 - form.least)
        exponents = np.unique(np.concatenate([exponents[::17 if few else 1], np.arange(-20 if few else -70, 20 if few else 70)]))
        exponents = exponents[(exponents > form.least - form.digits) & (exponents < 2 - form.least)]
        wide = 2 if few or form.digits > 24 else 9
        leading = 2 ** (form.digits - 1)
        mantissas = np.concatenate([[leading, leading + 1, 2 * leading - 1], random.integers(leading, 2 * leading, wide)])
    x = np.ldexp(mantissas.astype(X)[None], exponents[:, None] - form.digits + 1).ravel()
    quarters = np.arange(1, 40 if few else 400).astype(X) * PI / 2
    steps = np.arange(0, 120, .5 if not few else 3).astype(X)
    random = np.random.default_rng(9)
    anywhere = np.ldexp(random.uniform(1, 2, 200 if few else 12000).astype(X), random.integers(-6, 5, 200 if few else 12000))
    ends = [0, 1, form.largest, form.normal, form.smallest, 1e5, 2.0**30, 88.7228, 87.3365, 103.97, 709.78, 745.1] + NEAREST
    x = np.concatenate([x, quarters, steps, anywhere, np.array(ends, X), [X(np.inf)]])
    x = form.round(x)
    return np.concatenate([x, -x, [X(np.nan)]])


def two_operands(form, few):
    """Pairs: those of the ends, and random ones near 1, near each other and anywhere."""
    ends = [0, 1, .5, 2, 3, 4, 1.5, 1e-3, 1e5, form.smallest, form.normal, form.largest, np.inf, 2.0**24 - 1, 2.0**24]
    ends = form.round(np.array(ends, X))
    ends = np.concatenate([ends, -ends, [X(np.nan)]])
    a, b = (g.ravel() for g in np.meshgrid(ends, ends))
    random, count = np.random.default_rng(8), 100 if few else 4000
    sign = lambda: random.choice([-1, 1], count)
    scale = lambda limit: np.ldexp(random.uniform(1, 2, count).astype(X), random.integers(-limit, limit, count))
    near = random.uniform(.5, 2, count).astype(X)
    a = np.concatenate([a, near, scale(10) * sign(), scale(-form.least) * sign(), scale(-form.least) * sign()])
    b = np.concatenate([b, scale(9) * sign(), scale(4) * sign(), random.integers(-5, 6, count), scale(-form.least) * sign()])
    return form.round(a), form.round(b)


#===----------------------------------------------------------------------===#
# Runs
#===----------------------------------------------------------------------===#


def program(kind, rows, sizes):
    lines, results, types = [], [], []
    for number, row in enumerate(rows):
        vector = f"tensor<{sizes[row.operands - 1]}x{kind}>"
        op, _, form = row.op.partition(" ")
        if row.operands == 2:
            lines.append(f"  %r{number} = xf.{op} %a, %b : ({vector}, {vector}) -> {vector}")
        else:
            lines.append(f"  %r{number} = xf.{op} %x {'form ' + form if form else ''} : {vector}")
        results.append(f"%r{number}")
        types.append(f'{vector} {{xf.name = "r{number}"}}')
    one, two = (f"tensor<{size}x{kind}>" for size in sizes)
    head = f'%x: {one} {{xf.name = "x"}}, %a: {two} {{xf.name = "a"}}, %b: {two} {{xf.name = "b"}}'
    plain = ", ".join(t.split(" ")[0] for t in types)
    return (f"func.func @{kind}({head}) -> ({', '.join(types)}) {{\n" + "\n".join(lines) +
            f"\n  return {', '.join(results)} : {plain}\n}}\n")


def execute(build, form, text, inputs, results, options):
    """Runs a program whose results are read as extended precision."""
    with tempfile.TemporaryDirectory() as folder:
        path = lambda name: os.path.join(folder, name)
        with open(path("p.mlir"), "w") as file:
            file.write(text)
        command = [os.path.join(build, "bin", "xf-run"), path("p.mlir"), "--threads=1", *options]
        for name, values in inputs.items():
            np.save(path(name + ".npy"), values.astype(form.storage))
            command.append(f"--input={name}=@{path(name + '.npy')}")
        command += [f"--output={name}=@{path(name + '.npy')}" for name in results]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{' '.join(command[:3])}: {done.stderr}")
        return [np.load(path(name + ".npy")).astype(X) for name in results]


def run(build, kind, rows, inputs, options):
    text = program(kind, rows, (len(inputs["x"]), len(inputs["a"])))
    return execute(build, FORMATS[kind], text, inputs, [f"r{n}" for n in range(len(rows))], options)


def errors(form, row, kind, values, wanted, inputs):
    """The largest error in ulp, and the first result that is wrong in kind (NaN, infinity, sign of zero), as text."""
    with np.errstate(all="ignore"):
        bound, floor = row.bound(kind), row.floor(kind)
        right = form.round(wanted)
        isNumber = np.isfinite(right) & np.isfinite(values)
        off = np.where(isNumber, np.abs(values - wanted) / form.unit(wanted), 0)
        # Next to the largest number, one that is a bound away may be infinite, or the other way around.
        nearest = np.minimum(np.maximum(wanted, -form.over), form.over)
        finite = np.where(np.isinf(values), np.copysign(form.over, values), values)
        atEnd = (np.isinf(values) != np.isinf(right)) & (np.abs(finite - nearest) / form.unit(form.largest) <= max(bound, 1))
        small = (np.abs(wanted) < floor) & (np.abs(values) <= floor)
        off = np.where(small, 0, off)
        sameKind = (np.isnan(values) == np.isnan(wanted)) & (np.isinf(values) == np.isinf(right))
        sign = np.isnan(wanted) | (np.signbit(values) == np.signbit(wanted)) | (row.op in ("maximum", "minimum", "relu") and values == 0)
        wrong = ~(sameKind | atEnd) | ~(sign | atEnd) | (off > bound)
    text = ""
    if wrong.any():
        n = int(np.argmax(np.where(wrong, np.where(sameKind & sign, off, np.inf), -1)))
        at = ", ".join(repr(float(x[n])) for x in inputs)
        text = f"{row.text} of {kind}: of {at} expected {float(wanted[n])!r} within {bound} ulp, got {float(values[n])!r} ({int(wrong.sum())} wrong)"
    return float(np.max(np.where(isNumber, off, 0))), text


def compare(build, kind, options, few):
    form = FORMATS[kind]
    x = one_operand(form, few)
    a, b = two_operands(form, few)
    values = run(build, kind, ROWS, {"x": x, "a": a, "b": b}, options)
    for row, got in zip(ROWS, values):
        inputs = (x,) if row.operands == 1 else (a, b)
        with np.errstate(all="ignore"):
            wanted = row.value(*inputs)
        yield row, *errors(form, row, kind, got, wanted, inputs)


#===----------------------------------------------------------------------===#
# Gradients: those of activations, whose formulas have tails
#===----------------------------------------------------------------------===#


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def gated(x, u, slope):
    """The slope of x sigmoid(u), and the size of its terms, which cancel at one point."""
    first, second = sigmoid(u), x * sigmoid(u) * sigmoid(-u) * slope
    return first + second, np.abs(first) + np.abs(second)


def slope_gelu_erf(x):
    first, second = erfc(-x / np.sqrt(X(2))) / 2, x * np.exp(-x * x / 2) / np.sqrt(2 * PI)
    return first + second, np.abs(first) + np.abs(second)


def slope_gelu_tanh(x):
    c = 2 * np.sqrt(2 / PI)
    return gated(x, c * (x + X("0.044715") * x**3), c * (1 + 3 * X("0.044715") * x * x))


SLOPES = [
    ("silu", lambda x: gated(x, x, 1), 10, 20, (-119, -1012)),
    ("softplus", lambda x: (sigmoid(x), sigmoid(x)), 2, 2, NORMAL),
    ("gelu erf", slope_gelu_erf, 100, 300, (-119, -1012)),
    ("gelu tanh", slope_gelu_tanh, 150, 1000, (-119, -1012)),
    ("gelu sigmoid", lambda x: gated(x, X("1.702") * x, X("1.702")), 80, 800, (-119, -1012)),
]


def slopes(build, kind, options, few):
    form = FORMATS[kind]
    x = one_operand(form, few or form.digits < 24)
    x = x[np.isfinite(x) & (np.abs(x) < form.largest ** X(.3))]
    vector = f"tensor<{len(x)}x{kind}>"
    inputs = ", ".join(f'%x{n}: {vector} {{xf.name = "x{n}"}}' for n in range(len(SLOPES)))
    results = ", ".join(f'{vector} {{xf.name = "r{n}"}}' for n in range(len(SLOPES)))
    lines = [f"func.func @{kind}({inputs}) -> ({results}) {{"]
    for n, (name, *_) in enumerate(SLOPES):
        op, _, variant = name.partition(" ")
        lines.append(f"  %r{n} = xf.{op} %x{n} {'form ' + variant if variant else ''} : {vector}")
    lines.append("  return " + ", ".join(f"%r{n}" for n in range(len(SLOPES))) + " : " + ", ".join([vector] * len(SLOPES)))
    given = {f"x{n}": x for n in range(len(SLOPES))} | {f"d_r{n}": np.ones_like(x) for n in range(len(SLOPES))}
    names = [f"d_x{n}" for n in range(len(SLOPES))]
    values = execute(build, form, "\n".join(lines) + "\n}\n", given, names, ["--vjp", f"--entry={kind}", *options])
    for (name, value, single, double, floors), got in zip(SLOPES, values):
        with np.errstate(all="ignore"):
            wanted, terms = value(x)
        floor = max(X(2) ** floors[kind == "f64"], form.smallest)
        unit = form.unit(np.where(np.abs(terms) < form.normal, form.normal, terms))
        off = np.where((np.abs(wanted) < floor) & (np.abs(got) <= floor), 0, np.abs(got - wanted) / unit)
        bound = .51 if "16" in kind else double if kind == "f64" else single
        text = ""
        if not (off <= bound).all():
            n = int(np.argmax(off))
            text = f"slope of {name} in {kind}: at {float(x[n])!r} expected {float(wanted[n])!r} within {bound} ulp, got {float(got[n])!r}"
        yield name, float(off.max()), text


#===----------------------------------------------------------------------===#
# Casts
#===----------------------------------------------------------------------===#


def casts(build, options, few):
    """Every cast to a shorter type rounds once, to nearest even, subnormal results and numbers beside ties as well."""
    for kind, others in (("f64", ("f32", "bf16", "f16")), ("f32", ("bf16", "f16")), ("bf16", ("f16", "f32", "f64")),
                         ("f16", ("bf16", "f32", "f64"))):
        form, x = FORMATS[kind], one_operand(FORMATS[kind], few)
        for other in others:
            near = one_operand(FORMATS[other], True)
            ties = near + FORMATS[other].unit(near) / 2
            with np.errstate(all="ignore"):
                x = np.concatenate([x, form.round(near), ties, ties * (1 + X(2) ** (1 - form.digits)), ties * (1 - X(2) ** (1 - form.digits))])
        x = form.round(x)
        vector = lambda kind: f"tensor<{len(x)}x{kind}>"
        types = ", ".join(f'{vector(other)} {{xf.name = "{other}"}}' for other in others)
        text = f'func.func @casts(%x: {vector(kind)} {{xf.name = "x"}}) -> ({types}) {{\n'
        text += "".join(f"  %{other} = xf.cast %x : {vector(kind)} to {vector(other)}\n" for other in others)
        text += f"  return {', '.join('%' + other for other in others)} : {', '.join(map(vector, others))}\n}}\n"
        for other, got in zip(others, execute(build, form, text, {"x": x}, others, options)):
            wanted = FORMATS[other].round(x)
            right = (got == wanted) & (np.signbit(got) == np.signbit(wanted)) | np.isnan(got) & np.isnan(wanted)
            if not right.all():
                n = int(np.argmin(right))
                yield f"cast from {kind} to {other}: of {float(x[n])!r} expected {float(wanted[n])!r}, got {float(got[n])!r} ({int((~right).sum())} wrong)"


#===----------------------------------------------------------------------===#
# Other places that compute functions: scores, features, and the compiler itself
#===----------------------------------------------------------------------===#

SCORES = [("sin", np.sin), ("cos", np.cos), ("tanh", np.tanh), ("erf", erf), ("erfc", erfc), ("atan", np.arctan)]


def regions(build, options, few):
    """The log-sum-exp of one key is its score; a feature of a key that is 0 is that of the query."""
    form = FORMATS["f32"]
    x = one_operand(form, few)
    x = x[np.isfinite(x) & (np.abs(x) > 1e-4)][:: 3]
    q, one = f"tensor<1x1x{len(x)}x1xf32>", "tensor<1x1x1x1xf32>"
    head = f'(%q: {q} {{xf.name = "q"}}, %k: {one} {{xf.name = "k"}}, %z: {one} {{xf.name = "z"}})'
    lse = f"tensor<1x1x{len(x)}xf32>"
    lines, names = [], [name for name, _ in SCORES] + ["feature"]
    results = ", ".join(f'{lse if name != "feature" else q} {{xf.name = "{name}"}}' for name in names)
    for name, _ in SCORES:
        lines.append(f"""  %o_{name}, %{name} = xf.attention %q, %k, %k pattern(#xf.dense) scale 1.0 score(%s_{name} : f32, %b_{name}, %h_{name}, %i_{name}, %j_{name}) {{
    %y_{name} = math.{name} %s_{name} : f32
    xf.yield %y_{name} : f32
  }} : ({q}, {one}, {one}) -> ({q}, {lse})""")
    lines.append(f"""  %feature = xf.attention %q, %z, %k pattern(#xf.kernelized<feature = identity, normalizer = none, scale_input = false>)
    feature(%row : tensor<1xf32>) {{
      %y = xf.cos %row : tensor<1xf32>
      xf.yield %y : tensor<1xf32>
    }} : ({q}, {one}, {one}) -> {q}""")
    lines.append("  return " + ", ".join("%" + name for name in names) + " : " + ", ".join([lse] * len(SCORES) + [q]))
    given = {"q": x.reshape(1, 1, -1, 1), "k": np.ones((1, 1, 1, 1), X), "z": np.zeros((1, 1, 1, 1), X)}
    text = f"func.func @regions{head} -> ({results}) {{\n" + "\n".join(lines) + "\n}\n"
    for (name, value), got in zip(SCORES + [("feature cos", np.cos)], execute(build, form, text, given, names, options)):
        off = np.abs(got.ravel() - value(x))
        if not (off < 1e-6).all():
            n = int(np.argmax(~(off < 1e-6)))
            yield f"{name} in a region: of {float(x[n])!r} expected {float(value(x[n:n + 1])[0])!r}, got {float(got.ravel()[n])!r}"


FOLDED = [("sin", 1e9, np.sin), ("cos", 6816144.0, np.cos), ("tan", 3e38, np.tan), ("tanh", -0.0, np.tanh), ("expm1", -0.0, np.expm1)]


def folded(build, options):
    """Functions of constants, which the compiler computes."""
    lines = ["func.func @folded() -> (" + ", ".join(f'tensor<1xf32> {{xf.name = "r{n}"}}' for n in range(len(FOLDED))) + ") {"]
    for n, (op, x, _) in enumerate(FOLDED):
        lines.append(f"  %x{n} = arith.constant dense<{x:e}> : tensor<1xf32>\n  %r{n} = xf.{op} %x{n} : tensor<1xf32>")
    lines.append("  return " + ", ".join(f"%r{n}" for n in range(len(FOLDED))) + " : " + ", ".join(["tensor<1xf32>"] * len(FOLDED)))
    names = [f"r{n}" for n in range(len(FOLDED))]
    for (op, x, value), got in zip(FOLDED, execute(build, FORMATS["f32"], "\n".join(lines) + "\n}\n", {}, names, options)):
        wanted = value(X(np.float32(x)))
        if not abs(got[0] - wanted) <= 1e-6 * abs(wanted) or np.signbit(got[0]) != np.signbit(wanted):
            yield f"{op} of the constant {x!r}: expected {float(wanted)!r}, got {float(got[0])!r}"


#===----------------------------------------------------------------------===#
# The page
#===----------------------------------------------------------------------===#

BEGIN, END = "<!-- test/numerics/Inputs/functions.py writes the table. -->\n", "<!-- The table ends. -->\n"


def table():
    lines = ["| function | f32 | f64 | may be 0 below |", "|---|---|---|---|"]
    for row in ROWS:
        floors = [row.floors[kind] for kind in ("f32", "f64")]
        below = "" if floors[0] is None else f"2^{floors[0]}, 2^{floors[1]}"
        lines.append(f"| {row.text} | " + " | ".join("exact" if bound == 0 else f"{bound:g}" for bound in row.bounds.values()) + f" | {below} |")
    return "\n".join(lines) + "\n"


def check_page(page, writes):
    with open(page) as file:
        text = file.read()
    before, rest = text.split(BEGIN)
    old, after = rest.split(END)
    if writes:
        with open(page, "w") as file:
            file.write(before + BEGIN + table() + END + after)
    elif old != table():
        return [f"{page}: expected the bounds of test/numerics/Inputs/functions.py, which --write writes"]
    return []


def main():
    build, page, *rest = sys.argv[1:]
    options = [option for option in rest if option not in ("--write", "--measure")]
    few = bool(options)
    failed, worst = check_page(page, "--write" in rest), {}
    for kind in FORMATS:
        for row, error, text in compare(build, kind, options, few):
            worst.setdefault(row.text, {})[kind] = error
            failed += [text] if text else []
        for name, error, text in slopes(build, kind, options, few):
            worst.setdefault("slope of " + name, {})[kind] = error
            failed += [text] if text else []
    failed += [*casts(build, options, few), *regions(build, options, few), *folded(build, options)]
    if "--measure" in rest:
        for name, kinds in worst.items():
            print(f"{name:21}", *(f"{kind} {error:9.3f}" for kind, error in kinds.items()))
    print("\n".join(failed) if failed else f"{len(ROWS)} functions are within their bounds")
    sys.exit(bool(failed))


main()
