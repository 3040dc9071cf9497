# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random graphs, compiled and called: against f64, and over threads."""

import pathlib

import numpy

import attend
from evaluator import bounds, graph_text, graphs, scores, tape
from evaluator import types_of_xf as xf
import native


def draw(seed, target_name): return graphs.draw(seed)
def text(graph, name): return graph_text.text(graph, name)
def has_gradient(graph): return graph["vjp"]
def forks(graph): return graph["seed"] % 4 == 0


def kinds(graph):
    """What of the kinds that a night counts a graph has."""
    ops = {node["op"] for node in graph["nodes"]}
    types = [kind.partition("<")[2] for kind, _ in graph["inputs"].values()]
    caches = {node["out"][0] for node in graph["nodes"] if node["op"] == "slice_update"}
    found = {"gradient": graph["vjp"], "attention with other ops": "attention" in ops and len(ops) > 1, "casts": "cast" in ops,
             "huge arguments": any(how.startswith("huge") for how in types), "rows far from 0": any(how.isdigit() and kind[0] != "i"
             for how, (kind, _) in zip(types, graph["inputs"].values())), "states": bool(graph["states"]),
             "caches": bool(caches & set(graph["states"].values())), "no tokens": any(0 in s for _, s in graph["inputs"].values()),
             "one token": any(s and s[0] == 1 for _, s in graph["inputs"].values()),
             "checkpoint": any("checkpoint" in node["attributes"] for node in graph["nodes"]), "fork": forks(graph)}
    return [name for name, has in found.items() if has]


def is_right_refusal(graph, message): return any(attend.is_right_refusal(p, message) for p in graph.get("programs", {}).values())


class Case:
    """The operands of a call of a graph and what it gives; `states`: the arrays that calls before have left."""

    def __init__(self, graph, call=0, states={}):
        stored = {n: kind.split("<")[0] for n, (kind, _) in graph["inputs"].items()}
        kinds = stored | {n: node["kind"] for node in graph["nodes"] for n in node["out"]}
        inputs = {n: tape.Value(states[n] if n in states else graphs.operand(graph, graph["seed"] + call, n)) for n in stored}
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
    """What is wrong (or None), the worst ratio, and the number of calls: several where states are kept from call to call."""
    name, states, worst, wrong, calls = entry + "_vjp" * graph["vjp"], {}, 0.0, None, 0
    for call in range(3 if graph.get("states") else 1):
        case = Case(graph, call, states)
        if call and not all((abs(v.val) < 30 * graphs.LARGEST).all() for v in case.want.values()):
            break  # states grow
        got = library.call(name, case.given, case.shapes)
        wrong, ratio = compare(graph, got, case.want)
        worst, calls = max(worst, ratio), calls + 2
        wrong = wrong or library.difference(got, (name, case.given, case.shapes), 3, forks(graph))
        if wrong:
            return f"call {call}: {wrong}" if call else wrong, worst, calls
        states = {n: xf.load(*got[f"r_{result}"]) for n, result in graph.get("states", {}).items()}
    return None, worst, calls


def check_interpreter(graph, entry, build, folder):
    exact = {name: scores.without_roundings(program) for name, program in graph.get("programs", {}).items()}
    case, source = Case({**graph, "programs": exact}), pathlib.Path(folder, "interpret.mlir")
    source.write_text(text(graph, entry))
    found = native.interpret(build, source, entry, case.given, case.shapes, graph["vjp"], folder)
    kinds = {n: kind.split("<")[0] for n, (kind, _) in graph["inputs"].items()} | {n: node["kind"] for node in graph["nodes"]
                                                                     for n in node["out"]}
    got = {n: (xf.store(a.astype(numpy.float64), kinds[n[2:]]), kinds[n[2:]]) for n, a in found.items()}
    wrong, worst = compare(graph, got, case.want)
    return wrong, worst, 1
