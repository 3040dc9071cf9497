# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention programs from text, so far as golden cases have it, and the cases' operands and expected values."""

import json
import pathlib
import re

import numpy

from evaluator import attention, programs, tape

TOKEN = re.compile(r"\s*(#xf\.\w+|[A-Za-z_]\w*|-?\d+\.\d+(?:e[-+]?\d+)?|-?\d+|==|[<>\[\](),=:*+-])")
NOT_HERE = {"nan_query"}  # a visible NaN
SCORES = {"alibi_decode": [{"step": "alibi", "capture": "mod0.slopes"}],
          "left_padding": [{"step": "mask", "capture": "mask"}],
          "softcap_after_alibi": [{"step": "alibi", "capture": "mod0.slopes"}, {"step": "cap", "cap": 5.0}]}


class Parser:
    """Recursive descent over the text of a pattern attribute."""

    def __init__(self, text):
        self.tokens, self.place = TOKEN.findall(text), 0

    def peek(self): return self.tokens[self.place]

    def next(self, expected=None):
        token = self.tokens[self.place]
        if expected and token != expected:
            raise ValueError(f"expected {expected}, got {self.tokens[self.place:self.place + 5]}")
        self.place += 1
        return token

    def skip(self, token):
        found = self.peek() == token
        self.place += found
        return found

    def pattern(self):
        kind = self.next()[4:]
        pattern = {"kind": kind}
        if self.place == len(self.tokens) or not self.skip("<"):
            return pattern
        if kind == "affine":
            return self.affine(pattern)
        if self.peek() == "[":
            names = {"global": "positions", "keys": "intervals", "queries": "intervals", "permute": "table"}
            pattern[names.get(kind, "members")] = self.value()
            self.skip(",")
        while not self.skip(">"):
            name = self.next()
            self.next("=")
            pattern[name] = self.value()
            self.skip(",")
        return pattern

    def value(self):
        if self.skip("["):
            values = []
            while not self.skip("]"):
                values.append(self.value())
                if self.skip(":"):
                    values[-1] = [values[-1], self.value()]
                self.skip(",")
            return values
        if self.peek().startswith("#xf."):
            return self.pattern()
        token = self.next()
        if re.fullmatch(r"-?\d+", token):
            return int(token)
        return {"true": True, "false": False, "unbounded": None}[token] if token in ("true", "false", "unbounded") else \
            float(token) if "." in token else token

    # ---- affine sets ----

    def affine(self, pattern):
        symbols, constraints = 0, []
        while not self.skip(":"):
            symbols += re.fullmatch(r"p\d*", self.next()) is not None
        self.next("(")
        while not self.skip(")"):
            left, op = self.sum(), self.next()
            constraints.append([op, left, self.value()])
            self.skip(",")
        self.next(">")
        return {**pattern, "symbols": symbols, "constraints": constraints}

    def sum(self):
        e = self.product()
        while self.peek() in ("+", "-"):
            minus, right = self.next() == "-", self.product()
            e = ["+", e, ["*", right, -1] if minus else right]
        return e

    def product(self):
        e = self.factor()
        while self.peek() in ("*", "mod", "floordiv", "ceildiv"):
            op = self.next()
            e = [op, e, self.factor()]
        return e

    def factor(self):
        if self.skip("("):
            e = self.sum()
            self.next(")")
            return e
        token = self.next()
        return int(token) if re.fullmatch(r"-?\d+", token) else "p0" if token == "p" else token


def bracketed(text, start):
    """What stands in the parentheses that open at `start`."""
    depth = 0
    for n in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[n], 0)
        if depth == 0:
            return text[start + 1:n]
    raise ValueError("unbalanced")


def program_of(text, name):
    """The program of a case, as programs.py draws them."""
    types = {n: t for n, t in re.findall(r"%(\w+): tensor<([^>]*)>", text)}
    names = dict(re.findall(r'%(\w+): tensor<[^>]*> \{xf\.name = "([^"]*)"', text))
    pattern = Parser(bracketed(text, text.index("pattern(") + 7)).pattern()
    q, k, v = (types[n].split("x") for n in "qkv")
    sizes = dict(zip(("B", "H", "Nq", "D"), map(int, q))) | {"Hk": int(k[1]), "Nk": int(k[2]), "Hv": int(v[1]),
                                                             "Dv": int(v[3])}
    scale = re.search(r"\) scale ([-\d.e+]+)", text)
    program = {"sizes": sizes, "dtype": q[-1], "pattern": pattern, "lse": "%lse" in text, "score": SCORES.get(name, []),
               "scale": float(scale.group(1)) if scale else None}
    program["operands"] = operands_of(text, names)
    program["symbols"] = [None] * sum(n.startswith("p") and n[1:].isdigit() for n in program["operands"])
    return program


def operands_of(text, names):
    """What attention.py calls an operand -> its name in the case."""
    found = {"q": names["q"], "k": names["k"], "v": names["v"]}
    for clause, wanted in (("params", None), ("lengths", ["lengths"]), ("query_lengths", ["query_lengths"]),
                           ("segments", ["sq", "sk"]), ("table", ["offsets", "columns"]), ("symbols", ["p0", "p1"]),
                           ("decay", ["decay"]), ("beta", ["beta"]), ("relative", ["relative"])):
        place = re.search(rf"[ )]{clause}\(", text)
        if place:
            given = re.findall(r"%(\w+)", bracketed(text, place.end() - 1).split(":")[0])
            wanted = wanted or (["e", "f"] if "low_rank" in text else ["w"])
            found.update({w: names[g] for w, g in zip(wanted, given)})
    found.update({c: c for c in re.findall(r'xf\.name = "(mod[^"]*|mask)"', text)})
    return found


def cases(folder):
    """Yields (row of the manifest, program, arrays of the .npz)."""
    folder = pathlib.Path(folder)
    for row in json.loads((folder / "manifest.json").read_text()):
        text = (folder / f"{row['name']}.mlir").read_text()
        if row["name"] not in NOT_HERE and text.count("xf.attention") == 1:
            yield row, program_of(text, row["name"]), dict(numpy.load(folder / f"{row['name']}.npz"))


def expected(row, program, data):
    """Name -> Value: out.x and grad.x as the case has them."""
    values = {own: data[row["inputs"][given]] for own, given in program["operands"].items()}
    floats = [n for n, x in values.items() if x.dtype.kind == "f"]
    arrays = {n: x if n in floats else x.astype(numpy.int64) for n, x in values.items()}
    hidden = programs.hidden_rows(program, program["sizes"], arrays)
    for n in hidden:
        arrays[n] = numpy.where(hidden[n].reshape(hidden[n].shape + (1,) * (arrays[n].ndim - hidden[n].ndim)), 0, arrays[n])
    inputs = {n: tape.Value(arrays[n]) for n in floats}
    results = attention.evaluate(program, program["sizes"], arrays, inputs)
    given = {n: data[f"in.d{n}"] for n in results if f"in.d{n}" in data}
    found = tape.gradients([results[n] for n in given],
                           [numpy.where(numpy.isfinite(results[n].val), g, 0) for n, g in given.items()],
                           list(inputs.values()))
    by_argument = {program["operands"][n]: g for n, g in zip(floats, found)}
    return {**{f"out.{n}": v for n, v in results.items()},
            **{g: by_argument[x] for g, x in row["gradients"].items() if x in by_argument}}
