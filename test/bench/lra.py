#!/usr/bin/env python3
# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Long Range Arena's efficiency experiment: attentions on byte-level text of 1K to 4K tokens (models: lra.cpp).

usage: lra.py BUILD [--attentions=dense,local,..] [--sizes=1024,2048,3072,4096] [--parts=attention,step,memory]
              [--rounds=3] [--no-torch] [--compile] [--results=FILE.json] [--plot=FILE.svg]
       lra.py --page=FILE.json --into=PAGE.md

BUILD: a release build of this project with the target lra. Needs numpy, and torch for what is compared with it. Measures
on one thread, taking turns in one process, the fastest round each:
  attention  attention alone against this compiler's own dense attention, forward and with its gradient, at the last size
  step       a training step against PyTorch, with the same weights and text (lra_torch.py; --compile: the faster of eager
             and compiled); the losses of the first two steps must agree
  memory     bytes of workspace that the compiler plans for a training step, and what the resident memory of
             a process grows by when it makes its first two steps, arguments included, for both sides
Prints a table in Markdown for each part; --plot draws steps per second and memory. Runs can be added up: --results keeps
what was measured, tables and plot show all of it. --page makes the table of a page of the results, at the last size.
"""

import argparse
import ctypes
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import environment

environment.settle()

import numpy

import lra_plot
import xfrt
from figures import rows

ATTENTIONS = ["dense", "local", "linformer", "bigbird", "linear", "performer", "sparse"]
ALONE = {"local": 8, "linformer": 6, "bigbird": 4, "linear": 8, "performer": 5}  # times as fast as dense
STEP = {"dense": 1.3}  # times as fast as PyTorch
STEP_OTHERS, GROWTH = 1.5, 4.2
RATE = 1e-3


class Model:
    """The compiled program of one attention and size."""

    def __init__(self, options, folder, attention, size):
        self.options, self.folder, self.attention, self.size = options, folder, attention, size
        build = pathlib.Path(options.build).resolve()
        self.shared, source = f"{folder}/{attention}-{size}.so", f"{folder}/{attention}-{size}.mlir"
        if not os.path.exists(self.shared):
            run(build / "bin/lra", f"--attention={attention}", f"--size={size}", f"--layers={options.layers}",
                f"--width={options.width}", source)
            run(build / "bin/xfc", source, "--emit=shared", "-o", self.shared)
        self.program = xfrt.Library(build, self.shared)

    def matrix(self):
        """Of the attention: drawn features or a projection, as the entry `attend` takes it; None where there is none."""
        table = self.program.entry("attend").arguments.get("matrix")
        return None if table is None else random(table.shape(), 3) / (1 if self.attention == "performer" else 16)

    def alone(self, name):
        """The attention by itself on unit normals."""
        entry = self.program.entry(name)
        arrays = {argument: random(table.shape(), n) for n, (argument, table) in enumerate(entry.arguments.items())}
        if "matrix" in arrays:
            arrays["matrix"] = self.matrix()
        return entry.bind(arrays)

    def blocks_seen(self, block):
        """H x blocks x blocks: which blocks of keys a block of queries sees, found by attending to unit vectors."""
        entry = self.program.entry("attend")
        arrays = {argument: numpy.zeros(table.shape(), numpy.float32) for argument, table in entry.arguments.items()}
        depth = arrays["v"].shape[3]
        seen = []
        for first in range(0, self.size // block, depth):
            blocks = numpy.arange(self.size) // block - first
            arrays["v"][:] = blocks[:, None] == numpy.arange(depth)
            seen.append(next(iter(entry.bind(arrays)().values()))[0, :, ::block] > 0)
        return numpy.concatenate(seen, 2)[:, :, :self.size // block]

    def step(self, weights):
        """A function that makes a training step and gives its loss. Without weights, any: what they are costs the same."""
        entry = self.program.entry("train")
        text, classes = batch(self.size)
        arrays = {"text": text, "classes": classes, "matrix": self.matrix(), "learning_rate": numpy.float32(RATE)}
        for name, table in entry.arguments.items():
            if name not in arrays:
                arrays[name] = (weights[name].copy() if name in weights else
                                numpy.zeros(table.shape(), xfrt.DTYPES[table.dtype]))
        call = entry.bind({name: arrays[name] for name in entry.arguments})
        return lambda: float(call()["loss"])

    def planned_bytes(self):
        entry, size = self.program.entry("train"), ctypes.c_size_t()
        entry.check(self.program.runtime.xfrt_workspace_size(self.program.model, entry.index, None, 0, 1,
                                                             ctypes.byref(size)), None)
        return size.value


def run(*command):
    """What a command prints; remarks only where it fails."""
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: exit code {done.returncode}\n{done.stderr}")
    return done.stdout


def random(shape, seed):
    return numpy.random.default_rng(seed).standard_normal(shape, numpy.float32)


def batch(size):
    """Bytes (0 is padding) and the class of a text."""
    return numpy.random.default_rng(0).integers(1, 257, (1, size), numpy.int32), numpy.ones(1, numpy.int32)


def their_model(model):
    import torch
    import lra_torch
    torch.manual_seed(0)
    torch.set_num_threads(1)
    options = model.options
    seen = None
    if model.attention == "bigbird":
        seen = torch.from_numpy(model.blocks_seen(lra_torch.BIGBIRD_BLOCK))
    heads = model.program.entry("attend").arguments["q"].shape()[1]
    return lra_torch.Classifier(model.attention, model.size, options.layers, options.width, heads, seen)


def their_step(model, theirs):
    import torch
    import lra_torch
    text, classes = batch(model.size)
    inputs = [torch.from_numpy(text)] + ([torch.from_numpy(model.matrix())] if model.attention == "performer" else [])
    return lra_torch.training_step(theirs, inputs, torch.from_numpy(classes).long(), RATE)


def take_turns(calls, rounds):
    """The fastest of each call, after one that is not measured."""
    for call in calls.values():
        call()
    times = {name: [] for name in calls}
    for _ in range(rounds):
        for name, call in calls.items():
            start = time.perf_counter()
            call()
            times[name].append(time.perf_counter() - start)
    return {name: min(values) for name, values in times.items()}


def measure_alone(dense, model, rounds):
    found = {}
    for kind, entry in (("forward", "attend"), ("gradient", "attend_gradient")):
        calls = {"dense": dense.alone(entry), model.attention: model.alone(entry)}
        found[kind] = take_turns(calls, rounds)
    return found


def measure_step(model, options):
    if not options.torch:
        return take_turns({"xf": model.step({})}, options.rounds)
    import copy
    import torch
    theirs = their_model(model)
    weights = {name: value.detach().numpy().copy() for name, value in theirs.state_dict().items()}
    calls = {"xf": model.step(weights)}
    if options.compile:
        calls["compiled"] = their_step(model, torch.compile(copy.deepcopy(theirs), dynamic=False))
    calls["eager"] = their_step(model, theirs)
    losses = {name: [call(), call()] for name, call in calls.items()}
    difference = numpy.abs(numpy.subtract(losses["xf"], losses["eager"])).max()
    if not difference < 2e-3:
        raise RuntimeError(f"expected the losses of {model.attention} at {model.size} to agree, got {losses}")
    return {**take_turns(calls, options.rounds), "difference": float(difference)}


def measure_memory(model, options):
    found = {"planned": model.planned_bytes()}
    for name, side in {"resident": "xf", **({"PyTorch": "torch"} if options.torch else {})}.items():
        found[name] = int(run(sys.executable, __file__, options.build, f"--attentions={model.attention}",
                              f"--sizes={model.size}", f"--layers={options.layers}", f"--width={options.width}",
                              f"--peak={side}", f"--folder={model.folder}"))
    return found


def resident(line):
    """Of this process, in bytes: VmRSS, what it has now, or VmHWM, the most it had."""
    with open("/proc/self/status", encoding="ascii") as status:
        return next(int(text.split()[1]) * 1024 for text in status if text.startswith(line))


def print_peak(options):
    """What two steps add to the memory of this process, parameters and optimiser included."""
    model = Model(options, options.folder, options.attentions[0], options.sizes[0])
    theirs = their_model(model) if options.peak == "torch" else None
    before = resident("VmRSS") - sum(value.numel() * 4 for value in (theirs.parameters() if theirs else ()))
    with open("/proc/self/clear_refs", "w", encoding="ascii") as file:
        file.write("5")  # the most starts anew
    call = their_step(model, theirs) if theirs else model.step({})
    for _ in range(2):
        call()
    print(resident("VmHWM") - before)


def versions(options):
    if not options.torch:
        return {}
    import torch
    return {"PyTorch": torch.__version__.split("+")[0]}


def verdict(value, bar, less=False):
    return "-" if bar is None else "yes" if (value <= bar if less else value >= bar) else "NO"


def table(title, columns, rows):
    if rows:
        print("\n".join(["", title, "", f"| {' | '.join(columns)} |", "|" + "---|" * len(columns)]
                        + [f"| {' | '.join(map(str, row))} |" for row in rows]))


def print_tables(results):
    rows = []
    for name, found in results["attention"].items():
        line = [name]
        for kind in ("forward", "gradient"):
            ratio = found[kind]["dense"] / found[kind][name]
            line += [f"{found[kind][name] * 1e3:.2f}", f"{ratio:.1f}", verdict(ratio, ALONE.get(name))]
        rows.append(line + [ALONE.get(name, "-")])
    table("Attention alone, times as fast as dense", ["", "ms", "forward", "met", "ms", "+ gradient", "met", "bar"], rows)
    rows = []
    for name, sizes in results["step"].items():
        for size, found in sizes.items():
            bar = STEP.get(name, STEP_OTHERS)
            theirs = min((found[side] for side in ("eager", "compiled") if side in found), default=float("nan"))
            ratio = theirs / found["xf"]
            rows.append([name, size, f"{found['xf']:.3f}", f"{theirs:.3f}", f"{ratio:.2f}", bar, verdict(ratio, bar)])
    table("A training step", ["", "tokens", "xf, s", "PyTorch, s", "times as fast", "bar", "met"], rows)
    rows, columns = [], []
    for name, sizes in results["memory"].items():
        ends = [min(sizes, key=int), max(sizes, key=int)]
        first, last = (sizes[end] for end in ends)
        columns = [f"{side}, {end}" for side in first for end in ends]
        growth = max(last[side] / first[side] for side in first if side != "PyTorch")
        megabytes = [f"{found[side] / 1e6:.0f}" for side in first for found in (first, last)]
        rows.append([name, *megabytes, f"{growth:.2f}", GROWTH, verdict(growth, GROWTH, less=True)])
    table("Memory of a training step, MB", ["", *columns, "growth", "bar", "met"], rows)


def summary(results):
    """A line for each attention: times as fast as dense, a training step's times as fast as PyTorch, and its memory."""
    for name in ATTENTIONS:
        found, sizes, memory = (results[part].get(name, {}) for part in ("attention", "step", "memory"))
        size = max(sizes, key=int, default=None)
        ratio = lambda kind: f"{found[kind]['dense'] / found[kind][name]:.1f}" if kind in found else ""
        step = f"{min(sizes[size][side] for side in ('eager', 'compiled') if side in sizes[size]) / sizes[size]['xf']:.2f}" if size else ""
        last = memory.get(max(memory, key=int)) if memory else {}
        megabytes = [f"{last[side] / 1e6:.0f}" if side in last else "" for side in ("resident", "PyTorch")]
        if found or sizes or memory:
            yield [name, ratio("forward"), ratio("gradient"), step, *megabytes]


def write_page(source, page):
    results = json.loads(source.read_text(encoding="utf-8"))
    columns = [" ", "attention, forward", "with gradient", "training step", "its memory, MB", "PyTorch's"]
    lines = [columns, *summary(results)]
    shown = [n for n in range(len(columns)) if any(line[n] for line in lines[1:])]
    lines = [[line[n] for n in shown] for line in lines]
    rows.replace(page, "test/bench/lra.py", [rows.origin(results["machine"]), "", *rows.table(lines[0], lines[1:])])


def measure(options, folder, results, save):
    alone = "attention" in options.parts
    dense = Model(options, folder, "dense", options.sizes[-1]) if alone else None
    for attention in options.attentions:
        for size in options.sizes:
            last = size == options.sizes[-1]
            if not (alone and last) and options.parts == ["attention"]:
                continue
            model = dense if alone and last and attention == "dense" else Model(options, folder, attention, size)
            if alone and last and attention != "dense":
                results["attention"][attention] = measure_alone(dense, model, options.rounds)
            if "step" in options.parts:
                results["step"].setdefault(attention, {})[str(size)] = measure_step(model, options)
            if "memory" in options.parts:
                results["memory"].setdefault(attention, {})[str(size)] = measure_memory(model, options)
            save()


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = lambda text: text.split(",")
    parser.add_argument("build", nargs="?")
    parser.add_argument("--page", type=pathlib.Path)
    parser.add_argument("--into", type=pathlib.Path)
    parser.add_argument("--attentions", type=names, default=ATTENTIONS)
    parser.add_argument("--sizes", type=lambda text: sorted(map(int, text.split(","))), default=[1024, 2048, 3072, 4096])
    parser.add_argument("--parts", type=names, default=["attention", "step", "memory"])
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--width", type=int, default=256)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--no-torch", dest="torch", action="store_false")
    parser.add_argument("--compile", action="store_true")
    parser.add_argument("--results", type=pathlib.Path)
    parser.add_argument("--plot", type=pathlib.Path)
    parser.add_argument("--peak", choices=["xf", "torch"], help=argparse.SUPPRESS)
    parser.add_argument("--folder", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if not options.build and not (options.page and options.into):
        parser.error("expected BUILD, or --page and --into")
    return options


def main():
    options = parse()
    if options.page and options.into:
        return write_page(options.page, options.into)
    results = {"attention": {}, "step": {}, "memory": {}}
    if options.results and options.results.exists():
        results = json.loads(options.results.read_text())

    def save():
        if options.results:
            results["machine"] = rows.describe() | {"peers": versions(options)}
            options.results.write_text(json.dumps(rows.rounded(results), indent=1) + "\n", encoding="utf-8")

    if options.peak:
        return print_peak(options)
    with tempfile.TemporaryDirectory() as folder:
        measure(options, folder, results, save)
    print_tables(results)
    if options.plot:
        options.plot.write_text(lra_plot.draw(results))


if __name__ == "__main__":
    main()
