# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Score regions: lists of steps, each a line or more of a region and what it does to a score.

A step is {"step": name, ..}; those that read a tensor name it under "capture" (c0, c1, ..), whose shape is a list of
expressions in the sizes. i is a query's position on the key axis.
"""

import numpy

from evaluator import tape


class Region:
    """Writes the lines of a region."""

    def __init__(self, real):
        self.real, self.lines, self.count = real, [], 0

    def put(self, line):
        self.count += 1
        self.lines.append(f"%t{self.count} = {line}")
        return f"%t{self.count}"

    def index(self, number):
        return self.put(f"arith.constant {number} : index")

    def number(self, value):
        return self.put(f"arith.constant {value:.17e} : {self.real}")

    def integer(self, op, a, b):
        return self.put(f"arith.{op} {a}, {b} : index")

    def float(self, op, *operands):
        return self.put(f"{op} {', '.join(operands)} : {self.real}")

    def real_of(self, index):
        width = "i64" if self.real == "f64" else "i32"
        number = self.put(f"arith.index_cast {index} : index to {width}")
        return self.put(f"arith.sitofp {number} : {width} to {self.real}")

    def extract(self, step, types, *indices):
        return self.put(f"tensor.extract %{step['capture']}[{', '.join(indices)}] : {types[step['capture']]}")


def without_roundings(program):
    """The program for the interpreter, whose sums are of f64 whatever their type is: large offsets swallow less."""
    if "score" not in program:
        return program
    return {**program, "score": [{**step, "real": "f64"} if "real" in step else step for step in program["score"]]}


# Each kind: the capture's shape, the lines, the indices read (arrays that broadcast to B x H x Nq x Nk), the value.

def distance_index(step, sizes, at):
    return (at["h"], at["j"] - at["i"] + sizes["Nk"] - 1)


def full_index(step, sizes, at):
    return (at["h"], at["i"] - (sizes["Nk"] - sizes["Nq"]), at["j"])


def mask_index(step, sizes, at):
    return full_index(step, sizes, at)[1:]


def bucket_index(step, sizes, at):
    return (at["h"], numpy.clip(at["i"] - at["j"], 0, step["buckets"] - 1))


def key_index(step, sizes, at):
    return (at["b"], at["j"])


def head_index(step, sizes, at):
    return (at["h"],)


SHAPES = {"distance": ["H", "Nq+Nk-1"], "full": ["H", "Nq", "Nk"], "mask": ["Nq", "Nk"],
          "bucket": ["H", "buckets"], "key": ["B", "Nk"], "padding": ["B", "Nk"],
          "alibi": ["H"], "head_scale": ["H"], "key_scale": ["B", "Nk"]}
INDICES = {"distance": distance_index, "full": full_index, "mask": mask_index, "bucket": bucket_index, "key": key_index,
           "padding": key_index, "alibi": head_index, "head_scale": head_index, "key_scale": key_index}


def write_read(step, r, sizes, types):
    kind = step["step"]
    if kind == "distance":
        offset = r.index(sizes["Nk"] - 1)
        return r.extract(step, types, "%h", r.integer("addi", r.integer("subi", "%j", "%i"), offset))
    if kind in ("full", "mask"):
        row = "%i" if sizes["Nk"] == sizes["Nq"] else r.integer("subi", "%i", r.index(sizes["Nk"] - sizes["Nq"]))
        return r.extract(step, types, *["%h"] * (kind == "full"), row, "%j")
    if kind == "bucket":
        d = r.integer("maxsi", r.integer("subi", "%i", "%j"), r.index(0))
        return r.extract(step, types, "%h", r.integer("minsi", d, r.index(step["buckets"] - 1)))
    if kind in ("key", "key_scale", "padding"):
        return r.extract(step, types, "%b", "%j")
    return r.extract(step, types, "%h")


def write_step(step, s, r, sizes, types):
    kind = step["step"]
    if kind in SHAPES:
        x = write_read(step, r, sizes, types)
        if kind == "alibi":
            x = r.float("arith.mulf", x, r.real_of(r.integer("subi", "%j", "%i")))
        return r.float("arith.mulf" if kind.endswith("scale") else "arith.addf", s, x)
    if kind == "cap":
        c = r.number(step["cap"])
        return r.float("arith.mulf", r.float("math.tanh", r.float("arith.divf", s, c)), c)
    if kind == "affine":
        return r.float("arith.addf", r.float("arith.mulf", s, r.number(step["factor"])), r.number(step["offset"]))
    if kind == "low_tile":
        other = r.float("arith.addf", s, r.number(step["low"]))
        first = r.put(f"arith.cmpi slt, %j, {r.index(step['first'])} : index")
        return r.put(f"arith.select {first}, {other}, {s} : {r.real}")
    if kind == "offset":
        return r.float("arith.addf", s, r.number(step["offset"]))
    if kind == "sine":
        return r.float("arith.addf", s, r.float("math.sin", s))
    if kind == "square":
        return r.float("arith.mulf", r.float("arith.mulf", s, s), r.number(-0.25))
    if kind == "exp":
        return r.float("math.exp", r.float("arith.minimumf", s, r.number(2.0)))
    if kind == "floor":
        return r.float("arith.maximumf", s, r.number(step["floor"]))
    rest = r.integer("remsi", r.integer("addi", r.integer("muli", "%j", r.index(step["times"])), r.index(7000)),
                     r.index(step["mod"]))
    if kind == "parity":
        other = r.float("arith.addf", s, r.number(-1.0))
    else:
        infinity = "0xFF800000" if r.real == "f32" else "0xFFF0000000000000"
        other = r.put(f"arith.constant {infinity} : {r.real}")
    test = r.put(f"arith.cmpi eq, {rest}, {r.index(0)} : index")
    return r.put(f"arith.select {test}, {other}, {s} : {r.real}")


def write(steps, real, sizes, types):
    """The lines of a region of (%s, %b, %h, %i, %j)."""
    r, s = Region(real), "%s"
    for step in steps:
        s = write_step(step, s, r, sizes, types)
    return r.lines + [f"xf.yield {s} : {real}"]


def compute_step(step, s, sizes, inputs, at):
    """The new score, and where it is -inf."""
    kind, none = step["step"], False
    if kind in ("low_tile", "offset"):
        low = numpy.where(at["j"] < step["first"], step["low"], 0.0) if kind == "low_tile" else step["offset"]
        return tape.swallowed(s, tape.wrap(numpy.broadcast_to(low, s.shape)), step["real"]), none
    if kind in SHAPES:
        index = numpy.broadcast_arrays(*INDICES[kind](step, sizes, at))
        x = tape.gather(inputs[step["capture"]], tuple(index))
        if kind == "padding":
            return tape.swallowed(s, x, step["real"]), none
        x = x if kind != "alibi" else x * (at["j"] - at["i"]).astype(float)
        return (s * x if kind.endswith("scale") else s + x), none
    if kind == "cap":
        return tape.tanh(s / step["cap"]) * step["cap"], none
    if kind == "affine":
        return s * step["factor"] + step["offset"], none
    if kind == "sine":
        return s + tape.sin(s), none
    if kind == "square":
        return s * s * -0.25, none
    if kind == "exp":
        return tape.exp(tape.select(s.val <= 2, s, 2)), none
    if kind == "floor":
        return tape.select(s.val >= step["floor"], s, step["floor"]), none
    test = numpy.broadcast_to((at["j"] * step["times"] + 7000) % step["mod"] == 0, s.shape)
    return (tape.select(test, s - 1, s), none) if kind == "parity" else (s, test)


def modify(steps, s, sizes, inputs):
    """s' and the pairs that a score of -inf hides. Steps after that see a finite score."""
    batches, heads, queries, keys = s.shape
    at = dict(zip("bhij", numpy.ix_(*map(numpy.arange, s.shape))))
    at["i"] = at["i"] + sizes["Nk"] - queries
    hides = numpy.zeros(s.shape, bool)
    for step in steps:
        s, hidden = compute_step(step, s, sizes, inputs, at)
        hides = hides | hidden
    return s, hides


def reads(steps, sizes, shape, mask):
    """By capture: which elements are read at pairs of the mask."""
    at = dict(zip("bhij", numpy.ix_(*map(numpy.arange, mask.shape))))
    at["i"] = at["i"] + sizes["Nk"] - mask.shape[2]
    read = {}
    for step in steps:
        if step["step"] in SHAPES:
            index = numpy.broadcast_arrays(*INDICES[step["step"]](step, sizes, at), mask)
            seen = read.setdefault(step["capture"], numpy.zeros(shape(step["capture"]), bool))
            seen[tuple(n[mask] for n in index[:-1])] = True
    return read
