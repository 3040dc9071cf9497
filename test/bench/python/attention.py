#!/usr/bin/env python3
# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention in PyTorch programs on a CPU: compiled patterns (xfrt.torch) beside FlexAttention and scaled_dot_product_attention.

usage: attention.py BUILD [--size=4096] [--heads=2] [--width=64] [--rounds=7] [--patterns=window,strided,..]
                    [--peers=mask,causal] [--output=FILE.json]
       attention.py --page=FILE.json --into=PAGE.md

All calls are those that a PyTorch program makes, forward alone and forward with backward, with time for PyTorch's own bookkeeping.
They take turns in one process, one thread each; a table has the least milliseconds of each. `mask` is
scaled_dot_product_attention with a mask, `causal` the same without one, for all keys before a query: the least that PyTorch's own
attention takes for any pattern here. PyTorch is that of .ci/install tests, in BUILD, or another. Rows go into FILE.json, whose other rows stay; --page makes the table of a page of them.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.path.insert(0, str(HERE.parents[2] / "runtime/python"))
import environment  # noqa: E402
from figures import rows  # noqa: E402

# The pattern, and whether query q sees key k, as FlexAttention is told.
PATTERNS = {
    "causal": ("#xf.causal", lambda b, h, q, k: q >= k),
    "window": ("#xf.window<left = 255>", lambda b, h, q, k: (q >= k) & (q - k < 256)),
    # README's: the last 64 keys, and those 64, 128, 256 .. 2048 before.
    "log_sparse": ("#xf.union<[#xf.window<left = 63>, " + ", ".join(f"#xf.affine<(i, j)[Nq, Nk] : (i - j - {64 << n} == 0)>" for n in range(6)) + "]>",
                   lambda b, h, q, k: (q >= k) & ((q - k < 64) | (q - k == 64) | (q - k == 128) | (q - k == 256) | (q - k == 512)
                                                 | (q - k == 1024) | (q - k == 2048))),
    "strided": ("#xf.strided<stride = 64>", lambda b, h, q, k: (q >= k) & ((q - k < 65) | ((q - k) % 64 == 0))),
}
# On CPUs it has none; an attempt leaves the compiled forward slower than it was.
FLEX_HAS_BACKWARD = False
PEERS = {"FlexAttention": "FlexAttention", "mask": "SDPA with a mask", "causal": "SDPA, causal"}
PROGRAM = """func.func @attend(%q: {t} {{xf.name = "q"}}, %k: {t} {{xf.name = "k"}}, %v: {t} {{xf.name = "v"}}) -> ({t} {{xf.name = "o"}}) {{
  %o = xf.attention %q, %k, %v pattern({pattern}) : ({t}, {t}, {t}) -> {t}
  return %o : {t}
}}
"""


def compile_pattern(build, folder, name, shape):
    import xfrt.torch
    source, library = folder / f"{name}.mlir", folder / f"{name}.so"
    source.write_text(PROGRAM.format(t=f"tensor<{'x'.join(map(str, shape))}xf32>", pattern=PATTERNS[name][0]))
    subprocess.run([build / "bin/xfc", source, "--emit=shared", "--vjp=attend", "-o", library], check=True, capture_output=True)
    return xfrt.torch.load(library, threads=1).attend


def functions(build, folder, name, shape, peers):
    """The attentions by name, each of q, k and v."""
    import torch
    attention = torch.nn.functional.scaled_dot_product_attention
    n, sees = shape[2], PATTERNS[name][1]
    position = torch.arange(n)
    mask = sees(0, 0, position[:, None], position[None, :])
    result = {"xf": compile_pattern(build, folder, name, shape)}
    if "FlexAttention" in peers:
        from torch.nn.attention.flex_attention import create_block_mask, flex_attention
        torch._dynamo.reset()
        blocks, flex = create_block_mask(sees, None, None, n, n, device="cpu"), torch.compile(flex_attention, dynamic=False)
        result["FlexAttention"] = lambda q, k, v: flex(q, k, v, block_mask=blocks)
    if "mask" in peers and name != "causal":
        result["mask"] = lambda q, k, v: attention(q, k, v, attn_mask=mask)
    if "causal" in peers:
        result["causal"] = lambda q, k, v: attention(q, k, v, is_causal=True)
    return result


def calls(attend, inputs, cotangent):
    import torch
    detached = [x.detach() for x in inputs]

    def forward():
        with torch.no_grad():
            return attend(*detached)

    def both():
        return torch.autograd.grad(attend(*inputs), inputs, cotangent)

    return {"forward": forward, "with backward": both}


def measure(attends, inputs, cotangent, rounds):
    """The least seconds of every call, which take turns; None where a peer cannot do it."""
    timed, seconds = {}, {}
    for peer, attend in attends.items():
        for what, call in calls(attend, inputs, cotangent).items():
            seconds[peer, what] = None
            if (peer, what) == ("FlexAttention", "with backward") and not FLEX_HAS_BACKWARD:
                continue
            try:
                call()
                timed[peer, what] = call
            except Exception as error:  # such as what a peer does not implement
                print(f"{peer}, {what}: {type(error).__name__}: {str(error).splitlines()[0][:100]}", file=sys.stderr)
    for _ in range(rounds):
        for key, call in timed.items():
            start = time.perf_counter()
            call()
            took = time.perf_counter() - start
            seconds[key] = min(took, seconds[key] or took)
    return seconds


def rows_of(options, shape):
    """Two rows of each pattern: forward, and with backward."""
    import torch
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        for name in options.patterns:
            torch.manual_seed(0)
            inputs = [torch.randn(shape, requires_grad=True) for _ in range(3)]
            attends = functions(options.build, pathlib.Path(folder), name, shape, options.peers)
            seconds = measure(attends, inputs, torch.randn(shape), options.rounds)
            for what in ("forward", "with backward"):
                yield {"name": f"{name}, {what}", "seconds": {peer: seconds[peer, what] for peer in attends}}


def cells(row):
    """Milliseconds of each, or none where it cannot."""
    seconds = row["seconds"]
    time_of = lambda peer: "" if peer not in seconds else f"{1e3 * seconds[peer]:.3g}" if seconds[peer] else "none"
    return [row["name"], *map(time_of, COLUMNS)]


COLUMNS = {"xf": "xf", **PEERS}


def write_page(source, page):
    machine, found = rows.read(source)
    rows.replace(page, "test/bench/python/attention.py",
                 [rows.origin(machine) + f" f32, {machine['shape']}, one thread.", "",
                  *rows.table([" ", *COLUMNS.values()], [cells(row) for row in found.values()])])


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1])
    parser.add_argument("build", type=pathlib.Path, nargs="?")
    parser.add_argument("--size", type=int, default=4096)
    parser.add_argument("--heads", type=int, default=2)
    parser.add_argument("--width", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--patterns", type=lambda text: text.split(","), default=list(PATTERNS))
    parser.add_argument("--peers", type=lambda text: text.split(","), default=list(PEERS))
    parser.add_argument("--output", type=pathlib.Path)
    parser.add_argument("--page", type=pathlib.Path)
    parser.add_argument("--into", type=pathlib.Path)
    options = parser.parse_args()
    if options.page and options.into:
        return write_page(options.page, options.into)
    if not options.build or options.page or options.into:
        parser.error("expected BUILD, or --page and --into")
    environment.settle()
    if (options.build / "torch").is_dir():
        sys.path.append(str(options.build / "torch"))
    import torch
    os.environ.setdefault("XFRT_LIBRARY", str(options.build.resolve() / "lib/libxfrt.so"))
    shape = (1, options.heads, options.size, options.width)
    machine = rows.describe() | {"shape": " x ".join(map(str, shape)), "peers": {"PyTorch": torch.__version__.split("+")[0]}}
    found = rows.read(options.output)[1] if options.output else {}
    print("\n".join(rows.table(["milliseconds", *COLUMNS.values()], [])))
    for row in rows_of(options, shape):
        found["attention", row["name"]] = row
        print("|" + "|".join(cells(row)) + "|", flush=True)
        if options.output:
            rows.write(options.output, machine, found)
    return None


main()
