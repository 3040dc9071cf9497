#!/usr/bin/env python3
# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fractions of the peak, beside PyTorch, OpenVINO, ONNX Runtime, oneDNN and OpenBLAS, and the page made of them.

usage: peers.py BUILD --output=FILE.json [--groups=GROUP,..] [--case=REGEX] [--rounds=N] [--seconds=S] [--quick]
                [--no-peers] [--folder=DIR] [--compile-only] [--again]
       peers.py --page=FILE.json [--readme=README.md]

BUILD: a release build of this project (build/release). Groups: products, attention, models, decode, sparse, growth,
compiling, threads. Calls take turns in one process on one thread; see figures/harness.py for how, and each group's
module for its shapes and aims. Peers that are not installed are named and left out. Rows go into FILE.json, whose other rows
stay, so that a machine can be measured in pieces; --case takes those whose names match. --folder keeps compiled programs
between runs, --compile-only makes them without measuring. --quick measures each row in a few milliseconds, to try the script. With
--again, a row stays whose calls, peers' included, were faster together than now: other programs of the machine only slow things down.

--page writes FILE.md and plots FILE-*.svg beside FILE.json, and with --readme the table of README.md.
"""

import argparse
import math
import pathlib
import re
import sys
import tempfile

import environment
from figures import rows as store

GROUPS = ("products", "attention", "models", "decode", "sparse", "growth", "compiling", "threads")


def cases_of(lab, groups):
    """(group, case) of each row."""
    from figures import attention, compiling, decode, models, products, sparse, threads
    makers = {"products": products.cases, "attention": attention.cases, "models": models.cases, "decode": decode.cases,
              "sparse": sparse.per_pair, "growth": sparse.growth, "compiling": compiling.cases, "threads": threads.cases}
    for group in groups:
        for case in makers[group](lab):
            yield group, case


def compile_only(case, lab):
    """Builds the calls of a case, which compiles its programs."""
    from figures import harness
    if case.unit != "s":
        harness.close(case.build(lab))


def together(row):
    """The product of the seconds of all calls."""
    return math.prod(row["seconds"].values())


def is_better(row, old):
    """Whether a row should replace that of an earlier run, which has the same calls."""
    return old is None or old["seconds"].keys() != row["seconds"].keys() or together(row) < together(old)


def run(options, folder):
    from figures import harness
    from figures.lab import Lab
    lab = Lab(options.build, options.folder or folder, not options.no_peers and not options.compile_only)
    stored, rows = store.read(options.output) if options.output else ({}, {})
    machine = {} if options.compile_only else lab.describe()
    machine["peers"] = stored.get("peers", {}) | lab.peers
    for group, case in cases_of(lab, options.groups.split(",")):
        if not re.search(options.case, case.name):
            continue
        if options.compile_only:
            compile_only(case, lab)
            continue
        row = harness.measure(case, lab, options)
        if not options.again or is_better(row, rows.get((group, case.name))):
            rows[group, case.name] = row
        print(f"{case.name}: {row['figure']:.3f} {case.unit}, aim {case.goal}; "
              + ", ".join(f"{name} {figure:.3f}" for name, figure in row["peers"].items()), flush=True)
        store.write(options.output, machine, rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", nargs="?")
    parser.add_argument("--output", type=pathlib.Path)
    parser.add_argument("--groups", default=",".join(GROUPS))
    parser.add_argument("--case", default="")
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--seconds", type=float, default=0.6, help="of each call, in all its rounds")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--no-peers", action="store_true")
    parser.add_argument("--folder", type=pathlib.Path)
    parser.add_argument("--compile-only", action="store_true")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--page", type=pathlib.Path)
    parser.add_argument("--readme", type=pathlib.Path)
    options = parser.parse_args()
    if unknown := set(options.groups.split(",")) - set(GROUPS):
        parser.error(f"expected groups of {', '.join(GROUPS)}, got {', '.join(sorted(unknown))}")
    if options.page:
        from figures import page
        return page.write(options.page, options.readme)
    if not options.build or not (options.output or options.compile_only):
        parser.error("expected BUILD and --output, or --page")
    environment.settle()
    if options.quick:
        options.rounds, options.seconds = options.rounds or 2, 0.01
    with tempfile.TemporaryDirectory() as folder:
        run(options, folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
