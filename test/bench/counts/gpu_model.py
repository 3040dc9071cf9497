#!/usr/bin/env python3
# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A model of the time that attention takes on Hopper, from counts of the simulated GPU: every rate here but `measured` is computed.

    gpu_model.py [--device=h200|h100] [--counts=FILE.json] [--page=docs/figures/h200.md] [--fit]
    gpu_model.py --count=BUILD [--commit=HASH]     counts anew, into the file of --counts

A block of keys (of rows, in gradients of keys) that a multiprocessor computes takes cycles of four units: tensor cores, by the
products; exponentials; instructions of warps, by the counts; the L2, by the bytes of both streamed matrices. If all were hidden
under the busiest, that would be its time: the column `by counts`, of the peak of tensor cores at the clock under load. The model
adds what CORRECTIONS say. A tile of rows adds its own instructions (of gradients, those of dense ones: masks are not counted);
multiprocessors take tiles by demand, longest first; launches follow one another, none shorter than its bytes of memory. Rates
are of 4 (forward) and 10 (backward) operations for each pair of the pattern and column of a head, as in docs/figures/h200.md:
a gradient executes 14. The model's rate is of what compiles now (gpu_model.json). A device has measured earlier kernels, whose
counts gpu_measured.json keeps: they correct the model, and `measured / model` is by them. Where a kernel's counts are still the
same, what was measured says whether a bar is met, elsewhere the model does.
"""
import argparse
import functools
import heapq
import json
import math
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
import gpu_figures  # noqa: E402
import gpu_table  # noqa: E402

# Both have the same die, clock and limit of power (700 W), and differ in memory: bytes a second, by NVIDIA's data sheets.
DEVICES = {"h100": ("H100 SXM", 3.35e12), "h200": ("H200", 4.8e12)}
PROCESSORS = 132  # multiprocessors, data sheet
TENSOR = 4096  # operations of 16 bits a cycle and multiprocessor: 989 TFLOP/s of the data sheet at 1.83 GHz
EXPONENTIALS = 16  # a cycle and multiprocessor, CUDA programming guide (capability 9.0)
ISSUE = 4  # instructions of warps a cycle and multiprocessor: one for each scheduler
SHARED = 128  # bytes of shared memory a cycle and multiprocessor
L2 = 5120 / PROCESSORS  # bytes a cycle and multiprocessor: the A100's white paper has 5120 in all, none is published of Hopper
LAUNCH = 5e-6  # seconds of a launch that finds nothing to do, measured: rechecks (docs/figures/h200.md, By launch)
# Of the data sheet's rate of memory, measured: delta, 201 MB in 60 microseconds on an H200 (the same page).
MEMORY_SHARE = 0.7
LAUNCHES = {"forward": 2, "backward": 6}  # with rechecks; backward: delta, gradients of rows, of keys

# What the H200's figures changed, as --fit finds it again.
CORRECTIONS = {
    # The part of the exponentials and instructions of a block that the busiest unit does not hide: both groups' warps of a
    # scheduler have their softmax at the same time, and wait for turns.
    "exposed": 0.53,
    # How many times as long as its own cycles the softmax of a warpgroup takes, beside others: after its products it is the
    # least time of a block. It decides D = 64 with two warpgroups; a third fills the gap.
    "alone": 1.9,
    # Cycles of an instruction of a tile over those of its issue: bounds, q, o and masks are chains that no other block hides.
    "latency": 5.8,
    # Hz: the median of the clocks that attention's rows ended with. The limit is 1.98; 700 W lower it in long calls.
    "clock": 1.89e9,
}
BY_COUNTS = {"exposed": 0, "alone": 0, "latency": 1, "clock": CORRECTIONS["clock"]}
COUNTED = ("resident", "streamed", "tile", "block")  # rows or keys of a tile, of a block; instructions of warps of either
LEFT = 1024  # of gpu.sh's window


class Kernel:
    """A launch of warpgroups: products of resident rows by streamed blocks, and what the simulator counted of it."""

    def __init__(self, products, counts, depth):
        self.products, self.depth = products, depth
        self.resident, self.streamed, self.tile, self.block = (counts[name] for name in COUNTED)
        if not all(isinstance(counts[name], int) and counts[name] > 0 for name in COUNTED):
            raise ValueError(f"expected positive integers, found {counts}")

    def units(self):
        """Cycles that a block keeps each unit busy."""
        product = 2 * self.resident * self.streamed * self.depth / TENSOR
        scores = 1 if self.products == 2 else 2  # products both of whose factors are read from shared memory: 64 rows a warpgroup
        read = (64 + self.streamed) * 32 / SHARED / (self.streamed / 2)  # over the cycles of 16 terms
        return {"tensor": product * (self.products - scores + scores * max(1, read)),
                "exponentials": self.resident * self.streamed / EXPONENTIALS,
                "instructions": self.block / ISSUE, "L2": 2 * self.streamed * self.depth * 2 / L2}

    def block_cycles(self, corrections):
        units, groups = self.units(), self.resident // 64
        softmax = units["exponentials"] + units["instructions"]
        shared = max(units.values()) + corrections["exposed"] * softmax
        return max(shared, (units["tensor"] + corrections["alone"] * softmax) / groups)

    def tile_cycles(self, corrections):
        """Of chains of instructions: warps have theirs at the same time, two or three on each scheduler."""
        return self.tile / ISSUE * corrections["latency"] * 128 / self.resident

    def seconds(self, kind, rows, heads, by_rows, corrections):
        """Of all tiles, taken by demand, longest first."""
        blocks = sorted(blocks_of(kind, self.resident, self.streamed, rows, by_rows), reverse=True)
        each, tile = self.block_cycles(corrections), self.tile_cycles(corrections)
        busy = [0.0] * PROCESSORS
        for count in blocks:
            for _ in range(heads):
                heapq.heapreplace(busy, busy[0] + count * each + tile)
        return max(busy) / corrections["clock"]


@functools.lru_cache(maxsize=None)
def blocks_of(kind, resident, streamed, rows, by_rows):
    """How many blocks each tile meets: of keys that its rows see, or of rows that see its keys."""
    found = []
    for start in range(0, rows, resident):
        end = min(rows, start + resident)
        first, last = {"dense": (0, rows), "causal": (0, end) if by_rows else (start, rows),
                       "window": (max(0, start - LEFT), end) if by_rows else (start, min(rows, end + LEFT))}[kind]
        found.append(-(-last // streamed) - first // streamed)
    return tuple(found)


class Row:
    """A call: a pattern over 16384 tokens in all and 2048 columns in all heads, as gpu_programs.py has them."""

    def __init__(self, kind, depth, rows, way, warpgroups, counts):
        self.kind, self.depth, self.rows, self.way, self.warpgroups = kind, depth, rows, way, warpgroups
        self.heads = max(1, 16384 // rows) * (2048 // depth)
        name = kind + (", three warpgroups" if warpgroups == 3 else "")
        names = [(2, name, True)] if way == "forward" else [(3, "gradient, rows", True), (4, "gradient, keys", False)]
        self.counts = [counts[f"{kernel}, {depth}"] for _, kernel, _ in names]
        self.kernels = [(Kernel(products, found, depth), by_rows) for (products, _, by_rows), found in zip(names, self.counts)]
        pairs = {"dense": rows * rows, "causal": rows * (rows + 1) // 2,
                 "window": sum(min(row, LEFT) + 1 for row in range(rows))}[kind]
        self.work = (4 if way == "forward" else 10) * depth * pairs * self.heads

    def is_taken(self):
        """Whether it is the form that the compiler takes: formOf in AttentionWarpgroups.cpp."""
        three = self.way == "forward" and self.depth == 64 and self.rows >= 2048 and self.kind != "window"
        return self.warpgroups == (3 if three else 2)

    def rate(self, memory, corrections):
        """TFLOP/s."""
        matrix = self.heads * self.rows * self.depth * 2 / (memory * MEMORY_SHARE)  # seconds to move one
        delta = 0 if self.way == "forward" else 3 * matrix
        seconds = sum(max(4 * matrix, kernel.seconds(self.kind, self.rows, self.heads, by_rows, corrections))
                      for kernel, by_rows in self.kernels)
        return self.work / (seconds + delta + LAUNCHES[self.way] * LAUNCH) / 1e12


def rows_of(counts):
    sizes = (1024, 2048, 4096, 8192, 16384, 32768)
    cases = [(kind, depth, rows) for kind in ("causal", "dense") for depth in (128, 64) for rows in sizes] + [("window", 64, 32768)]
    for kind, depth, rows in cases:
        for way in ("forward", "backward"):
            forms = (2, 3) if way == "forward" and depth == 64 and kind != "window" else (2,)
            yield from (Row(kind, depth, rows, way, form, counts) for form in forms)


def count(build, commit, path):
    import gpu_counts
    with tempfile.TemporaryDirectory() as folder:
        simulator = gpu_counts.Simulator(build.resolve(), pathlib.Path(folder))
        kernels = {name: dict(zip(COUNTED, values))
                   for name, *values in gpu_counts.model_costs(simulator)}
    path.write_text(json.dumps({"commit": commit, "kernels": kernels}, indent=1) + "\n")


def table(rows, earlier, measured, memory, device):
    print("| bf16 | D | N | | warpgroups | of peak, by counts | of peak | TFLOP/s | measured | measured / model | bar | by |\n" + "|---" * 12 + "|")
    peak = PROCESSORS * TENSOR * CORRECTIONS["clock"] / 1e12
    for row, before in zip(rows, earlier):
        model, ideal = (row.rate(memory, given) for given in (CORRECTIONS, BY_COUNTS))
        rate, commit = measured.get(gpu_figures.key(row), (None, "")) if device == "h200" else (None, "")
        bars = gpu_table.BARS.get((row.kind, row.depth, row.rows), (None, None))
        bar = bars[row.way == "backward"] if row.is_taken() and device == "h200" else None
        holds = rate and row.counts == before.counts  # what was measured is what compiles
        says = gpu_table.verdict(rate if holds else model, bar)
        cells = [row.kind, row.depth, row.rows, row.way, row.warpgroups, f"{ideal / peak:.2f}", f"{model / peak:.2f}", f"{model:.0f}",
                 f"{rate:.0f} (`{commit}`)" if rate else "", f"{rate / before.rate(memory, CORRECTIONS):.2f}" if rate else "", says,
                 ("device" if holds else "model") if says else ""]
        print("|" + "".join(f" {cell} |" if cell else " |" for cell in map(str, cells)))


def kernel_table(counts):
    print("| kernel, D | tile x block | tensor cores | exponentials | instructions | L2 | cycles of a block | of a tile |\n" + "|---" * 8 + "|")
    for name, values in counts.items():
        products = 2 if "gradient" not in name else 3 if "rows" in name else 4
        kernel = Kernel(products, values, int(name.split(", ")[-1]))
        cells = [*kernel.units().values(), kernel.block_cycles(CORRECTIONS), kernel.tile_cycles(CORRECTIONS)]
        print(f"| {name} | {kernel.resident} x {kernel.streamed} | " + " | ".join(f"{cell:.0f}" for cell in cells) + " |")


def read(path):
    """(counts, commit) of a file that --count wrote."""
    try:
        stored = json.loads(path.read_text())
        list(rows_of(stored["kernels"]))
        return stored["kernels"], stored["commit"]
    except OSError as error:
        raise SystemExit(f"gpu_model.py: error: {error}")
    except ValueError as error:
        raise SystemExit(f"gpu_model.py: error: {path}: {error}")
    except (KeyError, TypeError, AttributeError) as error:
        raise SystemExit(f"gpu_model.py: error: {path}: expected the counts that --count writes, found none of {error}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", choices=DEVICES, default="h200")
    parser.add_argument("--counts", type=pathlib.Path, default=HERE / "gpu_model.json")
    parser.add_argument("--page", type=pathlib.Path, default=HERE.parents[2] / "docs/figures/h200.md")
    parser.add_argument("--count", type=pathlib.Path, metavar="BUILD")
    parser.add_argument("--commit", default="unknown", help="of that build")
    parser.add_argument("--fit", action="store_true", help="print the corrections that fit the page best")
    options = parser.parse_args()
    if options.count:
        count(options.count, options.commit, options.counts)
    (counts, commit), (old, _) = read(options.counts), read(HERE / "gpu_measured.json")
    rows, earlier = list(rows_of(counts)), list(rows_of(old))
    try:
        measured, clocks = gpu_figures.measured_of(options.page.read_text(), earlier)
    except OSError as error:
        raise SystemExit(f"gpu_model.py: error: {error}")
    if options.fit:
        if not clocks:
            raise SystemExit(f"gpu_model.py: error: {options.page}: expected rows that were measured at {gpu_figures.TIMED}, found none")
        print(json.dumps(gpu_figures.fit(earlier, measured, clocks, DEVICES["h200"][1])))
        return
    name, memory = DEVICES[options.device]
    print(f"{name}, a model: counts of {commit}, {CORRECTIONS['clock'] / 1e9:.2f} GHz\n")
    kernel_table(counts)
    print()
    table(rows, earlier, measured, memory, options.device)
    print("\n" + gpu_figures.summary(gpu_figures.errors(earlier, measured, DEVICES["h200"][1], CORRECTIONS)))


if __name__ == "__main__":
    sys.exit(main())
