#!/usr/bin/env python3
# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a trace accounts for, and what it costs: train_text's training step with and without XFRT_TRACE and XFRT_PROFILE.

usage: trace.py BUILD [--threads=1] [--rounds=200] [--without=libxfrt.so]

BUILD: a release build of this project (build/release). One process makes several handles of the step, and calls them one
after the other, in as many rounds; the order changes from round to round. Prints, with the median over rounds and the range
of the middle half:

  accounted   the launches of a traced call, as a fraction of the time that its caller measures
  trace       time (of the processor, on one thread) of a traced call over that of a plain call, and so for a profiled one
  again       the same of another plain handle: how far two equal handles differ
  without     time of a plain call over one by another runtime, whose source has no hooks (--without): delete the lines of
              lib/cpu/Launch.cpp and lib/cpu/Call.cpp that read handle.trace, task.trace or handle.profile, and build
  hooks       the branches that a plain call has for traces and profiles, and their part of the call at one nanosecond each:
              more than a branch takes that is always predicted
"""

import argparse
import ctypes
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import environment  # noqa: E402

environment.settle()

import numpy  # noqa: E402
import xfrt  # noqa: E402

# Branches of lib/cpu: cpu::call reads both pointers twice; a step, and the grid that it runs, read them five times in all; a
# worker reads one twice for each run of tiles.
BRANCHES = {"call": 4, "launch": 5, "tiles": 2}


def make(library, name, folder, threads, variable=None):
    """A handle of the step with arguments of its own, which `variable` has record to a file."""
    if variable:
        os.environ[variable] = str(folder / name)
    entry = library.entry("train", threads)
    os.environ.pop(variable or "", None)
    random = numpy.random.default_rng(1)
    arguments = {}
    for argument, table in entry.arguments.items():
        dtype, shape = xfrt.DTYPES[table.dtype], table.shape()
        if table.role == xfrt.abi.PARAMETER:
            arguments[argument] = (random.standard_normal(shape) * 0.2).astype(dtype)
        else:  # tokens, the learning rate, and the optimiser's states, which begin with 0
            arguments[argument] = numpy.full(shape, 1 if dtype == "int32" else 0, dtype)
    return entry.bind(arguments)


def seconds(call):
    """How long a call takes: by the clock, and of the processor, which other programs do not add to."""
    start, begin = time.perf_counter(), time.process_time()
    call()
    return time.perf_counter() - start, time.process_time() - begin


def rounds(handles, count):
    """The seconds of each handle in each round, both."""
    times = {name: [] for name in handles}
    for handle in handles.values():
        for _ in range(3):
            handle()
    for number in range(count):
        names = list(handles)
        shift = number % len(names)
        for name in names[shift:] + names[:shift]:
            times[name].append(seconds(handles[name]))
    return times


def row(name, values):
    low, middle, high = statistics.quantiles(values, n=4)
    print(f"{name:<12}{middle:9.5f}  ({low:.5f} to {high:.5f})")


def events_of(path):
    """The events of a trace: calls with the launches and the runs of tiles within them."""
    events = [e for e in json.loads(path.read_text(encoding="utf-8"))["traceEvents"] if e["ph"] == "X"]
    calls = [e for e in events if e["cat"] == "call"]
    for call in calls:
        within = [e for e in events if call["ts"] <= e["ts"] < call["ts"] + call["dur"]]
        call["launches"] = [e for e in within if e["cat"] == "launch"]
        call["tiles"] = [e for e in within if e["cat"] == "tiles"]
    return calls


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n")[2], description=__doc__)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--without", type=pathlib.Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run([options.build.resolve() / "bin/train_text", "--model=sparse_transformer", "--emit-mlir", folder / "step.mlir"], check=True,
                       capture_output=True)
        library = xfrt.Program(options.build, folder / "step.mlir", folder / "step.so", ["--entry=train"])
        handles = {"plain": make(library, "plain", folder, options.threads),
                   "again": make(library, "again", folder, options.threads),
                   "trace": make(library, "trace.json", folder, options.threads, "XFRT_TRACE"),
                   "profile": make(library, "profile.txt", folder, options.threads, "XFRT_PROFILE")}
        if options.without:
            other = xfrt.Library(options.build, folder / "step.so")
            other.runtime = ctypes.CDLL(str(options.without.resolve()))
            handles["without"] = make(other, "without", folder, options.threads)
        times = rounds(handles, options.rounds)
        for handle in handles.values():
            handle.close()
        plain = min(cpu for _, cpu in times["plain"])
        print(f"train_text's step, {options.threads} thread{'s' * (options.threads > 1)}, {options.rounds} rounds of "
              f"{plain * 1e3:.2f} ms")
        calls = events_of(folder / "trace.json")[-options.rounds:]
        walls = [wall for wall, _ in times["trace"]]
        row("accounted", [sum(e["dur"] for e in call["launches"]) / 1e6 / wall for call, wall in zip(calls, walls)])
        clock = 1 if options.threads == 1 else 0
        for handle in ("trace", "profile", "again", "without"):
            if handle in times:
                pairs = zip(times["plain"], times[handle]) if handle == "without" else zip(times[handle], times["plain"])
                row(handle, [x[clock] / y[clock] for x, y in pairs])
        last = calls[-1]
        hooks = BRANCHES["call"] + BRANCHES["launch"] * len(last["launches"]) + BRANCHES["tiles"] * len(last["tiles"])
        print(f"hooks       {hooks:9d}  ({hooks * 1e-9 / plain:.7f} of the call)")


if __name__ == "__main__":
    sys.exit(main())
