"""Gradients of rows whose first keys are low, in both orders of several ranks, against numpy in f64: low_rows.py RANKS.

Beside a maximum of -32768, f32 has no digits for the logarithm of a row's sum, which gradients need.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

ranks, mpirun = sys.argv[1], pathlib.Path(__file__).with_name("mpirun.py")
N, D, H, low = 48, 16, 2, 16
random = np.random.default_rng(1)
single = lambda shape: random.standard_normal(shape).astype(np.float32).astype(float)
shape = (1, H, N, D)
q, k = (random.integers(-1, 2, shape).astype(float) for _ in range(2))
v, d_o = single(shape), single(shape)
q[..., 0], k[..., 0], k[:, :, :low, 0] = 256, 0, -256  # scores are exact, those of the first keys about -32768

i, j = np.arange(N)[:, None], np.arange(N)
s = np.where((j <= i) & (i - j <= 30), q @ k.swapaxes(-1, -2) / 2, -np.inf)
p = np.exp(s - s.max(-1, keepdims=True))
p /= p.sum(-1, keepdims=True)
o = p @ v
d_s = p * (d_o @ v.swapaxes(-1, -2) - (d_o * o).sum(-1, keepdims=True)) / 2
wanted = {"o": o, "d_k": d_s.swapaxes(-1, -2) @ q, "d_v": p.swapaxes(-1, -2) @ d_o}

T = f"tensor<1x{H}x{N}x{D}xf32>"
share = 'xf.sharding = #xf.sharding<[{}, {}, {"sequence"}, {}]>'
arguments = ", ".join(f'%{name}: {T} {{xf.name = "{name}", {share}}}' for name in "qkv")
os.chdir(tempfile.mkdtemp())
pathlib.Path("m.mlir").write_text(f"""module attributes {{xf.mesh = #xf.mesh<"sequence" = {ranks}>}} {{
  func.func @f({arguments}) -> ({T} {{xf.name = "o"}}) {{
    %o = xf.attention %q, %k, %v pattern(#xf.window<left = 30>) scale 0.5 : ({T}, {T}, {T}) -> {T}
    return %o : {T}
  }}
}}
""")
size = N // int(ranks)
for rank in range(int(ranks)):
    part = slice(rank * size, (rank + 1) * size)
    for name, x in {"q": q, "k": k, "v": v, "d_o": d_o}.items():
        np.save(f"{name}.{rank}.npy", (x if name == "d_o" else x[:, :, part]).astype(np.float32))
for order in "ranks", "keys":
    subprocess.run(["xfc", "m.mlir", "--vjp=f", f"--rank-order={order}", "--emit=shared", "-o", "m.so"], check=True)
    command = ["xf-run", "m.so", "--entry=f_vjp", *(f"--input={name}=@{name}.{{rank}}.npy" for name in ("q", "k", "v", "d_o")),
               *(f"--output={name}=@{name}.out.{{rank}}.npy" for name in wanted)]
    ran = subprocess.run([sys.executable, mpirun, ranks, *command], capture_output=True, text=True)
    if ran.returncode:
        sys.exit(ran.returncode if ran.returncode == 77 else ran.stdout + ran.stderr)
    for name, right in wanted.items():
        got = [np.load(f"{name}.out.{rank}.npy") for rank in range(int(ranks))]
        got = got[0] if got[0].shape == right.shape else np.concatenate(got, 2)
        error = np.abs(got - right).max() / np.abs(right).max()
        print(f"{order} {name}: {'right' if error < 3e-5 else f'off by {error:.1e}'}")
