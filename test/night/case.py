#!/usr/bin/env python3
# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the programs of a test that a night wrote: case.py BUILD FILE. Exit code 1 where one is not right."""

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"

import json
import pathlib
import sys
import tempfile

import numpy

import attend
import graph_cases
import native
import reduce

KINDS = {"attend": attend, "graph_cases": graph_cases}


def main():
    build, path = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    numpy.seterr(all="ignore")
    bad = 0
    for line in path.read_text().splitlines():
        if not line.startswith("program "):
            continue
        _, kind, target, text = line.split(" ", 3)
        if target == "avx512" and not native.has_avx512():
            print(f"{target}: this machine has none")
            continue
        with tempfile.TemporaryDirectory() as folder:
            outcome, message = reduce.outcome_of(KINDS[kind], json.loads(text), target, build, pathlib.Path(folder))
        print(f"{target}: {outcome} {message}")
        bad += outcome not in ("right", "refused")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
