#!/usr/bin/env python3
# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Entries of an object on the simulated GPU, of results `result0` and `result1`, against the interpreter.

usage: decode.py BUILD PROGRAM.mlir OBJECT.so ENTRY:TYPE..

On sm_80 and sm_90a, with 1 and with 132 multiprocessors, whose results must have the same bits: prints a line for each
entry and architecture. Exit code 1 after the first difference.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

import numpy

# Absolute and relative, of o, whose weights and elements are rounded to the type of values, and of lse.
TOLERANCES = {"bf16": (1e-2, 2e-5), "f16": (1e-3, 2e-5), "f32": (2e-5, 2e-5), "f64": (1e-12, 1e-12)}


def run(build, model, entry, files, *options, **environment):
    inputs = [f"--input=arg{n}=random({n + 1})" for n in range(3)]
    if entry == "lengths":
        numpy.save(files[0].parent / "lengths.npy", numpy.array([130, 0]))
        inputs.append(f"--input=arg3=@{files[0].parent / 'lengths.npy'}")
    outputs = [f"--output=result{n}=@{file}" for n, file in enumerate(files)]
    done = subprocess.run([build / "bin/xf-run", model, "--entry=" + entry, *inputs, *outputs, *options], text=True,
                          capture_output=True, env={**os.environ, **environment})
    if done.returncode:
        sys.exit(f"{entry}: {done.stderr}")
    return [file.read_bytes() for file in files]


def check(build, program, model, entry, tolerances, folder):
    exact, few, many = ([folder / f"{name}{n}.npy" for n in range(2)] for name in ("exact", "few", "many"))
    run(build, program, entry, exact, "--target=reference")
    for capability in ("8.0", "9.0"):
        bits = [run(build, model, entry, files, "--target=cuda", XF_SIM_CAPABILITY=capability, XF_SIM_PROCESSORS=count)
                for files, count in ((few, "1"), (many, "132"))]
        if bits[0] != bits[1]:
            sys.exit(f"{entry} on {capability}: other bits from 1 multiprocessor than from 132")
        for wanted, got, tolerance in zip(exact, few, tolerances):
            x, y = (numpy.load(file).astype("float64") for file in (wanted, got))
            if not numpy.allclose(y, x, rtol=tolerance, atol=tolerance):
                sys.exit(f"{entry} on {capability}: {got.stem} differs by {numpy.abs(y - x).max()}")
        print(f"{entry} on {capability}: the same bits from 1 and 132 multiprocessors", flush=True)


def main():
    build, program, model = map(pathlib.Path, sys.argv[1:4])
    with tempfile.TemporaryDirectory() as folder:
        for argument in sys.argv[4:]:
            entry, element = argument.split(":")
            check(build, program, model, entry, TOLERANCES[element], pathlib.Path(folder))


if __name__ == "__main__":
    main()
