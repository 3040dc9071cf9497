"""Patterns that nobody should write: each gets one error at its line, or compiles. usage: patterns.py XFC FOLDER

Prints the number of patterns, and every one that is treated otherwise.
"""

import os
import subprocess
import sys

TYPE = "tensor<1x1x8x4xf32>"


def join(parts):
    return ", ".join(parts)


def numbers(count):
    return join(map(str, range(count)))


def nested(depth):
    return "#xf.block<size = 2, of = " * depth + "#xf.causal" + ">" * depth


# The pattern, and how its error begins after the place; None where there is none.
CASES = [
    ("#xf.window<left = 99999999999999999999>", "integer value too large"),
    ("#xf.window<left = 9223372036854775807, right = 9223372036854775807>", "expected left <= 2147483648, got 9223372036854775807"),
    ("#xf.window<left = -9223372036854775808>", "expected left >= -2147483648, got -9223372036854775808"),
    ("#xf.window<left = unbounded, right = unbounded>", None),
    ("#xf.window<left = 2147483648, right = 2147483648>", None),
    ("#xf.window<left = nan>", "expected integer value"),
    ("#xf.window<>", "expected valid keyword"),
    ("#xf.window<left = 1, left = 2>", "duplicate or unknown struct parameter name: left"),
    ("#xf.dilated<left = 4, step = -1>", "expected step >= 1, got -1"),
    ("#xf.dilated<left = 4, step = 2147483648>", None),
    ("#xf.dilated<left = -5, right = 2, step = 3>",
     "expected a pattern with pairs, got the statically empty pattern #xf.dilated<left = -5, right = 2, step = 3>"),
    ("#xf.strided<stride = -128>", "expected stride >= 1, got -128"),
    ("#xf.strided<stride = 2147483648>", None),
    ("#xf.strided<stride = 4, part = 7>", "expected a word"),
    ("#xf.strided<stride = 4, part = diagonal>", "expected one of [union, local, column], got 'diagonal'"),
    ("#xf.fixed<block = 8, summary = 9>", "expected summary (slot + 1) <= block, got summary = 9, slot = 0, block = 8"),
    ("#xf.fixed<block = 8, summary = 2, slot = 9223372036854775807>", "expected slot <= 2147483648, got 9223372036854775807"),
    ("#xf.fixed<block = 2147483648, summary = 2147483648>", None),
    ("#xf.block<size = 0, of = #xf.causal>", "expected size >= 1, got 0"),
    ("#xf.block<size = 2147483648, of = #xf.block<size = 2147483648, of = #xf.block<size = 2147483648, of = #xf.causal>>>", None),
    ("#xf.global<[]>", "expected integer value"),
    ("#xf.global<[100]>", None),
    ("#xf.global<[-100]>", None),
    ("#xf.global<[" + numbers(3000) + "]>", None),
    ("#xf.random<count = 100, seed = 1>", None),
    ("#xf.random<count = 9223372036854775807, seed = 1>", "expected count <= 2147483648, got 9223372036854775807"),
    ("#xf.random<count = 0, seed = 1>",
     "expected a pattern with pairs, got the statically empty pattern #xf.random<count = 0, seed = 1>"),
    ("#xf.bigbird<block = 1, random = 2147483647>", None),
    ("#xf.bigbird<block = 1, window = 2147483648, global = 2147483648>", None),
    ("#xf.bigbird<block = 1, random = 2147483648>", None),
    ("#xf.segments<relation = [[1], [1, 2]]>", "expected a relation of rows of 1 numbers 0 or 1, got [1, 2]"),
    ("#xf.segments<relation = 3>", "invalid kind of attribute specified"),
    ("#xf.prefix<length = 9223372036854775807>", "expected length <= 2147483648, got 9223372036854775807"),
    ("#xf.window_nd<extents = [2147483648, 2147483648, 2147483648], radius = [1, 1, 1]>",
     "expected product of the extents <= 2147483648, got 4611686018427387904"),
    ("#xf.window_nd<extents = [2, 4], radius = [2147483648, 2147483648]>", None),
    ("#xf.window_nd<extents = [2, 4], radius = [2147483648, 2147483648], clamp = true>", None),
    ("#xf.window_nd<extents = [2, 2, 2], radius = [0, 0, 0], clamp = true>", None),
    ("#xf.window_nd<extents = [" + join(["1"] * 9 + ["8"]) + "], radius = [" + join(["0"] * 10) + "], clamp = true>", None),
    ("#xf.lift<extents = [8], axis = -1, of = #xf.causal>", "expected an axis in [0, 1), got -1"),
    ("#xf.lift<extents = [8], axis = 0, of = #xf.lift<extents = [4], axis = 0, of = #xf.causal>>",
     "expected 4 tokens in a grid of extents [4], got 8"),
    ("#xf.swin<extents = [8], window = [4, 4], shift = [0]>", "expected 1 values of window, got 2"),
    ("#xf.keys<[]>", "expected integer value"),
    ("#xf.keys<[3 : 3]>", "expected a pattern with pairs, got the statically empty pattern #xf.keys<[3 : 3]>"),
    ("#xf.keys<[5 : 3]>", "expected an interval's end >= 5, got 3"),
    ("#xf.keys<[0 : 9223372036854775807]>", "expected an interval's end <= 2147483648, got 9223372036854775807"),
    ("#xf.keys<[9 : 12], mod = 4>", "expected a pattern with pairs, got the statically empty pattern #xf.keys<[9 : 12], mod = 4>"),
    ("#xf.keys<[0 : 2], mod = 2147483648>", None),
    ("#xf.keys<[" + join(f"{2 * n} : {2 * n + 1}" for n in range(2000)) + "]>", None),
    ("#xf.keys<[" + join(f"{2 * n} : {2 * n + 1}" for n in range(2000)) + "], mod = 3>", None),
    ("#xf.keys<[" + join(f"{2 * n} : {2 * n + 1}" for n in range(65)) + ", 2147483646 : 2147483647]>",
     "expected a pattern of at most 64 conjunctions, got 65"),
    ("#xf.global<[" + join(f"{3 * n}, {-3 * n - 1}" for n in range(2000)) + "]>", None),
    ("#xf.permute<[], of = #xf.causal>", "expected integer value"),
    ("#xf.permute<[" + numbers(200000) + "], of = #xf.causal>", "expected 200000 tokens in a permutation of 200000 positions, got 8"),
    ("#xf.affine<(i, j)[Nq, Nk] : (i * 9223372036854775807 - j ge 0)>",
     "expected numbers that stay below 2^62 in an affine set, got larger products"),
    ("#xf.affine<(i, j)[Nq, Nk] : (((i * 2147483647) * 2147483647) * 2147483647 - j ge 0)>",
     "expected numbers that stay below 2^62 in an affine set, got larger products"),
    ("#xf.affine<(i, j)[Nq, Nk] : ((i * 4 * 4611686018427387904) - j ge 0)>",
     "expected numbers that stay below 2^62 in an affine set, got larger products"),
    ("#xf.affine<(i, j)[Nq, Nk] : (((i floordiv 2147483647) floordiv 2147483647) floordiv 2147483647 - j ge 0)>", None),
    ("#xf.affine<(i, j)[Nq, Nk] : ((i mod 2147483647 + j mod 2147483629) mod 2147483587 ge 5)>", None),
    ("#xf.affine<(i, j)[Nq, Nk] : (i ceildiv 0 ge 0)>", "expected a positive constant on the right of ceildiv, got 0"),
    ("#xf.affine<(i, j)[Nq, Nk] : (i mod Nk ge 0)>", "expected a positive constant on the right of mod, got an expression"),
    ("#xf.affine<(i, j)[Nq, Nk] : (i * j ge 0)>",
     "non-affine expression: at least one of the multiply operands has to be either a constant or symbolic"),
    ("#xf.affine<(i, j)[Nq] : (i ge 0)>", "expected (i, j)[Nq, Nk, ..], got 2 dimensions and 1 symbols"),
    ("#xf.affine<(i, j, k)[Nq, Nk] : (i ge 0)>", "expected (i, j)[Nq, Nk, ..], got 3 dimensions and 2 symbols"),
    ("#xf.affine<(i, j) : (i ge 0)>", "expected '['"),
    ("#xf.affine<(i, j)[Nq, Nk] : ()>", "expected at least one constraint, got none"),
    ("#xf.affine<(i, j)[Nq, Nk] : (1 == 0)>",
     "expected a pattern with pairs, got the statically empty pattern #xf.affine<(i, j)[Nq, Nk] : (1 == 0)>"),
    ("#xf.affine<(i, j)[Nq, Nk] : (" + join(f"(i + {n} * j) mod {n + 2} ge 1" for n in range(1, 40)) + ")>", None),
    ("#xf.table<block = -1>", "expected block >= 1, got -1"),
    ("#xf.union<[]>", "expected attribute value"),
    ("#xf.intersection<[]>", "expected attribute value"),
    ("#xf.heads<[" + join(["#xf.causal"] * 5000) + "]>", "expected patterns that repeat within 4096 heads, got more"),
    ("#xf.union<[#xf.heads<[" + join(["#xf.causal"] * 61) + "]>, #xf.heads<[" + join(["#xf.causal"] * 67) + "]>, #xf.heads<[" + join(["#xf.causal"] * 71) + "]>]>",
     "expected patterns that repeat within 4096 heads, got more"),
    ("#xf.union<[" + join(["#xf.causal"] * 5000) + "]>", "expected a pattern of at most 64 conjunctions, got 65"),
    ("#xf.difference<[#xf.causal]>", "expected two members of a difference, got 1"),
    ("#xf.difference<[#xf.causal, #xf.dense]>",
     "expected a pattern with pairs, got the statically empty pattern #xf.difference<[#xf.causal, #xf.dense]>"),
    ("#xf.nonsense<left = 3>", "unknown attribute `nonsense` in dialect `xf`"),
    ("#xf.windows<left = 3>", "unknown attribute `windows` in dialect `xf`; did you mean 'window'?"),
    ("#xf.window<lefts = 3>", "duplicate or unknown struct parameter name: lefts"),
    ("#xf.window<left 3>", "expected '='"),
    ("#xf.causal<left = 3>", "expected no parameters of #xf.causal, got '<'"),
    ('"causal"', "custom op 'xf.attention' invalid kind of attribute specified"),
    (nested(200), "expected an expression nested at most 200 deep"),
    (nested(300), "expected brackets nested at most 256 deep"),
    ("#xf.low_rank<rank = -1>", "expected rank >= 1, got -1"),
    ("#xf.low_rank<rank = 3, projection = cubic>", "expected one of [learned, mean, max, strided_conv], got 'cubic'"),
    ("#xf.grid<layers = 2147483648, of = #xf.causal, granularity = position, order = layer>", "expected a multiple of 2147483648 tokens in 2147483648 layers, got 8"),
    ("#xf.grid<layers = 2>", "struct is missing required parameter: of"),
    ("#xf.grid<layers = 2, of = #xf.kernelized<feature = elu>>",
     "expected a set of pairs inside a pattern, got #xf.kernelized<feature = elu>"),
    ("#xf.grid<layers = 2, of = #xf.low_rank<rank = 2>>",
     "expected a set of pairs inside a pattern, got #xf.low_rank<rank = 2>: projected keys have no positions"),
    ("#xf.grid<layers = 2, of = #xf.causal, order = sideways>", "expected one of [index, layer], got 'sideways'"),
    ("#xf.grid<layers = 2, of = #xf.heads<[#xf.causal, #xf.dense]>, order = layer>",
     "expected order = index or granularity = position in a causal grid: tokens of the layers before see every position; got"),
    ("#xf.kernelized<feature = magic>",
     "expected one of [favor, hyperbolic, trigonometric, relu, elu, exp, square, abs, sigmoid, identity, softmax], got 'magi"),
    ("#xf.kernelized<feature = elu, guard = 0x7FF0000000000000>", "expected a finite guard >= 0, got 0x7FF0000000000000 : f64"),
    ("#xf.kernelized<feature = elu, of = #xf.window<left = 3>>", None),
    ("#xf.kernelized<feature = elu, of = #xf.keys<[9 : 12], mod = 4>>",
     "expected a pattern with pairs, got the statically empty pattern #xf.keys<[9 : 12], mod = 4>"),
    ("#xf.kernelized<feature = elu, normalizer = minimum>", "expected one of [sum, none, count, norm], got 'minimum'"),
    ("#xf.kernelized<feature = elu, scale_input = maybe>", "expected 'false'"),
    ("#xf.window_nd<extents = [" + join(["2"] * 20) + "], radius = [" + join(["0"] * 20) + "], clamp = true>",
     "expected 1048576 tokens in a grid of extents [2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2], got 8"),
    ("#xf.window_nd<extents = [4, 4, 4, 4], radius = [1, 1, 1, 1], clamp = true>",
     "expected at most 3 axes along which a clamped window moves, got 4"),
    ("#xf.dense<size = 3>", "expected no parameters of #xf.dense, got '<'"),
    ("#xf.affine<(i, j)[Nq, Nk] : (((i * 2147483647) * 2147483647) * 4 - j ge 0)>",
     "expected numbers that stay below 2^62 in an affine set, got larger products"),
    ("#xf.affine<(i, j)[Nq, Nk] : (i + 9223372036854775807 + 9223372036854775807 - j ge 0)>",
     "expected numbers that stay below 2^62 in an affine set, got larger products"),
    ("#xf.affine<(i, j)[Nq, Nk] : (2 * i + 3 * (j - 4) - -5 ge 0)>", None),
    ("#xf.difference<[#xf.dense, #xf.union<[" + join(f"#xf.keys<[{2 * n} : {2 * n + 1}]>" for n in range(50)) + "]>]>", None),
    ("#xf.kernelized<feature = elu, of = #xf.causal<b = 3>>", "expected no parameters of #xf.causal, got '<'"),
    ("#xf.grid<layers = 2, of = #xf.causl>", "unknown attribute `causl` in dialect `xf`; did you mean 'causal'?"),
    ("#xf.swin<extents = [2, 4], window = [2, 4], shift = [1, 2], of = #xf.causal>", "expected '>'"),
]


def run(xfc, path, pattern):
    with open(path, "w") as file:
        file.write(f"func.func @f(%x: {TYPE}) -> {TYPE} {{\n"
                   f"  %o = xf.attention %x, %x, %x pattern({pattern}) : ({TYPE}, {TYPE}, {TYPE}) -> {TYPE}\n"
                   f"  return %o : {TYPE}\n}}\n")
    result = subprocess.run([xfc, path, "--stop-after=pattern", "-o", os.devnull], capture_output=True, text=True, timeout=300)
    errors = [line for line in result.stderr.splitlines() if ": error: " in line]
    return result.returncode, [error.split(": error: ", 1) for error in errors]


xfc, folder = sys.argv[1:]
path = os.path.join(folder, "pattern.mlir")
for pattern, expected in CASES:
    code, errors = run(xfc, path, pattern)
    if expected is None:
        right = code == 0 and not errors
    else:
        right = code == 1 and len(errors) == 1 and errors[0][0].startswith(path + ":2:")
        right = right and errors[0][1].removeprefix("'xf.attention' op ").startswith(expected)
    if not right:
        print("expected", expected, "of", pattern[:100], "got", code, errors)
print(len(CASES), "patterns")
