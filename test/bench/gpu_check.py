# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether a family of gpu_programs.py computes on a GPU what it computes on the CPU: one step of gpu.sh.

usage: gpu_check.py FAMILY MODELS [--build=BUILD] [--quick] [--repeats=2] [--limit=30] [--jobs=8] [--under=TOOL] [--first]

Runs every program of the family, and its gradient, by xf-run on both targets: all results must agree within the tolerance
of their type, and be the same bits in every repeat. One line for each program. --under runs the GPU's part once, by one
of compute-sanitizer's tools; --first takes the first program of each template alone. --limit is of seconds for one run.
Exit code 0: all agree; 1: some do not; 77: no device, or no such tool.
"""

import argparse
import concurrent.futures
import pathlib
import shutil
import subprocess
import sys
import tempfile

import gpu_programs

NO_DEVICE = 77
FOUND_BY_TOOL = 99


class Check:
    """One program on both targets, forward or with its gradient."""

    def __init__(self, program, vjp, options):
        self.program, self.vjp, self.options = program, vjp, options
        self.name = program.name + (" with gradient" if vjp else "")

    def run(self, target, folder, expected=None, tool=()):
        """None where it ran, and agreed with what is in `expected`; else the exit code and what was said."""
        options, program = self.options, self.program
        command = [*tool, options.build / "bin/xf-run", options.models / f"check-{options.family}.so", "--entry=" + program.name,
                   "--target=" + target, "--threads=1", *["--vjp"] * self.vjp, *program.inputs(self.vjp)]
        for name in program.outputs(self.vjp):
            command.append(f"--output={name}=@{folder / name}.npy")
            if expected:
                command.append(f"--expected-output={name}=@{expected / name}.npy")
        command += [f"--rtol={program.tolerance}", f"--atol={program.tolerance}"]
        folder.mkdir(exist_ok=True)
        limit = options.limit * (10 if tool else 1)
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=limit)
        except subprocess.TimeoutExpired:
            return 1, f"no end after {limit:g} s on target {target}"
        said = (done.stdout if done.returncode == FOUND_BY_TOOL else done.stderr).strip()
        return None if done.returncode == 0 else (done.returncode, f"exit code {done.returncode}: {said}")

    def repeated(self, root):
        """The same bits in every run."""
        for number in range(1, self.options.repeats):
            if problem := self.run("cuda", root / "again"):
                return problem
            for name in self.program.outputs(self.vjp):
                if (root / "again" / f"{name}.npy").read_bytes() != (root / "cuda" / f"{name}.npy").read_bytes():
                    return 1, f"{name}: expected the bits of the first run, got others in run {number + 1}"
        return None

    def outcome(self):
        """None or a pair of an exit code and a message."""
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            if self.options.under:
                tool = ["compute-sanitizer", "--tool=" + self.options.under, f"--error-exitcode={FOUND_BY_TOOL}"]
                return self.run("cuda", root / "cuda", tool=tool)
            return (self.run("cpu", root / "cpu") or self.run("cuda", root / "cuda", expected=root / "cpu")
                    or self.repeated(root))


def chosen(options):
    """The checks of the family."""
    programs = gpu_programs.family(options.family, options.quick)[1]
    if options.first:
        programs = programs[:1]
    return [Check(program, vjp, options) for program in programs for vjp in (False, True)[:1 + program.differentiable]]


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("family", choices=list(gpu_programs.FAMILIES))
    parser.add_argument("models", type=pathlib.Path)
    parser.add_argument("--build", type=pathlib.Path, default=gpu_programs.HERE.parent.parent / "build/release")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--limit", type=float, default=30)
    parser.add_argument("--jobs", type=int, default=8)
    parser.add_argument("--under", choices=["memcheck", "racecheck", "synccheck", "initcheck"])
    parser.add_argument("--first", action="store_true")
    return parser.parse_args()


def main():
    options = parse()
    if options.under and not shutil.which("compute-sanitizer"):
        print("not run: compute-sanitizer is not installed")
        return NO_DEVICE
    checks = chosen(options)
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for check, problem in zip(checks, pool.map(Check.outcome, checks)):
            if problem and problem[0] == NO_DEVICE:
                print("not run:", problem[1].partition("error: ")[2])
                return NO_DEVICE
            failed += bool(problem)
            print(f"failed: {check.name}: {problem[1]}" if problem else f"{check.name}: agrees", flush=True)
    print(f"{len(checks) - failed} of {len(checks)} good")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
