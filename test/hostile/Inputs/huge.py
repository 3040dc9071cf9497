"""Programs with one huge size each: they compile to as much code as with a modest size, or get one error at the op.

usage: huge.py cpu|gpu FOLDER XFC

Every program is compiled with both sizes of its kind, in 4 GB of address space and 20 s of processor time. What it
compiles to is measured in lines of code, those of the huge size being at most a quarter more, for tails. No address is
computed in less than 64 bits. Prints the number of programs, and every one that is treated otherwise.
"""

import os
import re
import resource
import subprocess
import sys

# Sizes leave the same tails: their difference is a multiple of all tiles.
WIDTHS = 4099, 4099 + 3 * 2**18
ROWS = 10007, 10007 + 3 * 2**27
COUNTS = 11, 11 + 3 * 2**30


def tensor(*sizes, element="f32"):
    return "tensor<" + "x".join(map(str, sizes)) + "x" + element + ">"


def function(arguments, op, result):
    names = [f"%a{n}: {type}" for n, type in enumerate(arguments)]
    return f"func.func @f({', '.join(names)}) -> {result} {{\n  %y = {op}\n  return %y : {result}\n}}\n"


def apply(name, arguments, result, between="", lists=True):
    """An op with operands %a0, %a1, .. and a functional type."""
    operands = ", ".join(f"%a{n}" for n in range(len(arguments)))
    types = f"({', '.join(arguments)}) -> {result}" if lists else f"{arguments[0]} {result}"
    return function(arguments, f"xf.{name} {operands} {between}: {types}", result)


def attention(pattern, batch=1, heads=1, queries=9, keys=None, depth=8, values=None, element="f32", clause="", params=()):
    keys, values = keys or queries, values or depth
    q = tensor(batch, heads, queries, depth, element=element)
    k = tensor(batch, heads, keys, depth, element=element)
    v = tensor(batch, heads, keys, values, element=element)
    o = tensor(batch, heads, queries, values, element=element)
    clauses = f"{clause}({', '.join(f'%a{3 + n} : {type}' for n, type in enumerate(params))}) " if clause else ""
    return function([q, k, v, *params], f"xf.attention %a0, %a1, %a2 pattern({pattern}) {clauses}: ({q}, {k}, {v}) -> {o}", o)


def grid(n, pattern):
    """`pattern` of a grid of 8 columns."""
    return attention(pattern.replace("ROWS", str(n)), queries=8 * n, depth=4)


# Name, sizes, program of a size, and how an error begins where the huge size is refused.
ATTENTION = [
    ("head size", WIDTHS, lambda n: attention("#xf.causal", depth=n), None),
    ("head size of values", WIDTHS, lambda n: attention("#xf.causal", values=n), None),
    ("head size, f16", WIDTHS, lambda n: attention("#xf.causal", depth=n, element="f16"), None),
    ("head size, strided", WIDTHS, lambda n: attention("#xf.strided<stride = 16>", queries=256, depth=n), None),
    ("head size, predicate", WIDTHS, lambda n: attention("#xf.bigbird<block = 8, seed = 1>", queries=256, depth=n), None),
    ("head size, linear", WIDTHS, lambda n: attention("#xf.kernelized<feature = elu>", depth=n), None),
    ("head size, causal linear", WIDTHS,
     lambda n: attention("#xf.kernelized<feature = elu, of = #xf.causal>", depth=n), None),
    ("head size of values, causal linear", WIDTHS,
     lambda n: attention("#xf.kernelized<feature = elu, of = #xf.causal>", values=n), None),
    ("head size, softmax features", WIDTHS,
     lambda n: attention("#xf.kernelized<feature = softmax, of = #xf.causal>", depth=n), None),
    ("features", WIDTHS,
     lambda n: attention("#xf.kernelized<feature = favor>", clause="params", params=[tensor(n, 8)]), None),
    ("rank", WIDTHS,
     lambda n: attention(f"#xf.low_rank<rank = {n}>", clause="params", params=[tensor(9, n)]), None),
    ("keys, low rank", ROWS,
     lambda n: attention("#xf.low_rank<rank = 8>", queries=n, clause="params", params=[tensor(n, 8)]), None),
    ("batch", COUNTS, lambda n: attention("#xf.causal", batch=n), None),
    ("heads", COUNTS, lambda n: attention("#xf.causal", heads=n), None),
    ("rows, dense", ROWS, lambda n: attention("#xf.dense", queries=n), None),
    ("rows, causal", ROWS, lambda n: attention("#xf.causal", queries=n), None),
    ("queries", ROWS, lambda n: attention("#xf.causal", queries=n, keys=9), None),
    ("keys", ROWS, lambda n: attention("#xf.causal", queries=9, keys=n), None),
    ("rows, window", ROWS, lambda n: attention("#xf.window<left = 100>", queries=n), None),
    ("rows, dilated", ROWS, lambda n: attention("#xf.dilated<left = 400, step = 4>", queries=n), None),
    ("rows, strided", ROWS, lambda n: attention("#xf.strided<stride = 128>", queries=n), None),
    ("rows, wide stride", ROWS, lambda n: attention("#xf.strided<stride = 46341>", queries=n), None),
    ("stride", COUNTS, lambda n: attention(f"#xf.strided<stride = {n % 2**31}>", queries=100000007), None),
    ("rows, fixed", ROWS, lambda n: attention("#xf.fixed<block = 128, summary = 8>", queries=n), None),
    ("rows, wide blocks", ROWS, lambda n: attention("#xf.fixed<block = 46341, summary = 8>", queries=n), None),
    ("rows, blocks", ROWS, lambda n: attention("#xf.block<size = 64, of = #xf.window<left = 2>>", queries=n), None),
    ("rows, global", ROWS,
     lambda n: attention("#xf.union<[#xf.global<[0, 5, -1]>, #xf.window<left = 64>]>", queries=n), None),
    ("rows, keys", ROWS, lambda n: attention("#xf.keys<[0 : 2], mod = 1000003>", queries=n), None),
    ("rows, prefix", ROWS, lambda n: attention("#xf.prefix<length = 5000>", queries=n), None),
    ("rows, random", ROWS, lambda n: attention("#xf.random<count = 3, seed = 1>", queries=n),
     "expected at most 16777216 random keys for all rows and heads"),
    ("heads, random", COUNTS, lambda n: attention("#xf.random<count = 3, seed = 1>", heads=n),
     "expected at most 16777216 random keys for all rows and heads"),
    ("rows, BigBird", ROWS, lambda n: attention("#xf.bigbird<block = 64, seed = 1>", queries=n),
     "expected at most 16777216 random keys for all rows and heads"),
    ("rows, affine", ROWS,
     lambda n: attention("#xf.affine<(i, j)[Nq, Nk] : ((i + j) mod 3 == 0, i - j ge 0)>", queries=n), None),
    ("rows, causal linear", ROWS, lambda n: attention("#xf.kernelized<feature = elu, of = #xf.causal>", queries=n), None),
    ("extents, window", ROWS, lambda n: grid(n // 8, "#xf.window_nd<extents = [ROWS, 8], radius = [1, 1]>"), None),
    ("extents, clamped window", ROWS,
     lambda n: grid(n // 8, "#xf.window_nd<extents = [ROWS, 8], radius = [1, 1], clamp = true>"), None),
    ("extents, lift", ROWS, lambda n: grid(n // 8, "#xf.lift<extents = [ROWS, 8], axis = 0, of = #xf.causal>"), None),
    ("inner extents, lift", ROWS, lambda n: grid(n // 8, "#xf.lift<extents = [8, ROWS], axis = 0, of = #xf.causal>"), None),
    ("extents, Swin", ROWS,
     lambda n: grid(n // 64 * 8, "#xf.swin<extents = [ROWS, 8], window = [8, 8], shift = [4, 4]>"), None),
    ("layers", ROWS,
     lambda n: attention(f"#xf.grid<layers = {n}, of = #xf.causal, granularity = position>", queries=2 * n), None),
]

OTHERS = [
    ("terms of a product", WIDTHS, lambda n: apply("matmul", [tensor(9, n), tensor(n, 9)], tensor(9, 9)), None),
    ("columns of a product", WIDTHS, lambda n: apply("matmul", [tensor(9, 9), tensor(9, n)], tensor(9, n)), None),
    ("rows of a product", ROWS, lambda n: apply("matmul", [tensor(n, 9), tensor(9, 9)], tensor(n, 9)), None),
    ("batch of a product", COUNTS, lambda n: apply("matmul", [tensor(n, 9, 9), tensor(n, 9, 9)], tensor(n, 9, 9)), None),
    ("inputs of linear", WIDTHS, lambda n: apply("linear", [tensor(9, n), tensor(9, n)], tensor(9, 9)), None),
    ("outputs of linear", WIDTHS, lambda n: apply("linear", [tensor(9, 9), tensor(n, 9)], tensor(9, n)), None),
    ("columns of softmax", WIDTHS, lambda n: function([tensor(9, n)], f"xf.softmax %a0 : {tensor(9, n)}", tensor(9, n)), None),
    ("rows of softmax", COUNTS, lambda n: function([tensor(n, 9)], f"xf.softmax %a0 : {tensor(n, 9)}", tensor(n, 9)), None),
    ("columns of a norm", WIDTHS,
     lambda n: function([tensor(9, n), tensor(n)],
                        f"xf.layer_norm %a0 weight(%a1 : {tensor(n)}) eps 1.0e-5 : {tensor(9, n)} -> {tensor(9, n)}",
                        tensor(9, n)), None),
    ("elements", COUNTS, lambda n: apply("add", [tensor(n), tensor(n)], tensor(n)), None),
    ("columns to add up", WIDTHS,
     lambda n: function([tensor(9, n)], f"xf.reduce sum %a0 axes [1] : {tensor(9, n)} -> {tensor(9)}", tensor(9)), None),
    ("rows to add up", ROWS,
     lambda n: function([tensor(n, 9)], f"xf.reduce sum %a0 axes [0] : {tensor(n, 9)} -> {tensor(9)}", tensor(9)), None),
    ("rows to transpose", ROWS,
     lambda n: function([tensor(n, 9)], f"xf.transpose %a0 permutation [1, 0] : {tensor(n, 9)} to {tensor(9, n)}",
                        tensor(9, n)), None),
    ("rows to join", ROWS, lambda n: apply("concat", [tensor(n, 9), tensor(3, 9)], tensor(n + 3, 9), "axis 0 "), None),
    ("rows to slice", ROWS,
     lambda n: function([tensor(3 * n, 9)],
                        f"xf.slice %a0 offsets [1, 0] strides [3, 1] : {tensor(3 * n, 9)} to {tensor(n, 9)}",
                        tensor(n, 9)), None),
    ("heads to split", WIDTHS, lambda n: apply("split_heads", [tensor(2, 9, 4 * n)], tensor(2, n, 9, 4), f"heads {n} "), None),
    ("layers to pool", ROWS,
     lambda n: apply("pool_layers", [tensor(1, 2 * n, 4)], tensor(1, 2, 4), f"layers {n} kind max "), None),
    ("vocabulary", ROWS, lambda n: apply("embedding", [tensor(n, 9), tensor(5, element="i32")], tensor(5, 9)), None),
    ("columns of an embedding", WIDTHS,
     lambda n: apply("embedding", [tensor(9, n), tensor(5, element="i32")], tensor(5, n)), None),
    ("classes", WIDTHS,
     lambda n: f"func.func @f(%x: {tensor(9, n)}, %t: {tensor(9, element='i64')}) -> tensor<f32> {{\n"
               f"  %l, %lse = xf.cross_entropy %x, %t : ({tensor(9, n)}, {tensor(9, element='i64')}) -> (tensor<f32>, {tensor(9)})\n"
               "  return %l : tensor<f32>\n}\n", None),
]


# On a GPU a warp holds rows of o in registers.
GPU = [
    ("head size", (64, 1025), lambda n: attention("#xf.causal", depth=n, element="f16"),
     "expected heads of at most 1024 columns on GPUs"),
    ("huge head size", (64, WIDTHS[1]), lambda n: attention("#xf.causal", depth=n, element="f16"),
     "expected heads of at most 1024 columns on GPUs"),
    ("head size of values", (64, 2**30), lambda n: attention("#xf.causal", values=n, element="f16"),
     "expected heads of at most 1024 columns on GPUs"),
    ("rows, causal", ROWS, lambda n: attention("#xf.causal", queries=n, element="f16"), None),
    ("rows, strided", ROWS, lambda n: attention("#xf.strided<stride = 128>", queries=n, element="f16"), None),
    ("heads", COUNTS, lambda n: attention("#xf.causal", heads=n, element="f16"), None),
    ("head size, causal linear", WIDTHS,
     lambda n: attention("#xf.kernelized<feature = elu, of = #xf.causal>", depth=n), None),
    ("features", WIDTHS,
     lambda n: attention("#xf.kernelized<feature = favor>", clause="params", params=[tensor(n, 8)]), None),
    ("rank", WIDTHS,
     lambda n: attention(f"#xf.low_rank<rank = {n}>", clause="params", params=[tensor(9, n)]), None),
]

OPTIONS = {"cpu": ["--emit=llvm", "--mcpu=x86-64-v3", "--vjp=f"], "gpu": ["--target=cuda", "--emit=ptx"]}
NARROW_INDEX = re.compile(r"getelementptr .*, (i\d|i[123]\d|<\d+ x i[123]?\d>) %")


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    resource.setrlimit(resource.RLIMIT_CPU, (20, 20))


def compile(xfc, folder, options, program):
    """The number of lines that the program becomes, or what is wrong: the error, without its place."""
    path, out = os.path.join(folder, "program.mlir"), os.path.join(folder, "out")
    with open(path, "w") as file:
        file.write(program)
    result = subprocess.run([xfc, path, "-o", out, *options], capture_output=True, text=True, preexec_fn=limit, cwd=folder)
    if result.returncode == 0:
        with open(out) as file:
            lines = list(file)
        narrow = [line.strip() for line in lines if NARROW_INDEX.search(line)]
        return narrow[0] if narrow else len(lines)
    errors = [line for line in result.stderr.splitlines() if ": error: " in line]
    if result.returncode == 1 and len(errors) == 1 and errors[0].startswith(path + ":2:"):
        return errors[0].split(": error: ", 1)[1].removeprefix("'xf.attention' op ")
    return f"exit code {result.returncode}: {errors}"


def is_right(modest, huge, expected):
    if not isinstance(modest, int):
        return False
    return str(huge).startswith(expected) if expected else isinstance(huge, int) and huge <= 1.25 * modest


def main(target, folder, xfc):
    cases = GPU if target == "gpu" else ATTENTION + OTHERS
    for name, sizes, program, expected in cases:
        modest, huge = (compile(xfc, folder, OPTIONS[target], program(size)) for size in sizes)
        if not is_right(modest, huge, expected):
            print(name, "of", sizes, "expected", expected or "as many lines, and at most a quarter more", "got", modest, huge)
    print(len(cases), "programs")


main(*sys.argv[1:])
