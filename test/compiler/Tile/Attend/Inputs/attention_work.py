"""The pairs that a host program records are those that `xfc explain` counts, which shares no code with it, and at sizes
that nobody walks those of a formula.

usage: attention_work.py FOLDER XFC
"""

import json
import os
import re
import struct
import subprocess
import sys

# Patterns whose solutions are pieces, and numbers of queries and keys.
WALKED = [
    ("#xf.dense", 1000, 777),
    ("#xf.causal", 20011, 20011),
    ("#xf.causal", 5000, 300),
    ("#xf.causal", 300, 5000),
    ("#xf.window<left = 100>", 10007, 10007),
    ("#xf.window<left = 100, right = -3>", 3001, 9007),
    ("#xf.window<left = unbounded, right = -1000>", 9007, 9007),
    ("#xf.dilated<left = 400, right = 100, step = 3>", 10007, 10007),
    ("#xf.strided<stride = 128>", 16384, 16384),
    ("#xf.strided<stride = 129>", 20011, 20011),
    ("#xf.strided<stride = 1000, part = column>", 20011, 15013),
    ("#xf.strided<stride = 7, part = column>", 999, 20011),
    ("#xf.fixed<block = 128, summary = 8>", 20011, 20011),
    ("#xf.fixed<block = 120, summary = 5, part = column>", 7001, 9001),
    ("#xf.block<size = 64, of = #xf.window<left = 2>>", 20011, 20011),
    ("#xf.prefix<length = 5000>", 20011, 20011),
    ("#xf.global<[0, 700, -1]>", 3001, 3001),
    ("#xf.queries<[0 : 2000, 5000 : 5003]>", 9001, 9001),
    ("#xf.keys<[0 : 3], mod = 50>", 9001, 9001),
    ("#xf.lift<extents = [100, 100], axis = 0, of = #xf.causal>", 10000, 10000),
    ("#xf.heads<[#xf.causal, #xf.window<left = 9>]>", 5003, 5003),
]
LONG = 2**31 - 1
WIDE = 46341
COLUMNS = LONG // WIDE  # whole ones of keys a stride apart, of every residue, and one more of the first LONG % WIDE
FORMULAS = [
    ("#xf.dense", LONG, LONG**2),
    ("#xf.causal", LONG, LONG * (LONG + 1) // 2),
    ("#xf.window<left = 100>", LONG, 101 * LONG - 100 * 101 // 2),
    (f"#xf.strided<stride = {WIDE}, part = column>", LONG,
     WIDE * COLUMNS * (COLUMNS + 1) // 2 + LONG % WIDE * (COLUMNS + 1)),
    ("#xf.fixed<block = 65536, summary = 8, part = local>", 2**31, 2**15 * (65536 * 65537 // 2)),
]


def compile(xfc, path, pattern, queries, keys, heads):
    q, k = f"tensor<{heads}x{queries}x8xf32>", f"tensor<{heads}x{keys}x8xf32>"
    with open(path, "w") as file:
        file.write(f"func.func @f(%q: {q}, %k: {k}) -> {q} {{\n"
                   f"  %o = xf.attention %q, %k, %k pattern({pattern}) : ({q}, {k}, {k}) -> {q}\n"
                   f"  return %o : {q}\n}}\n")
    out = path + ".out"
    options = ["--mcpu=x86-64-v3", "--vjp=f", "--stop-after=memory"]
    subprocess.run([xfc, path, "-o", out, *options], check=True, stderr=subprocess.DEVNULL)
    with open(out) as file:
        text = file.read()
    return [[number(word) for word in re.findall(rf"xft.{name} = (\S+) : f64", text)] for name in ("pairs", "executed_pairs")]


def number(word):
    """Numbers that decimals do not give exactly are printed as their bits."""
    return struct.unpack(">d", bytes.fromhex(word[2:]))[0] if word.startswith("0x") else float(word)


def main(folder, xfc):
    path = os.path.join(folder, "program.mlir")
    for pattern, queries, keys in WALKED:
        pairs, executed = compile(xfc, path, pattern, queries, keys, "3x2")
        command = [xfc, "explain", path, "--json", "--mcpu=x86-64-v3", "--vjp=f"]
        reports = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        for entry, *recorded in zip(("f", "f_vjp"), pairs, executed):
            own = [report for report in reports if report["entry"] == entry]
            counted = [sum(report[name] for report in own) for name in ("pairs", "executed_pairs")]
            if recorded != counted:
                print("expected", counted, "of", pattern, "in", entry, "got", recorded)
    for pattern, size, wanted in FORMULAS:
        pairs, _ = compile(xfc, path, pattern, size, size, "1x1")
        if abs(pairs[0] - wanted) > 1e-12 * wanted: # sums of doubles
            print("expected", wanted, "pairs of", pattern, "got", pairs)
    print(len(WALKED) + len(FORMULAS), "patterns")


main(*sys.argv[1:])
