# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random attention programs, compiled and called: against f64, over threads, with hidden rows of any contents."""

import pathlib

import numpy

from evaluator import attention, bounds, draws, patterns, programs, scores
from evaluator import types_of_xf as xf
import native

ALLOWED = 1.0  # of the bound in bounds.py
REFUSALS = ("statically empty", "conjunctions", "static number", "not implemented: relative with decay")


def stored_arguments(program, values, garbage, hidden):
    """The operands as they are given, with `garbage` in rows that nothing observes."""
    given = {}
    for name, (kind, _) in programs.operands(program).items():
        x = values[name]
        if garbage is not None and name in hidden:
            x = x.copy()
            x[hidden[name]] = garbage
        given[name] = (xf.store(x, kind), kind)
    return given


def cotangents(program, expected, call):
    rng = numpy.random.default_rng([program["seed"], call, 9])
    kinds = {"o": program["dtype"], "lse": "f64" if program["dtype"] == "f64" else "f32"}
    return {n: (xf.rounded(rng.standard_normal(expected[n].shape), kinds[n]), kinds[n]) for n in expected}


def text(program, name): return programs.text(program, name)
def has_gradient(program): return program["vjp"]


def compare(program, got, want):
    """What is wrong with the first result that is, or None, and the largest ratio of an error to its bound."""
    worst, wrong = 0.0, None
    for name, (array, kind) in got.items():
        ratio = bounds.ratio_of(name, xf.load(array, kind), want[name], kind, program["dtype"])
        worst = max(worst, ratio)
        if ratio > ALLOWED and wrong is None:
            wrong = f"{name}: {ratio:.3g} times the error that it may have"
    return wrong, worst


class Case:
    """One call of a program: operands and what they give."""

    def __init__(self, program, call):
        self.program = program
        sizes = programs.other_sizes(program, call)
        self.values = programs.arrays(program, sizes, call)
        self.hidden = programs.hidden_rows(program, sizes, self.values) if program["hidden"] else {}
        clean = {n: numpy.where(bounds_of(self.hidden, n, x), 0, x) for n, x in self.values.items()}
        self.want = programs.expected(program, sizes, clean)
        self.given = {}
        if program["vjp"]:
            pairs = cotangents(program, self.want, call)
            self.given = {f"d_{n}": (xf.store(x, kind), kind) for n, (x, kind) in pairs.items()}
            self.want = programs.expected(program, sizes, clean, {n: x for n, (x, _) in pairs.items()})
        self.shapes = {n: v.shape for n, v in self.want.items()}

    def arguments(self, garbage):
        return {**stored_arguments(self.program, self.values, garbage, self.hidden), **self.given}


def bounds_of(hidden, name, x):
    """Where an operand is hidden, by element."""
    if name not in hidden:
        return False
    mask = hidden[name]
    return mask.reshape(mask.shape + (1,) * (x.ndim - mask.ndim))


def kinds(program):
    """What of the kinds that a night counts a program has."""
    steps = {step["step"] for step in program.get("score", [])}
    sizes = [programs.other_sizes(program, call) for call in range(calls_of(program))]
    found = {"gradient": program["vjp"], "low first keys": "low" in program or bool(steps & {"padding", "low_tile"}),
             "offset": "offset" in steps, "no or one token": min(s[n] for s in sizes for n in ("Nq", "Nk")) < 2,
             "fork": forks(program)}
    return [name for name, has in found.items() if has]


def forks(program): return program["seed"] % 4 == 0


def calls_of(program):
    return 3 if program["dynamic"] else 1


def check(program, entry, library):
    """Makes the calls of a program. Returns what is wrong (or None), the worst ratio, and the number of calls."""
    worst = calls = 0
    name = entry + "_vjp" if program["vjp"] else entry
    for call in range(calls_of(program)):
        case = Case(program, call)
        got = library.call(name, case.arguments(numpy.nan if program["hidden"] else None), case.shapes)
        wrong, ratio = compare(program, got, case.want)
        worst, calls = max(worst, ratio), calls + 2
        if wrong:
            return f"call {call}: {wrong}", worst, calls
        garbage = 3.0e4 if program["hidden"] else None
        different = library.difference(got, (name, case.arguments(garbage), case.shapes), program["threads"], forks(program))
        if different:
            return f"call {call}: {different}, other hidden rows", worst, calls
    return None, worst, calls


def check_interpreter(program, entry, build, folder):
    case = Case(scores.without_roundings(program), 0)
    source = pathlib.Path(folder, "interpret.mlir")
    source.write_text(programs.text(program, entry))
    found = native.interpret(build, source, entry, case.arguments(numpy.nan if program["hidden"] else None), case.shapes,
                             program["vjp"], folder)
    kinds = {n: "f64" if a.dtype == numpy.float64 else program["dtype"] if program["dtype"][-2:] == "16" and n != "lse"
             else "f32" for n, a in found.items()}
    got = {n: (xf.store(a.astype(numpy.float64), kinds[n]), kinds[n]) for n, a in found.items()}
    wrong, worst = compare(program, got, case.want)
    return wrong, worst, 1


def is_right_refusal(program, message):
    """Whether a program may be refused with this message."""
    if not any(word in message for word in REFUSALS):
        return False
    if "statically empty" not in message:
        return True
    pattern = program["pattern"]
    if {"segments", "table"} & {p["kind"] for p in patterns.walk(pattern)} or program.get("symbols"):
        return True  # empty whatever the operands are; a few of them show little
    sizes = program["sizes"]
    for member in pattern["members"] if pattern["kind"] == "heads" else [pattern]:
        plain = {**program, "uses": [], "pattern": member}
        if not attention.visible(plain, sizes, programs.arrays(plain, sizes)).any():
            return True
    return False


def draw(seed, target_name):
    return draws.program(seed, small=target_name.startswith("sm_") or target_name == "interpreter")
