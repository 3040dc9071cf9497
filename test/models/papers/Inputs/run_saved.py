# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the programs that a test of models saved, on another target: run_saved.py FOLDER TARGET [TYPE..]

Prints a line for each program; exit code 1 where numbers differ from the expected ones by more than the tolerance.
"""

import pathlib
import subprocess
import sys

TOLERANCES = {"f64": 1e-12, "f32": 1e-5}

folder, target = pathlib.Path(sys.argv[1]), sys.argv[2]
failed = False
for program in sorted(folder.glob("*.mlir")):
    case, dtype = program.stem.rsplit(".", 1)
    if dtype not in (sys.argv[3:] or TOLERANCES):
        continue
    prefix = f"{folder}/{program.stem}"
    inputs = [f"--input={path.name.split('.')[-2]}=@{path}" for path in folder.glob(program.stem + ".input.*.npy")]
    command = ["xf-run", str(program), "--entry=numbers", f"--target={target}", f"--parameters={prefix}.safetensors",
               f"--expected-output=numbers=@{prefix}.expected.npy", "--rtol=0", f"--atol={TOLERANCES[dtype]}", *inputs]
    command += ["-O0"] * (target == "cuda")  # of code for the CPU, which computes sizes alone
    result = subprocess.run(command, capture_output=True, text=True)
    failed |= result.returncode != 0
    print(f"{case} {dtype} {target}:", "equal" if result.returncode == 0 else result.stderr.strip())
sys.exit(failed)
