#!/usr/bin/env python3
# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Patterns of few keys per row: time per pair over that of causal attention, which takes turns with them on one thread.

usage: narrow.py BUILD [--old=BUILD] [--case=SUBSTRING] [--size=4096,16384] [--rounds=5] [--growth]

BUILD: a release build of this project (build/release). Needs numpy. Prints a table in Markdown: pairs that kernels
execute over those that the pattern has, and time per pair over causal attention's, forward and with gradient, beside
the goal. With --old, also the time over that of another build, which takes turns too. With --growth, the window's time
per row at 131072 rows over that at 4096.
"""

import argparse
import pathlib
import subprocess
import json
import tempfile

import numpy

import patterns
import xfrt

WINDOW = "#xf.window<left = 256>"
COMB = "#xf.affine<(i, j)[Nq, Nk] : (i - j ge 0, (i + j) mod {0} == 0)>"
# For each case its pattern and its goals at 4096 rows and from 16384 rows on.
CASES = {
    "window_256": (WINDOW, 1.2, 1.2),
    "window_32": ("#xf.window<left = 32>", 2.2, 2.2),
    "strided_128": ("#xf.strided<stride = 128>", 1.6, 1.6),
    "strided_128_column": ("#xf.strided<stride = 128, part = column>", 3.0, 1.9),
    "window_7x7": ("#xf.window_nd<extents = [64, 64], radius = [3, 3]>", 2.0, 2.0),
    "comb_16": (f"#xf.union<[#xf.window<left = 5>, {COMB.format(16)}]>", 1.6, 1.6),
    "comb_128": (f"#xf.union<[#xf.window<left = 128>, {COMB.format(128)}]>", 1.6, 1.6),
}


class Build:
    """The programs of one build, compiled to `folder`."""

    def __init__(self, root, folder):
        self.root, self.folder = root, folder
        folder.mkdir()

    def source(self, name, pattern, size, heads):
        path = self.folder / f"{name}.mlir"
        path.write_text(patterns.text(name, pattern, size, heads), encoding="utf-8")
        return path

    def executed(self, name, pattern, size, heads):
        """The pairs of all heads, and those that kernels execute."""
        path = self.source(name, pattern, size, heads)
        out = subprocess.run([f"{self.root}/bin/xfc", "explain", "--json", path], check=True, capture_output=True)
        entry = json.loads(out.stdout)[0]
        return entry["pairs"], entry["executed_pairs"]

    def calls(self, name, pattern, size, heads):
        """The forward pass, and that with the gradient."""
        path = self.source(name, pattern, size, heads)
        program = xfrt.Program(self.root, path, self.folder / f"{name}_{size}.so", [f"--vjp={name}"])
        return [patterns.bind(program, name, size, heads, vjp)[0] for vjp in (False, True)]


def fastest(calls, rounds):
    """The fastest time of each call; calls take turns, and short ones are called as long as the longest at most."""
    times = {key: [patterns.seconds(call)] for key, call in calls.items()}
    longest = max(min(t) for t in times.values())
    for _ in range(rounds):
        for key, call in calls.items():
            repetitions = min(10, max(1, int(longest / min(times[key]) / 4)))
            times[key] += [patterns.seconds(call) for _ in range(repetitions)]
    return {key: min(t) for key, t in times.items()}


def table(builds, names, size, rounds):
    heads = 2 if size <= 4096 else 1
    chosen = {name: CASES[name][0] for name in names if "7x7" not in name or size == 4096}
    causal = heads * size * (size + 1) // 2
    against = len(builds) > 1
    print(f"\n| N = {size}, {heads} heads | executed / pairs | goal | forward |{' new / old |' * against} + gradient |"
          f"{' new / old |' * against}\n|---|---|---|---|{'---|' * against}---|{'---|' * against}", flush=True)
    calls = {(name, build): build.calls(name, pattern, size, heads)
             for name, pattern in ({"causal": "#xf.causal"} | chosen).items() for build in builds}
    times = [fastest({key: both[vjp] for key, both in calls.items()}, rounds) for vjp in (0, 1)]
    for name in chosen:
        pairs, executed = builds[0].executed(name, chosen[name], size, heads)
        line = [name, f"{executed / pairs:.2f}", str(CASES[name][1 if size <= 4096 else 2])]
        for of in times:
            line.append(f"{of[name, builds[0]] / of['causal', builds[0]] * causal / pairs:.2f}")
            line += [f"{of[name, builds[0]] / of[name, old]:.3f}" for old in builds[1:]]
        print("| " + " | ".join(line) + " |", flush=True)


def growth(builds, rounds):
    """The window's time per row at 131072 rows over that at 4096."""
    sizes = (4096, 131072)
    calls = {(size, build): build.calls("window_256", WINDOW, size, 1) for size in sizes for build in builds}
    print("\n| window_256, 131072 rows over 4096 | goal | time per row |\n|---|---|---|")
    for title, vjp in (("forward", 0), ("+ gradient", 1)):
        times = fastest({key: both[vjp] for key, both in calls.items()}, 10 * rounds)
        ratios = [times[sizes[1], build] / times[sizes[0], build] * sizes[0] / sizes[1] for build in builds]
        print(f"| {title} | 1.1 | " + ", old ".join(f"{ratio:.2f}" for ratio in ratios) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n")[2], description=__doc__)
    parser.add_argument("build")
    parser.add_argument("--old")
    parser.add_argument("--case", default="")
    parser.add_argument("--size", default="4096,16384")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--growth", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        roots = [options.build] + ([options.old] if options.old else [])
        builds = [Build(root, pathlib.Path(temporary) / str(n)) for n, root in enumerate(roots)]
        for size in map(int, options.size.split(",")) if options.size else ():
            table(builds, [name for name in CASES if options.case in name], size, options.rounds)
        if options.growth:
            growth(builds, options.rounds)


if __name__ == "__main__":
    main()
