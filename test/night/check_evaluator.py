#!/usr/bin/env python3
# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the evaluator that nights rely on: check_evaluator.py generator|counts|gradients|faults|ops|golden [FOLDER].

generator: Philox by its authors' values. counts: pairs as the specification counts them. gradients: against finite
differences. faults: planted ones are found. ops: each of the dialect in a folder is drawn, or a list says why not, and so is each kind of programs that nights count.
golden: the cases of a folder.
"""

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"

import pathlib
import re
import sys

import numpy

import attend
from classes import of_ranks
from evaluator import bounds, draws, graph_text, graphs, patterns, philox, programs, tape
import golden
import graph_cases

STRIDED = {(16, 4): (70, 40, 82), (100, 8): (864, 676, 1348), (1024, 32): (33264, 16896, 48144)}
FIXED = {(16, 4, 1): (40, 28, 64), (100, 8, 3): (442, 1800, 2170), (1024, 32, 8): (16896, 128128, 143872)}
BIGBIRD = {16: 142, 64: 622, 8: 62}


# Of programs of a night; 200 seeds have each.
KINDS = ["gradient", "low first keys", "offset", "no or one token", "fork"]
KINDS_OF_GRAPHS = ["gradient", "attention with other ops", "casts", "huge arguments", "rows far from 0", "states", "caches",
                   "no tokens", "one token", "checkpoint", "fork"]
KINDS_OF_RANKS = ["attention", "two reshapes", "chunks", "bf16", "all of these"]


def expect(name, got, wanted):
    if got != wanted:
        raise SystemExit(f"{name}: expected {wanted}, got {got}")


def generator():
    """The vectors of Random123."""
    for counter, key, wanted in ((0, 0, "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
                                 (0xffffffff, 0xffffffff, "408f276d 41c83b0e a20bc7c6 6d5451fd")):
        words = philox.philox4x32([counter] * 4, [key] * 2)
        expect("philox", " ".join(f"{int(w):08x}" for w in words), wanted)
    expect("draws", [len(philox.draw(3, 0, row, range(9), 4)) for row in range(5)], [4] * 5)


def pairs(pattern, n):
    i = numpy.arange(n)
    return int(patterns.holds(pattern, patterns.Where(n, n), i[:, None], i[None, :]).sum())


def counts():
    parts = ("local", "column", "union")
    for (n, stride), wanted in STRIDED.items():
        expect("strided", tuple(pairs({"kind": "strided", "stride": stride, "part": p}, n) for p in parts), wanted)
    for (n, block, summary), wanted in FIXED.items():
        expect("fixed", tuple(pairs({"kind": "fixed", "block": block, "summary": summary, "part": p}, n) for p in parts),
               wanted)
    for n, wanted in BIGBIRD.items():
        expect("bigbird", pairs({"kind": "bigbird", "block": 1}, n), wanted)
    expect("causal", pairs({"kind": "causal"}, 100), 5050)


def slope_of(function, inputs, cotangents, direction):
    """The derivative of sum <result, cotangent> along a direction, by differences."""
    h, total = 1e-5, []
    for sign in (1, -1):
        results = function({n: x + sign * h * direction[n] for n, x in inputs.items()})
        total.append(sum((numpy.where(numpy.isfinite(results[n].val), results[n].val, 0) * c).sum()
                         for n, c in cotangents.items()))
    return (total[0] - total[1]) / (2 * h)


def in_f64(graph):
    """A graph whose floats are all of f64, with gradients."""
    wide = lambda kind: "f64" if kind in graphs.FLOATS else kind
    return {**graph, "dtype": "f64", "vjp": True, "inputs": {n: [wide(kind), shape] for n, (kind, shape) in graph["inputs"].items()},
            "nodes": [{**node, "kind": wide(node["kind"])} for node in graph["nodes"]]}


def gradients():
    """Programs and graphs without jumps between the two points."""
    rng, seen = numpy.random.default_rng(5), 0
    for seed in range(60):
        program = {**attend.draw(seed, "interpreter"), "vjp": True, "hidden": False, "dtype": "f64"}
        if "max" in str(program["pattern"]) or any(step["step"] in draws.LAST for step in program.get("score", [])):
            continue  # what a mask swallows changes by jumps
        case = attend.Case(program, 0)
        inputs = {n: x for n, x in case.values.items() if x.dtype == float}
        cotangents = {n[2:]: case.given[n][0] for n in case.given}
        direction = {n: rng.standard_normal(x.shape) for n, x in inputs.items()}
        slope = slope_of(lambda given: programs.expected(program, program["sizes"], {**case.values, **given}), inputs,
                         cotangents, direction)
        exact = sum((case.want[f"d_{n}"].val * direction[n]).sum() for n in inputs)
        if abs(slope - exact) > 1e-4 * max(1, abs(exact), *(abs(case.want[f"d_{n}"].val).max(initial=0) for n in inputs)):
            raise SystemExit(f"program {seed}: expected a derivative of {slope}, got {exact}")
        seen += 1
    print(f"{seen} programs")
    seen = 0
    for seed in range(90):
        graph = in_f64(graphs.draw(seed))
        if any(node["op"] in ("attention", "clip_scale", "cast", "floor", "ceil", "round", "stop_gradient") for node in graph["nodes"]):
            continue
        case = graph_cases.Case(graph)
        inputs = {n: x.astype(float) for n, (x, kind) in case.given.items() if n[0] == "x" and graph["inputs"][n][0] == "f64" == kind}
        direction = {n: rng.standard_normal(x.shape) for n, x in inputs.items()}
        fixed = {n: tape.Value(graphs.operand(graph, graph["seed"], n)) for n in graph["inputs"]}

        def values(given):
            table = graphs.evaluate(graph, {**fixed, **{n: tape.Value(x) for n, x in given.items()}})
            return {f"r_{n}": table[n] for n in graph["results"]}
        slope = slope_of(values, inputs, {n[2:]: x for n, (x, _) in case.given.items() if n.startswith("d_")}, direction)
        exact = sum((case.want[f"d_{n}"].val * direction[n]).sum() for n in inputs)
        doubt = any((case.want[f"d_{n}"].err > 1e9).any() for n in inputs)
        if not doubt and abs(slope - exact) > 1e-3 * max(1, abs(exact)):
            raise SystemExit(f"graph {seed}: expected a derivative of {slope}, got {exact}")
        seen += bool(inputs)
    print(f"{seen} graphs")


def faults():
    """Results with one small fault, which no tolerance may hide; without one they pass."""
    found = 0
    for seed in range(40):
        program = {**attend.draw(seed, "interpreter"), "hidden": False, "dtype": "f32"}
        case = attend.Case(program, 0)
        for name, want in case.want.items():
            exact = want.val.astype(numpy.float32).astype(float)
            expect(f"{seed} {name}", bounds.ratio_of(name, exact, want, "f32", "f32") <= 1, True)
            rows = numpy.argwhere(numpy.isfinite(want.val) & (abs(want.val) > 1e-2) & (want.err < 1e3))
            if not len(rows):
                continue
            place = tuple(rows[seed % len(rows)])
            wrong = exact.copy()
            wrong[place] += .01 * max(abs(want.val[place[:-1]]).max(), 1) if want.val.ndim else .01
            expect(f"{seed} {name} with a fault", bounds.ratio_of(name, wrong, want, "f32", "f32") > 1, True)
            wrong[place] = numpy.nan
            expect(f"{seed} {name} with a NaN", bounds.ratio_of(name, wrong, want, "f32", "f32") > 1, True)
            found += 1
    print(f"{found} faults found")


def ops_of(folder):
    """The names of the ops that a dialect's declarations name."""
    text = "".join(path.read_text() for path in sorted(pathlib.Path(folder).rglob("*.td")))
    return set(re.findall(r"(?:Xf_Op|UnaryOp|BinaryOp|RankOp)<\"(\w+)\"", text))


def check_ops(folder):
    """Ops that are neither drawn nor listed, and those that are listed without need."""
    text = "".join(graph_text.text(graphs.draw(seed), "f") for seed in range(600))
    drawn = set(re.findall(r"= xf\.(\w+)", text))
    every, listed = ops_of(folder), set(graphs.NOT_DRAWN)
    expect("ops that are neither drawn nor listed in NOT_DRAWN", sorted(every - drawn - listed), [])
    expect("ops of NOT_DRAWN that are drawn or none of the dialect", sorted(listed - (every - drawn)), [])
    print(f"{len(drawn)} ops are drawn")
    for name, kind, wanted in (("attention", lambda n: attend.kinds(attend.draw(n, "avx2")), KINDS),
                               ("graphs", lambda n: graph_cases.kinds(graphs.draw(n)), KINDS_OF_GRAPHS),
                               ("ranks", lambda n: of_ranks.draw(n, "ranks")[1].kinds(), KINDS_OF_RANKS)):
        seen = {found for n in range(200) for found in kind(n)}
        expect(f"kinds that are drawn of {name}", sorted(seen), sorted(wanted))


def check_golden(folder):
    sys.path.insert(0, str(pathlib.Path(folder) / "Inputs"))
    import tolerance
    seen = 0
    for row, program, data in golden.cases(folder):
        tape.unit = 2.0**-53
        for name, value in golden.expected(row, program, data).items():
            if name in data and not tolerance.accept(value.val, data[name], "T64", "bwd", row["abs_floor"],
                                                     row["cancels"].get(name)):
                raise SystemExit(f"{row['name']}: {name}: {tolerance.errors(value.val, data[name])}")
        seen += 1
    print(f"{seen} golden cases")


def main():
    numpy.seterr(all="ignore")
    what = sys.argv[1]
    if what in ("golden", "ops"):
        {"golden": check_golden, "ops": check_ops}[what](sys.argv[2])
    else:
        {"generator": generator, "counts": counts, "gradients": gradients, "faults": faults}[what]()
    print(f"{what}: right")


if __name__ == "__main__":
    main()
