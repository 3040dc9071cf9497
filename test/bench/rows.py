#!/usr/bin/env python3
# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Row kernels against eager and compiled PyTorch, in one process and interleaved, on one thread.

usage: rows.py BUILD [--case=SUBSTRING] [--rounds=9] [--no-compile]

BUILD: a release build of this project (build/release). Needs torch and numpy, and for compiled PyTorch a C++ compiler.
Prints a table in Markdown: milliseconds of xf, eager PyTorch (fused: AdamW's own kernel) and compiled PyTorch, and how
many times as fast as the best of those xf is. A figure is the CPU time of the fastest round; in a round all take turns.

Both sides use memory from PyTorch's allocator, with the same alignment and the same pages; PyTorch's backward allocates
its gradients, as it always does. glibc must keep its pages, or page faults halve PyTorch's speed: this program sets that
itself.
"""

import argparse
import logging
import pathlib
import tempfile
import time

import environment

environment.settle()

import numpy
import torch
import torch.nn.functional as F

import xfrt

HERE = pathlib.Path(__file__).resolve().parent
torch.set_num_threads(1)
torch._logging.set_logs(all=logging.ERROR)
logging.getLogger("torch").setLevel(logging.ERROR)


def random(*shape):
    return numpy.random.default_rng(0).standard_normal(shape, dtype=numpy.float32)


def empty(shape, dtype):
    """An array in PyTorch's memory."""
    return torch.empty(shape, dtype=torch.from_numpy(numpy.empty(0, dtype)).dtype).numpy()


def copied(arrays):
    copies = {name: empty(array.shape, array.dtype) for name, array in arrays.items()}
    for name, array in arrays.items():
        copies[name][...] = array
    return copies


def tensors(arrays, needs_gradient):
    return {name: torch.from_numpy(array).requires_grad_(needs_gradient and array.dtype == numpy.float32)
            for name, array in copied(arrays).items()}


class Function:
    """A function of tensors: forward, or forward and vjp with a given cotangent."""

    def __init__(self, entry, f, result, arrays, cotangent):
        self.entry, self.f, self.result, self.arrays, self.cotangent = entry, f, result, arrays, cotangent

    def ours(self, program, vjp):
        arrays = dict(self.arrays)
        if vjp:
            arrays["d_" + self.result] = self.cotangent
        return program.entry(self.entry + ("_vjp" if vjp else "")).bind(copied(arrays), empty)

    def theirs(self, vjp, wrap):
        values = tensors(self.arrays, vjp)
        f, cotangent = wrap(self.f), torch.from_numpy(self.cotangent)
        leaves = [value for value in values.values() if value.requires_grad]

        def call():
            if not vjp:
                with torch.no_grad():
                    return f(*values.values())
            for leaf in leaves:
                leaf.grad = None
            y = f(*values.values())
            y.backward(cotangent)
            return y
        return call


class AdamW:
    """A step of AdamW on one matrix, with the gradient's norm clipped or not."""

    def __init__(self, entry, clipped):
        self.entry, self.clipped = entry, clipped
        p = random(4096, 4096)
        self.arrays = {"p": p, "g": p[::-1].copy(), "m": p * 0, "v": p * 0,
                       "rate": numpy.array(1e-3, numpy.float32), "step": numpy.array(3, numpy.int64)}

    def ours(self, program, vjp):
        return program.entry(self.entry).bind(copied(self.arrays), empty)

    def theirs(self, **how):
        values = tensors(self.arrays, False)
        parameter = torch.nn.Parameter(values["p"])
        parameter.grad = values["g"]
        optimizer = torch.optim.AdamW([parameter], lr=1e-3, weight_decay=0.01, **how)

        def step():
            if self.clipped:
                torch.nn.utils.clip_grad_norm_([parameter], 1.0)
            optimizer.step()
        return step


def cases():
    for shape in ((512, 768), (8192, 768)):
        rows, columns = shape
        name = f"{rows}x{columns}"
        x, w, b, d = random(*shape), random(columns), random(columns), random(*shape)
        yield Function("layer_norm_" + name, lambda x, w, b, n=columns: F.layer_norm(x, (n,), w, b), "y",
                       {"x": x, "w": w, "b": b}, d)
        yield Function("rms_norm_" + name, lambda x, w, n=columns: F.rms_norm(x, (n,), w, 1e-6), "y",
                       {"x": x, "w": w}, d)
        yield Function("softmax_" + name, lambda x: F.softmax(x, -1), "y", {"x": x}, d)
    x, d = random(512, 3072), random(512, 3072)
    yield Function("gelu_tanh_512x3072", lambda x: F.gelu(x, approximate="tanh"), "y", {"x": x}, d)
    yield Function("gelu_erf_512x3072", F.gelu, "y", {"x": x}, d)
    for rows, columns in ((128, 50257), (512, 256)):
        t = numpy.random.default_rng(1).integers(0, columns, rows)
        yield Function(f"cross_entropy_{rows}x{columns}", F.cross_entropy, "loss", {"x": random(rows, columns), "t": t},
                       numpy.array(1, numpy.float32))
    yield AdamW("adamw", clipped=False)
    yield AdamW("clipped_adamw", clipped=True)


def seconds(call, repetitions):
    start = time.process_time()
    for _ in range(repetitions):
        call()
    return (time.process_time() - start) / repetitions


def measure(calls, rounds):
    """CPU time of the fastest of rounds in which all calls take turns, each for about 5 ms: what disturbs only adds."""
    repetitions = {}
    for name, call in calls.items():
        call()
        call()
        repetitions[name] = max(1, int(5e-3 / seconds(call, 1)))
    times = {name: [] for name in calls}
    for _ in range(rounds):
        for name, call in calls.items():
            times[name].append(seconds(call, repetitions[name]))
    return {name: min(list_) for name, list_ in times.items()}


def peers(case, vjp, compiles):
    if isinstance(case, AdamW):
        calls = {"eager": case.theirs(), "fused": case.theirs(fused=True)}
        if compiles:
            calls["compiled"] = torch.compile(case.theirs(foreach=True))
        return calls
    calls = {"eager": case.theirs(vjp, lambda f: f)}
    if compiles:
        torch._dynamo.reset()
        calls["compiled"] = case.theirs(vjp, lambda f: torch.compile(f, dynamic=False))
    return calls


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--case", default="")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--no-compile", dest="compiles", action="store_false")
    options = parser.parse_args()
    every = [case for case in cases() if options.case in case.entry]
    print("| ms | xf | eager | compiled | fused | xf is faster by |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        derivatives = ["--vjp=" + case.entry for case in cases() if isinstance(case, Function)]
        program = xfrt.Program(options.build, HERE / "rows.mlir", folder + "/rows.so", derivatives)
        for case in every:
            for vjp in (False, True) if isinstance(case, Function) else (False,):
                calls = {"xf": case.ours(program, vjp), **peers(case, vjp, options.compiles)}
                times = measure(calls, options.rounds)
                ratio = min(time for name, time in times.items() if name != "xf") / times["xf"]
                figures = [f"{times[name] * 1e3:.3f}" if name in times else ""
                           for name in ("xf", "eager", "compiled", "fused")]
                label = case.entry + (" + vjp" if vjp else "")
                print(f"| {label} | {' | '.join(figures)} | {ratio:.2f} |", flush=True)


if __name__ == "__main__":
    main()
