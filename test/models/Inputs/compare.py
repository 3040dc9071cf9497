"""Runs what a model's test left in a folder on another target, and compares it with the CPU's results.

usage: compare.py FOLDER TARGET DTYPE INPUT..

Of a gradient with large elements, small ones are what large terms leave: in f32 a difference counts beside the element or,
where that is larger, beside the root mean square of all, or 1.
"""

import subprocess
import sys

import numpy as np

folder, target, dtype, *inputs = sys.argv[1:]
tolerance = 1e-9 if dtype == "f64" else 2e-5
size = 1 if dtype == "f64" else np.sqrt(np.mean(np.square(np.load(f"{folder}/{dtype}.npy"), dtype=np.float64)))
command = ["xf-run", f"{folder}/{dtype}.mlir", "--entry=all", f"--target={target}", f"--parameters={folder}/{dtype}.safetensors",
           f"--expected-output=all=@{folder}/{dtype}.npy", f"--rtol={tolerance}", f"--atol={tolerance * max(1, size)}"]
command += [f"--input={name}=@{folder}/{dtype}.{name}.npy" for name in inputs]
command += ["-O0"] * (target == "cuda")  # of code for the CPU, which computes sizes alone
done = subprocess.run(command, capture_output=True, text=True)
print(done.stdout + done.stderr, end="")
print(f"{target} {dtype}: {'equal' if done.returncode == 0 else 'different'}")
sys.exit(done.returncode)
