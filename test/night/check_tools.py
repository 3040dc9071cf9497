#!/usr/bin/env python3
# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that a night would find what is wrong: check_tools.py BUILD planted|differences|ends|reduction.

planted: programs that compute something else than what is expected of them are wrong, whole ones are right. differences:
so are results that depend on what memory holds, or on the process. ends: crashes, hangs and mistakes in slices are told apart. reduction: failures become as small as they can be.
"""

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"

import locale
import pathlib
import signal
import sys
import tempfile

import numpy

import attend
from evaluator import programs
import graph_cases
import mutants
import native
import reduce
import slices


class Other:
    """A kind of programs whose text is that of another program than the one that is checked."""

    def __init__(self, kind, text_of):
        self.kind, self.text_of = kind, text_of

    def __getattr__(self, name): return getattr(self.kind, name)
    def text(self, program, name): return self.kind.text(self.text_of(program), name)


def program(**more):
    sizes = {"B": 1, "H": 1, "Hk": 1, "Hv": 1, "Nq": 9, "Nk": 9, "D": 4, "Dv": 4}
    return {"seed": 1, "sizes": sizes, "dtype": "f32", "dynamic": [], "vjp": False, "lse": False, "deviation": 1.0,
            "hidden": True, "threads": 2, "uses": [], "pattern": {"kind": "window", "left": 3}, **more}


def node(op, out, *given, **attributes):
    return {"op": op, "kind": "f32", "in": list(given), "out": [out], "shapes": [[2, 3]], "attributes": attributes}


GRAPH = {"seed": 1, "dtype": "f32", "vjp": True, "inputs": {"x0": ["f32", [2, 3]]}, "nodes": [node("tanh", "y0", "x0")],
         "results": ["y0"]}


def planted(build):
    wide = lambda p: {**p, "pattern": {"kind": "window", "left": 4}}
    scaled = lambda p: {**p, "scale": .50001}  # instead of D^-1/2
    padded = [{"step": "low_tile", "low": -1e4, "first": 4, "real": "f32"}]
    more = lambda p: {**p, "score": [{**padded[0], "first": 5}]}
    least = lambda p: {**p, "score": [{**padded[0], "low": -3e38}]}  # which keeps nothing of the products
    other = lambda g: {**g, "nodes": [node("sigmoid", "y0", "x0")]}
    for name, kind, case, wanted in (("a window", attend, program(), "right"),
                                     ("a wider one", Other(attend, wide), program(), "wrong"),
                                     ("a scale", Other(attend, scaled), program(deviation=2.0), "wrong"),
                                     ("a low tile", attend, program(score=padded), "right"),
                                     ("a lower one", Other(attend, more), program(score=padded), "wrong"),
                                     ("the lowest", Other(attend, least), program(score=padded), "wrong"),
                                     ("a graph", graph_cases, GRAPH, "right"),
                                     ("another op", Other(graph_cases, other), GRAPH, "wrong")):
        with tempfile.TemporaryDirectory() as folder:
            outcome, message = reduce.outcome_of(kind, case, "avx2", build, pathlib.Path(folder))
        print(f"{name}: {outcome} {message}")
        if outcome != wanted:
            raise SystemExit(f"expected {wanted}, got {outcome}")


def differences(build):
    """A product of ones and twos, whose result gets what is planted."""
    text, target = programs.text(program(), "f"), native.TARGETS["comma"]
    given = {n: (numpy.full((1, 1, 9, 4), 1 + (n == "v"), numpy.float32), "f32") for n in "qkv"}
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder, "f.so")
        print(*native.compile_text(build, text, target, [], output))
        library = native.Library(build, output, target)
    call = ("f", given, {"o": (1, 1, 9, 4)})
    whole, parent = library.call, os.getpid()
    print("nothing:", library.difference(whole(*call), call, 2, forks=True))
    print("memory:", [bool(m.blocks) and all((b == m.byte).any() for b in m.blocks.values()) for m in library.memories.values()])
    print("locale:", locale.format_string("%.1f", .5))
    for plant in (lambda byte: byte, lambda byte: os.getpid() != parent):
        library.call = lambda *a: {n: (x + plant((*a, 1, 0)[4]), kind) for n, (x, kind) in whole(*a).items()}
        print("planted:", library.difference(library.call(*call), call, 2, forks=True))


def ends(build):
    def crash(folder, report):
        report("one", "right")
        report("two", "begins")
        os.kill(os.getpid(), signal.SIGSEGV)

    def mistake(folder, report):
        raise ValueError("a mistake")
    with tempfile.TemporaryDirectory() as folder:
        for work in (crash, mistake):
            for report in slices.Slice("test", 0, work, folder + "/s").wait()[0]:
                print(work.__name__, report["case"], report["outcome"], report["message"].strip().splitlines()[-1:])
        for text in (b"func.func @f() { return }", b"func.func @f("):
            print("xfc:", *mutants.end_of(build, ["xfc", "explain", "FILE"], text, folder))


def reduction(build):
    """What fails is said here: programs that use segments and three columns, texts that hold a word."""
    big = attend.draw(20, "avx2")
    big.update(pattern={"kind": "union", "members": [{"kind": "causal"}, {"kind": "segments"}]}, uses=["segments", "lengths"],
               score=[{"step": "sine"}], lse=True)

    def fails(kind, p, *_):
        bad = "segments" in str(p["pattern"]) and p["sizes"]["D"] >= 3
        return ("wrong", "") if bad else ("right", "")
    keep, reduce.outcome_of = reduce.outcome_of, fails
    least, _ = reduce.reduced(attend, big, "avx2", "wrong", build, None)
    reduce.outcome_of = keep
    print(least["pattern"], sorted(least["sizes"].items()), least["uses"], least.get("score"), least["vjp"], least["dtype"])
    keep = mutants.end_of
    mutants.end_of = lambda build, command, text, folder: ("crash" if b"needle" in text else "right", "")
    print(mutants.reduced(build, [], b"a b\nc needle (d)\ne f\n" * 3, "crash", None))
    mutants.end_of = keep


def main():
    numpy.seterr(all="ignore")
    {"planted": planted, "differences": differences, "ends": ends, "reduction": reduction}[sys.argv[2]](pathlib.Path(sys.argv[1]).resolve())


if __name__ == "__main__":
    main()
