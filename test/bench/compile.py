#!/usr/bin/env python3
# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long programs take to compile, forward and with gradient: instructions of LLVM's IR, and seconds.

usage: compile.py BUILD [FILE..] [--case=REGEX] [--jobs=N] [--budget=FILE] [--output=FILE.json | --check | --write | --models]
       compile.py --page=FILE.json --into=PAGE.md

BUILD: a build of this project (build/release). FILEs hold entries to compile, each alone; compile*.mlir if there is
none. Prints a table in Markdown: seconds of a processor (of which this machine's load changes nothing but what caches
cost) and the instructions that LLVM is given, which all of the time follows: mostly 60 to 85 microseconds each. With --check
only those are counted, and compared with compile_budget.txt (or FILE); that they grow by more than a twentieth fails.
--write writes them there. With --output, rows go into FILE.json, whose other rows stay, so that a machine can be measured in
pieces; whole models (ViT-B, GPT-2 and its training step, bf16 and f32) are rows too. --page writes the table of a page of
them. --models prints another table: seconds that the library's models take at their published sizes
(models/models.cpp; needs the target bench-models).
"""

import argparse
import concurrent.futures
import itertools
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import types

FOLDER = pathlib.Path(__file__).resolve().parent
SLACK = 1.05
MOST = 40_000  # of any program with its gradient
CPU = "--mcpu=x86-64-v4"  # the same on every machine
COLUMNS = [" ", "forward: s", "instructions", "with gradient: s", "instructions"]


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


def count_text(text):
    bodies = re.findall(r"^define [^\n]*\{\n(.*?)^\}", text, re.MULTILINE | re.DOTALL)
    return sum(len(re.findall(r"^  \S", body, re.MULTILINE)) for body in bodies)


def instructions(xfc, file, name, with_gradient):
    return count_text(run(xfc, file, options(name, with_gradient) + ["--emit=llvm"])[0])


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


def measure(xfc, file, name):
    """The row of a program, alone and with its gradient."""
    return {"name": name, "seconds": [seconds(xfc, file, name, vjp) for vjp in (False, True)],
            "instructions": [instructions(xfc, file, name, vjp) for vjp in (False, True)]}


def cells(row):
    both = [[f"{taken:.2f}", f"{count:d}"] if taken is not None else ["", ""] for taken, count in zip(row["seconds"], row["instructions"])]
    return [row["name"], *both[0], *both[1]]


def table(xfc, programs):
    from figures import rows
    print("\n".join(rows.table(COLUMNS, [])))
    for file, name in programs:
        print("|" + "|".join(cells(measure(xfc, file, name))) + "|", flush=True)


def whole_models(build, case):
    """A row of each whole model; a training step is a program with a gradient."""
    from figures import models
    with tempfile.TemporaryDirectory() as folder:
        place = types.SimpleNamespace(build=build, folder=pathlib.Path(folder))
        for kind in models.TOKENS:
            for element in ("f32", "bf16"):
                name = f"{kind}, {element}"
                if not re.search(case, name):
                    continue
                source = pathlib.Path(folder) / "model.mlir"
                source.write_text(models.source(place, kind, element), encoding="utf-8")
                taken = run(build / "bin/xfc", source, [CPU, "-o", f"{folder}/model.o"])[1]
                number = count_text(run(build / "bin/xfc", source, [CPU, "--emit=llvm"])[0])
                none = [None] * ("training" in kind)
                yield {"name": name, "seconds": none + [taken, None][:2 - len(none)], "instructions": none + [number, None][:2 - len(none)]}


def keep(build, programs, case, output):
    """Measures rows into a file, in the order of the programs, whole models last."""
    from figures import rows
    _, found = rows.read(output)
    measured = itertools.chain((measure(build / "bin/xfc", file, name) for file, name in programs), whole_models(build, case))
    for row in measured:
        found["compile", row["name"]] = row
        rows.write(output, rows.describe(), found)
        print("|" + "|".join(cells(row)) + "|", flush=True)


def write_page(source, page):
    from figures import rows
    machine, found = rows.read(source)
    rows.replace(page, "test/bench/compile.py", [rows.origin(machine), "", *rows.table(COLUMNS, [cells(row) for row in found.values()])])


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
    parser.add_argument("build", type=pathlib.Path, nargs="?")
    parser.add_argument("files", nargs="*", type=pathlib.Path, default=[FOLDER / "compile.mlir", FOLDER / "compile-regions.mlir"])
    parser.add_argument("--case", default="")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--budget", type=pathlib.Path, default=FOLDER / "compile_budget.txt")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--models", action="store_true")
    parser.add_argument("--output", type=pathlib.Path)
    parser.add_argument("--page", type=pathlib.Path)
    parser.add_argument("--into", type=pathlib.Path)
    given = parser.parse_args()
    if given.page and given.into:
        return write_page(given.page, given.into)
    if not given.build or given.page or given.into:
        parser.error("expected BUILD, or --page and --into")
    if given.models:
        return table_of_models(given.build.resolve(), given.case)
    xfc = given.build.resolve() / "bin/xfc"
    programs = [(file, name) for file in given.files for name in entries(file) if re.search(given.case, name)]
    if given.output:
        return keep(given.build.resolve(), programs, given.case, given.output)
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
