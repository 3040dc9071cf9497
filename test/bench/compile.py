#!/usr/bin/env python3
# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long programs take to compile, forward and with gradient: instructions of LLVM's IR, and seconds.

usage: compile.py BUILD [FILE..] [--case=REGEX] [--jobs=N] [--budget=FILE] [--check | --write | --models]

BUILD: a build of this project (build/release). FILEs hold entries to compile, each alone; compile*.mlir if there is
none. Prints a table in Markdown: seconds of a processor (of which this machine's load changes nothing but what caches
cost) and the instructions that LLVM is given, which all of the time follows: mostly 60 to 85 microseconds each. With --check
only those are counted, and compared with compile_budget.txt (or FILE); that they grow by more than a twentieth fails.
--write writes them there. --models prints another table: seconds that the library's models take at their published sizes
(models/models.cpp; needs the target bench-models).
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
SLACK = 1.05
MOST = 40_000  # of any program with its gradient
CPU = "--mcpu=x86-64-v4"  # the same on every machine


def entries(file):
    return re.findall(r"^func\.func @(\w+)", file.read_text(encoding="utf-8"), re.MULTILINE)


def options(name, with_gradient):
    return [f"--entry={name}", CPU] + [f"--vjp={name}"] * with_gradient


def run(xfc, file, given):
    """What xfc writes, and its seconds of a processor."""
    process = subprocess.Popen([xfc, file, *given], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    with concurrent.futures.ThreadPoolExecutor() as readers:
        texts = [readers.submit(pipe.read) for pipe in (process.stdout, process.stderr)]
        out, errors = [text.result() for text in texts]
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"xfc {file} {' '.join(given)}: {errors}")
    return out, usage.ru_utime + usage.ru_stime


def instructions(xfc, file, name, with_gradient):
    text, _ = run(xfc, file, options(name, with_gradient) + ["--emit=llvm"])
    bodies = re.findall(r"^define [^\n]*\{\n(.*?)^\}", text, re.MULTILINE | re.DOTALL)
    return sum(len(re.findall(r"^  \S", body, re.MULTILINE)) for body in bodies)


def seconds(xfc, file, name, with_gradient):
    with tempfile.TemporaryDirectory() as folder:
        return run(xfc, file, options(name, with_gradient) + ["-o", f"{folder}/model.o"])[1]


def count(xfc, programs, jobs):
    """(forward, with gradient) of each program."""
    with concurrent.futures.ThreadPoolExecutor(jobs) as workers:
        both = {name: [workers.submit(instructions, xfc, file, name, vjp) for vjp in (False, True)]
                for file, name in programs}
        return {name: tuple(number.result() for number in numbers) for name, numbers in both.items()}


def read_budget(file):
    lines = file.read_text(encoding="utf-8").splitlines()
    return {name: (int(forward), int(both)) for name, forward, both in (line.split() for line in lines)}


def check(counted, budget, is_whole):
    """What has grown, line by line."""
    wrong = []
    for name, numbers in counted.items():
        if name not in budget:
            wrong.append(f"{name}: expected a line in the budget, which compile.py --write makes")
            continue
        for what, number, allowed in zip(("forward", "with gradient"), numbers, budget[name]):
            if number > allowed * SLACK:
                wrong.append(f"{name}, {what}: expected at most {allowed} instructions, got {number}")
        if numbers[1] > MOST:
            wrong.append(f"{name}: expected at most {MOST} instructions with gradient, got {numbers[1]}")
    gone = budget.keys() - counted.keys() if is_whole else ()
    return wrong + [f"{name}: expected a program of this name" for name in sorted(gone)]


def table(xfc, programs):
    print("| | forward: s | instructions | with gradient: s | instructions |")
    print("|---|---|---|---|---|")
    for file, name in programs:
        cells = [name]
        for vjp in (False, True):
            cells += [f"{seconds(xfc, file, name, vjp):.2f}", str(instructions(xfc, file, name, vjp))]
        print("| " + " | ".join(cells) + " |", flush=True)


def table_of_models(build, case):
    print("| | s |")
    print("|---|---|")
    models, xfc = build / "bin/bench-models", build / "bin/xfc"
    for name in subprocess.run([models], capture_output=True, check=True, text=True).stdout.splitlines():
        if re.search(case, name):
            with tempfile.TemporaryDirectory() as folder:
                subprocess.run([models, name, f"{folder}/model.mlir"], check=True)
                taken = run(xfc, f"{folder}/model.mlir", [CPU, "-o", f"{folder}/model.o"])[1]
            print(f"| {name} | {taken:.1f} |", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("files", nargs="*", type=pathlib.Path, default=[FOLDER / "compile.mlir", FOLDER / "compile-regions.mlir"])
    parser.add_argument("--case", default="")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--budget", type=pathlib.Path, default=FOLDER / "compile_budget.txt")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--models", action="store_true")
    given = parser.parse_args()
    if given.models:
        return table_of_models(given.build.resolve(), given.case)
    xfc = given.build.resolve() / "bin/xfc"
    programs = [(file, name) for file in given.files for name in entries(file) if re.search(given.case, name)]
    if not given.check and not given.write:
        return table(xfc, programs)
    counted = count(xfc, programs, given.jobs)
    if given.write:
        lines = [f"{name} {forward} {both}\n" for name, (forward, both) in counted.items()]
        given.budget.write_text("".join(lines), encoding="utf-8")
        return None
    wrong = check(counted, read_budget(given.budget), is_whole=not given.case)
    print("\n".join(wrong), file=sys.stderr)
    print(f"{len(counted)} programs, {len(wrong)} beyond their budget")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
