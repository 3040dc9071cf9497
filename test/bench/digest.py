#!/usr/bin/env python3
# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Digests of the code that a build emits, to show that a change of the compiler changes none of it.

usage: digest.py BUILD OUTPUT [FILE..] [--against=OLD] [--jobs=N] [--quick]

BUILD: a build of this project (build/release). Each entry of each FILE, without one those of *.mlir beside this program
and of the golden cases, is compiled alone, with its gradient where it has one, for every configuration: objects for
x86-64-v3, x86-64-v4 and registers of 512 bits, objects with PTX for sm_80 and sm_90a. OUTPUT gets a line of JSON for each: the SHA-256
of the bytes, or the error. With --against, the lines that differ from those in OLD are printed, and the exit code is 1 if
there are any. --quick takes two configurations and every third entry.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
CONFIGURATIONS = {
    "v3": ["--mcpu=x86-64-v3"],
    "v4": ["--mcpu=x86-64-v4"],
    "512": ["--mcpu=x86-64-v4", "--vector-bits=512"],
    "sm_80": ["--mcpu=x86-64-v3", "--target=cuda", "--gpu-arch=sm_80"],
    "sm_90a": ["--mcpu=x86-64-v3", "--target=cuda", "--gpu-arch=sm_90a"],
}
QUICK = ("v4", "sm_90a")


def default_files():
    return [file for folder in (HERE, HERE.parent / "golden") for file in sorted(folder.glob("*.mlir"))]


def entries(file):
    return re.findall(r"^func\.func @(\w+)", file.read_text(encoding="utf-8"), re.MULTILINE)


def digest(xfc, file, entry, configuration):
    """The SHA-256 of what xfc emits for an entry with its gradient, or, if there is none, for the entry alone."""
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder) / "model"
        command = [str(xfc), str(file), f"--entry={entry}", "--name=model", *CONFIGURATIONS[configuration], "-o", str(output)]
        environment = {**os.environ, "XF_PTXAS": ""}
        for more in ([f"--vjp={entry}"], []):
            done = subprocess.run(command + more, capture_output=True, text=True, env=environment)
            if done.returncode == 0:
                return hashlib.sha256(output.read_bytes()).hexdigest()
        return "error: " + done.stderr.replace(str(file), file.name).replace(folder, "")[:300]


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n")[2], description=__doc__)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("files", type=pathlib.Path, nargs="*")
    parser.add_argument("--against", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    xfc = options.build.resolve() / "bin" / "xfc"
    cases = [(file, entry) for file in options.files or default_files() for entry in entries(file)]
    configurations = list(CONFIGURATIONS)
    if options.quick:
        cases, configurations = cases[::3], QUICK
    if not cases:
        parser.error("expected files with entries, got none")
    old = {}
    if options.against:
        old = dict(json.loads(line) for line in options.against.read_text().splitlines())
    differing, refused = 0, 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool, open(options.output, "w") as out:
        work = {f"{file.parent.name}/{file.stem} {entry} {c}": pool.submit(digest, xfc, file, entry, c)
                for c in configurations for file, entry in cases}
        for name, found in work.items():
            out.write(json.dumps([name, found.result()]) + "\n")
            refused += found.result().startswith("error")
            if options.against and old.get(name) != found.result():
                differing += 1
                print(f"{name}: expected {old.get(name)}, got {found.result()}", flush=True)
    for name in () if options.quick else sorted(old.keys() - work.keys()):
        differing += 1
        print(f"{name}: expected a program of this name")
    print(f"{len(work)} digests: {len(cases)} entries in {len(configurations)} configurations, {refused} refused, {differing} differ")
    return differing != 0


if __name__ == "__main__":
    sys.exit(main())
