#!/usr/bin/env python3
# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Speed of one build against another, to show that a change of the compiler made nothing slower.

usage: builds.py OLD NEW [--case=SUBSTRING] [--rounds=9] [--cpu=N] [--limit=1.01]

OLD, NEW: release builds of this project (build/release). Each case, forward and with its gradient, is compiled by both
with their own defaults and measured by their own xf-bench on one thread, one after the other, in as many rounds; the
order changes from round to round. Prints a row of Markdown for each: the median over rounds of NEW's fastest time over
OLD's in the same round, and the range of the middle half. Ratios above the limit are measured again, with twice the rounds,
before they count. Exit code 1 if one stays above. --cpu pins the measurements to a processor.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

import digest
import patterns

HERE = pathlib.Path(__file__).resolve().parent
PATTERNS = ("causal", "window_256", "strided_128", "fixed_128_32", "swin", "bigbird", "grid_token")
FILES = {
    "products.mlir": ("plain_1024x768x2304", "gelu_1024x768x2304", "bias_197x3072x768"),
    "rows.mlir": ("layer_norm_512x768", "softmax_512x768", "gelu_tanh_512x3072", "cross_entropy_512x256"),
    "linear.mlir": ("favor_1024", "favor_causal_1024", "relu_causal_1024", "low_rank_1024", "dense_1024"),
}


def programs(folder):
    """Yields (name, file, entry) of every case."""
    for name in PATTERNS:
        path = folder / f"{name}.mlir"
        path.write_text(patterns.text(name, patterns.cases()[name], 4096 if name == "swin" else 2048, 2), encoding="utf-8")
        yield name, path, name
    for file, names in FILES.items():
        assert set(names) <= set(digest.entries(HERE / file)), f"expected the entries {names} in {file}"
        for name in names:
            yield name, HERE / file, name


class Build:
    def __init__(self, root, folder, cpu):
        self.tools = pathlib.Path(root).resolve() / "bin"
        self.folder = folder
        self.pin = ["taskset", "-c", str(cpu)] if cpu is not None else []
        folder.mkdir()

    def compile(self, name, path, entry, vjp):
        output = self.folder / f"{name}.so"
        command = [self.tools / "xfc", path, f"--entry={entry}", "--emit=shared", f"--name={name}", "-o", output]
        done = subprocess.run(command + [f"--vjp={entry}"] * vjp, capture_output=True, text=True)
        return output if done.returncode == 0 else None

    def seconds(self, model, entry, repetitions):
        """The fastest of so many calls, in seconds."""
        output = self.folder / "bench.json"
        output.unlink(missing_ok=True)
        command = self.pin + [self.tools / "xf-bench", model, f"--entry={entry}", f"--repetitions={repetitions}", f"--json={output}"]
        subprocess.run(command, check=True, capture_output=True)
        return json.loads(output.read_text(encoding="utf-8"))["seconds_min"]


def ratios(builds, models, entry, rounds):
    repetitions = max(5, min(200, int(0.15 / builds[0].seconds(models[0], entry, 5))))
    result = []
    for number in range(rounds):
        order = (0, 1) if number % 2 == 0 else (1, 0)
        seconds = {n: builds[n].seconds(models[n], entry, repetitions) for n in order}
        result.append(seconds[1] / seconds[0])
    return sorted(result)


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n")[2], description=__doc__)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--case", default="")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--cpu", type=int)
    parser.add_argument("--limit", type=float, default=1.01)
    options = parser.parse_args()
    slower = 0
    print("| case | new / old | middle half |\n|---|---|---|")
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        builds = [Build(root, folder / name, options.cpu) for root, name in ((options.old, "old"), (options.new, "new"))]
        for name, path, entry in programs(folder):
            for vjp in (False, True):
                title = name + (", gradient" if vjp else "")
                if options.case not in title:
                    continue
                models = [build.compile(name, path, entry, vjp) for build in builds]
                if None in models:
                    print(f"| {title} | not compiled by {' and '.join(b.folder.name for b, m in zip(builds, models) if not m)} | |")
                    continue
                call = entry + "_vjp" * vjp
                found = ratios(builds, models, call, options.rounds)
                if statistics.median(found) > options.limit:
                    found = ratios(builds, models, call, 2 * options.rounds)
                median = statistics.median(found)
                slower += median > options.limit
                print(f"| {title} | {median:.3f} | {found[len(found) // 4]:.3f} - {found[-1 - len(found) // 4]:.3f} |", flush=True)
    print(f"{slower} above {options.limit}")
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
