# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random attention programs: every family of patterns, set algebra, clauses and types.

A program is a dictionary of numbers, strings, lists and dictionaries alone, so that it can be written, read and reduced.
"""

import random

from evaluator import features, patterns

LENGTHS = [1, 2, 3, 5, 7, 8, 12, 16, 17, 24, 31, 32, 33, 40, 48, 63, 64, 65, 70, 96, 100]
WIDTHS = [1, 2, 3, 4, 5, 8, 8, 12, 16, 16, 17, 24, 32, 33, 48, 64]


class Patterns:
    """Draws patterns over so many queries and keys; `fixed`: these sizes are known when the program is compiled."""

    def __init__(self, rng, queries, keys, fixed, heads):
        self.rng, self.queries, self.keys, self.fixed, self.heads = rng, queries, keys, fixed, heads
        self.uses = set()

    def between(self, low, high): return self.rng.randint(low, max(low, high))
    def one_in(self, n): return self.rng.randrange(n) == 0

    def interval(self):
        left = self.between(-2, 20)
        right = self.between(-left, 9)
        part = self.rng.choice(["union", "local", "column"])
        kind = self.rng.choice(["causal", "window", "window", "dilated", "strided", "fixed", "prefix", "global", "keys",
                                "queries"])
        if kind == "window":
            return {"kind": kind, "left": self.rng.choice([left, left, left, None]),
                    "right": self.rng.choice([right, right, right, max(0, -left), None])}
        if kind == "dilated":
            return {"kind": kind, "left": left + 9, "right": right + 9, "step": self.between(1, 6)}
        if kind == "strided":
            return {"kind": kind, "stride": self.between(1, 12), "part": part}
        if kind == "fixed":
            block = self.between(1, 16)
            summary = self.between(1, block)
            return {"kind": kind, "block": block, "summary": summary, "part": part,
                    "slot": self.between(0, block // summary - 1)}
        if kind == "prefix":
            if self.one_in(2):
                return {"kind": kind}
            return {"kind": kind, "length": self.between(0, self.keys)}
        if kind == "global":
            return {"kind": kind, "positions": [self.between(-self.keys, self.keys - 1) for _ in range(self.between(1, 3))]}
        if kind in ("keys", "queries"):
            starts = [self.between(0, 9) for _ in range(self.between(1, 2))]
            return {"kind": kind, "intervals": [[a, a + self.between(0, 7)] for a in starts],
                    "mod": self.rng.choice([0, self.between(2, 16)])}
        return {"kind": "causal"}

    def known(self, pattern, keys):
        """Without a symbol, the only one that an interval may have."""
        return {"kind": "prefix", "length": self.between(0, keys)} if pattern == {"kind": "prefix"} else pattern

    def extents(self):
        """Of a grid whose tokens are the keys."""
        left, extents = self.keys, []
        for _ in range(self.between(0, 2)):
            extent = self.rng.choice([n for n in range(1, left + 1) if left % n == 0])
            extents.append(extent)
            left //= extent
        extents.append(left)
        self.rng.shuffle(extents)
        return extents

    def grid(self):
        extents, kind = self.extents(), self.rng.choice(["window_nd", "lift", "swin"])
        if kind == "window_nd":
            return {"kind": kind, "extents": extents, "radius": [self.between(0, 3) for _ in extents],
                    "clamp": self.one_in(2)}
        if kind == "lift":
            axis = self.between(0, len(extents) - 1)
            inner = Patterns(self.rng, extents[axis], extents[axis], True, self.heads).interval()
            return {"kind": kind, "extents": extents, "axis": axis, "of": self.known(inner, extents[axis])}
        window = [self.rng.choice([n for n in range(1, extent + 1) if extent % n == 0]) for extent in extents]
        return {"kind": kind, "extents": extents, "window": window, "shift": [self.between(0, n - 1) for n in window]}

    def drawn(self):
        if self.one_in(2):
            return {"kind": "bigbird", "block": self.between(1, 8), "window": 2 * self.between(0, 2) + 1,
                    "global": self.between(0, 2), "random": self.between(0, 3), "seed": self.between(0, 2**40)}
        pattern = {"kind": "random", "count": self.between(0, 9), "seed": self.between(0, 99)}
        if self.one_in(2):
            pattern["outside"] = self.known(self.interval(), self.keys)
        return pattern

    def segments(self):
        self.uses.add("segments")
        if self.one_in(2):
            return {"kind": "segments"}
        return {"kind": "segments", "relation": [[self.between(0, 1) for _ in range(3)] for _ in range(3)]}

    def affine(self):
        symbols = self.between(0, 2) if self.one_in(3) else 0
        names = ["i", "j", "j", "Nk", "Nq"] + [f"p{n}" for n in range(symbols)]

        def linear(depth=2):
            e = ["*", self.rng.choice(["i", "j"]), self.between(-2, 3)]
            for _ in range(self.between(0, 2)):
                e = ["+", e, self.rng.choice([["*", self.rng.choice(names), self.between(-2, 2)], self.between(-9, 9)])]
            if depth and self.one_in(2):
                e = [self.rng.choice(["mod", "floordiv", "ceildiv"]), e, self.between(1, 10)]
                e = e if self.one_in(2) else ["+", e, linear(0)]
            return e
        return {"kind": "affine", "symbols": symbols,
                "constraints": [[self.rng.choice(["ge", "le", "le", "=="] if n else ["ge", "le"]), linear(),
                                 self.between(-4, 12)] for n in range(self.between(1, 3))]}

    def leaf(self, data=True):
        kind = self.between(0, 9)
        if kind <= 1 and self.fixed:
            return self.grid()
        if kind <= 3 and self.fixed:
            return self.drawn()
        if kind == 4 and data:
            return self.segments()
        if kind == 5 and data:
            self.uses.add("table")
            return {"kind": "table", "block": self.between(1, 8)}
        if kind == 6:
            return self.affine()
        return self.interval()

    def inside(self, depth):
        kind = self.between(0, 3)
        if kind == 0:
            size = self.between(1, 8)
            inner = Patterns(self.rng, self.queries, -(-self.keys // size), False, self.heads)
            return {"kind": "block", "size": size, "of": inner.affine() if depth > 1 else inner.interval()}
        if kind == 1 and self.fixed:
            table = list(range(self.keys))
            self.rng.shuffle(table)
            return {"kind": "permute", "table": table, "of": self.any(depth - 1, data=False)}
        if kind == 2 and self.fixed:
            return self.layers()
        return self.algebra(depth, False)

    def layers(self):
        counts = [n for n in range(1, 7) if self.keys % n == 0]
        order, granularity = self.rng.choice(["index", "layer"]), self.rng.choice(["token", "position"])
        inner = {"kind": "dense"} if order == "layer" and granularity == "token" else self.interval()
        pattern = {"kind": "grid", "layers": self.rng.choice(counts), "of": inner, "granularity": granularity,
                   "order": order, "factorised": self.one_in(4)}
        if self.queries * pattern["layers"] <= self.keys and self.one_in(2):
            pattern["queries"] = "top"
        return pattern

    def algebra(self, depth, data=True):
        kind = self.rng.choice(["union", "union", "intersection", "difference"])
        count = 2 if kind == "difference" else self.between(2, 3)
        return {"kind": kind, "members": [self.any(depth - 1, data) for _ in range(count)]}

    def any(self, depth, data=True):
        if depth <= 0 or self.one_in(3):
            return self.leaf(data)
        return self.inside(depth) if self.one_in(4) else self.algebra(depth, data)

    def program(self):
        depth = self.rng.choice([0, 0, 1, 1, 2, 3])
        pattern = {"kind": "dense"} if self.one_in(12) else self.any(depth)
        if self.heads > 1 and self.one_in(6):
            return {"kind": "heads", "members": [pattern, self.any(depth // 2)]}
        return pattern


def sizes(rng, small):
    heads, shared = rng.choice([(1, 1), (2, 2), (2, 1)] + ([] if small else [(4, 2), (3, 3), (4, 1)]))
    longest = 33 if small else 100
    keys = rng.choice([n for n in LENGTHS if n <= longest])
    queries = keys if rng.randrange(3) else rng.choice([n for n in LENGTHS if n <= longest])
    widths = [n for n in WIDTHS if n <= (32 if small else 64)]
    depth = rng.choice(widths)
    width = depth if rng.randrange(3) else rng.choice(widths)
    return {"B": rng.choice([1] if small else [1, 1, 2, 3]), "H": heads, "Hk": shared,
            "Hv": rng.choice([shared, shared, heads, 1]), "Nq": queries, "Nk": keys, "D": depth, "Dv": width}


def scores(rng, p):
    """Steps of a score region; some read sizes as constants."""
    s, steps = p["sizes"], []
    static, keyed = not {"Nq", "Nk"} & set(p["dynamic"]), p["pattern"]["kind"] != "low_rank"  # whose j are no keys
    real = "f64" if p["dtype"] == "f64" else "f32"
    kinds = ["bucket", "alibi", "head_scale", "cap", "affine", "sine", "square", "exp", "floor",
             "parity", "hide"] + ["key", "key_scale", "padding", "padding", "low_tile", "low_tile", "offset"] * keyed + ["distance", "distance", "full", "mask"] * (static and keyed)
    for n in range(rng.randint(1, 3)):
        kind = rng.choice(kinds)
        step = {"step": kind}
        if kind in ("bucket", "key", "alibi", "head_scale", "key_scale", "padding", "distance", "full", "mask"):
            step["capture"] = f"c{n}"
        step.update({"bucket": {"buckets": rng.randint(1, 9)}, "cap": {"cap": rng.choice([2.0, 15.0, 30.0])},
                     "affine": {"factor": rng.uniform(-2, 2), "offset": rng.uniform(-3, 3)},
                     "floor": {"floor": rng.uniform(-1, 0)},
                     "padding": {"low": low(rng, real), "real": real},
                     "low_tile": {"low": low(rng, real), "first": rng.randint(1, p["sizes"]["Nk"]), "real": real},
                     "offset": {"offset": rng.choice([-1, 1]) * 10.0**rng.randint(1, 8), "real": real},
                     "parity": {"times": rng.randint(1, 3), "mod": rng.randint(2, 5)},
                     "hide": {"times": 1, "mod": rng.randint(2, 7)}}.get(kind, {}))
        steps.append(step)
    steps.sort(key=lambda step: (step["step"] in LAST, step["step"] == "hide"))  # hidden scores go no further
    while sum(step["step"] in ("padding", "low_tile") for step in steps) > 1:  # two of them may be -inf
        steps.remove(next(step for step in steps if step["step"] in ("padding", "low_tile")))
    return steps


LAST = ("padding", "low_tile", "offset", "hide")  # that make scores large


def low(rng, real):
    """What programs add to hide keys, but the most negative number hides none of a row that has no other."""
    return rng.choice([-30.0, -1e3, -1e4, -1e4, -1e9, -1e30, -2.0**127 * (2 - 2.0**-23)] + [-1e300] * (real == "f64"))


def kernelized(rng, p):
    s = p["sizes"]
    feature = rng.choice(["favor", "favor", "hyperbolic", "trigonometric", "relu", "elu", "exp", "square", "abs", "sigmoid",
                          "identity", "softmax"])
    exponential = feature in ("favor", "hyperbolic", "trigonometric")
    causal = rng.random() < .5
    documents = {"kind": "intersection", "members": [{"kind": "causal"}, {"kind": "segments"}]}
    blocks = {"kind": "block", "size": rng.randint(2, 16), "of": {"kind": "window", "left": 0}}  # of 1 it is causal
    of = rng.choice([{"kind": "causal"}] * 4 + [documents] if causal else [None, None, {"kind": "dense"},
                                                                          {"kind": "segments"}, blocks])
    pattern = {"kind": "kernelized", "feature": feature}
    if rng.random() < .4 and feature not in ("hyperbolic", "trigonometric"):
        pattern["epsilon"] = rng.choice([0.0, 1e-6, 1e-3, 0.5])
    if exponential and rng.random() < .5:
        pattern["stabilizer"] = rng.choice(["none", "row", "sequence", "running"])
    if exponential and rng.random() < .3:
        pattern["scale_input"] = False
    if rng.random() < .4:
        pattern["normalizer"] = rng.choice(["none", "count", "norm"])
    if rng.random() < .3:
        pattern["guard"] = rng.choice([0.0, 1e-6, 1e-3, 1.0])
    p["params"] = 0 if not exponential and rng.random() < .5 else rng.choice([1, 2, 4, 8, 12, 16, 32, 48])
    if of:
        pattern["of"] = of
    if feature == "identity" and rng.random() < .7:
        p["params"], p["feature_region"] = 0, rng.choice(["linear", "exp", "sigmoid"])
        p["region_rows"] = rng.choice([1, 4, 9, 16])
    signed = feature in ("identity", "trigonometric") or "feature_region" in p
    if signed and pattern.get("normalizer", "sum") == "sum":  # denominators near 0 say nothing
        pattern["normalizer"] = rng.choice(["count", "norm"])
    if pattern.get("normalizer") == "norm" and not pattern.get("guard"):
        pattern["guard"] = 1e-3
    settle(rng, pattern, causal, exponential)
    s["Nq"] = min(s["Nq"], s["Nk"])
    if causal and rng.random() < .4:
        p["clauses"] = rng.choice([["decay"], ["decay"], ["beta"], ["decay", "beta"], ["relative"], ["decay", "relative"]])
        if "beta" in p["clauses"]:
            s["Nk"], s["Nq"] = min(s["Nk"], 17), min(s["Nq"], 17)
            p["params"] = min(p["params"], 8)
            pattern["stabilizer"] = rng.choice(["row", "none"]) if exponential else "none"
            pattern["normalizer"] = rng.choice(["none", "count"])
    elif rng.random() < .1:
        p["clauses"] = ["relative"]
    return pattern


def settle(rng, pattern, causal, exponential):
    """Leaves what the verifier would refuse."""
    running = pattern.get("stabilizer", "running" if causal and exponential else "none") == "running"
    if running:
        pattern.pop("epsilon", None)
        pattern.pop("guard", None)
        if pattern["feature"] == "relu":
            pattern["stabilizer"] = "none"
        if exponential and pattern.get("normalizer") in ("none", "count"):
            pattern["stabilizer"] = "row"
    if causal and pattern.get("stabilizer") == "sequence" and pattern["feature"] == "favor":
        pattern["epsilon"] = 0.0
    if exponential and not running and pattern.get("guard") == 0.0:
        pattern["guard"] = 1e-6
    if pattern.get("normalizer") == "norm" and running and exponential:
        pattern.pop("normalizer")


def low_rank(rng, p):
    s = p["sizes"]
    pattern = {"kind": "low_rank", "rank": rng.randint(1, min(24, s["Nk"] + 3)),
               "projection": rng.choice(["learned", "learned", "learned", "mean", "max", "strided_conv"])}
    if pattern["projection"] in ("learned", "strided_conv"):
        p["params"] = rng.choice([1, 2]) if pattern["projection"] == "learned" or s["D"] == s["Dv"] else 2
        p["rows_more"], p["per_head"] = rng.choice([0, 0, 5]), rng.random() < .3 and pattern["projection"] == "learned"
        if p["per_head"] and s["Hk"] != s["Hv"]:
            p["params"] = 2
    return pattern


def program(seed, small=False, given=None):
    """The program of a seed; small: for what interprets instructions; given: its sizes and type, if they are known."""
    rng = random.Random(seed)
    p = {"seed": seed, "sizes": sizes(rng, small), "dtype": rng.choice(["f32"] * 5 + ["f64", "f64", "f16", "bf16"]),
         "dynamic": [], "vjp": rng.random() < .55, "lse": rng.random() < .5,
         "deviation": rng.choice([1.0, 1.0, 1.0, .2, 2.0]), "hidden": rng.random() < .6, "threads": rng.choice([2, 3, 5])}
    if rng.random() < .3:
        p["dynamic"] = sorted(rng.sample(["B", "Nq", "Nk", "Nq", "Nk"], rng.randint(1, 3)))
        p["dynamic"] = sorted(set(p["dynamic"]))
    if given:
        p.update(dynamic=[], lse=False, hidden=False, sizes=dict(given["sizes"]), dtype=given["dtype"])
    s, family = p["sizes"], rng.random()
    if family < .2:
        p["pattern"], p["lse"] = kernelized(rng, p), False
        p["uses"] = ["segments"] if "segments" in str(p["pattern"].get("of")) else []
    elif family < .28:
        p["pattern"], p["uses"] = low_rank(rng, p), []
    else:
        drawn = Patterns(rng, s["Nq"], s["Nk"], not {"Nq", "Nk"} & set(p["dynamic"]), s["H"])
        p["pattern"] = drawn.program()
        p["uses"] = sorted(drawn.uses)
        p["symbols"] = [rng.randint(0, 2) for _ in range(patterns.symbols_of(p["pattern"]))]
    set_kind = p["pattern"]["kind"] != "kernelized"
    if set_kind and rng.random() < .3:
        p["score"] = scores(rng, p)
    if set_kind and rng.random() < .15:
        p["dropout"] = rng.choice([.1, .25, .5, .9])
    if rng.random() < .15:
        p["scale"] = rng.choice([.1, .5, 1.0, -.3]) if set_kind else None
    if rng.random() < .15 and (set_kind or features.stabilizer_of(p["pattern"]) == "running"):
        p["low"] = rng.choice([10.0, 100.0, 1000.0]) if set_kind else 10.0
    p["uses"] += [name for name in ("lengths", "query_lengths") if rng.random() < .12]
    if p.get("scale", 0) is None:
        del p["scale"]
    return p
