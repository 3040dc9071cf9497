"""Checks which attention keeps the form of sm_80 on sm_90a: forms.py BIN PAGE CASES [--rows].

Every pattern of PATTERNS, forward and gradient, and every case of the folder CASES with 16-bit operands: a kernel is `mma.sync`'s,
or multiplies without tensor cores, where a row of PAGE's table says so, and nowhere else; and each row has a kernel. Whether a
kernel is in one form or the other is read in its schedule, and for bf16 in its PTX, too. With --rows, looks at the table's rows alone.
"""

import concurrent.futures
import dataclasses
import os
import pathlib
import re
import subprocess
import sys
import tempfile

TESTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path[:0] = [os.path.join(TESTS, "readme")]
import what_works  # noqa: E402
from what_works import Argument, attention  # noqa: E402

BEGIN, END = "<!-- test/gpu/Inputs/forms.py reads the table. -->\n", "<!-- The table ends. -->\n"
TYPES = ("bf16", "f16")
ROWS = 192

# ------------------------------------------------------------------------------------------------------------------------
# Programs
# ------------------------------------------------------------------------------------------------------------------------

PATTERNS = [
    "#xf.dense", "#xf.causal", "#xf.window<left = 40>", "#xf.window<left = 40, right = 8>", "#xf.dilated<left = 96, step = 3>",
    "#xf.strided<stride = 8>", "#xf.strided<stride = 8, part = local>", "#xf.strided<stride = 8, part = column>",
    "#xf.fixed<block = 32, summary = 8>", "#xf.fixed<block = 32, summary = 8, part = local>",
    "#xf.fixed<block = 32, summary = 8, part = column>",
    "#xf.heads<[#xf.strided<stride = 8, part = local>, #xf.strided<stride = 8, part = column>]>",
    "#xf.union<[#xf.window<left = 20>, #xf.affine<(i, j)[Nq, Nk] : (i - j ge 0, (i + j) mod 16 == 0)>]>",
    "#xf.intersection<[#xf.causal, #xf.dilated<left = 90, right = 90, step = 3>]>",
    "#xf.difference<[#xf.causal, #xf.window<left = 3>]>",
    "#xf.block<size = 16, of = #xf.window<left = 1>>", "#xf.global<[0, -1]>", "#xf.prefix<length = 70>",
    "#xf.union<[#xf.causal, #xf.keys<[0 : 3]>, #xf.queries<[0 : 1]>]>", "#xf.grid<layers = 3, of = #xf.causal, granularity = position>",
    "#xf.window_nd<extents = [12, 16], radius = [1, 2]>", "#xf.lift<extents = [24, 8], axis = 1, of = #xf.causal>",
    "#xf.swin<extents = [12, 16], window = [4, 4], shift = [2, 2]>",
    f"#xf.permute<[{', '.join(str(n * 5 % ROWS) for n in range(ROWS))}], of = #xf.causal>",
    "#xf.random<count = 8, seed = 7>", "#xf.bigbird<block = 16, random = 1, seed = 7>",
]
BIAS = """score(%s : f32, %b, %h, %i, %j) captures(%t = %table : tensor<2x192xf32>) {
    %bias = tensor.extract %t[%h, %j] : tensor<2x192xf32>
    %sum = arith.addf %s, %bias : f32
    xf.yield %sum : f32
  }"""
CAP = """score(%s : f32, %b, %h, %i, %j) {
    %tanh = math.tanh %s : f32
    xf.yield %tanh : f32
  }"""
DROPOUT = "dropout(2.0e-1, %seed : tensor<2xi64>)", [Argument("seed", (2,), "i64", 0, 1, [3, 4])]
SEGMENTS = ("segments(%a, %b : tensor<2x192xi32>, tensor<2x192xi32>)",
            [Argument("a", (2, ROWS), "i32", 0, 2), Argument("b", (2, ROWS), "i32", 0, 2)])
TABLE = ("table(%f, %c : tensor<13xi32>, tensor<12xi32>)",
         [Argument("f", (13,), "i32", 0, 1, range(13)), Argument("c", (12,), "i32", 0, 1, range(12))])
LENGTHS = "lengths(%n : tensor<2xi64>)", [Argument("n", (2,), "i64", 0, ROWS)]


def programs(element):
    def of(pattern, clauses="", more=(), **options):
        return attention(pattern, clauses, more, **{"queries": ROWS, "keys": ROWS, "size": 64, "value": 64, "element": element, **options})

    def kernelised(feature, **options):
        return of(f"#xf.kernelized<feature = {feature}{options.pop('rest', '')}>", *options.pop("clauses", ()), **options)

    def of_heads(q, k, v):
        arguments = [Argument(name, (2, heads, ROWS, 64), element) for name, heads in zip("qkv", (q, k, v))]
        types = [argument.type() for argument in arguments]
        body = f"%r = xf.attention %q, %k, %v pattern(#xf.causal) : ({', '.join(types)}) -> {types[0]}"
        return what_works.Program(arguments, types[0], body)

    weight = "params(%w : tensor<32x64xf32>)", [Argument("w", (32, 64))]
    return [
        *(of(pattern) for pattern in PATTERNS),
        of("#xf.segments", *SEGMENTS), of("#xf.table<block = 16>", *TABLE), of("#xf.causal", *LENGTHS), of("#xf.causal", *DROPOUT),
        of("#xf.causal", BIAS, [Argument("table", (2, ROWS))]), of("#xf.causal", CAP), of("#xf.causal", CAP, size=128, value=128),
        of("#xf.causal", heads=4), of("#xf.causal", size=128, value=128), of("#xf.window<left = 40>", size=96, value=96),
        of("#xf.causal", size=152, value=152), of("#xf.dense", size=256, value=256), of("#xf.causal", CAP, size=136, value=128),
        of("#xf.causal", size=36, value=36), of("#xf.causal", value=264),
        of("#xf.causal", queries=1), of("#xf.dense", queries=64), of("#xf.dense", keys=64), of("#xf.dense", queries=65, keys=65),
        of("#xf.strided<stride = 8>", *DROPOUT), of("#xf.causal", "scale 0.0"), of("#xf.causal", "scale -1.0"),
        of("#xf.swin<extents = [18, 18], window = [3, 3], shift = [0, 0]>", queries=324, keys=324),
        of("#xf.swin<extents = [18, 18], window = [9, 9], shift = [0, 0]>", queries=324, keys=324),
        of("#xf.fixed<block = 32, summary = 8>", queries=160), of("#xf.fixed<block = 8, summary = 3>"), of_heads(4, 4, 2),
        of("#xf.block<size = 4, of = #xf.dilated<left = 9, step = 3>>", queries=160),
        of("#xf.block<size = 4, of = #xf.dilated<left = 9, step = 3>>"),
        kernelised("elu", rest=", of = #xf.causal"), kernelised("favor", rest=", of = #xf.causal", clauses=weight),
        kernelised("elu", clauses=("relative(%t : tensor<2x383xf32>)", [Argument("t", (2, 383))])),
        of("#xf.low_rank<rank = 96>", f"params(%e : tensor<192x96x{element}>)", [Argument("e", (ROWS, 96), element)]),
    ]


def retyped(text, element):
    """A case with q, k, v and o of this type: tensors of four dimensions and, of low rank, the projections, of two."""
    counts = "2}|(?:[\\d?]+x){4" if "low_rank" in text else "4"
    return re.sub(rf"(tensor<(?:(?:[\d?]+x){{{counts}}}))b?f\d+>", rf"\1{element}>", text)


# ------------------------------------------------------------------------------------------------------------------------
# Kernels and what the page says of them
# ------------------------------------------------------------------------------------------------------------------------

OPS = {"attend": "forward", "attend_decode": "forward", "attend_vjp_rows": "rows", "attend_vjp_keys": "keys",
       "attend_vjp_captures": "captures", "scan": "scan", "scan_vjp": "scan"}
KERNEL = re.compile(r"func\.func private @(\w+)\((.*)\n\s+xft\.(\w+) (.*)")
OPERANDS = re.compile(r"xf\.attention .*?: \((tensor<.*?>), (tensor<.*?>), (tensor<.*?>)[,)]", re.DOTALL)


@dataclasses.dataclass
class Kernel:
    """A kernel of attention, and the program that it is of."""

    name: str
    kind: str  # forward, rows, keys, captures: what it computes; or a scan
    types: str  # of its arguments
    line: str  # of its op
    program: str

    @property
    def uses_warpgroups(self):
        return "#xft.warpgroup_tiles" in self.line

    @property
    def multiplies(self):
        return "pieces = []" not in self.line

    @property
    def shapes(self):
        """Of q, k and v; unknown sizes are None."""
        return [[None if size == "?" else int(size) for size in re.findall(r"(\d+|\?)x", text)]
                for text in OPERANDS.search(self.program).groups()]

    @property
    def resident(self):
        (_, _, queries, _), (_, _, keys, _), _ = self.shapes
        return keys if self.kind == "keys" else queries

    @property
    def columns(self):
        q, _, v = self.shapes
        return q[-1], v[-1]

    def streamed(self):
        """Period and width of the index maps whose ranks are copied."""
        maps = re.findall(r"(queries|keys) = #xf\.index_map<(.*?)>", self.line[self.line.find("#xf.piece"):])
        return [tuple(int((re.search(rf"{word} = (\d+)", text) or [0, 1])[1]) for word in ("period", "width"))
                for side, text in maps if side == ("queries" if self.kind == "keys" else "keys")]


def has_few_rows(kernel):
    return kernel.kind != "scan" and kernel.resident is not None and kernel.resident <= 64


def has_odd_columns(kernel):
    return any(size % 8 or size > 256 for size in kernel.columns)


def has_many_sums(kernel):
    asks = re.search(r"score\(|dropout\(|segments|table\(|random|bigbird|affine", kernel.program)
    return kernel.kind == "keys" and sum((size + 15) // 16 * 16 for size in kernel.columns) > (256 if asks else 304)


def has_odd_windows(kernel):
    return any(width not in (1, period) and not any(count % width == 0 or width % count == 0 for count in range(32, 129, 16))
               for period, width in kernel.streamed())


def has_shifted_windows(kernel):
    q, k, _ = kernel.shapes
    return kernel.kind == "keys" and q[2] != k[2] and any(width not in (1, period) for period, width in kernel.streamed())


# The page's rows: which kernels each is about.
REASONS = {
    "gradients: second launches": lambda kernel: "recheck = true" in kernel.line and kernel.kind in ("rows", "keys"),
    "up to 64 rows": has_few_rows,
    "kernelised attention": lambda kernel: kernel.kind == "scan",
    "weights by distance, low rank": lambda kernel: not re.search(r"xb?f16[,>]", kernel.types),
    "columns that are no multiple of 8, or more than 256": has_odd_columns,
    "a scale that is not positive": lambda kernel: kernel.kind == "forward" and re.search(r"scale (-|0\.0)", kernel.program),
    "the middle ones of three orders of queries or more": lambda kernel: kernel.kind == "forward" and " resume save " in kernel.line,
    "windows of a grid, 9, 11, 13 or more keys wide": has_odd_windows,
    "gradients of captured tensors": lambda kernel: kernel.kind == "captures",
    "gradients of keys and values of more than 304 columns together": has_many_sums,
    "gradients of keys and values of different heads": lambda kernel: kernel.kind == "keys" and kernel.shapes[1][1] != kernel.shapes[2][1],
    "gradients of keys, of windows of a grid, with fewer queries": has_shifted_windows,
    "gradients of dropout in another order of keys": lambda kernel: kernel.kind in ("rows", "keys") and "dropout(" in kernel.program
    and any(re.findall(r"keys = #xf\.index_map<(.*?)>", kernel.line)),
}


def compile_program(bin_folder, folder, text, *options):
    path, output = (os.path.join(folder, name) for name in ("program.mlir", "output"))
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    name = re.search(r"func\.func @(\w+)", text)[1]
    command = [os.path.join(bin_folder, "xfc"), path, "--target=cuda", "--gpu-arch=sm_90a", "-O0", "-o", output, f"--vjp={name}", *options]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "XF_PTXAS": ""})
    if done.returncode:
        raise ValueError(f"{' '.join(command)}\n{done.stderr}\n{text}")
    with open(output, encoding="utf-8") as file:
        return file.read()


def kernels_of(bin_folder, folder, text):
    """Those of attention on sm_90a, which are in the last module of the stage that chooses tiles."""
    module = compile_program(bin_folder, folder, text, "--stop-after=tile").split("\nmodule {")[-1]
    return [Kernel(name, OPS[op], types, line, text) for name, types, op, line in KERNEL.findall(module) if op in OPS]


def forms_of(bin_folder, folder, text):
    """What each kernel of the PTX multiplies by."""
    entries = compile_program(bin_folder, folder, text, "--emit=ptx").split(".visible .entry ")[1:]
    return {entry[:entry.index("(")]: {form for form in ("wgmma", "mma.sync") if form in entry} for entry in entries}


def check(bin_folder, text, reads_ptx):
    """What is wrong, and which rows of the page have a kernel here."""
    wrong, seen = [], set()
    with tempfile.TemporaryDirectory() as folder:
        kernels = kernels_of(bin_folder, folder, text)
        forms = forms_of(bin_folder, folder, text) if reads_ptx else {}
    if not any(kernel.kind in ("forward", "scan") for kernel in kernels):
        wrong.append("expected a kernel of attention, got none")
    for kernel in filter(Kernel.multiplies.fget, kernels):
        reasons = {reason for reason, holds in REASONS.items() if holds(kernel)}
        seen |= reasons
        if kernel.uses_warpgroups == bool(reasons):
            wrong.append(f"{kernel.name}: expected {'the form of sm_80: ' + ', '.join(reasons) if reasons else 'warpgroups'}: {kernel.line}")
        if reads_ptx and kernel.uses_warpgroups and forms[kernel.name] != {"wgmma"} or not kernel.uses_warpgroups and "wgmma" in forms.get(kernel.name, ()):
            wrong.append(f"{kernel.name}: multiplies by {forms[kernel.name]}")
    return [f"{line}\n{text}" for line in wrong], seen


def rows_of(page):
    with open(page, encoding="utf-8") as file:
        table = file.read().split(BEGIN)[1].split(END)[0]
    return [line.split("|")[1].strip() for line in table.splitlines()[2:]]


def check_all(bin_folder, cases):
    """What is wrong, which rows of the page have a kernel, and how many programs there are."""
    files = [path.read_text(encoding="utf-8") for path in sorted(pathlib.Path(cases).glob("*.mlir"))]
    texts = [(program.text("attend"), element == TYPES[0]) for element in TYPES for program in programs(element)]
    texts += [(retyped(text, element), False) for element in TYPES for text in files]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(lambda text: check(bin_folder, *text), texts))
    return sum((wrong for wrong, _ in found), []), set().union(*(seen for _, seen in found)), len(found) * bool(files)


def main(bin_folder, page, cases, *options):
    wrong, seen, count = ([], set(REASONS), 1) if options else check_all(bin_folder, cases)
    if (rows := rows_of(page)) != list(REASONS):
        wrong.append(f"{page}: expected the rows {list(REASONS)}, got {rows}")
    wrong += [f"{page}: no kernel has the reason '{reason}'" for reason in REASONS if reason not in seen]
    print("\n".join([*wrong, f"{count} programs, {len(wrong)} wrong"]))
    return bool(wrong) or not count


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
