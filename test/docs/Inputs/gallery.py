"""Writes docs/patterns.md and its pictures, from what the compiler says: gallery.py XFC PROGRAMS DOCS.

PROGRAMS is the folder that gallery.cpp writes: for each pattern NAME.small.mlir, which is drawn, and NAME.large.mlir, whose
pieces and pairs are counted, with the C++ expression of each in NAME.small.txt and NAME.large.txt. Costs are of the CPU that
--mcpu names, so that they are the same on every machine.
"""

import json
import os
import re
import subprocess
import sys
import tempfile

MCPU = "--mcpu=x86-64-v3"
HEADS = 2
INTRO = """# Patterns

What each named pattern is, what the compiler makes of it, and what it costs. The sets are those of the
[specification](specification.md), section 2; the functions those of `xf/pattern.h`. Every picture has 32 queries (rows) and
32 keys (columns) with (0, 0) at the top left; colours are pieces. `test/docs/gallery.cpp` and `xfc explain` make this page.

A solved pattern is a list of *pieces*: residues of queries by residues of keys, and the keys that a query sees as one interval
(`i = 64a + r, j = 64b + r` walks the positions r, r + 64, ..). Pieces are loops of kernels, so that no mask is read. What
has no such intervals runs *tile by tile*: a tile with a pair in it is computed whole.

Pairs and costs are of one head with 4096 queries and keys (where heads differ, the mean), f32 with D = 64, on `x86-64-v3`. Dense is
16,777,216 pairs. *Computed* is what kernels compute, masked pairs included, in parts of the pairs; *of dense* is what they compute
in parts of what they compute for dense attention. [performance.md](performance.md) has times.

"""
TEXTS = {
    "dense": ("Dense", "All pairs."),
    "causal": ("Causal", "j <= i."),
    "window": ("Window", "i - left <= j <= i + right; right is 0 unless it is given, and either may be `unbounded`."),
    "dilated": ("Dilated window", "i - left <= j <= i + right and (i - j) mod step = 0. Distances count positions, not keys."),
    "strided": ("Strided", "Sparse Transformers (Child 2019): j <= i, and i - j <= l or (i - j) mod l = 0. `strided(l).local()` and `.column()` are its parts."),
    "fixed": ("Fixed", "Sparse Transformers: j <= i, and i and j in one block, or j among the last columns of its block. `.local()` and `.column()` are its parts, `.slot(s)` takes other columns."),
    "heads": ("By head", "Head h takes member h mod m: here the two parts of `fixed`."),
    "prefix": ("Prefix", "j <= i or j < length. Without a length it is a number of each call."),
    "sinks": ("Window and sinks", "Patterns are values with `|`, `&` and `-`: a window and the first keys (StreamingLLM)."),
    "longformer": ("Window and global tokens", "Longformer, BigBird without its random blocks: a window, and positions that see all and are seen by all."),
    "far": ("Difference", "Causal without its window."),
    "block": ("Blocks", "A pattern of blocks: P(i div size, j div size)."),
    "bigbird": ("BigBird", "Blocks (Zaheer 2020): the first and last ones, a window, and random ones, drawn for each row of blocks and each head."),
    "random": ("Random keys", "Keys drawn without replacement, for each query of each head: the same on every machine and device. `explain` does not count them."),
    "window_nd": ("Window of a grid", "Tokens of a grid, numbered row by row, that are at most so far apart along every axis."),
    "clamped": ("Neighbourhood attention", "The same with windows that are shifted to stay inside (NATTEN, Hassani 2023): every query has as many keys."),
    "axial": ("Axial", "`lift` relates coordinates along one axis: here the same row or the same column."),
    "swin": ("Shifted windows", "Swin (Liu 2021): the same window of a shifted partition; tokens that wrapped round do not mix."),
    "grid": ("Grid of layers", "OmniNet (Tay 2021): the tokens of several layers as one sequence, causal by position."),
    "permute": ("Permutation", "P(order[i], order[j]): autoregression in another order, here bits reversed. The order is a table of all positions, so this has no row of 4096."),
    "condition": ("Any condition", "Sums, differences, products, quotients and remainders with constants, compared and combined: solved like the named ones."),
}
OUTRO = """## Data of a call

`segments()` (packed documents; `segments(relation)` for other relations of segments), `table(rows, columns)` (blocks that a list
names, which the program may compute), `prefix()` and conditions with `symbol(n)`, and the options `key_lengths` and `query_lengths` are decided in
each call, so they have no picture and no number of pairs. Around them everything is solved as above.

## No sets

`kernelized({..})` replaces the softmax by feature maps, over any of the sets above ([specification](specification.md), section 3).
`low_rank({..})` projects keys and values to a few rows (section 4).
"""


class Unexpected(Exception):
    pass


def explain(xfc, path, *options):
    command = [xfc, "explain", path, "--json", MCPU, *options]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        raise Unexpected(f"expected 0 from {' '.join(command)}, got {done.returncode}: {done.stderr}")
    return json.loads(done.stdout)[0]


def text_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def draw(xfc, program):
    """The picture of a program, which says how large it wants to be seen: 8 points for a pair."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "picture.svg")
        explain(xfc, program, f"--pattern-svg={path}")
        svg = text_of(path)
    size = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
    width, height = (round(8 * float(number)) for number in size.groups())
    return svg.replace("<svg ", f'<svg width="{width}" height="{height}" ', 1)


def part(number):
    return f"{number:.3f}".removeprefix("0") if number < 1 else f"{number:.2f}".rstrip("0").rstrip(".")


def cost(facts, dense, expression):
    pieces = "".join(f"    {piece}\n" for piece in facts["pieces"])
    slow = facts["slow_path"] or ""
    slow = f"it {slow}" if slow.startswith("asks") else slow
    text = f"Pieces of `{expression}`:\n\n{pieces}\n" if pieces else f"`{expression}` runs tile by tile: {slow}.\n\n"
    if facts["pairs"] is None:
        return text
    pairs, computed = facts["pairs"] // HEADS, facts["executed_pairs"]
    text += f"{pairs:,} pairs; computed {part(computed / facts['pairs'])}, of dense {part(computed / dense['executed_pairs'])}."
    if pieces and slow:
        text += f" Part of it runs tile by tile: {slow}."
    return text + "\n\n"


def attribute_of(program):
    return re.search(r" pattern\((.*?)\) : ", text_of(program)).group(1)


def pages(xfc, programs):
    """{path below docs: text} of the page and its pictures."""
    path = lambda name, kind, suffix: os.path.join(programs, f"{name}.{kind}.{suffix}")
    dense = explain(xfc, path("dense", "large", "mlir"))
    files, page = {}, INTRO
    for name, (title, text) in TEXTS.items():
        small = " ".join(text_of(path(name, "small", "txt")).split())
        files[f"figures/patterns/{name}.svg"] = draw(xfc, path(name, "small", "mlir"))
        attribute = attribute_of(path(name, "small", "mlir"))
        shown = f", `{attribute}`" if len(attribute) < 120 else ""
        page += f"## {title}\n\n![{title}](figures/patterns/{name}.svg)\n\n{text} The picture: `{small}`{shown}.\n\n"
        if os.path.exists(path(name, "large", "txt")):
            expression = " ".join(text_of(path(name, "large", "txt")).split())
            page += cost(explain(xfc, path(name, "large", "mlir")), dense, expression)
    return {"patterns.md": page + OUTRO, **files}


def main(xfc, programs, docs):
    for name, text in pages(xfc, programs).items():
        path = os.path.join(docs, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except Unexpected as error:
        sys.exit(str(error))
