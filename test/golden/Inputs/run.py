#!/usr/bin/env python3
# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run attention cases through xf-run and judge the results.

    run.py --xf-run BIN/xf-run [--emulator COMMAND] [--mcpu CPU] [--vector-bits N] [--cases DIR] [--target cpu|reference|cuda] [--no-vjp] [--jobs N]
           [--keep DIR] [word ...]

A case is NAME.mlir, NAME.npz (in.*, out.*, grad.* in float64, aux.*) and its row of manifest.json (../README.md).
COMMAND runs an xf-run of another architecture, which has its CPU. Words select cases by name or family. Prints one line per failing case, then 'N passed, N failed'. Needs numpy.
"""
import argparse
import concurrent.futures
import json
import pathlib
import shlex
import subprocess
import sys
import tempfile

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from tolerance import accept, elementwise, errors


def complaints(case, want, got):
    bad = []
    for name, w in want.items():
        if name.startswith("grad.") and case["no_vjp"] or not name.startswith(("out.", "grad.")):
            continue
        if name not in got:
            bad.append(f"{name} is missing")
            continue
        g, scale = got[name], case["cancels"].get(name)
        side = "fwd" if name.startswith("out.") else "bwd"
        if not accept(g, w, case["tolerance"], side, case["abs_floor"], scale):
            bad.append(f"{name}: relative L2 and largest error {errors(g, w, scale)} outside {case['tolerance']} {side}")
    if "aux.mag_o" in want and "out.o" in got and got["out.o"].shape == want["out.o"].shape:
        worst = elementwise(got["out.o"], want["out.o"], want["aux.mag_o"], want["aux.top_score"], case["dtype"], case["abs_floor"])
        if not worst <= 1:
            bad.append(f"out.o: an element is {worst:.3g} times its own error bound away")
    for name, rows in (("out.o", "empty_rows"), ("grad.q", "empty_rows"), ("grad.k", "unseen_k"), ("grad.v", "unseen_v")):
        r = want.get("aux." + rows)
        if r is not None and name in want and name in got and got[name].shape == want[name].shape and got[name][r.astype(bool)].any():
            bad.append(f"{name}: rows that nothing can reach are not exactly zero")
    return bad


def select(cases, words):
    """Rows of the manifest whose names contain a word, or whose family is one; all without words."""
    return [c for c in json.loads((cases / "manifest.json").read_text())
            if not words or any(w in c["name"] or w == c["family"] for w in words)]


def operands(case, data):
    """What is expected, by its name in the arrays; inputs and outputs of the entry, by their own names. With case["no_vjp"] those of the forward alone."""
    want = {n: a for n, a in data.items() if not n.startswith("in.")}
    inputs, outputs = dict(case["inputs"]), {n[4:]: n for n in want if n.startswith("out.") and n[4:] in case["results"]}
    want = {n: a for n, a in want.items() if not n.startswith("out.") or n[4:] in case["results"]}
    if not case["no_vjp"]:
        for r in case["results"]:
            key = "in.d" + r
            inputs["d_" + r] = key if key in data else None
        outputs.update({"d_" + x: g for g, x in case["gradients"].items()})
    return want, inputs, outputs


def write_inputs(inputs, data, want, folder):
    """Writes the inputs to files; returns the options that name them."""
    for name, key in inputs.items():
        np.save(folder / f"{name}.npy", data[key] if key else np.zeros(want["out." + name[2:]].shape, np.float32))
    return [f"--input={name}=@{folder / name}.npy" for name in inputs]


def read_outputs(outputs, folder):
    return {key: np.load(folder / f"{n}.out.npy") for n, key in outputs.items() if (folder / f"{n}.out.npy").exists()}


def run_case(case, args, folder):
    folder.mkdir(parents=True, exist_ok=True)
    data = dict(np.load(args.cases / f"{case['name']}.npz"))
    case["no_vjp"] = args.no_vjp or not case["gradients"]
    want, inputs, outputs = operands(case, data)
    cmd = shlex.split(args.emulator) + [str(args.xf_run), str(args.cases / f"{case['name']}.mlir"), "--entry=attend",
                                        f"--target={args.target}"]
    if args.target == "cuda":
        cmd.append("-O0")  # of code for the CPU, which computes sizes alone
    if args.mcpu:
        cmd.append(f"--mcpu={args.mcpu}")
    if args.vector_bits:
        cmd.append(f"--vector-bits={args.vector_bits}")
    if not case["no_vjp"]:
        cmd.append("--vjp")
    cmd += write_inputs(inputs, data, want, folder)
    cmd += [f"--output={n}=@{folder / n}.out.npy" for n in outputs]
    p = subprocess.run(cmd, capture_output=True, text=True, timeout=args.timeout)
    if p.returncode:
        return [f"exit {p.returncode}: {(p.stderr.strip().splitlines() or ['no message'])[0][:300]}"]
    return complaints(case, want, read_outputs(outputs, folder))


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--xf-run", type=pathlib.Path, required=True)
    ap.add_argument("--emulator", default="")
    ap.add_argument("--mcpu", help="what is compiled for, as in xfc (default: the machine that compiles)")
    ap.add_argument("--vector-bits", help="as in xfc")
    ap.add_argument("--cases", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    ap.add_argument("--target", default="cpu")
    ap.add_argument("--no-vjp", action="store_true")
    ap.add_argument("--jobs", type=int, default=2)
    ap.add_argument("--timeout", type=float, default=120)
    ap.add_argument("--keep", type=pathlib.Path)
    ap.add_argument("words", nargs="*")
    args = ap.parse_args()
    cases = select(args.cases, args.words)
    with tempfile.TemporaryDirectory() as tmp:
        root = args.keep or pathlib.Path(tmp)

        def one(case):
            try:
                return case, run_case(case, args, root / case["name"])
            except Exception as e:
                return case, [f"{type(e).__name__}: {e}"[:300]]
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            results = list(pool.map(one, cases))
    failed = 0
    for case, bad in results:
        failed += bool(bad)
        for line in bad:
            print(f"{case['name']}: {line}")
    print(f"{len(results) - failed} passed, {failed} failed")
    return 1 if failed or not results else 0


if __name__ == "__main__":
    sys.exit(main())
