"""Compares the formulas that xfc explain gives for dynamic sizes with what it counts for static ones."""

import fractions
import json
import pathlib
import re
import subprocess
import sys

PATTERNS = [
    "#xf.dense",
    "#xf.causal",
    "#xf.window<left = 40, right = -3>",
    "#xf.strided<stride = 4>",
    "#xf.fixed<block = 8, summary = 3>",
    "#xf.heads<[#xf.fixed<block = 8, summary = 3, part = local>, #xf.causal]>",
    "#xf.union<[#xf.strided<stride = 4>, #xf.fixed<block = 6, summary = 2>]>",
    "#xf.global<[31, -8]>",  # one position at N = 39
]
FIGURES = ("pairs", "executed_pairs")


def explain(folder, pattern, batches, heads, queries, keys):
    q, k = f"tensor<{batches}x{heads}x{queries}x8xf32>", f"tensor<{batches}x{heads}x{keys}x8xf32>"
    file = folder / "program.mlir"
    file.write_text(f"""func.func @f(%q: {q}, %k: {k}) -> {q} {{
  %o = xf.attention %q, %k, %k pattern({pattern}) : ({q}, {k}, {k}) -> {q}
  return %o : {q}
}}""")
    run = subprocess.run(["xfc", "explain", file, "--json"], capture_output=True, text=True, check=True)
    return json.loads(run.stdout)[0]


def number(formula, batches, heads):
    """The period, the first number of periods, those with counts of their own, and the count as a function of their number."""
    pairs, where = formula.split(", ", 1)
    exceptions = {int(t): int(count) for count, t in re.findall(r"(\d+) at t = (\d+)", where)}
    period = int(re.search(r"= (?:(\d+) )?t", where)[1] or 1)
    first = int((re.search(r"t >= (\d+)", where) or [0, 0])[1])
    code = re.sub(r"(\d) t", r"\1 * t", pairs).replace("^", "**").replace("/2", " * half")
    names = {"B": batches, "H": heads, "half": fractions.Fraction(1, 2)}
    return period, first, exceptions, lambda t: exceptions.get(t, eval(code, names | {"t": t}))


def check(folder, pattern, dynamic, static, name):
    """`dynamic` and `static`: functions of a size to batches, heads, queries, keys."""
    report, wanted = explain(folder, pattern, *dynamic("?")), FIGURES
    if "union" in pattern:
        assert report["executed_pairs"] is None, report  # tile by tile
        wanted = FIGURES[:1]
    for figure in wanted:
        assert f", {name} = " in report[figure], report
        period, first, exceptions, count = number(report[figure], *static(0)[:2])
        for t in (max(first, 1), first + 2, *exceptions):
            counted = explain(folder, pattern, *static(period * t))[figure]
            assert count(t) == counted, f"{pattern}: {figure} {report[figure]} at t = {t}, counted {counted}"


folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
for pattern in PATTERNS:
    check(folder, pattern, lambda n: (2, 3, n, n), lambda n: (2, 3, n, n), "N")
check(folder, "#xf.causal", lambda n: (1, 2, 33, n), lambda n: (1, 2, 33, n), "Nk")
check(folder, "#xf.strided<stride = 4>", lambda n: (1, 2, n, 100), lambda n: (1, 2, n, 100), "Nq")
check(folder, "#xf.window<left = 5>", lambda n: (n, n, n, n), lambda n: (2, 3, n, n), "N")
assert explain(folder, "#xf.causal", "?", 2, 16, 16)["pairs"] == "B * 272"
