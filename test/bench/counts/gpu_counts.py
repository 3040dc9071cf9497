#!/usr/bin/env python3
# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts what Hopper's kernels of attention do, on the simulated GPU: nothing here is a time.

    gpu_counts.py BUILD [--depths=64,128] [--size=1024] [--heads=2] [--cache=8192]

Instructions of warps: of a tile of 128 rows or keys, and of each block that streams past it, as differences between runs
of other sizes on one multiprocessor. A tile includes the masks of its blocks: one of causal rows, one at either end of a band,
one of a residue or of either piece of a fixed pattern. Bytes: what a launch
reads of global memory, over q, k and v once; and what of it a cache of 50 MB misses. Decoding: one query of 32 heads that
share 4 of keys, whose launches read the keys that it sees and each other's sums; blocks of threads for each of 132
multiprocessors. What is asked of single pairs: instructions of a thread for each pair of the blocks that are visited, beside
those without. Kernelised: of all launches of a result with its gradients, and of the two that have most to do. A bar is the
largest count allowed, of blocks the least.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import gpu_programs  # noqa: E402

KERNEL = re.compile(r"kernel (\w+): (\d+) blocks of (\d+) threads, (\d+) instructions of warps, .* (\d+) bytes read, "
                    r"(\d+) bytes written, (\d+) bytes from memory")
PATTERNS = {"dense": "#xf.dense", "causal": "#xf.causal", "window": "#xf.window<left = 255, right = 0>",
            "wider window": "#xf.window<left = 383, right = 0>",
            "strided": "#xf.strided<stride = 128>", "fixed": "#xf.fixed<block = 128, summary = 8>",
            "kernelised": "#xf.kernelized<feature = elu>", "kernelised, causal": "#xf.kernelized<feature = elu, of = #xf.causal>"}
SETS = ("dense", "causal", "window", "strided", "fixed")
TILE_BAR = 3500  # a tile of rows in the forward
DECODE_BAR = 1.15  # bytes that the launches of decoding read, over the least
SCAN_BARS = {"kernelised": 900, "kernelised, causal": 1600}  # instructions a row and head of the phases of a gradient, D = 64
LEAST_BLOCKS = 2  # for each multiprocessor, with 8192 keys
CACHE = 50 << 20
PAIR_BARS = {"alibi": 6.5, "capped": 30, "dropped": 52}  # instructions of a thread for each pair, beside those without
# Keys of a block in the forward, keys of a block beside rows of a gradient, and rows of a block beside its keys.
BLOCKS = {64: {"dense": 176, "causal": 128, "rows": 128, "keys": 96}, 128: {"dense": 176, "causal": 128, "rows": 96, "keys": 48}}
WIDE = (192, 112)  # rows of a tile and keys of a block of three warpgroups


class Simulator:
    def __init__(self, build, folder):
        self.bin, self.driver, self.folder = build / "bin", build / "test/ptx/driver/current", folder

    def call(self, command, **environment):
        done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "XF_PTXAS": "", **environment})
        if done.returncode:
            raise SystemExit(f"gpu_counts.py: error: {' '.join(map(str, command))}\n{done.stderr[:2000]}")
        return done.stderr

    def launches(self, pattern, depth, rows, keys, heads=(1, 1), gradient=False, processors=1, asked=None):
        """(name, blocks, threads, instructions, bytes read, written, missed) of each launch; heads of queries and of keys."""
        query, key = (f"tensor<1x{count}x{n}x{depth}xbf16>" for count, n in zip(heads, (rows, keys)))
        program, model = self.folder / "program.mlir", self.folder / "program.so"
        constants, clauses = (asked.constants, asked.clauses) if asked else ("", "")
        program.write_text(f"func.func @attend(%q: {query}, %k: {key}, %v: {key}) -> {query} {{\n{constants}"
                           f"  %o = xf.attention %q, %k, %v pattern({PATTERNS[pattern]}){clauses} : "
                           f"({query}, {key}, {key}) -> {query}\n"
                           f"  return %o : {query}\n}}\n")
        self.call([self.bin / "xfc", program, "--target=cuda", "--gpu-arch=sm_90a", "--emit=shared", "-O0", "-o", model,
                   *["--vjp=attend"] * gradient])
        inputs = [f"--input=arg{n}=random({n})" for n in range(3)] + ["--input=d_result0=random(3)"] * gradient
        text = self.call([self.bin / "xf-run", model, "--target=cuda", "--entry=attend" + "_vjp" * gradient, *inputs],
                         LD_LIBRARY_PATH=str(self.driver), XF_SIM_CAPABILITY="9.0",
                         XF_SIM_PROCESSORS=str(processors), XF_SIM_STATISTICS="1", XF_SIM_CACHE=str(CACHE))
        return [(name, *map(int, counts)) for name, *counts in KERNEL.findall(text)]

    def kernels(self, pattern, depth, rows, keys, heads=1, gradient=False, asked=None):
        """(name, instructions, bytes read, bytes missed) of each kernel with warpgroups that is launched."""
        return [(name, instructions, read, missed) for name, _, threads, instructions, read, _, missed in
                self.launches(pattern, depth, rows, keys, (heads, heads), gradient, asked=asked) if threads >= 384]


def forward_costs(simulator, pattern, depth):
    """Instructions of a tile and of a block in the forward."""
    block = BLOCKS[depth][pattern]
    if pattern == "causal":
        one, two, three = (simulator.kernels(pattern, depth, n, n)[0][1] for n in (block, 2 * block, 3 * block))
        of_block = (three - two) - (two - one)
        return two - one - 2 * of_block, of_block
    one, more = (simulator.kernels(pattern, depth, 128, n * block)[0][1] for n in (2, 4))
    of_block = (more - one) // 2
    return simulator.kernels(pattern, depth, 256, 2 * block)[0][1] - one - 2 * of_block, of_block


def wide_costs(simulator, pattern, depth):
    """Instructions of a tile and of a block of three warpgroups of consumers, which rows from 2048 on have."""
    resident, streamed = WIDE
    rows = 11 * resident

    def count(queries, keys):
        return simulator.kernels(pattern, depth, queries, keys)[0][1]
    if pattern == "causal":  # one more tile, by the instructions of a dense block
        of_block = wide_costs(simulator, "dense", depth)[1]
        return count(rows + resident, rows + resident) - count(rows, rows) - -(-(rows + resident) // streamed) * of_block, of_block
    one, more = (count(rows, n * streamed) for n in (3, 6))
    of_block = (more - one) // (3 * 11)
    return count(rows + resident, 3 * streamed) - one - 3 * of_block, of_block


def band_costs(simulator, depth):
    """Instructions of a tile and of a block in a window, whose rows see three blocks of keys, or four."""
    three, four = (simulator.kernels(pattern, depth, 6 * 128, 6 * 128)[0][1] -
                   simulator.kernels(pattern, depth, 5 * 128, 5 * 128)[0][1] for pattern in ("window", "wider window"))
    return three - 3 * (four - three), four - three


def piece_costs(simulator, depth, block):
    """(kernel, instructions of a tile) of the pieces of strided and fixed: what is left without their blocks."""
    rows = 128 * 128  # a tile for each residue
    counts = {name: count for name, count, _, _ in simulator.kernels("strided", depth, rows, rows)}
    yield "strided, residues", counts["attend_attend_strided_residues"] // 128 - block
    yield "strided, band", counts["attend_attend_strided_band"] // 128 - 2 * block
    fewer, more = (simulator.kernels("fixed", depth, n * 128, n * 128)[0][1] for n in (8, 12))
    yield "fixed", (more - fewer) // 4 - 2 * block


def gradient_costs(simulator, depth, side):
    """Instructions of a tile and of a block on one side of a dense gradient."""
    block, kernel = BLOCKS[depth][side], {"rows": "attend_vjp_attend_dense_full", "keys": "attend_vjp_attend_dense_full_3"}[side]

    def count(resident, streamed):
        sizes = (resident, streamed) if side == "rows" else (streamed, resident)
        return next(k[1] for k in simulator.kernels("dense", depth, *sizes, gradient=True) if k[0] == kernel)
    one, more = count(128, 384), count(128, 768)
    of_block = (more - one) // (384 // block)
    return count(256, 384) - one - 384 // block * of_block, of_block


def model_costs(simulator):
    """(kernel and depth, rows or keys of a tile, those of a block, instructions of a tile, of a block) for gpu_model.py."""
    for depth in (64, 128):
        for pattern in ("dense", "causal"):
            yield f"{pattern}, {depth}", 128, BLOCKS[depth][pattern], *forward_costs(simulator, pattern, depth)
        for side in ("rows", "keys"):
            yield f"gradient, {side}, {depth}", 128, BLOCKS[depth][side], *gradient_costs(simulator, depth, side)
    yield "window, 64", 128, 128, *band_costs(simulator, 64)
    for pattern in ("dense", "causal"):
        yield f"{pattern}, three warpgroups, 64", *WIDE, *wide_costs(simulator, pattern, 64)


def tile_table(simulator, depths):
    print("| kernel | tile x block | D | instructions of a tile | of a block | bar of a tile | |\n|---|---|---|---|---|---|---|")

    def row(kernel, keys, depth, tile, block):
        verdict = "met" if tile <= TILE_BAR else "missed"
        print(f"| {kernel} | 128 x {keys} | {depth} | {tile} | {block} | {TILE_BAR} | {verdict} |", flush=True)
    for depth in depths:
        for pattern in ("dense", "causal"):
            row(pattern, BLOCKS[depth][pattern], depth, *forward_costs(simulator, pattern, depth))
        tile, block = band_costs(simulator, depth)
        row("window", 128, depth, tile, block)
        for kernel, count in piece_costs(simulator, depth, block):
            row(kernel, 128, depth, count, block)
        for side in ("rows", "keys"):
            tile, block = gradient_costs(simulator, depth, side)
            print(f"| gradient, {side} | 128 x {BLOCKS[depth][side]} | {depth} | {tile} | {block} | | |", flush=True)


def pair_table(simulator, depths):
    print("\n| asked of pairs | D | instructions for each | bar | |\n|---|---|---|---|---|")
    block = 128
    for depth in depths:
        plain = simulator.kernels("causal", depth, 384, 384)[0][1]
        for kind, bar in PAIR_BARS.items():
            asked = gpu_programs.Pairs(kind, 384, depth, 1, 1)
            pairs = 6 * block * block  # three blocks of rows see one, two and three of keys
            count = (simulator.kernels("causal", depth, 384, 384, asked=asked)[0][1] - plain) * 32 / pairs
            print(f"| {kind} | {depth} | {count:.1f} | {bar} | {'met' if count <= bar else 'missed'} |", flush=True)


def byte_table(simulator, depths, size, heads):
    print(f"\n| pattern, N = {size} | D | launches | instructions | bytes read / least | missed / least |\n|---|---|---|---|---|---|")
    for depth in depths:
        for pattern in SETS:
            kernels = simulator.kernels(pattern, depth, size, size, heads)
            least = 3 * heads * size * depth * 2
            instructions, read, missed = (sum(k[n] for k in kernels) for n in (1, 2, 3))
            print(f"| {pattern} | {depth} | {len(kernels)} | {instructions} | {read / least:.2f} | {missed / least:.2f} |", flush=True)


def scan_table(simulator, size):
    print(f"\n| kernelised, N = {size}, D = 64 | launches | instructions a row | of the gradient's phases | bar | | bytes read a row | written |\n"
          "|---|---|---|---|---|---|---|---|")
    for pattern, bar in SCAN_BARS.items():
        launches = simulator.launches(pattern, 64, size, size, gradient=True, processors=132)
        total, read, written = (sum(launch[n] for launch in launches) / size for n in (3, 4, 5))
        phases = sum(launch[3] for launch in launches if re.match("scan_vjp_(queries|keys)_", launch[0])) / size
        print(f"| {pattern} | {len(launches)} | {total:.0f} | {phases:.0f} | {bar} | {'met' if 0 < phases <= bar else 'missed'} | "
              f"{read:.0f} | {written:.0f} |", flush=True)


def decode_table(simulator, depths, keys):
    print(f"\n| decoding, N = {keys} | D | blocks for each processor | instructions | bytes read / least | bar | | written / least |\n"
          "|---|---|---|---|---|---|---|---|")
    heads, processors = (32, 4), 132
    for depth in depths:
        for pattern, seen in (("dense", keys), ("window", 256)):
            launches = simulator.launches(pattern, depth, 1, keys, heads, processors=processors)
            least = 2 * depth * (2 * heads[0] + 2 * heads[1] * seen)
            instructions, read, written = (sum(launch[n] for launch in launches) for n in (3, 4, 5))
            # A window is a few slices, whose ends it does not fill: its blocks and what they leave have no bar.
            met = read <= DECODE_BAR * least and (keys < 8192 or launches[0][1] >= LEAST_BLOCKS * processors)
            verdict = ("met" if met else "missed") if pattern == "dense" else ""
            print(f"| {pattern} | {depth} | {launches[0][1] / processors:.2f} | {instructions} | {read / least:.2f} | "
                  f"{DECODE_BAR if verdict else ''} | {verdict} | {written / least:.2f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--depths", default="64,128")
    parser.add_argument("--size", type=int, default=1024)
    parser.add_argument("--heads", type=int, default=2)
    parser.add_argument("--cache", type=int, default=8192, help="keys that decoding sees")
    options = parser.parse_args()
    depths = [int(depth) for depth in options.depths.split(",")]
    with tempfile.TemporaryDirectory() as folder:
        simulator = Simulator(options.build.resolve(), pathlib.Path(folder))
        tile_table(simulator, depths)
        pair_table(simulator, depths)
        byte_table(simulator, depths, options.size, options.heads)
        scan_table(simulator, options.size)
        decode_table(simulator, depths, options.cache)


if __name__ == "__main__":
    sys.exit(main())
