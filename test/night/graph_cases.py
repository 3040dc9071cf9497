# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random graphs, compiled and called: against f64, and over threads."""

import pathlib

import numpy

from evaluator import bounds, graph_text, graphs, tape
from evaluator import types_of_xf as xf
import native


def draw(seed, target_name): return graphs.draw(seed)
def text(graph, name): return graph_text.text(graph, name)
def has_gradient(graph): return graph["vjp"]
def is_right_refusal(graph, message): return False


class Case:
    """The operands of a graph and what it gives."""

    def __init__(self, graph):
        stored = {n: kind.split("<")[0] for n, (kind, _) in graph["inputs"].items()}
        kinds = stored | {n: node["kind"] for node in graph["nodes"] for n in node["out"]}
        inputs = {n: tape.Value(graphs.operand(graph, graph["seed"], n)) for n in stored}
        table = graphs.evaluate(graph, inputs)
        self.want = {f"r_{n}": table[n] for n in graph["results"]}
        self.given = {n: (xf.store(inputs[n].val, kind), kind) for n, kind in stored.items()}
        if graph["vjp"]:
            self.add_gradients(graph, inputs, kinds)
        self.shapes = {n: v.shape for n, v in self.want.items()}

    def add_gradients(self, graph, inputs, kinds):
        rng = numpy.random.default_rng([graph["seed"], 9])
        cotangents = {n: xf.rounded(rng.standard_normal(v.shape), kinds[n[2:]]) for n, v in self.want.items()}
        floats = [n for n in inputs if kinds[n][0] != "i"]
        found = tape.gradients(list(self.want.values()), list(cotangents.values()), [inputs[n] for n in floats])
        self.given.update({f"d_{n}": (xf.store(c, kinds[n[2:]]), kinds[n[2:]]) for n, c in cotangents.items()})
        self.want.update({f"d_{n}": g for n, g in zip(floats, found)})


def compare(graph, got, want):
    worst, wrong, unit = 0.0, None, graphs.counted_in(graph)
    for name, (array, kind) in got.items():
        compute = unit if kind == "f64" else kind
        ratio = bounds.ratio_of(name, xf.load(array, kind), want[name], kind, compute)
        worst = max(worst, ratio)
        if ratio > 1 and wrong is None:
            wrong = f"{name}: {ratio:.3g} times the error that it may have"
    return wrong, worst


def check(graph, entry, library):
    """What is wrong (or None), the worst ratio, and the number of calls."""
    case, name = Case(graph), entry + "_vjp" * graph["vjp"]
    got = library.call(name, case.given, case.shapes)
    wrong, worst = compare(graph, got, case.want)
    if wrong:
        return wrong, worst, 1
    return library.difference(got, (name, case.given, case.shapes), 3, forks=graph["seed"] % 4 == 0), worst, 2


def check_interpreter(graph, entry, build, folder):
    case, source = Case(graph), pathlib.Path(folder, "interpret.mlir")
    source.write_text(text(graph, entry))
    found = native.interpret(build, source, entry, case.given, case.shapes, graph["vjp"], folder)
    kinds = {n: kind for n, (kind, _) in graph["inputs"].items()} | {n: node["kind"] for node in graph["nodes"]
                                                                     for n in node["out"]}
    got = {n: (xf.store(a.astype(numpy.float64), kinds[n[2:]]), kinds[n[2:]]) for n, a in found.items()}
    wrong, worst = compare(graph, got, case.want)
    return wrong, worst, 1
