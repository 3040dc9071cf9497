# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether a family of gpu_programs.py computes on a GPU what it computes on the CPU: one step of gpu.sh.

usage: gpu_check.py FAMILY MODELS RESULTS [--build=BUILD] [--quick] [--load=60] [--hang=20] [--under=TOOL] [--first]

Runs every program of the family, and its gradient, in one process of gpu-check: all results must agree within the
tolerance of their type, and be the same bits in every run. A kernel that ends the process, or for --hang seconds does
not end, costs its program; another process goes on with those that follow. RESULTS/check-FAMILY.jsonl gets a line for
each program, and those that agree there are not run again. --load is of seconds for the first answer of a process.
--under runs on the GPU alone, by one of compute-sanitizer's tools; --first takes the first program of each template
alone. Exit code 0: all agree; 1: some do not; 124: a signal ended it (SIGTERM); 77: no device, or no such tool.
"""

import argparse
import json
import pathlib
import queue
import shutil
import signal
import subprocess
import sys
import tempfile
import threading

import gpu_programs

DEVICE_LOST, FOUND_BY_TOOL, NO_DEVICE, STOPPED = 3, 99, 77, 124
MOST_HANGS = 2  # then the others are not tried: each would cost as much


class NoDevice(Exception):
    """With what was said."""


class Stopped(Exception):
    """By a signal."""


def stop(number, frame):
    raise Stopped


class Process:
    """gpu-check on a list of programs: its answers, one for each, in order."""

    def __init__(self, checks, options):
        self.list = tempfile.NamedTemporaryFile("w", suffix=".list")
        self.list.writelines(check.line() + "\n" for check in checks)
        self.list.flush()
        command = [options.build / "bin/gpu-check", options.models / f"check-{options.family}.so", "--list=" + self.list.name]
        if options.under:
            command = ["compute-sanitizer", "--tool=" + options.under, f"--error-exitcode={FOUND_BY_TOOL}", *command, "--alone",
                       "--repeats=1"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.lines, self.said, self.answers = queue.Queue(), [], 0
        self.readers = [threading.Thread(target=self.read, args=(stream,), daemon=True)
                        for stream in (self.process.stdout, self.process.stderr)]
        for reader in self.readers:
            reader.start()

    def read(self, stream):
        for line in stream:
            if line.startswith(("agrees ", "failed ")):
                self.lines.put(line.strip())
            else:
                self.said.append(line.strip())
        if stream is self.process.stdout:
            self.lines.put(None)

    def answer(self, seconds):
        """The next line, None at the end of the process; queue.Empty after so many seconds."""
        line = self.lines.get(timeout=seconds)
        self.answers += line is not None
        return line

    def end(self):
        """The exit code, and the last that was said beside answers."""
        code = self.process.wait()
        for reader in self.readers:
            reader.join()
        said = [line for line in self.said if line]
        return code, (said[-1] if said else "nothing was said")

    def close(self):
        self.process.kill()
        self.process.wait()
        self.list.close()


class Check:
    """One entry: a program, forward or with its gradient."""

    def __init__(self, program, vjp):
        self.program, self.vjp = program, vjp
        self.entry = program.name + "_vjp" * vjp
        self.name = program.name + " with gradient" * vjp

    def line(self):
        """As gpu-check takes it."""
        return " ".join([self.entry, str(self.program.tolerance), *self.program.inputs(self.vjp)])


def chosen(options):
    """The checks of the family."""
    programs = gpu_programs.family(options.family, options.quick)[1]
    if options.first:
        programs = programs[:1]
    return [Check(program, vjp) for program in programs for vjp in (False, True)[:1 + program.differentiable]]


class Results:
    """What is known of each check, kept in a file: "" where it agrees, else why it does not."""

    def __init__(self, path):
        self.path = path
        lines = path.read_text().splitlines() if path and path.exists() else []
        self.known = {line["entry"]: line["problem"] for line in map(json.loads, lines)}

    def add(self, check, problem):
        self.known[check.entry] = problem
        if self.path:
            with open(self.path, "a", encoding="utf-8") as file:
                file.write(json.dumps({"entry": check.entry, "problem": problem}) + "\n")
        print(f"failed: {check.name}: {problem}" if problem else f"{check.name}: agrees", flush=True)


def run_process(checks, results, options):
    """Runs one process; returns the checks that it did not answer for, and whether one hung."""
    process = Process(checks, options)
    left = list(checks)
    try:
        while left:
            hang = options.hang if process.answers else options.load
            try:
                line = process.answer(hang)
            except queue.Empty:
                results.add(left.pop(0), f"no end after {hang:g} s")
                return left, True
            if line is None:
                break
            check = left.pop(0)
            results.add(check, line.partition(f" {check.entry}: ")[2] if line.startswith("failed") else "")
        code, said = process.end()
        if code == NO_DEVICE:
            raise NoDevice(said.partition("error: ")[2])
        if code == FOUND_BY_TOOL:
            results.add(left.pop(0) if left else checks[-1], f"exit code {code}: {said}")
        elif left and not (code == DEVICE_LOST and process.answers):
            results.add(left.pop(0), f"exit code {code}: {said}")
        return left, False
    finally:
        process.close()


def run(checks, results, options):
    """All checks that are left, one process after another."""
    left = [check for check in checks if results.known.get(check.entry) != ""]
    hangs = 0
    while left:
        left, hung = run_process(left, results, options)
        hangs += hung
        if hangs == MOST_HANGS:
            for check in left:
                results.add(check, f"not tried after {hangs} that did not end")
            return


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("family", choices=list(gpu_programs.FAMILIES))
    parser.add_argument("models", type=pathlib.Path)
    parser.add_argument("results", type=pathlib.Path)
    parser.add_argument("--build", type=pathlib.Path, default=gpu_programs.HERE.parent.parent / "build/release")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--load", type=float, default=60)
    parser.add_argument("--hang", type=float, default=20)
    parser.add_argument("--under", choices=["memcheck", "racecheck", "synccheck", "initcheck"])
    parser.add_argument("--first", action="store_true")
    return parser.parse_args()


def main():
    options = parse()
    if options.under and not shutil.which("compute-sanitizer"):
        print("not run: compute-sanitizer is not installed")
        return NO_DEVICE
    checks = chosen(options)
    results = Results(None if options.under else options.results / f"check-{options.family}.jsonl")
    stopped = ""
    signal.signal(signal.SIGTERM, stop)
    try:
        run(checks, results, options)
    except NoDevice as missing:
        print("not run:", missing)
        return NO_DEVICE
    except Stopped:
        stopped = "stopped: "
    good = sum(results.known.get(check.entry) == "" for check in checks)
    bad = sum(bool(results.known.get(check.entry)) for check in checks)
    print(f"{stopped}{good} of {len(checks)} good" + f", {bad} not" * bool(bad))
    return STOPPED if stopped else 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
