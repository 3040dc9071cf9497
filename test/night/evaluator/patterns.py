# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sets of pairs by their definition: patterns as nested dictionaries, their text, and which pairs they have.

A pattern is {"kind": "window", "left": 3, "right": None} with the parameters of the attribute of that name; None is
`unbounded`, patterns inside are under "of", "outside" and "members". Written from the table of patterns alone; shares
nothing with the compiler or the interpreter.
"""

import dataclasses

import numpy

from evaluator import philox


@dataclasses.dataclass
class Where:
    """What a pattern is asked in: sizes, the batch and head, and the operands of the call."""
    queries: int
    keys: int
    head: int = 0
    segments_q: object = None  # numbers of this batch
    segments_k: object = None
    offsets: object = None
    columns: object = None
    symbols: tuple = ()  # values for this batch and head

    def of(self, queries, keys):
        return dataclasses.replace(self, queries=queries, keys=keys)


# ---- text ----

def number_list(values):
    return "[" + ", ".join(map(str, values)) + "]"


def word(value):
    return "unbounded" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def intervals(pattern):
    inside = ", ".join(f"{a} : {b}" for a, b in pattern["intervals"])
    return f"<[{inside}]" + (f", mod = {pattern['mod']}" if pattern.get("mod") else "") + ">"


def expression_text(e):
    if not isinstance(e, list):
        return str(e)
    if e[0] == "+":
        return f"({expression_text(e[1])} + {expression_text(e[2])})"
    return f"({expression_text(e[1])} {e[0]} {e[2]})"  # *, mod, floordiv, ceildiv with a constant


def affine(pattern):
    symbols = "".join(f", p{n}" for n in range(pattern["symbols"]))
    constraints = ", ".join(f"{expression_text(e)} {op} {c}" for op, e, c in pattern["constraints"])
    return f"<(i, j)[Nq, Nk{symbols}] : ({constraints})>"


def text(pattern):
    kind = pattern["kind"]
    name = "#xf." + kind
    if kind in ("union", "intersection", "difference", "heads"):
        return name + "<[" + ", ".join(map(text, pattern["members"])) + "]>"
    if kind == "global":
        return name + "<" + number_list(pattern["positions"]) + ">"
    if kind in ("keys", "queries"):
        return name + intervals(pattern)
    if kind == "permute":
        return name + "<" + number_list(pattern["table"]) + f", of = {text(pattern['of'])}>"
    if kind == "affine":
        return name + affine(pattern)
    fields = []
    for key, value in pattern.items():
        if key == "kind":
            continue
        if isinstance(value, dict):
            value = text(value)
        elif isinstance(value, float):
            value = f"{value:.17e}"
        elif isinstance(value, list):
            value = "[" + ", ".join(number_list(v) if isinstance(v, list) else str(v) for v in value) + "]"
        else:
            value = word(value)
        fields.append(f"{key} = {value}")
    return name + (f"<{', '.join(fields)}>" if fields else "")


# ---- membership; i and j are arrays of positions that broadcast ----

def ceil_div(a, b):
    return -(-a // b)


def in_window(p, w, i, j):
    shape = numpy.broadcast_shapes(i.shape, j.shape)
    inside = numpy.ones(shape, bool)
    if p["left"] is not None:
        inside &= i - j <= p["left"]
    if p.get("right", 0) is not None:
        inside &= j - i <= p.get("right", 0)
    return inside


def by_part(p, local, column):
    part = p.get("part", "union")
    return local if part == "local" else column if part == "column" else local | column


def in_strided(p, w, i, j):
    return (j <= i) & by_part(p, i - j <= p["stride"], (i - j) % p["stride"] == 0)


def in_fixed(p, w, i, j):
    block, summary, slot = p["block"], p["summary"], p.get("slot", 0)
    place = j % block
    column = (place >= block - summary * (slot + 1)) & (place < block - summary * slot)
    return (j <= i) & by_part(p, i // block == j // block, column)


def in_block(p, w, i, j):
    size = p["size"]
    blocks = ceil_div(w.keys, size)
    first = (w.keys - w.queries) // size  # of the blocks in which queries lie
    return holds(p["of"], w.of(blocks - first, blocks), i // size, j // size)


def in_global(p, w, i, j):
    inside = numpy.zeros(numpy.broadcast_shapes(i.shape, j.shape), bool)
    for position in p["positions"]:
        token = position + w.keys if position < 0 else position
        inside |= (i == token) | (j == token)
    return inside


def by_rows(i, j, drawn):
    """The pairs (i, j) whose key is in drawn(row)."""
    shape = numpy.broadcast_shapes(i.shape, j.shape)
    rows, keys = numpy.broadcast_to(i, shape), numpy.broadcast_to(j, shape)
    inside = numpy.zeros(shape, bool)
    for row in numpy.unique(rows):
        here = rows == row
        inside[here] = numpy.isin(keys[here], list(drawn(int(row))))
    return inside


def in_random(p, w, i, j):
    keys = numpy.arange(w.keys)

    def drawn(row):
        allowed = keys if "outside" not in p else keys[~holds(p["outside"], w, numpy.full(1, row), keys)]
        return philox.draw(p["seed"], w.head, row, allowed.tolist(), p["count"])
    return by_rows(i, j, drawn)


def in_bigbird(p, w, i, j):
    block, count, ends = p.get("block", 64), p.get("random", 3), p.get("global", 1)
    reach, blocks = p.get("window", 3) // 2, ceil_div(w.keys, block)
    row, column = i // block, j // block
    if blocks <= count + 4:
        return numpy.ones(numpy.broadcast_shapes(i.shape, j.shape), bool)

    def fixed(row, column):
        def end(n):
            return ((n >= 0) & (n < ends)) | (n >= blocks - ends)
        return end(row) | end(column) | (abs(row - column) <= reach)

    def drawn(n):
        columns = numpy.arange(blocks)
        return philox.draw(p.get("seed", 0), w.head, n, columns[~fixed(numpy.int64(n), columns)].tolist(), count)
    return fixed(row, column) | by_rows(row, column, drawn)


def in_segments(p, w, i, j):
    def number(table, n):
        inside = (n >= 0) & (n < len(table))
        return numpy.where(inside, numpy.asarray(table)[numpy.where(inside, n, 0)], -1)
    q, k = number(w.segments_q, i - (w.keys - w.queries)), number(w.segments_k, j)
    known = (q >= 0) & (k >= 0)
    if "relation" not in p:
        return known & (q == k)
    relation = numpy.array(p["relation"], bool).reshape(len(p["relation"]), -1)
    known = known & (q < relation.shape[0]) & (k < relation.shape[1])
    return known & relation[numpy.where(known, q, 0), numpy.where(known, k, 0)]


def in_prefix(p, w, i, j):
    return (j <= i) | (j < (p["length"] if "length" in p else w.symbols[0]))


def coordinates(n, extents):
    """Of token n in row-major order; the first axis does not wrap round."""
    result = []
    for extent in reversed(extents[1:]):
        result.append(n % extent)
        n = n // extent
    return [n, *reversed(result)]


def in_window_nd(p, w, i, j):
    inside = numpy.ones(numpy.broadcast_shapes(i.shape, j.shape), bool)
    for x, y, radius, extent in zip(coordinates(i, p["extents"]), coordinates(j, p["extents"]), p["radius"],
                                    p["extents"]):
        first = x - radius
        if p.get("clamp"):
            first = numpy.maximum(0, numpy.minimum(first, extent - (2 * radius + 1)))
        inside &= (first <= y) & (y <= first + 2 * radius)
    return inside


def in_lift(p, w, i, j):
    axis = p["axis"]
    extent = p["extents"][axis]
    return holds(p["of"], w.of(extent, extent), coordinates(i, p["extents"])[axis], coordinates(j, p["extents"])[axis])


def in_swin(p, w, i, j):
    inside = numpy.ones(numpy.broadcast_shapes(i.shape, j.shape), bool)
    for x, y, size, shift in zip(coordinates(i, p["extents"]), coordinates(j, p["extents"]), p["window"], p["shift"]):
        inside &= (x - shift) // size == (y - shift) // size
    return inside


def in_intervals(p, n):
    value = n % p["mod"] if p.get("mod") else n
    inside = numpy.zeros(n.shape, bool)
    for lower, upper in p["intervals"]:
        inside |= (lower <= value) & (value < upper)
    return inside


def in_permute(p, w, i, j):
    table = numpy.array(p["table"])
    inside = (i >= 0) & (i < len(table)) & (j >= 0) & (j < len(table))
    return inside & holds(p["of"], w, table[numpy.clip(i, 0, len(table) - 1)], table[numpy.clip(j, 0, len(table) - 1)])


def expression_value(e, names):
    if isinstance(e, int):
        return e
    if isinstance(e, str):
        return names[e]
    left, right = expression_value(e[1], names), expression_value(e[2], names)
    return {"+": lambda: left + right, "*": lambda: left * right, "mod": lambda: left % right,
            "floordiv": lambda: left // right, "ceildiv": lambda: ceil_div(left, right)}[e[0]]()


def in_affine(p, w, i, j):
    names = {"i": i, "j": j, "Nq": w.queries, "Nk": w.keys, **{f"p{n}": s for n, s in enumerate(w.symbols)}}
    inside = numpy.ones(numpy.broadcast_shapes(i.shape, j.shape), bool)
    for op, e, constant in p["constraints"]:
        value = expression_value(e, names)
        inside &= value == constant if op == "==" else value >= constant if op == "ge" else value <= constant
    return inside


def in_table(p, w, i, j):
    rows = len(w.offsets) - 1

    def listed(row):
        return set(w.columns[w.offsets[row]:w.offsets[row + 1]]) if 0 <= row < rows else set()
    return by_rows(i // p["block"], j // p["block"], listed)


def in_grid(p, w, i, j):
    layers = p["layers"]
    positions = max(1, w.keys // layers)
    by_index = p.get("order", "index") == "index"
    if p.get("queries", "all") == "top":  # queries are positions, each by its last layer
        n = i - (w.keys - positions)
        i = n * layers + layers - 1 if by_index else (layers - 1) * positions + n
        w = w.of(w.keys, w.keys)
    n, m = (i // layers, j // layers) if by_index else (i % positions, j % positions)
    same = n == m if p.get("factorised") else True
    if p.get("granularity", "token") == "token":
        return same & holds(p["of"], w, i, j)
    if by_index:
        return same & in_block({"size": layers, "of": p["of"]}, w, i, j)
    return same & holds(p["of"], w.of(positions, positions), n, m)


def holds(pattern, w, i, j):
    """Which pairs of positions (i, j) are in the pattern: a boolean array of the shape that i and j broadcast to."""
    kind = pattern["kind"]
    members = pattern.get("members", [])
    if kind == "union":
        return numpy.logical_or.reduce([holds(m, w, i, j) for m in members])
    if kind == "intersection":
        return numpy.logical_and.reduce([holds(m, w, i, j) for m in members])
    if kind == "difference":
        return holds(members[0], w, i, j) & ~holds(members[1], w, i, j)
    if kind == "heads":
        return holds(members[w.head % len(members)], w, i, j)
    shape = numpy.broadcast_shapes(i.shape, j.shape)
    if kind == "dense":
        return numpy.ones(shape, bool)
    if kind == "causal":
        return numpy.broadcast_to(j <= i, shape).copy()
    if kind == "dilated":
        return in_window(pattern, w, i, j) & ((i - j) % pattern["step"] == 0)
    if kind in ("keys", "queries"):
        return numpy.broadcast_to(in_intervals(pattern, j if kind == "keys" else i), shape).copy()
    return numpy.broadcast_to(TESTS[kind](pattern, w, i, j), shape).copy()


TESTS = {"window": in_window, "strided": in_strided, "fixed": in_fixed, "block": in_block, "global": in_global,
         "random": in_random, "bigbird": in_bigbird, "segments": in_segments, "prefix": in_prefix,
         "window_nd": in_window_nd, "lift": in_lift, "swin": in_swin, "permute": in_permute, "affine": in_affine,
         "table": in_table, "grid": in_grid}


def walk(pattern):
    """The pattern and all inside it."""
    yield pattern
    for inner in [pattern.get("of"), pattern.get("outside"), *pattern.get("members", [])]:
        if inner is not None:
            yield from walk(inner)


def symbols_of(pattern):
    """How many run-time symbols its parts ask for; those of all parts are the same, by position."""
    return max([p["symbols"] if p["kind"] == "affine" else 1 for p in walk(pattern)
                if p["kind"] == "affine" or p == {"kind": "prefix"}], default=0)
