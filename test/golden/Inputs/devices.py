#!/usr/bin/env python3
# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs golden cases from one object on simulated GPUs, each with the shared memory that it has.

    devices.py BUILD [--devices=8.0,8.6,8.9,9.0,10.0,12.0] [--case-seconds=N] [--jobs=N] [WORD ..]

A case is compiled once, for the default architectures, and runs on each device; words select cases as for run.py. An
entry that a device refuses for its shared memory is counted apart. On 9.0, and there alone, cases of 16-bit floats with
more than 64 rows must have warpgroups (blocks of 384 threads). Prints the failures, then a line for each device with the
cases whose kernels had them.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

import run

DEVICES = "8.0,8.6,8.9,9.0,10.0,12.0"
REFUSED = re.compile(r"expected \d+ bytes of shared memory for a block, device 0 of sm_\d+ has \d+")
WARPGROUPS = "blocks of 384 threads"


def compile_case(case, build, folder, seconds):
    command = [build / "bin/xfc", run_cases / f"{case['name']}.mlir", "--target=cuda", "--emit=shared", "-O0", "-o",
               folder / "case.so"] + (["--vjp=attend"] if case["gradients"] else [])
    environment = {**os.environ, "XF_PTXAS": ""}
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=seconds)


def call(case, build, folder, device, seconds):
    """Runs the case; returns what is wrong, whether the device refused it, and whether warpgroups computed."""
    data = dict(np.load(run_cases / f"{case['name']}.npz"))
    want, inputs, outputs = run.operands(case, data)
    command = [build / "bin/xf-run", folder / "case.so", "--target=cuda",
               "--entry=attend" + ("_vjp" if case["gradients"] else "")] + run.write_inputs(inputs, data, want, folder)
    command += [f"--output={n}=@{folder / n}.out.npy" for n in outputs]
    environment = {**os.environ, "XF_SIM_CAPABILITY": device, "XF_SIM_STATISTICS": "1",
                   "LD_LIBRARY_PATH": str(build / "test/ptx/driver/current")}
    for name in outputs:
        (folder / f"{name}.out.npy").unlink(missing_ok=True)
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=seconds)
    if done.returncode:
        refused = bool(REFUSED.search(done.stderr))
        message = [line for line in done.stderr.splitlines() if "simulated driver: kernel" not in line or "blocks" not in line]
        return [] if refused else [f"exit {done.returncode}: {(message or ['no message'])[0][:300]}"], refused, False
    return run.complaints(case, want, run.read_outputs(outputs, folder)), False, WARPGROUPS in done.stderr


def run_case(case, build, devices, seconds):
    """What is wrong, whether it was refused and whether warpgroups computed, on each device."""
    case["no_vjp"] = not case["gradients"]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        compiled = compile_case(case, build, folder, seconds)
        if compiled.returncode:
            return {device: ([f"xfc: {compiled.stderr[:300]}"], False, False) for device in devices}
        return {device: judge_form(case, device, *call(case, build, folder, device, seconds)) for device in devices}


def judge_form(case, device, bad, refused, groups):
    rows = np.load(run_cases / f"{case['name']}.npz")["in.q"].shape[2]
    expected = device == "9.0" and case["dtype"] in ("bf16", "f16") and rows > 64
    if not bad and not refused and groups != expected:
        bad = [f"expected {'' if expected else 'no '}{WARPGROUPS}"]
    return bad, refused, groups


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--devices", default=DEVICES)
    parser.add_argument("--case-seconds", type=float, default=900)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("words", nargs="*")
    args = parser.parse_intermixed_args()
    cases = run.select(run_cases, args.words)
    counts = {device: {"passed": 0, "refused": 0, "failed": 0, "groups": []} for device in args.devices.split(",")}
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        found = pool.map(lambda case: run_case(case, args.build.resolve(), counts, args.case_seconds), cases)
        for case, outcomes in zip(cases, found):
            for device, (bad, refused, groups) in outcomes.items():
                counts[device]["failed" if bad else "refused" if refused else "passed"] += 1
                counts[device]["groups"] += [case["name"]] if groups else []
                for line in bad:
                    print(f"{device} {case['name']}: {line}", flush=True)
    for device, count in counts.items():
        groups = "; warpgroups: " + " ".join(count["groups"]) if count["groups"] else ""
        print(f"{device}: {count['passed']} passed, {count['refused']} refused, {count['failed']} failed{groups}")
    failed = sum(count["failed"] for count in counts.values())
    print(f"{len(cases) * len(counts) - failed} passed, {failed} failed")
    return 1 if failed or not cases else 0


run_cases = pathlib.Path(__file__).resolve().parent.parent

if __name__ == "__main__":
    sys.exit(main())
