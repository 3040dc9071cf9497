#!/usr/bin/env python3
# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention in linear time (linear.mlir) against PyTorch, in one process and taking turns, on one thread.

usage: linear.py BUILD [--case=SUBSTRING] [--sizes=1024,4096,16384] [--rounds=5] [--compile]

BUILD: a release build of this project (build/release). Needs torch and numpy. Prints a table in Markdown, forward and
forward with the gradient of everything: milliseconds of xf and of PyTorch, their ratio, which of PyTorch's formulations
was the fastest, and the largest difference of the outputs. A figure is the fastest round; in a round all take turns.

PyTorch's formulations: all rows at once, or a loop over rows from chunk to chunk whose features stay in a cache; with
order, sums over chunks before each chunk and the pairs within it; and, where asked for, each through torch.compile.
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
DEPTH, FEATURES, HEADS = 64, 256, 2
CASES = ("favor", "favor_causal", "relu", "relu_causal", "low_rank")
torch.set_num_threads(1)
torch._logging.set_logs(all=logging.ERROR)


# Features: `top` is what keeps the exponents of all keys in range, or None for those of queries.

def favor(x, w, top, epsilon):
    x = x * DEPTH ** -0.25
    u = x @ w.T
    if top is None:
        top = u.detach().amax(-1, keepdim=True)
    return torch.exp(u - (x * x).sum(-1, keepdim=True) / 2 - top) + epsilon


def relu(x, w, top, epsilon):
    return torch.relu(x @ w.T) + epsilon


def largest(k, w):
    with torch.no_grad():
        return ((k * DEPTH ** -0.25) @ w.T).amax((-2, -1), keepdim=True)


class Kernelized:
    """y = phi(q) sum of phi(k) v^T, over the sum of weights."""

    def __init__(self, kind, isOrdered):
        self.kind, self.isOrdered = kind, isOrdered
        self.epsilon = 1e-3 if kind == "relu" else 0 if isOrdered else 1e-6
        self.guard = 1e-6 if kind == "relu" else 0 if isOrdered else 1e-6 * FEATURES

    def features(self, q, k, w):
        if self.kind == "relu":
            return relu(q, w, None, self.epsilon), relu(k, w, None, self.epsilon)
        return favor(q, w, None, self.epsilon), favor(k, w, self.top, self.epsilon)

    def formulations(self):
        if not self.isOrdered:
            return {"whole": self.whole} | {f"loop {c}": self.loop(c) for c in (256, 1024)}
        return {f"chunks {c}": self.chunks(c) for c in (64, 128, 256)} | {f"loop {c}": self.ordered_loop(c) for c in (128, 256)}

    def start(self, q, k, v, w):
        self.top = largest(k, w) if self.kind == "favor" else None

    def whole(self, q, k, v, w):
        self.start(q, k, v, w)
        q, k = self.features(q, k, w)
        return q @ (k.transpose(-2, -1) @ v) / (q @ k.sum(-2).unsqueeze(-1) + self.guard)

    def loop(self, chunk):
        def run(q, k, v, w):
            self.start(q, k, v, w)
            state = mass = 0
            for keys, values in zip(k.split(chunk, 2), v.split(chunk, 2)):
                phi = self.features(keys, keys, w)[1] if self.kind == "relu" else favor(keys, w, self.top, self.epsilon)
                state, mass = state + phi.transpose(-2, -1) @ values, mass + phi.sum(-2).unsqueeze(-1)
            rows = []
            for queries in q.split(chunk, 2):
                function = relu if self.kind == "relu" else favor
                phi = function(queries, w, None, self.epsilon)
                rows.append(phi @ state / (phi @ mass + self.guard))
            return torch.cat(rows, 2)
        return run

    def chunks(self, chunk):
        def run(q, k, v, w):
            self.start(q, k, v, w)
            q, k = (x.unflatten(2, (-1, chunk)) for x in self.features(q, k, w))
            v = v.unflatten(2, (-1, chunk))
            states, masses = k.transpose(-2, -1) @ v, k.sum(-2).unsqueeze(-1)
            pairs = (q @ k.transpose(-2, -1)).tril()
            y = pairs @ v + q @ (states.cumsum(2) - states)
            mass = pairs.sum(-1, keepdim=True) + q @ (masses.cumsum(2) - masses)
            return (y / (mass + self.guard)).flatten(2, 3)
        return run

    def ordered_loop(self, chunk):
        def run(q, k, v, w):
            self.start(q, k, v, w)
            state = mass = None
            rows = []
            for queries, keys, values in zip(q.split(chunk, 2), k.split(chunk, 2), v.split(chunk, 2)):
                left, right = self.features(queries, keys, w)
                pairs = (left @ right.transpose(-2, -1)).tril()
                y, total = pairs @ values, pairs.sum(-1, keepdim=True)
                if state is not None:
                    y, total = y + left @ state, total + left @ mass
                added, more = right.transpose(-2, -1) @ values, right.sum(-2).unsqueeze(-1)
                state, mass = (added, more) if state is None else (state + added, mass + more)
                rows.append(y / (total + self.guard))
            return torch.cat(rows, 2)
        return run


class LowRank:
    """softmax(q (E^T k)^T) F^T v."""

    def formulations(self):
        return {"fused": self.fused, "written out": self.written_out}

    def fused(self, q, k, v, e, f):
        return F.scaled_dot_product_attention(q, e.T @ k, f.T @ v)

    def written_out(self, q, k, v, e, f):
        return torch.softmax(q @ (e.T @ k).transpose(-2, -1) * DEPTH ** -0.5, -1) @ (f.T @ v)


def peer(case):
    return LowRank() if case == "low_rank" else Kernelized(case.split("_")[0], case.endswith("causal"))


def inputs(case, size):
    generator = numpy.random.default_rng(1)
    draw = lambda *shape: generator.standard_normal(shape, numpy.float32)
    arrays = {name: draw(1, HEADS, size, DEPTH) for name in "qkv"}
    if case == "low_rank":
        return arrays | {name: draw(size, FEATURES) * numpy.float32(size ** -0.5) for name in "ef"}
    return arrays | {"w": draw(FEATURES, DEPTH)}


def our_call(program, name, arrays, vjp):
    entry = program.entry(name + ("_vjp" if vjp else ""))
    ones = {argument: numpy.ones(table.shape(), numpy.float32) for argument, table in entry.arguments.items()}
    return entry.bind({argument: arrays.get(argument, ones[argument]) for argument in entry.arguments})


def their_call(function, arrays, vjp):
    tensors = [torch.from_numpy(array.copy()).requires_grad_(vjp) for array in arrays.values()]
    cotangent = torch.ones(1, HEADS, tensors[0].shape[2], DEPTH)

    def forward():
        with torch.no_grad():
            return function(*tensors)

    def both():
        y = function(*tensors)
        torch.autograd.grad(y, tensors, cotangent)
        return y.detach()
    return both if vjp else forward


def seconds(call):
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def measure(calls, rounds):
    """The fastest of each call, taking turns."""
    times = {name: [] for name in calls}
    for _ in range(rounds):
        for name, call in calls.items():
            times[name].append(seconds(call))
    return {name: min(t) for name, t in times.items()}


def row(program, case, size, options):
    name, arrays, line = f"{case}_{size}", inputs(case, size), [f"{case}_{size}"]
    for vjp in (False, True):
        formulations = peer(case).formulations()
        if options.compile:
            torch._dynamo.reset()
            formulations |= {f"compiled {key}": torch.compile(f, dynamic=False) for key, f in formulations.items()
                             if "loop" not in key}
        calls = {key: their_call(function, arrays, vjp) for key, function in formulations.items()}
        ours = our_call(program, name, arrays, vjp)
        y = [value for value in ours().values()][0]
        difference = max(numpy.abs(y - call().numpy()).max() for call in calls.values())
        times = measure({"xf": ours} | calls, options.rounds)
        best = min(calls, key=times.get)
        line += [f"{times['xf'] * 1e3:.2f}", f"{times[best] * 1e3:.2f}", f"**{times['xf'] / times[best]:.2f}**", best,
                 f"{difference:.0e}"]
    print("| " + " | ".join(line) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--case", default="")
    parser.add_argument("--sizes", default="1024,4096,16384")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--compile", action="store_true")
    options = parser.parse_args()
    names = [f"{case}_{size}" for case in CASES if options.case in case for size in map(int, options.sizes.split(","))]
    with tempfile.TemporaryDirectory() as folder:
        flags = [f"--{option}={name}" for name in names for option in ("entry", "vjp")]
        program = xfrt.Program(options.build, HERE / "linear.mlir", f"{folder}/linear.so", flags)
        print("| ms | xf | torch | ratio | torch's best | difference | + gradient | torch | ratio | torch's best | difference |")
        print("|" + "---|" * 11)
        for name in names:
            case, size = name.rsplit("_", 1)
            row(program, case, int(size), options)


if __name__ == "__main__":
    main()
