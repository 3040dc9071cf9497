# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: golden.py CASES FOLDER COUNT

Compiles COUNT golden cases of all families, calls each from Python and by xf-run, and compares the bytes of all results.
"""

import json
import pathlib
import subprocess
import sys

import numpy

import xfrt


def inputs_of(entry, case, data):
    """The arrays of the entry, in its types. Cotangents that the case has none of are zeros."""
    arrays = {}
    for spec in entry.inputs:
        key = case["inputs"].get(spec.name) or ("in.d" + spec.name[2:] if "in.d" + spec.name[2:] in data else None)
        array = data[key] if key else numpy.zeros(data["out." + spec.name[2:]].shape)
        if spec.dtype == "bf16":  # the bits of the nearest
            bits = array.astype(numpy.float32).view(numpy.uint32).astype(numpy.uint64)
            arrays[spec.name] = ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(numpy.uint16)
        else:
            arrays[spec.name] = array.astype({"f32": "f4", "f64": "f8", "f16": "f2", "i32": "i4", "i64": "i8", "i1": "?"}[spec.dtype])
    return arrays


def run(case, cases, folder):
    data = dict(numpy.load(cases / f"{case['name']}.npz"))
    library = folder / f"{case['name']}.so"
    options = ["--vjp=attend"] if case["gradients"] else []
    subprocess.run(["xfc", cases / f"{case['name']}.mlir", "--emit=shared", "-o", library, *options],
                   check=True, capture_output=True)
    model = xfrt.load(library, threads=2)
    entry = model.attend_vjp if case["gradients"] else model.attend
    arrays = inputs_of(entry, case, data)
    results = entry(**arrays)
    results = dict(zip(entry.result_names, results if len(entry.results) > 1 else [results]))
    command = ["xf-run", library, f"--entry={entry.name}"]
    for name, array in arrays.items():
        numpy.save(folder / f"{name}.npy", array)
        command.append(f"--input={name}=@{folder / name}.npy")
    command += [f"--output={name}=@{folder / name}.out.npy" for name in results]
    subprocess.run(command, check=True, capture_output=True)
    same = all(result.tobytes() == numpy.load(folder / f"{name}.out.npy").astype(result.dtype, copy=False).tobytes()
               for name, result in results.items())
    if not same:
        print(f"{case['name']}: expected the bytes of xf-run")
    return same


def main(cases, folder, count):
    manifest = json.loads((cases / "manifest.json").read_text())
    families = {}
    for case in manifest:
        families.setdefault(case["family"], []).append(case)
    chosen = []  # of all families in turn
    while len(chosen) < count:
        chosen += [cases.pop(0) for cases in families.values() if cases]
    passed = sum(run(case, cases, folder) for case in chosen[:count])
    print(f"{passed} passed, {count - passed} failed")


main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), int(sys.argv[3]))
