# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the steps of gpu.sh found, in Markdown: gpu_table.py RESULTS.

Rates of attention are of 4 (forward) and 10 (backward) operations for each pair of the pattern and column of a head, whatever
the kernels execute; of layers, whose D are terms and whose N rows, of 2 and 4 for each term of each element. The bars are the project's aims for an H200; the first milestone is three quarters of each.
"""

import json
import pathlib
import sys

# TFLOP/s forward and backward, by kind, depth and tokens.
BARS = {
    ("causal", 128, 8192): (650, 480),
    ("causal", 128, 16384): (680, 500),
    ("causal", 128, 32768): (690, 510),
    ("dense", 128, 16384): (710, None),
    ("causal", 64, 16384): (500, 480),
    ("window", 64, 32768): (360, 300),
}
MILESTONE = 0.75
SPARSE_FACTOR = 1.6  # a sparse pattern may take this many times dense attention's time per pair


def heading(device):
    name = device.get("name", "a device without nvidia-smi")
    parts = [f"{name} ({device['architecture']})", device["date"], f"xf {device['commit'] or 'outside a repository'}"]
    versions = {"driver": "driver_version", "ptxas": "ptxas", "PyTorch": "torch", "cuDNN": "cudnn", "FlashAttention-3": "flash_attn_3"}
    parts += [f"{label} {device[key]}" for label, key in versions.items() if device.get(key)]
    clocks = {"SM clock at most": "clocks.max.sm", "memory clock at most": "clocks.max.mem", "power limit": "power.limit"}
    return "; ".join(parts + [f"{label} {device[key]}" for label, key in clocks.items() if device.get(key)]) + "."


def table(header, rows):
    return "\n".join(["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
                     + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def programs(path):
    """How many of a check agree, of a run that may have been stopped."""
    lines = path.read_text().splitlines() if path.exists() else []
    known = {line["entry"]: line["problem"] for line in map(json.loads, lines)}
    bad = sum(bool(problem) for problem in known.values())
    return f"{len(known) - bad} agree" + f", {bad} not" * bool(bad)


def outcomes(results, states):
    """The checks of families, and of compute-sanitizer by family."""
    names = {path.stem for path in results.glob("check-*.jsonl")} | {name for name in states if name.startswith("check-")}
    text = table(["on the GPU as on the CPU, forward and backward", "outcome", "programs"],
                 [[name.removeprefix("check-"), states.get(name, "not finished"), programs(results / f"{name}.jsonl")]
                  for name in sorted(names)])
    tools = {}
    for name, state in states.items():
        tool, _, family = name.partition("-")
        if tool in ("memcheck", "racecheck", "synccheck", "initcheck"):
            tools.setdefault(family, {})[tool] = state
    if not tools:
        return text + "\ncompute-sanitizer: not run.\n"
    names = sorted({tool for found in tools.values() for tool in found})
    return text + "\n" + table(["compute-sanitizer", *names],
                               [[family, *(found.get(tool, "not run") for tool in names)] for family, found in tools.items()])


def rates(case):
    """TFLOP/s by way and by library; none where a difference of two times is nothing."""
    scale = {"forward": 1, "backward": case["backward_work"]}
    return {way: {name: case["flop"] * factor / seconds / 1e12 for name, seconds in case[way].items() if seconds > 0}
            for way, factor in scale.items()}


def verdict(rate, bar):
    if bar is None or rate is None:
        return ""
    return f"{bar:.0f}: " + ("met" if rate >= bar else "milestone" if rate >= MILESTONE * bar else "missed")


def cells(found, bar):
    """The rate of xf, those of the others, the ratio to the best of them, and what is said of the bar."""
    number = lambda value: f"{value:.3g}" if value < 100 else f"{value:.0f}"
    ours = found.get("xf")
    others = sorted(((rate, name) for name, rate in found.items() if name != "xf"), reverse=True)
    return [number(ours) if ours else "", "; ".join(f"{name} {number(rate)}" for rate, name in others),
            f"{ours / others[0][0]:.2f}" if ours and others else "", verdict(ours, bar)]


def speeds(results):
    rows = []
    for path in sorted(set(results.glob("speed-*.jsonl")) - {results / "speed-decode.jsonl"}):
        dense = None
        for case in map(json.loads, path.read_text().splitlines()):
            found = rates(case)
            bars = BARS.get((case["kind"], case["depth"], case["tokens"]), (None, None))
            if path.stem == "speed-sparse":
                bars = tuple(rate and rate / SPARSE_FACTOR for rate in dense or (None, None))
                dense = dense or tuple(found[way].get("xf") for way in ("forward", "backward"))
            state = f"{case['sm_mhz']:.0f} MHz, {case['watts']:.0f} W" if "sm_mhz" in case else ""
            rows.append([case["kind"].replace("_", ", "), str(case["depth"]), str(case["tokens"]),
                         *cells(found["forward"], bars[0]), *cells(found["backward"], bars[1]), state])
    if not rows:
        return "Speed: not run.\n"
    ways = [column for way in ("forward", "backward") for column in (f"TFLOP/s {way}", "others", "ratio", "bar")]
    return table(["bf16", "D", "N", *ways, "clock, power"], rows)


def decoding(results):
    """Bytes that must move are those of keys, values, queries and outputs, once."""
    path = results / "speed-decode.jsonl"
    rows = []
    for case in map(json.loads, path.read_text().splitlines() if path.exists() else []):
        taken = dict(sorted(case["forward"].items(), key=lambda one: one[1]))
        ours = taken.pop("xf")
        others = "; ".join(f"{name} {seconds * 1e6:.3g}" for name, seconds in taken.items())
        ratio = f"{next(iter(taken.values())) / ours:.2f}" if taken else ""
        rows.append([case["kind"].replace("_", ", "), str(case["depth"]), str(case["tokens"]), f"{ours * 1e6:.3g}",
                     f"{case['bytes'] / ours / 1e9:.0f}", others, ratio])
    header = ["bf16", "D", "N", "microseconds", "GB/s of what must move", "others, microseconds", "the best of them / xf"]
    return "\n" + table(header, rows) if rows else ""


def images(results):
    path = results / "image.jsonl"
    if not path.exists():
        return ""
    found = json.loads(path.read_text().splitlines()[0])
    cubin, ptx = (found["seconds"][name] * 1e3 for name in ("image-cubin", "image-ptx"))
    first = "machine code of ptxas" if found["machine_code"] else "PTX (no ptxas was found when it was compiled)"
    return f"\n{found['case']}: {cubin:.3g} ms with {first}, {ptx:.3g} ms with PTX that the driver compiles; the same bits.\n"


def main(folder):
    results = pathlib.Path(folder)
    device = results / "device.json"
    states = {path.stem: path.read_text().strip() for path in sorted(results.glob("*.state"))}
    print(heading(json.loads(device.read_text())) if device.exists() else "not run: no CUDA device")
    print("\n" + outcomes(results, states))
    print(speeds(results) + decoding(results) + images(results))


if __name__ == "__main__":
    main(*sys.argv[1:])
