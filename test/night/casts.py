#!/usr/bin/env python3
# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Casts round wherever they stand, to the bit: casts.py BUILD TARGET..

Behind products and maps, in regions of maps and scores, between types of all widths. Factors have one term, so that a
product has one rounding, and what programs return follows exactly from numpy's numbers.
"""

import pathlib
import sys
import tempfile

import numpy

from evaluator import types_of_xf as xf
import native

ROWS, COLUMNS = 33, 17

# Casts of a product, one after the other; `sub` is what they have cost.
CHAINS = {"f32": ["bf16 f32 sub", "f16 f32 sub", "f64 f32 sub", "bf16", "f64", "i32 f32 sub", "i64 bf16 f32", "i1 f32",
                  "bf16 f16 f32 sub", "i32 f16 f64"],
          "f64": ["f32 f64 sub", "bf16 f64 sub", "f16 f64 sub", "f32", "i32 f64 sub", "f32 bf16 f64"],
          "bf16": ["f32 bf16"], "f16": ["f32 f16"]}


def to_type(value, kind):
    if kind == "i1":
        return (value != 0).astype(float)
    if kind[0] == "i":
        return numpy.trunc(value)
    return xf.rounded(value, kind)


def chain_text(name, kind, product, chain):
    type_of = lambda t: f"tensor<{ROWS}x{COLUMNS}x{t}>"
    x, w, last = f"tensor<{ROWS}x1x{kind}>", f"tensor<{COLUMNS}x1x{kind}>", kind
    lines, value = [], "%y"
    if product == "linear":
        lines.append(f"%y = xf.linear %x, %w : ({x}, {w}) -> {type_of(kind)}")
    else:
        row = f"tensor<1x{COLUMNS}x{kind}>"
        lines.append(f"%r = xf.reshape %w : {w} to {row}")
        lines.append(f"%y = xf.mul %x, %r : ({x}, {row}) -> {type_of(kind)}")
    for number, step in enumerate(chain.split()):
        if step == "sub":
            lines.append(f"%s = xf.sub %y, {value} : ({type_of(kind)}, {type_of(kind)}) -> {type_of(kind)}")
            value = "%s"
            continue
        lines.append(f"%c{number} = xf.cast {value} : {type_of(last)} to {type_of(step)}")
        value, last = f"%c{number}", step
    arguments = f'%x: {x} {{xf.name = "x"}}, %w: {w} {{xf.name = "w"}}'
    return (f'func.func @{name}({arguments}) -> ({type_of(last)} {{xf.name = "y"}}) {{\n  '
            + "\n  ".join(lines) + f"\n  return {value} : {type_of(last)}\n}}\n"), last


def chain_value(x, w, kind, chain):
    y = x[:, None] * w[None, :]
    y = y if kind in ("bf16", "f16") else to_type(y, kind)  # products of 16 bits are not rounded before their last use
    value, last = y, kind
    for step in chain.split():
        value, last = (to_type(y - value, kind), last) if step == "sub" else (to_type(value, step), step)
    return value


REGIONS = '''
func.func @map(%x: tensor<33x1xf32> {xf.name = "x"}, %w: tensor<17x1xf32> {xf.name = "w"}) -> (tensor<33x1xf32> {xf.name = "y"}) {
  %y = xf.map (%a = %x : tensor<33x1xf32>) -> tensor<33x1xf32> {
    %c = arith.truncf %a : f32 to bf16
    %d = arith.extf %c : bf16 to f32
    %e = arith.mulf %a, %a : f32
    %f = arith.truncf %e : f32 to f16
    %g = arith.extf %f : f16 to f32
    %h = arith.subf %a, %d : f32
    %i = arith.subf %h, %g : f32
    xf.yield %i : f32
  }
  return %y : tensor<33x1xf32>
}
func.func @score(%q: tensor<1x1x4x1xf32> {xf.name = "q"}, %k: tensor<1x1x9x1xf32> {xf.name = "k"}, %v: tensor<1x1x9x9xf32> {xf.name = "v"}) -> (tensor<1x1x4x9xf32> {xf.name = "y"}) {
  %o = xf.attention %q, %k, %v pattern(#xf.dense) scale 1.0 score(%s : f32, %b, %h, %i, %j) {
    %thousand = arith.constant 1001 : i64
    %number = arith.index_cast %j : index to i64
    %many = arith.muli %number, %thousand : i64
    %rounded = arith.sitofp %many : i64 to bf16
    %wide = arith.extf %rounded : bf16 to f32
    %exact = arith.sitofp %many : i64 to f32
    %d = arith.subf %wide, %exact : f32
    %t = arith.truncf %s : f32 to bf16
    %u = arith.extf %t : bf16 to f32
    %r = arith.addf %u, %d : f32
    xf.yield %r : f32
  } : (tensor<1x1x4x1xf32>, tensor<1x1x9x1xf32>, tensor<1x1x9x9xf32>) -> tensor<1x1x4x9xf32>
  return %o : tensor<1x1x4x9xf32>
}
'''


def score_value(q, k):
    s = xf.rounded(xf.rounded(q[:, None] * k[None, :], "f32"), "bf16")
    many = 1001.0 * numpy.arange(9)
    s = s + (xf.rounded(many, "bf16") - many)
    p = numpy.exp(s - s.max(1, keepdims=True))
    return p / p.sum(1, keepdims=True)


def check(name, got, want, tolerance=0.0):
    same = (got == want) | (numpy.isnan(got) & numpy.isnan(want)) | (abs(got - want) <= tolerance)
    if not same.all():
        at = tuple(numpy.argwhere(~same)[0])
        raise SystemExit(f"{name}: expected {want[at]!r}, got {got[at]!r} at {at}")


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    numpy.seterr(all="ignore")
    rng = numpy.random.default_rng(7)
    x = rng.standard_normal(ROWS) * 10.0**rng.integers(-2, 3, ROWS)
    w = rng.standard_normal(COLUMNS) * 10.0**rng.integers(-1, 3, COLUMNS)
    cases = [(f"{product}_{kind}_{n}", kind, product, chain) for product in ("linear", "mul") for kind in CHAINS
             for n, chain in enumerate(CHAINS[kind]) if product == "linear" or kind in ("f32", "f64")]
    texts = {case[0]: chain_text(*case) for case in cases}
    text = "".join(text for text, _ in texts.values()) + REGIONS
    shapes = {"y": (ROWS, COLUMNS)}
    for target in sys.argv[2:]:
        if target == "avx512" and not native.has_avx512():
            continue
        with tempfile.TemporaryDirectory() as folder:
            output = pathlib.Path(folder, "casts.so")
            vjp = [name for name, kind, _, _ in cases if kind == "f64"]  # gradients of casts from and to f64 compile
            code, error = native.compile_text(build, text, native.TARGETS[target], vjp, output)
            if code:
                raise SystemExit(f"{target}: {error}")
            library = native.Library(build, output, native.TARGETS[target])
            for name, kind, product, chain in cases:
                given = {"x": (xf.store(x[:, None], kind), kind), "w": (xf.store(w[:, None], kind), kind)}
                array, result = library.call(name, given, shapes)["y"]
                want = chain_value(xf.rounded(x, kind), xf.rounded(w, kind), kind, chain)
                # A product and a difference may be contracted: then the product has one rounding less.
                contracted = product == "mul" and "sub" in chain
                slack = 2 * xf.UNIT[kind] * abs(xf.rounded(x, kind)[:, None] * xf.rounded(w, kind)) * contracted
                check(f"{target} {product} {kind}: {chain}", xf.load(array, result), want, slack)
            a = xf.rounded(x, "f32")
            given = {"x": (xf.store(x[:, None], "f32"), "f32"), "w": (xf.store(w[:, None], "f32"), "f32")}
            array, _ = library.call("map", given, {"y": (ROWS, 1)})["y"]
            h = xf.rounded(a - xf.rounded(a, "bf16"), "f32")
            check(f"{target} map", xf.load(array, "f32")[:, 0], xf.rounded(h - xf.rounded(xf.rounded(a * a, "f32"), "f16"), "f32"))
            q, k = rng.standard_normal(4), 3 * rng.standard_normal(9)
            given = {"q": (xf.store(q.reshape(1, 1, 4, 1), "f32"), "f32"), "k": (xf.store(k.reshape(1, 1, 9, 1), "f32"), "f32"),
                     "v": (xf.store(numpy.eye(9).reshape(1, 1, 9, 9), "f32"), "f32")}
            array, _ = library.call("score", given, {"y": (1, 1, 4, 9)})["y"]
            check(f"{target} score", xf.load(array, "f32")[0, 0], score_value(xf.rounded(q, "f32"), xf.rounded(k, "f32")), 1e-5)
        print(f"{target}: {len(cases) + 2} programs")


if __name__ == "__main__":
    main()
