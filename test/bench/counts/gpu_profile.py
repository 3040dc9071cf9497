# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Why kernels are as fast as they are: what ncu (Nsight Compute) counts of a launch. One step of gpu.sh.

usage: gpu_profile.py MODELS RESULTS [--build=BUILD] [--quick]

Writes RESULTS/ncu.txt: the pipes that are busy, why warps wait, bytes of the second-level cache, registers. Goes on where
a launch cannot be profiled. Exit code 0: all launches were profiled; 1: some were not; 77: no ncu.
"""

import argparse
import pathlib
import shutil
import subprocess
import sys

import gpu_programs

NOT_INSTALLED = 77
SECTIONS = ("SpeedOfLight", "WarpStateStats", "MemoryWorkloadAnalysis", "ComputeWorkloadAnalysis", "LaunchStats", "Occupancy")
# The group, its case by number of rows, with gradients or not, the kernels by a regular expression of their names, and how
# many launches of them: a gradient has one for the keys and one for the queries.
LAUNCHES = (
    ("speed-causal-128", 8192, True, "attend_vjp", 2),
    ("speed-causal-128", 1024, False, "attend", 1),
    ("speed-linear", 16384, False, ".", 1),
    ("speed-linear", 512, False, ".", 1),
)


def profile(options, group, tokens, vjp, kernels, count):
    """Exit code and text of ncu on the first such launches."""
    cases = [case for case in gpu_programs.groups(options.quick)[group] if options.quick or case.tokens == tokens]
    command = ["ncu", "--kernel-name", f"regex:{kernels}", "--launch-count", str(count), "--target-processes", "all"]
    command += [argument for section in SECTIONS for argument in ("--section", section)]
    command += [options.build / "bin/xf-bench", options.models / f"{group}.so", "--entry=" + cases[0].name, "--target=cuda",
                "--repetitions=1", *["--vjp"] * vjp]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode, f"==== {cases[0].name}{' with gradient' * vjp}, kernels '{kernels}'\n{done.stdout}{done.stderr}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("models", type=pathlib.Path)
    parser.add_argument("results", type=pathlib.Path)
    parser.add_argument("--build", type=pathlib.Path, default=gpu_programs.HERE.parent.parent / "build/release")
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    if not shutil.which("ncu"):
        print("not run: ncu is not installed")
        return NOT_INSTALLED
    failures = 0
    with open(options.results / "ncu.txt", "w", encoding="utf-8") as file:
        for launch in LAUNCHES:
            code, text = profile(options, *launch)
            failures += code != 0 or "No kernels were profiled" in text
            file.write(text)
            file.flush()
    print(f"failed: {failures} of {len(LAUNCHES)} kinds of launches were not profiled" if failures else f"{len(LAUNCHES)} kinds of launches")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
