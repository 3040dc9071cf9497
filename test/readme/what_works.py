"""Writes the tables of what works, from what works: what_works.py BIN README PAGE [--write].

Every row of PAGE stands for small programs. Each runs forward and backward in the f64 interpreter and, where it compiles, on the
CPU and on a simulated GPU (test/ptx/driver), whose results must agree with the interpreter's; a cell says `yes`, or `simulated`,
where all programs of its row do, `part` where some do. What ran on a real GPU is listed here. `not implemented` is a `-`; anything else - a wrong number, a crash - ends the script.
README has a row for each family of rows and no column for the interpreter. Without --write, a table that differs is an error.
"""

import concurrent.futures
import os
import subprocess
import sys
import tempfile

import numpy as np

BEGIN = "<!-- test/readme/what_works.py writes the table. -->\n"
END = "<!-- The table ends. -->\n"
TOLERANCE = {"f64": 1e-9, "f32": 5e-5, "f16": 1e-2, "bf16": 6e-2}
BITS = {"f64": np.float64, "f32": np.float32, "f16": np.float16, "bf16": np.float32, "i64": np.int64, "i32": np.int32, "i1": np.bool_}


class Argument:
    """A tensor argument; its value is normal or drawn from a range, or given."""

    def __init__(self, name, shape, element="f32", low=0, high=1, value=None):
        self.name, self.shape, self.element, self.low, self.high, self.value = name, shape, element, low, high, value

    def type(self):
        return "tensor<" + "".join(f"{size}x" for size in self.shape) + self.element + ">"

    def array(self, random):
        kind = BITS[self.element]
        if self.value is not None:
            return np.array(self.value, kind)
        if np.issubdtype(kind, np.floating):
            return random.standard_normal(self.shape).astype(kind)
        return random.integers(self.low, self.high + 1, self.shape).astype(kind)

    def declaration(self):
        integer = self.element in ("i32", "i64") and self.value is None
        attribute = f" {{xf.range = array<i64: {self.low}, {self.high}>}}" if integer else ""
        return f"%{self.name}: {self.type()}{attribute}"


class Program:
    """One function f of the arguments; `body` computes %r, of the type `result`."""

    def __init__(self, arguments, result, body, differentiable=True, before=""):
        self.arguments, self.result, self.body, self.before = arguments, result, body, before
        self.differentiable = differentiable

    def text(self, name):
        arguments = ", ".join(argument.declaration() for argument in self.arguments)
        return (self.before.replace("@loss", f"@{name}.loss")
                + f"func.func @{name}({arguments}) -> {self.result} {{\n  {self.body.replace('@loss', f'@{name}.loss')}\n"
                + f"  return %r : {self.result}\n}}\n")


def attention(pattern, clauses="", more=(), heads=2, kv_heads=2, queries=33, keys=33, size=16, value=16, element="f32"):
    q = Argument("q", (2, heads, queries, size), element)
    k = Argument("k", (2, kv_heads, keys, size), element)
    v = Argument("v", (2, kv_heads, keys, value), element)
    result = Argument("r", (2, heads, queries, value), element).type()
    body = f"%r = xf.attention %q, %k, %v pattern({pattern}) {clauses} : ({q.type()}, {k.type()}, {v.type()}) -> {result}"
    return Program([q, k, v, *more], result, body)


def op(body, arguments, result, **options):
    return Program([Argument(name, *rest) for name, *rest in arguments], result, body, **options)


def sum_of(calls, arguments, result="tensor<5x9xf32>"):
    """The sum of several ops of one type, so that one program asks for all of them."""
    lines, total = [], None
    for number, call in enumerate(calls):
        lines.append(f"%y{number} = {call}")
        if total is not None:
            lines.append(f"%s{number} = xf.add %{total}, %y{number} : ({result}, {result}) -> {result}")
        total = f"y{number}" if total is None else f"s{number}"
    lines.append(f"%r = xf.neg %{total} : {result}")
    return op("\n  ".join(lines), arguments, result)


def unary(names):
    return sum_of([f"xf.{name} %x : tensor<5x9xf32>" for name in names], [("x", (5, 9))])


def binary(names):
    types = "(tensor<5x9xf32>, tensor<9xf32>) -> tensor<5x9xf32>"
    return sum_of([f"xf.{name} %x, %y : {types}" for name in names], [("x", (5, 9)), ("y", (9,))])


SCORE = """score(%s : f32, %b, %h, %i, %j) captures(%t = %table : tensor<2x33xf32>) {
    %d = arith.subi %i, %j : index
    %bias = tensor.extract %t[%h, %d] : tensor<2x33xf32>
    %sum = arith.addf %s, %bias : f32
    %tanh = math.tanh %sum : f32
    xf.yield %tanh : f32
  }"""
FEATURE_REGION = """feature(%row : tensor<16xf32>) captures(%m = %w : tensor<8x16xf32>) {
    %u = xf.linear %row, %m : (tensor<16xf32>, tensor<8x16xf32>) -> tensor<8xf32>
    %y = xf.softmax %u : tensor<8xf32>
    xf.yield %y : tensor<8xf32>
  }"""
DECAYS = Argument("a", (2, 2, 33), "f32", 0, 1, np.linspace(0.5, 1, 132).reshape(2, 2, 33))
LOSS = """func.func private @loss(%w: tensor<5x9xf32>, %x: tensor<7x9xf32>, %t: tensor<7xi64>) -> tensor<f32> {
  %y = xf.checkpoint (%cw = %w : tensor<5x9xf32>, %cx = %x : tensor<7x9xf32>) -> (tensor<7x5xf32>) {
    %y = xf.linear %cx, %cw : (tensor<7x9xf32>, tensor<5x9xf32>) -> tensor<7x5xf32>
    xf.yield %y : tensor<7x5xf32>
  }
  %l, %lse = xf.cross_entropy %y, %t : (tensor<7x5xf32>, tensor<7xi64>) -> (tensor<f32>, tensor<7xf32>)
  return %l : tensor<f32>
}
"""
GRADIENT = """%l, %g = xf.gradient @loss(%w, %x, %t) wrt [0] : (tensor<5x9xf32>, tensor<7x9xf32>, tensor<7xi64>) -> (tensor<f32>, tensor<5x9xf32>)
  %clip = xf.clip_scale %g max_norm 0.1 : (tensor<5x9xf32>) -> tensor<f32>
  """
STEP = [("w", (5, 9)), ("m", (5, 9)), ("v", (5, 9), "f32", 0, 1, np.ones((5, 9))), ("x", (7, 9)), ("t", (7,), "i64", 0, 4),
        ("rate", (), "f32", 0, 1, 0.1), ("step", (), "i64", 0, 1, 3)]
SAME = "tensor<5x9xf32>"

ROWS = [
    ("attention: dense, causal; GQA, Nq != Nk, Dv != D; f32, f64, f16, bf16",
     [attention("#xf.dense", queries=7, value=5), attention("#xf.causal", heads=4, value=8), attention("#xf.causal", queries=5)]
     + [attention("#xf.causal", element=element) for element in ("f64", "f16", "bf16")]),
    ("window, dilated; strided, fixed: both parts and their union",
     [attention("#xf.window<left = 4, right = 2>"), attention("#xf.dilated<left = 8, right = 2, step = 2>")]
     + [attention(f"#xf.strided<stride = 5{part}>") for part in ("", ", part = local", ", part = column")]
     + [attention(f"#xf.fixed<block = 8, summary = 3{part}>") for part in ("", ", part = local", ", part = column")]),
    ("per head, unions, intersections, differences, affine sets",
     [attention("#xf.heads<[#xf.fixed<block = 8, summary = 3, part = local>, #xf.fixed<block = 8, summary = 3, part = column>]>"),
      attention("#xf.union<[#xf.window<left = 2>, #xf.affine<(i, j)[Nq, Nk] : (i - j ge 0, (i + j) mod 16 == 0)>]>"),
      attention("#xf.intersection<[#xf.causal, #xf.dilated<left = 9, right = 9, step = 3>]>"),
      attention("#xf.difference<[#xf.causal, #xf.window<left = 3>]>")]),
    ("blocks, global tokens, prefixes, sets of keys and queries",
     [attention("#xf.block<size = 4, of = #xf.window<left = 1>>"), attention("#xf.global<[0, -1]>"),
      attention("#xf.prefix<length = 5>"), attention("#xf.union<[#xf.causal, #xf.keys<[0 : 3]>, #xf.queries<[0 : 1]>]>")]),
    ("windows and lifts of grids, Swin, permutations",
     [attention("#xf.window_nd<extents = [3, 11], radius = [1, 2]>"), attention("#xf.lift<extents = [3, 11], axis = 1, of = #xf.causal>"),
      attention("#xf.swin<extents = [4, 8], window = [2, 4], shift = [1, 2]>", queries=32, keys=32),
      attention("#xf.permute<[3, 1, 0, 2], of = #xf.causal>", queries=4, keys=4)]),
    ("random, BigBird", [attention("#xf.random<count = 4, seed = 7>"), attention("#xf.bigbird<block = 4, random = 1, seed = 7>")]),
    ("segments, tables",
     [attention("#xf.segments", "segments(%a, %b : tensor<2x33xi32>, tensor<2x33xi32>)",
                [Argument("a", (2, 33), "i32", -1, 2), Argument("b", (2, 33), "i32", -1, 2)]),
      attention("#xf.table<block = 1>", "table(%o, %c : tensor<34xi32>, tensor<33xi32>)",
                [Argument("o", (34,), "i32", 0, 1, range(34)), Argument("c", (33,), "i32", 0, 1, range(33))])]),
    ("lengths of keys and queries",
     [attention("#xf.causal", "lengths(%n : tensor<2xi64>)", [Argument("n", (2,), "i64", 0, 33)]),
      attention("#xf.window<left = 4>", "query_lengths(%n : tensor<2xi64>)", [Argument("n", (2,), "i64", 0, 33)])]),
    ("run-time symbols",
     [attention("#xf.affine<(i, j)[Nq, Nk, p] : (i - j ge 0, i - j le p)>", "symbols(%p : tensor<2xi64>)",
                [Argument("p", (2,), "i64", 0, 9)])]),
    ("score functions with captured tensors", [attention("#xf.causal", SCORE, [Argument("table", (2, 33))])]),
    ("attention dropout",
     [attention("#xf.causal", "dropout(2.0e-1, %seed : tensor<2xi64>)", [Argument("seed", (2,), "i64", 0, 1, [3, 4])])]),
    ("kernelised: every feature map or a region, every normaliser",
     [attention(f"#xf.kernelized<feature = {feature}, of = #xf.causal>", "params(%w : tensor<8x16xf32>)", [Argument("w", (8, 16))])
      for feature in ("favor", "hyperbolic", "relu", "elu", "exp", "square", "abs", "sigmoid", "softmax")]
     + [attention(f"#xf.kernelized<feature = elu, normalizer = {normalizer}>") for normalizer in ("none", "count", "norm")]
     + [attention("#xf.kernelized<feature = trigonometric, normalizer = none>", "params(%w : tensor<8x16xf32>)", [Argument("w", (8, 16))]),
        attention("#xf.kernelized<feature = identity>", FEATURE_REGION, [Argument("w", (8, 16))])]),
    ("decay, delta rule and weights by distance",
     [attention("#xf.kernelized<feature = elu, of = #xf.causal>", "decay(%a : tensor<2x2x33xf32>)", [DECAYS]),
      attention("#xf.kernelized<feature = softmax, normalizer = none, of = #xf.causal>", "beta(%a : tensor<2x2x33xf32>)", [DECAYS]),
      attention("#xf.kernelized<feature = elu>", "relative(%t : tensor<2x65xf32>)", [Argument("t", (2, 65))])]),
    ("low rank: one E or E and F, per head; mean, max, strided_conv",
     [attention("#xf.low_rank<rank = 8>", "scale 0.1 params(%e : tensor<40x8xf32>)", [Argument("e", (40, 8))]),
      attention("#xf.low_rank<rank = 8>", "scale 0.1 params(%e, %f : tensor<2x33x8xf32>, tensor<33x8xf32>) lengths(%n : tensor<2xi64>)",
                [Argument("e", (2, 33, 8)), Argument("f", (33, 8)), Argument("n", (2,), "i64", 0, 33)]),
      attention("#xf.low_rank<rank = 8, projection = strided_conv>", "params(%w : tensor<5x16xf32>)", [Argument("w", (5, 16))])]
     + [attention(f"#xf.low_rank<rank = 8, projection = {kind}>") for kind in ("mean", "max")]),
    ("grid of layers", [attention("#xf.grid<layers = 3, of = #xf.causal, granularity = position>")]),
    ("products: linear, matmul",
     [op("%r = xf.linear %x, %w bias(%b : tensor<5xf32>) : (tensor<7x9xf32>, tensor<5x9xf32>) -> tensor<7x5xf32>",
         [("x", (7, 9)), ("w", (5, 9)), ("b", (5,))], "tensor<7x5xf32>"),
      op("%r = xf.matmul %x, %y : (tensor<3x7x9xf32>, tensor<3x9x5xf32>) -> tensor<3x7x5xf32>",
         [("x", (3, 7, 9)), ("y", (3, 9, 5))], "tensor<3x7x5xf32>")]),
    ("element by element: arithmetic, exp .. gelu, where, cast",
     [unary(["exp", "tanh", "sigmoid", "erf", "abs", "square", "sin", "cos", "relu", "silu"]),
      sum_of([f"xf.gelu %x form {form} : tensor<5x9xf32>" for form in ("erf", "tanh", "sigmoid")], [("x", (5, 9))]),
      binary(["add", "sub", "mul", "div", "maximum", "minimum"])]
     + [op("%r = xf.where %c, %x, %y : (tensor<5x9xi1>, tensor<5x9xf32>, tensor<9xf32>) -> tensor<5x9xf32>",
           [("c", (5, 9), "i1"), ("x", (5, 9)), ("y", (9,))], "tensor<5x9xf32>"),
        op("%r = xf.cast %x : tensor<5x9xf32> to tensor<5x9xf64>", [("x", (5, 9))], "tensor<5x9xf64>")]),
    ("element by element: floor .. round, tan .. atan2, sinh, cosh, cbrt, log2, log10, log1p, expm1, softplus",
     [unary(["floor", "ceil", "round", "atan", "sinh", "cosh", "expm1", "softplus"]), binary(["atan2"])]
     + [op(f"%t = xf.{inner} %x : {SAME}\n  %r = xf.{name} %t : {SAME}", [("x", (5, 9))], SAME)
        for inner, names in (("tanh", ("tan", "asin", "acos")), ("exp", ("cbrt", "log2", "log10", "log1p"))) for name in names]),
    ("rows: softmax, layer_norm, rms_norm; sum, mean, max",
     [unary(["softmax"]),
      op("%r = xf.layer_norm %x weight(%w : tensor<9xf32>) bias(%b : tensor<9xf32>) eps 1.0e-5 : tensor<5x9xf32> -> tensor<5x9xf32>",
         [("x", (5, 9)), ("w", (9,)), ("b", (9,))], "tensor<5x9xf32>"),
      op("%r = xf.rms_norm %x weight(%w : tensor<9xf32>) eps 1.0e-5 : tensor<5x9xf32> -> tensor<5x9xf32>",
         [("x", (5, 9)), ("w", (9,))], "tensor<5x9xf32>")]
     + [op(f"%r = xf.reduce {kind} %x axes [{axis}] : tensor<5x9xf32> -> tensor<{9 - 4 * axis}xf32>", [("x", (5, 9))],
           f"tensor<{9 - 4 * axis}xf32>") for kind in ("sum", "mean", "max") for axis in (0, 1)]),
    ("shapes: reshape, transpose, slice, concat, broadcast, heads",
     [op("%r = xf.reshape %x : tensor<4x9xf32> to tensor<6x6xf32>", [("x", (4, 9))], "tensor<6x6xf32>"),
      op("%r = xf.transpose %x permutation [1, 0] : tensor<5x9xf32> to tensor<9x5xf32>", [("x", (5, 9))], "tensor<9x5xf32>"),
      op("%r = xf.slice %x offsets [1, 0] strides [2, 1] : tensor<5x9xf32> to tensor<2x9xf32>", [("x", (5, 9))], "tensor<2x9xf32>"),
      op("%r = xf.concat %x, %y axis 1 : (tensor<5x9xf32>, tensor<5x2xf32>) -> tensor<5x11xf32>", [("x", (5, 9)), ("y", (5, 2))],
         "tensor<5x11xf32>"),
      op("%r = xf.broadcast %x : tensor<1x9xf32> to tensor<3x5x9xf32>", [("x", (1, 9))], "tensor<3x5x9xf32>"),
      op("%r = xf.split_heads %x heads 3 : (tensor<2x5x9xf32>) -> tensor<2x3x5x3xf32>", [("x", (2, 5, 9))], "tensor<2x3x5x3xf32>"),
      op("%r = xf.merge_heads %x : (tensor<2x3x5x3xf32>) -> tensor<2x5x9xf32>", [("x", (2, 3, 5, 3))], "tensor<2x5x9xf32>")]),
    ("embedding, cross-entropy, dropout",
     [op("%r = xf.embedding %t, %i : (tensor<9x4xf32>, tensor<7xi32>) -> tensor<7x4xf32>", [("t", (9, 4)), ("i", (7,), "i32", 0, 8)],
         "tensor<7x4xf32>"),
      op("%r, %lse = xf.cross_entropy %x, %t : (tensor<7x5xf32>, tensor<7xi64>) -> (tensor<f32>, tensor<7xf32>)",
         [("x", (7, 5)), ("t", (7,), "i64", 0, 4)], "tensor<f32>"),
      op("%r = xf.dropout %x seed(%s : tensor<2xi64>) p 0.3 : tensor<5x9xf32>", [("x", (5, 9)), ("s", (2,), "i64", 0, 1, [1, 2])],
         "tensor<5x9xf32>")]),
    ("elements by order and index: top_k (argmax, sort), take_along; sums by index, cumsum",
     [op("%r = xf.iota %x : tensor<5x9xi64>", [("x", (5, 9), "i64", 0, 1)], "tensor<5x9xi64>", differentiable=False),
      op("%r, %i = xf.top_k %x : tensor<5x9xf32> -> tensor<5x3xf32>, tensor<5x3xi64>", [("x", (5, 9))], "tensor<5x3xf32>"),
      op(f"%r, %i = xf.top_k %x smallest : {SAME} -> {SAME}, tensor<5x9xi64>", [("x", (5, 9))], SAME),
      op(f"%v, %r = xf.top_k %x : {SAME} -> tensor<5x1xf32>, tensor<5x1xi64>", [("x", (5, 9))], "tensor<5x1xi64>", differentiable=False),
      op(f"%r = xf.cumsum %x : {SAME}", [("x", (5, 9))], SAME),
      op("%r = xf.take_along %x, %i : tensor<5x9xf32>, tensor<5x4xi64> -> tensor<5x4xf32>",
         [("x", (5, 9)), ("i", (5, 4), "i64", 0, 8)], "tensor<5x4xf32>"),
      op(f"%r = xf.take_along_vjp %x, %i, %u : {SAME}, tensor<5x4xi64>, tensor<5x4xf32>",
         [("x", (5, 9)), ("i", (5, 4), "i64", 0, 8), ("u", (5, 4))], SAME),
      op("%r = xf.embedding_vjp %i, %u onto %x : (tensor<4xi32>, tensor<4x9xf32>, tensor<5x9xf32>) -> tensor<5x9xf32>",
         [("x", (5, 9)), ("i", (4,), "i32", 0, 4), ("u", (4, 9))], SAME)]),
    ("training steps: clipping, checkpoints, AdamW, SGD",
     [op(GRADIENT + "%r, %m1, %v1 = xf.adamw %w, %g, %m, %v rate %rate step %step clip %clip betas 0.9, 0.99 eps 1.0e-8 decay 0.1"
         f" : {SAME}, tensor<f32>, tensor<i64>, tensor<f32>", STEP, SAME, before=LOSS, differentiable=False),
      op(GRADIENT + f"%r, %m1 = xf.sgd %w, %g, %m rate %rate clip %clip momentum 0.9 decay 0.1 : {SAME}, tensor<f32>, tensor<f32>",
         STEP, SAME, before=LOSS, differentiable=False)]),
]

# What docs/figures/h200.md says of a row, forward and backward: `yes`, `older` where kernels have been written again since they
# ran there, or nothing.
H200 = {
    "attention: dense, causal; GQA, Nq != Nk, Dv != D; f32, f64, f16, bf16": "yes",
    "window, dilated; strided, fixed: both parts and their union": "yes",
    "per head, unions, intersections, differences, affine sets": "yes",
    "windows and lifts of grids, Swin, permutations": "yes",
    "random, BigBird": "older",
    "segments, tables": "older",
    "lengths of keys and queries": "older",
    "score functions with captured tensors": "older",
    "attention dropout": "older",
    "kernelised: every feature map or a region, every normaliser": "older",
    "decay, delta rule and weights by distance": "yes",
    "low rank: one E or E and F, per head; mean, max, strided_conv": "yes",
    "products: linear, matmul": "yes",
    "element by element: arithmetic, exp .. gelu, where, cast": "yes",
    "rows: softmax, layer_norm, rms_norm; sum, mean, max": "yes",
    "shapes: reshape, transpose, slice, concat, broadcast, heads": "yes",
    "embedding, cross-entropy, dropout": "yes",
    "training steps: clipping, checkpoints, AdamW, SGD": "yes",
}
assert set(H200) <= {name for name, _ in ROWS}, "H200 and ROWS differ"

# The README's rows: how many of the rows above each stands for.
FAMILIES = [
    ("dense, causal, windows, strided, fixed", 2),
    ("unions, differences, per head; blocks, global tokens", 2),
    ("grids, Swin, permutations", 1),
    ("random, BigBird; packed documents, tables, padding, run-time bounds", 4),
    ("score functions, dropout", 2),
    ("kernelised", 2),
    ("low rank; OmniNet", 2),
    ("other ops; training", 8),
]


class Unexpected(Exception):
    pass


# For GPUs, code for the CPU computes sizes alone.
TARGETS = {"cpu": [], "cuda": ["--target=cuda", "--gpu-arch=sm_80", "-O0"]}


def environment(bin_folder):
    """The simulated GPU in the place of a driver, and no assembler: it runs PTX."""
    driver = os.path.join(bin_folder, "..", "test", "ptx", "driver", "current")
    return {**os.environ, "LD_LIBRARY_PATH": driver, "XF_SIM_CAPABILITY": "8.0", "XF_PTXAS": ""}


def run(command, bin_folder):
    """Whether it ran; False where the compiler says `not implemented`."""
    done = subprocess.run(command, capture_output=True, text=True, env=environment(bin_folder))
    if done.returncode == 0:
        return True
    if done.returncode in (1, 2) and "not implemented" in done.stderr:
        return False
    raise Unexpected(f"{' '.join(command)}\nexit code {done.returncode}\n{done.stderr}")


class Row:
    """Programs in one file, so that a row is compiled once."""

    def __init__(self, programs, bin_folder, folder):
        self.programs, self.bin_folder, self.folder = programs, bin_folder, folder
        self.path = os.path.join(folder, "row.mlir")
        with open(self.path, "w") as file:
            file.writelines(program.text(f"f{number}") for number, program in enumerate(programs))

    def compile(self, target, number, vjp):
        """A library with program `number` (None: all of them), or None where that is not implemented."""
        numbers = range(len(self.programs)) if number is None else [number]
        library = os.path.join(self.folder, f"row-{target}-{number}-{vjp}.so")
        command = [os.path.join(self.bin_folder, "xfc"), self.path, "--emit=shared", "-o", library, *TARGETS[target]]
        command += [f"--entry=f{n}" for n in numbers]
        command += [f"--vjp=f{n}" for n in numbers if vjp and self.programs[n].differentiable]
        return library if run(command, self.bin_folder) else None

    def outcomes(self):
        """For each program whether the interpreter, the CPU and the GPU run it forward, then backward; None where nobody asks."""
        whole = {target: self.compile(target, None, True) for target in TARGETS}
        found = []
        for number, program in enumerate(self.programs):
            found.append([])
            for vjp in (False, True) if program.differentiable else (False,):
                libraries = {target: whole[target] or self.compile(target, number, vjp) for target in TARGETS}
                found[-1] += self.compare(number, program, vjp, libraries)
            found[-1] += [None] * (2 + 2 * len(TARGETS) - len(found[-1]))
        return found

    def compare(self, number, program, vjp, libraries):
        random = np.random.default_rng(number)
        arguments, results = [f"--entry=f{number}"], ["result0"]
        for n, argument in enumerate(program.arguments):
            array = os.path.join(self.folder, f"{number}-{n}.npy")
            np.save(array, argument.array(random))
            arguments.append(f"--input=arg{n}=@{array}")
            if vjp and argument.element[0] in "fb":
                results.append(f"d_arg{n}")
        if vjp:
            arguments += ["--vjp", "--input=d_result0=random(5)"]
        tool = os.path.join(self.bin_folder, "xf-run")
        files = [f"{name}=@{os.path.join(self.folder, f'{number}-{name}.npy')}" for name in results]
        reference = run([tool, self.path, "--target=reference", *arguments] + [f"--output={file}" for file in files],
                        self.bin_folder)
        loosest = max(TOLERANCE.get(argument.element, 0) for argument in program.arguments)
        arguments += [f"--rtol={loosest}", f"--atol={loosest}"]
        arguments += [f"--expected-output={file}" for file in files] if reference else []
        return [reference] + [bool(library) and run([tool, library, f"--target={target}", *arguments], self.bin_folder)
                              for target, library in libraries.items()]


def cells(name, programs, bin_folder):
    with tempfile.TemporaryDirectory() as folder:
        forward, cpu, gpu, gradient, cpu_gradient, gpu_gradient = zip(*Row(programs, bin_folder, folder).outcomes())
    texts = []
    columns = zip((forward, gradient, cpu, cpu_gradient, gpu, gpu_gradient), 4 * ("yes",) + 2 * ("simulated",))
    for column, all_work in columns:
        asked = [works for works in column if works is not None]
        texts.append("" if not asked else all_work if all(asked) else "part" if any(asked) else "-")
    return texts + [H200.get(name, "")]


def summary(columns):
    """What a family's rows say together."""
    texts = {text for text in columns if text}
    return texts.pop() if len(texts) == 1 else "part"


def ran(column):
    """What of a family ran on the H200."""
    return "" if not any(column) else "yes" if set(column) == {"yes"} else "older" if "older" in column else "part"


def tables(bin_folder):
    """The README's table and the whole one."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        rows = list(pool.map(lambda row: [row[0], *cells(*row, bin_folder)], ROWS))
    whole = ["| | interpreter | its gradient | CPU | its gradient | GPU | its gradient | H200 |\n",
             "|---|---|---|---|---|---|---|---|\n"]
    whole += ["| " + " | ".join(row) + " |\n" for row in rows]
    short = ["| |CPU|gradient|GPU|gradient|H200|\n", "|---|---|---|---|---|---|\n"]
    for title, count in FAMILIES:
        family, rows = rows[:count], rows[count:]
        columns = list(zip(*family))
        short.append(f"| {title} |" + "|".join([*map(summary, columns[3:-1]), ran(columns[-1])]) + "|\n")
    assert not rows, "FAMILIES and ROWS differ"
    return "".join(short), "".join(whole)


def check(path, new, write):
    """Whether the table in `path` is the new one, or is now."""
    with open(path) as file:
        before, rest = file.read().split(BEGIN)
    old, after = rest.split(END, 1)
    if old != new and write:
        with open(path, "w") as file:
            file.write(before + BEGIN + new + END + after)
    elif old != new:
        print(f"expected the table of {path} to be\n{new}got\n{old}write it with --write")
        return False
    return True


def main(bin_folder, readme, page, *options):
    short, whole = tables(bin_folder)
    same = [check(path, new, "--write" in options) for path, new in ((readme, short), (page, whole))]
    return 0 if all(same) else 1


if __name__ == "__main__":
    try:
        sys.exit(main(*sys.argv[1:]))
    except Unexpected as error:
        sys.exit(str(error))
