#!/usr/bin/env python3
# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the founding papers claim, measured on this machine.

usage: claims.py BUILD [--parts=text,image,head,generation,counts,classifiers,weight,memory] [--rounds=3] [--tiny] [--results=FILE.json]
       claims.py --page=FILE.json --into=docs/claims.md

BUILD: a release build with the targets claims and lra. Times are CPU seconds of one thread; calls that are compared take turns in
one process, and a ratio is of the fastest of each. Counts come from the compiler, memory is the workspace that it plans for a
call. --tiny takes sizes that take no time. Runs can be added up: --results keeps what was measured. --page makes the table of a
page of the results (claims_page.py).
"""
import argparse
import ctypes
import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import time
import types

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
import environment  # noqa: E402

environment.settle()

import numpy  # noqa: E402

import claims_page  # noqa: E402
import lra  # noqa: E402
import xfrt  # noqa: E402
from figures import rows  # noqa: E402


def random(table, dtype, vocabulary=250):
    """Of an argument: ids, small numbers, a rate."""
    generator = numpy.random.default_rng(1)
    if dtype in ("int32", "int64"):
        return generator.integers(0, vocabulary, table.shape(), dtype) if table.rank else numpy.zeros((), dtype)
    values = generator.standard_normal(table.shape(), numpy.float32) / 16
    return (values.view(numpy.uint32) >> 16).astype(numpy.uint16) if dtype == "uint16" else values.astype(dtype)


class Measured:
    """One of the programs of claims.cpp, compiled."""

    def __init__(self, bench, name, tokens=0, options=()):
        self.bench, self.tokens = bench, tokens
        stem = bench.folder / re.sub(r"\W", "_", f"{name}-{tokens}-{len(options)}")
        self.source, self.shared = f"{stem}.mlir", f"{stem}.so"
        sizes = [f"--tokens={tokens}"] if tokens else []
        self.parameters = int(lra.run(bench.build / "bin/claims", name, *sizes, *options, self.source))

    @property
    def library(self):
        if not hasattr(self, "loaded"):
            lra.run(self.bench.build / "bin/xfc", self.source, "--emit=shared", "-o", self.shared, *["-O0"] * self.bench.tiny)
            self.loaded = xfrt.Library(self.bench.build, self.shared)
        return self.loaded

    def call(self, name, holds_parameters=False, **given):
        entry = self.library.entry(name, holds_parameters=holds_parameters)
        arrays = {argument: random(table, xfrt.DTYPES[table.dtype]) for argument, table in entry.arguments.items()}
        return entry.bind(arrays | {key: value for key, value in given.items() if key in arrays})

    def planned(self, name):
        """Bytes of workspace of a call."""
        entry, size = self.library.entry(name), ctypes.c_size_t()
        entry.check(self.library.runtime.xfrt_workspace_size(self.library.model, entry.index, None, 0, 1, ctypes.byref(size)), None)
        return size.value

    def multiply_adds(self):
        """Of the only entry."""
        text = lra.run(self.bench.build / "bin/xfc", self.source, "--stop-after=tile", "-o", "-")
        value = re.search(r"xft\.entry\b.*?xft\.flop = (\S+) : f64", text)[1]
        return (struct.unpack(">d", bytes.fromhex(value[2:]))[0] if value.startswith("0x") else float(value)) / 2


def take_turns(calls, rounds, repeat=None):
    """CPU seconds of the fastest call of each, after one that is not measured where there are several rounds."""
    times = {name: [] for name in calls}
    for turn in range(rounds + (rounds > 1)):
        for name, call in calls.items():
            count = (repeat or {}).get(name, 1)
            start = time.process_time()
            for _ in range(count):
                call()
            times[name].append((time.process_time() - start) / count)
    return {name: min(values[rounds > 1:]) for name, values in times.items()}


def steps(bench, kind, tokens, options=()):
    return take_turns({name: Measured(bench, f"{kind}-{name}", tokens, options).call("train", learning_rate=numpy.float32(1e-3))
                       for name in ("dense", "fixed", "strided")}, bench.rounds)


def measure_text(bench):
    tokens = 256 if bench.tiny else 12288
    return {"f32": steps(bench, "text", tokens), "bf16": steps(bench, "text", tokens, ("--bf16",))}


def measure_image(bench):
    return {"f32": steps(bench, "image", 192 if bench.tiny else 3072)}


def measure_head(bench):
    found, tokens = {}, 2048 if bench.tiny else 1 << 20
    for name in ("strided", "fixed", "favor"):
        head = Measured(bench, f"head-{name}", tokens)
        w = numpy.random.default_rng(2).standard_normal((256, 64), numpy.float32)
        found[name] = {"seconds": take_turns({name: head.call("attend", w=w)}, 1)[name], "bytes": head.planned("attend")}
    few, most = (512, 1024) if bench.tiny else (1 << 13, 1 << 14)  # tokens of dense attention, which grows by their square
    dense = {n: Measured(bench, "head-dense", n).call("attend") for n in (few, most)}
    return found | {"tokens": tokens, "dense": take_turns(dense, bench.rounds)}


def measure_generation(bench):
    found = {}
    for tokens in (64, 128) if bench.tiny else (1024, 4096, 16384):
        model = Measured(bench, "linear", tokens)
        step = model.call("step", holds_parameters=True, position=numpy.array([tokens - 1], numpy.int32))
        calls = {"step": step, "again": model.call("again")}
        found[str(tokens)] = take_turns(calls, bench.rounds, {"step": 200})
    return found


def measure_counts(bench):
    names = [name for name in lra.run(bench.build / "bin/claims").split() if re.match("ViT|T2T|Omni|Sparse", name)]
    found = {}
    for name in names[:1] + names[-2:-1] if bench.tiny else names:
        model = Measured(bench, name)
        found[name] = {"parameters": model.parameters}
        if not name.startswith("Sparse"):
            found[name]["multiply_adds"] = model.multiply_adds()
    return found


def measure_classifiers(bench):
    """A training step of Long Range Arena's classifier with each attention, at two lengths."""
    options = types.SimpleNamespace(build=bench.build, layers=1 if bench.tiny else 4, width=64 if bench.tiny else 256)
    found = {}
    for size in (192,) if bench.tiny else (1024, 4096):
        names = lra.ATTENTIONS[:2] if bench.tiny else lra.ATTENTIONS
        found[str(size)] = take_turns({name: lra.Model(options, bench.folder, name, size).step({}) for name in names}, bench.rounds)
    return found


def measure_weight(bench):
    """Bias in standard deviations, and mean squared error over the law of independent rows (Choromanski 2021, lemma 2)."""
    draws, generator = 100 if bench.tiny else 20000, numpy.random.default_rng(3)
    x, y = (numpy.array(of) for of in ([.3, -.1, .2, 0, .4, -.2, .1, .3], [.2, .3, .1, -.2, .1, .2, -.3, .1]))
    exact, total, apart = numpy.exp(x @ y), (x + y) @ (x + y), (x - y) @ (x - y)
    law = numpy.exp(total) * exact ** 2 * (1 - numpy.exp(-total)) / 8
    laws = {"positive": law, "hyperbolic": (1 - numpy.exp(-total)) / 2 * law,
            "trigonometric": numpy.exp(x @ x + y @ y) * (1 - numpy.exp(-apart)) ** 2 / 16}
    model, w, found = Measured(bench, "weight"), numpy.zeros((8, 8)), {}
    row = {"x": x.reshape(1, 1, 1, 8), "y": y.reshape(1, 1, 1, 8), "one": numpy.ones((1, 1, 1, 1)), "w": w}
    calls = {name: model.call(name, **row) for name in laws}
    for rows_of in ("independent", "orthogonal"):
        errors = {name: [] for name in laws}
        for _ in range(draws):
            normals = generator.standard_normal((8, 8))
            if rows_of == "orthogonal":  # directions that are uniform, which signs of R's diagonal make them, of lengths that normals have
                q, r = numpy.linalg.qr(normals)
                lengths = numpy.linalg.norm(generator.standard_normal((8, 8)), axis=1, keepdims=True)
                normals = lengths * (q * numpy.sign(numpy.diag(r))).T
            w[:] = normals
            for name, call in calls.items():
                errors[name].append(float(next(iter(call().values())).item()) - exact)
        for name, values in errors.items():
            square = numpy.mean(numpy.square(values))
            found[f"{name}, {rows_of}"] = {"sigmas": numpy.mean(values) / numpy.sqrt(square / draws), "of_law": square / laws[name]}
    return found | {"draws": draws}


def measure_memory(bench):
    tokens = 256 if bench.tiny else 4096
    slices = (0, 128) if bench.tiny else (0, 1024, 512, 256, 128)
    found = {f"slices-{size}": Measured(bench, f"slices-{size}", tokens).planned("train") for size in slices}
    layers = {name: Measured(bench, name, tokens) for name in ("kept", "recomputed")}
    seconds = take_turns({name: model.call("train", learning_rate=numpy.float32(1e-3)) for name, model in layers.items()}, bench.rounds)
    return found | {name: {"bytes": model.planned("train"), "seconds": seconds[name]} for name, model in layers.items()}


PARTS = {name.removeprefix("measure_"): value for name, value in list(globals().items()) if name.startswith("measure_")}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", nargs="?", type=pathlib.Path)
    parser.add_argument("--parts", type=lambda text: text.split(","), default=list(PARTS))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--tiny", action="store_true")
    parser.add_argument("--results", type=pathlib.Path)
    parser.add_argument("--page", type=pathlib.Path)
    parser.add_argument("--into", type=pathlib.Path)
    options = parser.parse_args()
    if options.page and options.into:
        return claims_page.write(json.loads(options.page.read_text(encoding="utf-8")), options.into)
    if not options.build or not set(options.parts) <= set(PARTS):
        parser.error(f"expected BUILD, or --page and --into, and parts of {', '.join(PARTS)}")
    results = json.loads(options.results.read_text()) if options.results and options.results.exists() else {}
    for part in options.parts:
        with tempfile.TemporaryDirectory() as folder:
            bench = types.SimpleNamespace(build=options.build.resolve(), folder=pathlib.Path(folder), tiny=options.tiny, rounds=options.rounds)
            before = os.getloadavg()[0]
            results[part] = PARTS[part](bench) | {"load": max(before, os.getloadavg()[0])}
        results["machine"] = rows.describe()
        if options.results:
            options.results.write_text(json.dumps(rows.rounded(results), indent=1) + "\n", encoding="utf-8")
    if not options.results:
        print("\n".join(claims_page.table(results)))


if __name__ == "__main__":
    sys.exit(main())
