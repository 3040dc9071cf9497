# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random graphs of all ops but attention: how they are drawn, their text, their values and gradients.

A graph is {"seed", "dtype", "vjp", "inputs": {name: [type, shape]}, "nodes": [{"op", "in", "out", "kind", "shapes",
attributes}], "results": [names]}: numbers, strings, lists and dictionaries alone. "dtype" is the type that inputs begin
with, "kind" that of a node's results.
"""

import math
import random

import numpy

from evaluator import draws, ops, programs, tape
from evaluator import types_of_xf as xf

SIZES = [1, 2, 3, 4, 5, 7, 8, 12, 16, 17, 31, 33]
LARGEST = 3e3  # of a value, so that chains stay where numbers are
FLOATS = ["f32", "f64", "f16", "bf16"]

# Ops of the dialect that no graph is drawn of, and why. check_evaluator.py finds those that are neither here nor drawn.
NOT_DRAWN = {
    "yield": "ends the regions of scores, features and checkpoints",
    **dict.fromkeys(["attention_vjp", "vjp", "gradient", "after", "cross_entropy_vjp", "embedding_vjp", "layer_norm_vjp",
                     "rms_norm_vjp", "softmax_vjp", "take_along_vjp", "reduce_max_vjp"],
                    "the compiler writes it for gradients, which are drawn"),
    **dict.fromkeys(["map", "product"], "the compiler fuses what is drawn into it"),
    **dict.fromkeys(["all_gather", "all_reduce", "all_slice", "all_to_all", "return_reduce", "exchange_rows",
                     "reduce_scatter", "scan_states"], "several ranks: test/ranks draws programs of them"),
    **dict.fromkeys(["iota", "add_at"], "the compiler writes it for gradients of slice_update and slices, which are drawn"),
}


class Draw:
    """Adds nodes to a graph whose values are computed on the way: what leaves the range of sane numbers is not taken."""

    def __init__(self, rng, dtype):
        self.rng, self.dtype = rng, dtype
        self.graph = {"dtype": dtype, "inputs": {}, "nodes": [], "results": [], "states": {}, "programs": {}}
        self.values, self.floats, self.kinds = {}, [], {}

    def size(self): return self.rng.choice(SIZES)

    def shape(self, rank=None):
        rank = rank or self.rng.choice([1, 2, 2, 3, 3, 4])
        shape = [self.size() for _ in range(rank)]
        while math.prod(shape) > 3000:
            shape[shape.index(max(shape))] //= 2
        return [0, *shape[1:]] if rank > 1 and self.rng.random() < .02 else shape

    def input(self, shape, kind=None):
        """A new input: of the type of the op's other operands, or the one that is asked for."""
        kind, name = kind or self.dtype, f"x{len(self.graph['inputs'])}"
        self.graph["inputs"][name] = [kind, list(shape)]
        self.values[name], self.kinds[name] = tape.Value(operand(self.graph, self.seed, name)), kind
        if kind in FLOATS:
            self.floats.append(name)
        return name

    def any(self, rank=None, least=1):
        """A value of this rank, or of at least so many dimensions; a new input where there is none."""
        ranks = {n: len(self.values[n].shape) for n in self.floats}
        found = [n for n in self.floats if (ranks[n] == rank if rank else ranks[n] >= least)]
        if found and self.rng.random() < .85:
            name = self.rng.choice(found[-4:])
            self.dtype = self.kinds[name]  # that of the op's other operands
            return name
        return self.input(self.shape(rank) if rank else self.shape(max(least, self.rng.randint(1, 3))))

    def add(self, op, operands, **attributes):
        """The name of the result, or None where its values are of no use."""
        kind = attributes["to"] if op == "cast" else self.dtype
        with numpy.errstate(all="ignore"):
            value = ops.compute(op, [self.values[n] for n in operands], known(self.graph, attributes))
        outputs = value if isinstance(value, tuple) else (value,)
        if any(not numpy.isfinite(v.val).all() or abs(v.val).max(initial=0) > LARGEST or v.val.size > 20000
               for v in outputs):
            return None
        names = [f"y{len(self.graph['nodes'])}_{k}" for k in range(len(outputs))]
        self.graph["nodes"].append({"op": op, "in": list(operands), "out": names, "kind": kind,
                                    "shapes": [list(v.shape) for v in outputs], "attributes": attributes})
        self.values.update(zip(names, outputs))
        self.kinds.update((name, kind) for name in names)
        self.floats += names if kind in FLOATS else []
        return names[0]

    def partner(self, shape):
        """A value that broadcasts with this shape."""
        shape = [n if self.rng.random() < .7 else 1 for n in shape[self.rng.randint(0, len(shape)):]]
        same = [n for n in self.floats if self.kinds[n] == self.dtype and list(self.values[n].shape) == shape]
        return self.rng.choice(same) if same and self.rng.random() < .5 else self.input(shape or [1])

    # ---- one op each ----

    def unary(self):
        op, x = self.rng.choice(list(ops.UNARY)), self.any()
        if op in ops.POSITIVE:
            x = self.positive(x)
        if op in ops.INNER or (op in ops.BOUNDED and abs(self.values[x].val).max(initial=0) > (1 if op == "tan" else 4)):
            x = self.add("tanh", [x])
        if op in ops.INNER:
            x = x and self.add("sin", [x])  # within (-.85, .85)
        return x and self.add(op, [x])

    def cast(self):
        """To a type and, from an integer, on to a float; between ops, and to a narrower type and back."""
        x = self.any()
        kind, to, back = self.dtype, self.rng.choice(FLOATS + ["i32", "i64", "i1"]), self.rng.choice(FLOATS)
        y = self.add("cast", [x], to=to, narrows=narrows(kind, to))
        if y and to in FLOATS and self.rng.random() < .4:
            return y
        back = kind if self.rng.random() < .5 else back
        z = y and self.add("cast", [y], to=back, narrows=narrows(to, back))
        self.dtype = back
        return self.add("sub", [x, z]) if z and back == kind and self.rng.random() < .5 else z

    def positive(self, x):
        y = self.add("square", [x])
        return y and self.add("add_constant", [y], value=.5)

    def binary(self):
        op, a = self.rng.choice(list(ops.BINARY)), self.any()
        b = self.partner(list(self.values[a].shape))
        if op in ("div", "atan2"):
            b = self.positive(b)
        if op == "pow":
            a = self.positive(a)
        return a and b and self.add(op, [a, b] if op in ("div", "pow", "atan2") or self.rng.random() < .5 else [b, a])

    def gelu(self): return self.add("gelu", [self.any()], form=self.rng.choice(["tanh", "erf", "sigmoid"]))
    def softmax(self): return self.add("softmax", [self.any()])

    def huge(self):
        """A function of arguments of any size, or a row op of rows that lie far from 0."""
        x, far = self.any(), self.rng.random() < .4
        if far:
            rows = self.input(list(self.values[x].shape), f"{self.dtype}<{10 ** self.rng.randint(1, 4)}")
            return self.add("softmax", [rows])
        op = self.rng.choice(ops.HUGE)
        return self.add(op, [self.input(list(self.values[x].shape), f"{self.dtype}<huge" + "+" * (op in ops.POSITIVE))])

    def norms(self):
        x = self.any()
        width, affine = self.values[x].shape[-1:], self.rng.random() < .6
        if self.rng.random() < .5:
            return self.add("rms_norm", [x] + [self.input(width)] * affine, eps=1e-3)
        bias = self.rng.random() < .6
        extra = [self.input(width) for _ in range(affine + bias)]
        return self.add("layer_norm", [x, *extra], eps=1e-3, weight=affine, bias=bias)

    def linear(self):
        x, out = self.any(), self.size()
        extra = [self.input([out])] if self.rng.random() < .5 else []
        return self.add("linear", [x, self.input([out, self.values[x].shape[-1]]), *extra])

    def matmul(self):
        a, across, swap = self.any(least=2), self.rng.random() < .4, self.rng.random() < .4
        shape, other = list(self.values[a].shape), self.size()
        k = shape[-2] if across else shape[-1]
        lead = shape[self.rng.choice([0, len(shape) - 2]):-2]
        return self.add("matmul", [a, self.input(lead + ([other, k] if swap else [k, other]))], transpose_a=across,
                        transpose_b=swap)

    def reduce(self):
        x = self.any()
        rank = len(self.values[x].shape)
        axes = sorted(self.rng.sample(range(rank), self.rng.randint(1, rank)))
        return self.add("reduce", [x], kind=self.rng.choice(["sum", "mean", "max"]), axes=axes)

    def shapes(self):
        x = self.any()
        shape = list(self.values[x].shape)
        kind = self.rng.choice(["reshape", "transpose", "slice", "pad", "concat", "broadcast"])
        if kind == "reshape":
            return self.add(kind, [x], shape=self.rng.choice([[math.prod(shape)], [1, *shape], shape[:-1] + [1, shape[-1]],
                                                              [math.prod(shape[:-1]), shape[-1]]]))
        if kind == "transpose":
            return self.add(kind, [x], permutation=self.rng.sample(range(len(shape)), len(shape)))
        strides = [self.rng.choice([1, 1, 2, 3]) for _ in shape]
        if kind == "slice":
            offsets = [self.rng.randrange(n) for n in shape]
            sizes = [self.rng.randint(1, (n - o - 1) // s + 1) for n, o, s in zip(shape, offsets, strides)]
            return self.add(kind, [x], offsets=offsets, strides=strides, shape=sizes)
        if kind == "pad":
            low = [self.rng.randint(0, 2) for _ in shape]
            sizes = [o + s * (n - 1) + 1 + self.rng.randint(0, 2) for n, o, s in zip(shape, low, strides)]
            return self.add(kind, [x], low=low, strides=strides, shape=sizes)
        if kind == "concat":
            axis = self.rng.randrange(len(shape))
            other = self.input(shape[:axis] + [self.size()] + shape[axis + 1:])
            return self.add(kind, self.rng.choice([[x, other], [other, x], [x, x, other]]), axis=axis)
        wide = self.input([n if self.rng.random() < .5 else 1 for n in shape])
        return self.add(kind, [wide], shape=[self.rng.randint(1, 3)] * self.rng.randint(0, 1) + shape)

    def parts(self):
        """Slices of one value, side by side: those that fill it, or any."""
        x = self.any()
        shape = list(self.values[x].shape)
        axis = self.rng.randrange(len(shape))
        n, count = shape[axis], self.rng.randint(2, 5)
        cuts = sorted(self.rng.randint(0, n) for _ in range(count - 1))
        ranges = [pair for pair in zip([0, *cuts], [*cuts, n]) if pair[0] < pair[1]]
        if self.rng.random() < .5:
            ranges = [(low, self.rng.randint(low + 1, n)) for low in (self.rng.randrange(n) for _ in range(count))]
        taken = []
        for low, high in ranges:
            y = self.add("slice", [x], offsets=[low * (d == axis) for d in range(len(shape))], strides=[1] * len(shape),
                         shape=[*shape[:axis], high - low, *shape[axis + 1:]])
            taken.append(self.add("square", [y]) if y and self.rng.random() < .3 else y)
        return all(taken) and self.add("concat", taken, axis=axis)

    def heads(self):
        if self.rng.random() < .5:
            x = self.input([self.rng.randint(1, 3), self.size(), 4 * self.rng.randint(1, 5)])
            y = self.add("split_heads", [x], heads=self.rng.choice([1, 2, 4]))
            return y and (self.rng.random() < .5 and self.add("merge_heads", [y]) or y)
        layers, shape = self.rng.randint(1, 4), [self.rng.randint(1, 3), self.size(), self.size()]
        y = self.add("stack_layers", [self.input(shape) for _ in range(layers)])
        return y and self.add("pool_layers", [y], layers=layers, kind=self.rng.choice(["max", "mean", "last"]))

    def where(self):
        a = self.any()
        shape = list(self.values[a].shape)
        return self.add("where", [a, self.partner(shape), self.input(shape), self.partner(shape)],
                        kind=self.rng.choice(["lt", "le", "gt", "ge"]))

    def embedding(self):
        rows, width = self.size(), self.size()
        ids = self.input(self.shape(self.rng.randint(1, 2)), f"i64<{rows}")
        return self.add("embedding", [self.input([rows, width]), ids])

    def selection(self):
        x = self.any()
        shape = list(self.values[x].shape)
        if self.rng.random() < .5:
            return self.add("top_k", [x], count=self.rng.randint(1, shape[-1]))
        if self.rng.random() < .5:
            return self.add("cumsum", [x], reverse=self.rng.random() < .5)
        return self.add("take_along", [x, self.input(shape[:-1] + [self.size()], f"i64<{shape[-1]}")])

    def update(self):
        state = self.any()
        shape = list(self.values[state].shape)
        axis = self.rng.randrange(len(shape))
        part = shape[:axis] + [self.rng.randint(1, shape[axis])] + shape[axis + 1:]
        position = self.input([], f"i64<={shape[axis] - part[axis]}")
        return self.add("slice_update", [state, self.input(part), position], axis=axis)

    def in_heads(self, x):
        """B x H x N x D of any value."""
        shape = list(self.values[x].shape)
        if len(shape) >= 4:
            return x if len(shape) == 4 else None
        if len(shape) < 3:
            return self.add("reshape", [x], shape=[1] * (4 - len(shape)) + shape)
        return self.add("split_heads", [x], heads=self.rng.choice([n for n in (1, 2, 3, 4) if shape[2] % n == 0]))

    def attention(self):
        """Of values of the graph, or with a cache that the call updates; what else it reads are inputs."""
        q = self.in_heads(self.any())
        if q is None or math.prod(self.values[q].shape) > 2000:
            return None
        dtype, (b, h, n, d) = self.dtype, self.values[q].shape
        cached, own = self.rng.random() < .3, self.rng.random() < .7
        keys = n + self.rng.randint(0, 20) * cached if cached or own else self.size()
        sizes = {"B": b, "H": h, "Hk": h, "Hv": h, "Nq": n, "Nk": keys, "D": d, "Dv": d}
        program = draws.program(self.rng.randrange(2**40), given={"sizes": sizes, "dtype": dtype})
        if program["sizes"] != sizes:
            return None
        key = f"a{len(self.graph['programs'])}"
        self.graph["programs"][key] = program
        names = {"q": q}
        if cached or own:
            names.update((x, self.keys_of(q, keys if cached else None)) for x in "kv")
        for name, (kind, shape) in programs.operands(program).items():
            if name not in names:
                names[name] = self.input([programs.size_of(e, sizes) for e in shape], f"{kind}<@{key}.{name}")
        return all(names.values()) and self.add("attention", [names[n] for n in programs.operands(program)], program=key)

    def keys_of(self, q, capacity):
        """q itself or a product of it, and that in a cache of so many tokens."""
        shape = list(self.values[q].shape)
        x = q if self.rng.random() < .3 else self.add("linear", [q, self.input([shape[3], shape[3]])])
        if x is None or capacity is None:
            return x
        cache = self.input([*shape[:2], capacity, shape[3]])
        y = self.add("slice_update", [cache, x, self.input([], f"i64<={capacity - shape[2]}")], axis=2)
        if y:
            self.graph["states"][cache] = y
        return y

    def dropout(self):
        return self.add("dropout", [self.any(), self.input([2], "i64")], p=self.rng.choice([0.0, .1, .5, .9]))

    def checkpoint(self):
        """The op that comes next, computed anew for its gradient."""
        before = len(self.graph["nodes"])
        getattr(self, self.rng.choice(["unary", "binary", "linear", "norms", "gelu", "softmax", "update", "cast"]))()
        for node in self.graph["nodes"][before:]:
            node["attributes"]["checkpoint"] = True

    def loss(self):
        logits = self.any(least=2)
        if self.dtype not in ("f32", "f64"):
            return None
        if self.rng.random() < .4:
            logits = self.input(self.shape(2), f"{self.dtype}<{10 ** self.rng.randint(1, 6)}")
        shape = list(self.values[logits].shape)
        return self.add("cross_entropy", [logits, self.input(shape[:-1], f"i64<-{shape[-1]}")])

    def optimizer(self):
        shape = self.shape()
        p, g, other = (self.input(shape) for _ in range(3))
        scale = self.add("clip_scale", [g, self.input(self.shape())], max_norm=self.rng.choice([.1, 1.0, 100.0]))
        rate = self.input([], "f32")
        if self.rng.random() < .5:
            return self.add("sgd", [p, g, other, rate, scale], momentum=.9, decay=self.rng.choice([0.0, .01]))
        second = self.positive(self.input(shape))
        return self.add("adamw", [p, g, other, second, rate, scale, self.input([], "i64<step")], beta1=.9, beta2=.999,
                        eps=1e-8, decay=self.rng.choice([0.0, .1]))


def narrows(kind, to):
    """Whether a conversion rounds."""
    digits = {"f64": 53, "f32": 24, "f16": 11, "bf16": 8}
    return kind not in digits or to not in digits or digits[to] < digits[kind] or (kind, to) == ("bf16", "f16")


KINDS = ["unary"] * 6 + ["binary"] * 4 + ["shapes"] * 4 + ["cast"] * 4 + [
    "linear", "linear", "matmul", "matmul", "norms", "norms", "reduce", "reduce", "gelu", "softmax", "heads", "heads",
    "where", "embedding", "dropout", "parts", "parts", "selection", "update", "checkpoint", "huge", "huge"] + ["attention"] * 4


def draw(seed):
    rng = random.Random(seed)
    graph = Draw(rng, rng.choice(["f32", "f32", "f32", "f64", "f16", "bf16"]))
    graph.seed, graph.graph["seed"] = seed, seed
    tape.unit = xf.UNIT["f64" if graph.dtype == "f64" else "f32"]
    dtype = graph.dtype
    trains = dtype == "f32" and rng.random() < .15
    for _ in range(rng.randint(1, 9)):
        try:
            getattr(graph, rng.choice(KINDS))()
        except (ValueError, IndexError):  # no such op of a tensor without elements
            if all(v.val.size for v in graph.values.values()):
                raise
    graph.dtype = dtype
    if trains:
        graph.optimizer()
    elif rng.random() < .2 and dtype in ("f32", "f64"):
        graph.loss()
    g = graph.graph
    used = {n for node in g["nodes"] for n in node["in"]}
    made = [n for node in g["nodes"] for n in node["out"] if node["kind"] in FLOATS]
    if rng.random() < .2:
        add_state(graph, rng, made)
    g["results"] = ([n for n in made if n not in used] or [graph.any()])[-4:]
    g["results"] += [n for n in g["states"].values() if n not in g["results"]]
    g["vjp"] = not trains and not g["states"] and rng.random() < .6
    return g


def add_state(graph, rng, made):
    """Makes an input a state that the call replaces by a result of its shape and type, if there is one."""
    alike = lambda n: (graph.kinds[n], graph.values[n].shape)
    pairs = [(x, y) for x in graph.graph["inputs"] for y in made if alike(x) == alike(y)]
    free = [(x, y) for x, y in pairs if x not in graph.graph["states"] and y not in graph.graph["states"].values()]
    if free:
        graph.graph["states"].update([rng.choice(free)])


# ---- values ----

def operand(graph, seed, name):
    """An input's values: normals, large ones, ids, targets, a seed, or what an attention reads."""
    kind, shape = graph["inputs"][name]
    rng = numpy.random.default_rng([seed, int(name[1:])])
    if "<@" in kind:
        program, of = kind[kind.index("@") + 1:].split(".")
        program = graph["programs"][program]
        return programs.arrays(program, program["sizes"], seed - graph["seed"])[of]
    if kind == "i64":
        return rng.integers(-2**30, 2**30, shape)
    if kind.startswith("i64<="):
        return rng.integers(0, int(kind[5:]) + 1, shape)
    if kind == "i64<step":
        return rng.integers(1, 50, shape)
    if kind.startswith("i64<-"):
        return numpy.where(rng.random(shape) < .2, -100, rng.integers(0, int(kind[5:]), shape))
    if kind.startswith("i64<"):
        return rng.integers(0, int(kind[4:]), shape)
    stored, _, how = kind.partition("<")
    if how.startswith("huge"):
        most = {"f16": 4.7, "f64": 150}.get(stored, 37)
        signs = 1 if how == "huge+" else rng.choice([-1, 1], shape)
        return xf.rounded(signs * 10.0**rng.uniform(-most, most, shape), stored)
    if how:
        return xf.rounded(rng.standard_normal(shape) + rng.choice([-1, 1]) * float(how), stored)
    scale = .01 if shape == [] else 1.0 if len(shape) != 2 else min(1.0, 3 / max(1, shape[-1])**.5)
    return xf.rounded(rng.standard_normal(shape) * scale, kind)


def known(graph, attributes):
    """Attributes of a node, with an attention's program itself instead of its name."""
    return {**attributes, "program": graph["programs"][attributes["program"]]} if "program" in attributes else attributes


def counted_in(graph):
    """The type whose roundings are counted: f64 where there is no other, else f32."""
    kinds = {kind.split("<")[0] for kind, _ in graph["inputs"].values()} | {node["kind"] for node in graph["nodes"]}
    return "f32" if kinds & {"f32", "f16", "bf16"} else "f64"


def evaluate(graph, values):
    """The value of every name, given those of the inputs."""
    tape.unit = xf.UNIT[counted_in(graph)]
    table = dict(values)
    for node in graph["nodes"]:
        units = tape.stored = {"f16": 2**13, "bf16": 2**16}.get(node["kind"], 0)
        tape.smallest = 2.0**-14 if node["kind"] == "f16" else 0
        result = ops.compute(node["op"], [table[n] for n in node["in"]], known(graph, node["attributes"]))
        round_ = tape.rounded_gradient if node["op"] == "cast" else tape.rounded  # a cast has rounded, exactly
        for name, value in zip(node["out"], result if isinstance(result, tuple) else (result,)):
            table[name] = round_(value, units)
    tape.stored = tape.smallest = 0
    return table
