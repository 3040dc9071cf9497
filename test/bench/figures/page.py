# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a page, its plots and README's table of one machine's rows."""

import json
import re

from figures import aims as groups
from figures import plots, strided
from figures import rows as store

WORSE_ABOVE = ("pair", "ratio", "s")  # units in which less is better
TOPICS = {
    "Products": "Fraction of the peak; with one row, of the speed at which the core reads as many bytes as the weights have. "
                "Parameters are held packed; oneDNN's are packed beforehand, too.",
    "Attention, bf16": "Fraction of the bf16 peak, of real pairs.",
    "Attention, f32": "Fraction of the f32 peak, of real pairs.",
    "Whole models": "Fraction of the peak of the element type, by the FLOP of products and attention; the last row is a ratio of times.",
    "Decoding": "The time in which the core reads as many bytes as keys and values have, or, where that is longer, multiplies them at the peak, "
                "over the time taken. D = 128.",
    "Patterns": "Time per visible pair over that of own causal attention of the same type, direction and N; D = 64. 1 is ideal.",
    "Growth": "Time per row over that of 4096 rows; one head, D = 64.",
    "Compile time": "Seconds of a processor, of models and of single attentions with their gradients (`compile*.mlir`).",
    "Two threads": "How many times as fast two threads are as one; `over what two threads read`: the time in which they read as many "
                   "bytes as keys and values have, over the time taken.",
}


def number(value):
    """As .85, 1.20 or 12.3."""
    if value is None:
        return ""
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}".removeprefix("0") if value < 1 else f"{value:.2f}"


def best_peer(row):
    """(name, how many times as fast xf is), or None."""
    rivals = {name: row["seconds"][name] for name in row["peers"] if not name.startswith("xf") and row["unit"] != "s"}
    if not rivals:
        return None
    name = min(rivals, key=rivals.get)
    return name, rivals[name] / row["seconds"]["xf"]


def shortfall(row):
    """How far a figure is from its aim: 1.1 where it is a tenth short."""
    return row["figure"] / row["goal"] if row["unit"] in WORSE_ABOVE else row["goal"] / row["figure"]


def table(rows):
    """One row each, and a column for each peer that any of them has."""
    peers = list({name: None for row in rows for name in row["peers"]})
    columns = ["", "xf", "aim", *peers] + ["ahead"] * bool(peers)
    lines = ["| " + " | ".join(columns).strip() + " |", "|" + "---|" * len(columns)]
    for row in rows:
        figure = number(row["figure"])
        cells = [row["name"], f"**{figure}**" if row["met"] is False else figure, number(row["goal"])]
        cells += [number(row["peers"].get(name)) for name in peers]
        if peers:
            best = best_peer(row)
            cells.append("" if not best else f"{best[1]:.2f}" if best[1] >= 1 else f"**{best[1]:.2f}**")
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def heading(machine):
    peers = ", ".join(f"{name} {version}" for name, version in machine["peers"].items()) or "none"
    caches = ", ".join(f"{level} {size}" for level, size in machine["caches"].items())
    peaks = ", ".join(f"{rate:.0f} in {element}" for element, rate in machine["gflops"].items())
    return [f"# {machine['processor']}", "",
            f"{machine['date']}, commit `{machine['commit']}`. Caches of a core: {caches}. GFLOP/s of one core: {peaks}. It reads "
            f"{machine['stream']:.0f} GB/s. Beside: {peers}. A call from Python takes {machine['overhead'] * 1e6:.1f} microseconds.", "",
            "`test/bench/peers.py` measured and wrote this page. One thread; calls take turns in one process, with a burst of multiply-adds before "
            "and after each. A figure is of the fastest call, its peak the 90th percentile of the bursts of its case. `xf` is this "
            "project, in bold where it misses its aim; `ahead` is how many times as fast it is as the best peer, in bold below 1.", ""]


def summary(rows):
    aims = [row for row in rows if row["goal"] is not None]
    missed = sorted((row for row in aims if not row["met"]), key=shortfall, reverse=True)
    beside = [(row, best) for row in rows if (best := best_peer(row))]
    behind = [row for row, best in beside if best[1] < 1]
    lines = [f"{len(aims) - len(missed)} of {len(aims)} aims are met; of {len(beside)} rows with peers, xf is ahead in "
             f"{len(beside) - len(behind)}.", "", *groups.table(rows, number, shortfall), ""]
    if missed:
        lines += ["## Farthest from their aims", "", "| | figure | aim | short by |", "|---|---|---|---|"]
        lines += [f"| {row['topic']}: {row['name']} | {number(row['figure'])} | {number(row['goal'])} | {100 * (shortfall(row) - 1):.0f} % |"
                  for row in missed[:25]] + [""]
    return lines


def roofline(machine, rows):
    """GFLOP/s of forward programs against FLOP per byte of what they must move, under what the core gives."""
    intensities = [10.0 ** n for n in range(-1, 5)]
    series = {}
    for element, peak in machine["gflops"].items():
        points = [(row["facts"]["flop"] / row["facts"]["bytes"], row["facts"]["flop"] / row["seconds"]["xf"] / 1e9)
                  for row in rows if row["element"] == element and "bytes" in row.get("facts", {})]
        series[element, "guide"] = [(x, min(peak, machine["stream"] * x))
                                    for x in sorted([*intensities, peak / machine["stream"]])]
        series[element, "dots"] = points
    return plots.picture([plots.Panel(0, "GFLOP/s against FLOP per byte", series, intensities)], "dashed: roof")


def growth(rows):
    """Time against N, over that of N = 4096, with guides for N and its square."""
    series = {}
    for row in rows:
        name, size = row["facts"]["growth"], row["facts"]["N"]
        series.setdefault((name, "solid"), [(4096, 1.0)]).append((size, row["figure"] * size / 4096))
    sizes = sorted({x for line in series.values() for x, _ in line})
    series["as N", "guide"] = [(x, x / 4096) for x in sizes]
    series["as N squared", "guide"] = [(x, (x / 4096) ** 2) for x in sizes if x <= 16384]
    return plots.picture([plots.Panel(0, "time against N, over that at 4096", series)], "")


def pictures(path, machine, rows):
    """Writes plots beside the page; returns lines that show them."""
    made = {"roofline": roofline(machine, rows)}
    if grown := [row for row in rows if row["topic"] == "Growth"]:
        made["growth"] = growth(grown)
    for name, text in made.items():
        path.with_name(f"{path.stem}-{name}.svg").write_text(text, encoding="utf-8")
    return [line for name in made for line in (f"![{name}]({path.stem}-{name}.svg)", "")]


def readme_table(rows):
    """Six rows: forward and forward with gradient, in f32 and bf16."""
    figures = {row["name"]: row["figure"] for row in rows}
    cell = lambda *names: "/".join(number(figures.get(name)) for name in names)
    four = lambda pattern: [cell(*(pattern.format(element=e, depth=d, gradient=g) for d in (64, 128)))
                            for e in ("f32", "bf16") for g in ("", ", gradient")]
    layers = {element: sorted(figure for name, figure in figures.items() if re.match(element + " (ViT-B|GPT-2) .* x ", name))
              for element in ("f32", "bf16")}
    between = lambda found: f"{number(found[0])} - {number(found[-1])}" if found else ""
    one = lambda text: [cell(f"{e} {text}{g}") for e in ("f32", "bf16") for g in ("", ", gradient")]
    lines = [[f"{kind}, N = 4096, D = 64/128", *four("{element} " + kind + " N = 4096, D = {depth}{gradient}")] for kind in ("dense", "causal")]
    lines.append(["causal, N = 512, D = 64", *one("causal N = 512, D = 64")])
    lines.append(["linear layers of ViT-B and GPT-2", between(layers["f32"]), "", between(layers["bf16"]), ""])
    lines.append(["decoding, 8 heads share keys, N = 16384, of the roof", cell("f32 GQA 8:1, 1 query, N = 16384"), "",
                  cell("bf16 GQA 8:1, 1 query, N = 16384"), ""])
    lines.append(["window 256, N = 16384: time per pair over causal's", *one("window 256, N = 16384")])
    return store.table([" ", "f32", "with gradient", "bf16", "with gradient"], lines)


def write(source, readme):
    """FILE.md and plots of FILE.json; README's table and picture."""
    stored = json.loads(source.read_text(encoding="utf-8"))
    machine, rows = stored["machine"], stored["rows"]
    lines = heading(machine) + summary(rows) + pictures(source, machine, rows)
    for topic, text in TOPICS.items():
        if of_topic := [row for row in rows if row["topic"] == topic]:
            lines += [f"## {topic}", "", text, "", *table(of_topic), ""]
    source.with_suffix(".md").write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8")
    if readme:
        store.replace(readme, "test/bench/peers.py", readme_table(rows))
        drawn = (source.parent / "patterns/strided.svg").read_text(encoding="utf-8")
        (source.parent / "strided.svg").write_text(strided.picture(machine, rows, drawn), encoding="utf-8")
    return 0
