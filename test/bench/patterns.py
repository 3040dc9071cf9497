#!/usr/bin/env python3
# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Patterns against dense causal attention of the same compiler, in one process and interleaved, on one thread.

usage: patterns.py BUILD [--case=SUBSTRING] [--size=4096] [--heads=2] [--rounds=5] [--views]

BUILD: a release build of this project (build/release). Needs numpy. Prints a table in Markdown: milliseconds of the
pattern, and its time per pair over that of causal attention, forward and forward with gradient; the pairs that kernels
execute over those that the pattern has are in xfc explain. 1 is what the mathematics says. With --views (needs torch),
of the time that strided and fixed attention take as written by hand in PyTorch, on one thread too: see views.py.
"""

import argparse
import json
import subprocess
import tempfile
import time

import numpy
import xfrt

DEPTH = 64
DOCUMENTS = (1, 2, 3, 4, 5, 6, 7, 8)


def cases():
    return {
        "causal": "#xf.causal",
        "window_256": "#xf.window<left = 256>",
        "prefix_512": "#xf.prefix<length = 512>",
        "fixed_128_32": "#xf.fixed<block = 128, summary = 32>",
        "fixed_128_32_local": "#xf.fixed<block = 128, summary = 32, part = local>",
        "fixed_128_32_column": "#xf.fixed<block = 128, summary = 32, part = column>",
        "strided_128": "#xf.strided<stride = 128>",
        "strided_128_column": "#xf.strided<stride = 128, part = column>",
        "grid_position": "#xf.grid<layers = 5, of = #xf.causal, granularity = position>",
        "grid_token": "#xf.grid<layers = 5, of = #xf.causal>",
        "bigbird_fixed": "#xf.bigbird<block = 64, random = 0>",
        "bigbird": "#xf.bigbird<block = 64>",
        "documents": "#xf.intersection<[#xf.causal, #xf.segments]>",
        "swin": "#xf.swin<extents = [64, 64], window = [8, 8], shift = [4, 4]>",
    }


def text(name, pattern, size, heads):
    tensor, ids = f"tensor<1x{heads}x{size}x{DEPTH}xf32>", f"tensor<1x{size}xi32>"
    matrices = "".join(f'%{x}: {tensor} {{xf.name = "{x}"}}, ' for x in "qkv")[:-2]
    asks = "segments" in pattern
    operands = "".join(f', %s{x}: {ids} {{xf.name = "s{x}"}}' for x in "qk") if asks else ""
    clause = f"segments(%sq, %sk : {ids}, {ids})" if asks else ""
    return f"""func.func @{name}({matrices}{operands}) -> ({tensor} {{xf.name = "o"}}) {{
  %o = xf.attention %q, %k, %v pattern({pattern}) {clause} : ({tensor}, {tensor}, {tensor}) -> {tensor}
  return %o : {tensor}
}}
"""


def documents(size):
    """Ids of packed documents whose lengths are as 1 to 8."""
    ends = numpy.cumsum(DOCUMENTS) * size // sum(DOCUMENTS)
    return numpy.searchsorted(ends, numpy.arange(size), side="right").astype(numpy.int32)[None]


def pairs(name, entry, size, heads):
    """Of all heads, by the compiler's count or, for documents, by hand."""
    if name == "documents":
        lengths = numpy.bincount(documents(size)[0])
        return heads * int((lengths * (lengths + 1) // 2).sum())
    return entry


def bind(program, name, size, heads, vjp):
    entry = program.entry(name + ("_vjp" if vjp else ""))
    generator = numpy.random.default_rng(1)
    arrays = {}
    for argument, table in entry.arguments.items():
        integer = argument in ("sq", "sk")
        arrays[argument] = documents(size) if integer else generator.standard_normal(table.shape(), numpy.float32)
    return entry.bind(arrays), arrays


def bind_views(name, entry, arrays, vjp):
    """The same in PyTorch, if that is written and gives the same."""
    import views
    if name not in views.CASES:
        return {}
    call, expected = views.bind(name, arrays, vjp)
    error = numpy.abs(entry()["o"] - expected).max()
    if error > 1e-5:
        raise SystemExit(f"{name}: expected what PyTorch gives, got a difference of {error}")
    return {"views": call}


def seconds(call):
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def measure(calls, rounds):
    """The fastest of each call, taking turns."""
    for call in calls.values():
        call()
    times = {name: [] for name in calls}
    for _ in range(rounds):
        for name, call in calls.items():
            times[name].append(seconds(call))
    return {name: min(t) for name, t in times.items()}


def explained(build, source):
    """Pairs by entry, of all heads."""
    out = subprocess.run([f"{build}/bin/xfc", "explain", "--json", source], check=True, capture_output=True)
    return {one["entry"]: (one["pairs"], one["executed_pairs"]) for one in json.loads(out.stdout)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--case", default="")
    parser.add_argument("--size", type=int, default=4096)
    parser.add_argument("--heads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--views", action="store_true")
    options = parser.parse_args()
    size, heads = options.size, options.heads
    chosen = {name: p for name, p in cases().items() if name == "causal" or options.case in name}
    if size != 4096:
        chosen.pop("swin", None)
    with tempfile.TemporaryDirectory() as folder:
        source = f"{folder}/patterns.mlir"
        with open(source, "w", encoding="utf-8") as file:
            file.write("".join(text(name, pattern, size, heads) for name, pattern in chosen.items()))
        known = explained(options.build, source)
        program = xfrt.Program(options.build, source, f"{folder}/patterns.so", ["--vjp=" + name for name in chosen])
        causal = heads * size * (size + 1) // 2
        of_views = " of views |" if options.views else ""
        print(f"| N = {size}, {heads} heads | pairs / causal | executed / pairs | ms | per pair |{of_views} "
              f"+ gradient | per pair |{of_views}")
        print("|---|---|---|---|---|---|---|" + 2 * "---|" * options.views)
        for name in chosen:
            count, executed = known[name]
            ratio = executed / count if isinstance(count, int) and isinstance(executed, int) else float("nan")
            real = pairs(name, count, size, heads)
            line = [name, f"{real / causal:.3f}", f"{ratio:.3f}"]
            for vjp in (False, True):
                entry, arrays = bind(program, name, size, heads, vjp)
                calls = {"causal": bind(program, "causal", size, heads, vjp)[0], name: entry}
                if options.views:
                    calls |= bind_views(name, entry, arrays, vjp)
                times = measure(calls, options.rounds)
                line += [f"{times[name] * 1e3:.1f}", f"{times[name] / times['causal'] * causal / real:.2f}"]
                if options.views:
                    line.append(f"{times[name] / times['views']:.2f}" if "views" in times else "")
            print("| " + " | ".join(line) + " |", flush=True)


if __name__ == "__main__":
    main()
