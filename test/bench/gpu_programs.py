# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs of gpu.sh: families to check (templates of gpu.mlir and test/sweep) and groups of entries to measure.

usage: gpu_programs.py MODELS [--build=BUILD] [--quick] [--gpu-arch=sm_90a] [--jobs=N] [--minutes=N] [NAME..]

Compiles what is missing in the folder MODELS, which then runs on machines without a compiler: one NAME.so for each family
and group, with code for CPUs from x86-64-v3 on and for GPUs. NAME.log is what xfc said. After so many minutes no other is
begun; the next run goes on. Exit code 1 where one failed or is left.
"""

import argparse
import concurrent.futures
import math
import os
import pathlib
import re
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
SWEEP = HERE.parent / "sweep"

# A family: templates, what names of functions begin with, and the sizes and types of its instances (SIZES).
FAMILIES = {
    "smoke": [("gpu.mlir", "smoke", "smoke")],
    "dense": [("gpu.mlir", "dense", "deep")],
    "causal": [("gpu.mlir", "causal", "deep")],
    "window": [("gpu.mlir", "window", "usual")],
    "strided": [("gpu.mlir", "strided", "usual")],
    "fixed": [("gpu.mlir", "fixed", "usual")],
    "segments": [("gpu.mlir", "segments|lengths", "usual")],
    "bigbird": [("gpu.mlir", "bigbird|random", "usual")],
    "sets": [("gpu.mlir", "sets", "usual")],
    "scores": [("gpu.mlir", "score", "usual")],
    "attention-dropout": [("gpu.mlir", "dropout", "usual")],
    "grid": [("gpu.mlir", "grid", "usual"), ("grids.mlir", "clamped|swin|lift|permuted", "narrow")],
    "low-rank": [("low-rank.mlir", "shared|per_head|mean_|max_|strided_conv", "usual")],
    "kernelised": [("kernelized.mlir", "favor|running|elu|relu|causal_segments", "usual")],
    "decay": [("decay.mlir", "decay|running", "narrow"), ("delta.mlir", "delta|gated", "narrow")],
    "products": [("products.mlir", "matmul_(batched|shared|b|left_a|a|a_b)$|linear|gated", "products")],
    "elements": [("elementwise.mlir", "exp|tanh|erf|sin|gelu|pow|div|where_|add_both|cast_to_b", "rows")],
    "rows": [("rows.mlir", "softmax|layer_norm|rms_norm|(sum|mean|max)_(0|1|02)$", "rows")],
    "shapes": [("shapes.mlir", "permute|slice|concat|broadcast_|split|merge|pool|checkpoint", "rows")],
    "losses": [("training.mlir", "", "rows")],
    "optimisers": [("optimizers.mlir", "", "rows")],
}
SIZES = {  # N, D, T; with --quick the first of them
    "smoke": [(300, 64, "bf16"), (512, 128, "bf16")],
    "deep": [(33, 16, "bf16"), (300, 64, "bf16"), (300, 128, "bf16"), (129, 80, "f16"), (129, 33, "f32"), (66, 256, "bf16")],
    "usual": [(33, 16, "bf16"), (300, 64, "bf16"), (129, 33, "f32")],
    "narrow": [(33, 8, "f32"), (300, 64, "f32"), (129, 48, "bf16")],
    "rows": [(13, 17, "f32"), (300, 257, "f32"), (67, 33, "bf16")],
    "products": [(71, 72, "bf16"), (300, 257, "f32"), (67, 33, "bf16"), (2311, 520, "bf16"), (135, 200, "f16")],
}
WITHOUT_GRADIENT = ("optimizers.mlir",)
# How far results may be apart, absolutely and relatively, by the element type.
TOLERANCE = {"f64": 1e-9, "f32": 2e-4, "f16": 2e-2, "bf16": 6e-2}
SIGNATURE = re.compile(r"^func\.func @(\w+)\$\$\((.*)\) -> (.*) \{$", re.MULTILINE)
FLOAT = re.compile(r"x?(f64|f32|f16|bf16)>$")


def instances(template, sizes, quick):
    """Values of the letters, one set for each instance of a template."""
    for n, d, t in SIZES[sizes][:1] if quick else SIZES[sizes][1:]:
        yield {"N": n, "D": d, "T": t, "P": n // 3, "W": 2 * d, "M": n + 1, "K": d, "L": "f32", "B": 7, "F": 64.0,
               "A": 7 if template == "grids.mlir" else "f32"}


class Program:
    """One function of a family: what it takes and gives."""

    def __init__(self, name, arguments, results, element, differentiable):
        self.name, self.differentiable = name, differentiable
        self.tolerance = TOLERANCE[element]
        self.arguments = re.findall(r"%\w+: (tensor<[^>]*>)", arguments)
        self.results = re.findall(r"tensor<[^>]*>", results)

    def inputs(self, vjp):
        given = [f"arg{n}=random({n + 1})" for n in range(len(self.arguments))]
        cotangents = [n for n, result in enumerate(self.results) if FLOAT.search(result)]
        return given + [f"d_result{n}=random({n + 11})" for n in cotangents if vjp]


def family(name, quick):
    """The text of a family's model, and its programs."""
    texts, programs = [], []
    for template, wanted, sizes in FAMILIES[name]:
        text = (HERE / template if template == "gpu.mlir" else SWEEP / template).read_text()
        functions = [(m, function) for function in re.split(r"^(?=func\.func )", text, flags=re.MULTILINE)
                     for m in [SIGNATURE.match(function)] if m and re.match(wanted, m[1])]
        for letters in instances(template, sizes, quick):
            suffix = "_{N}_{D}_{T}".format(**letters)
            fill = lambda part: re.sub(r"\$(.)", lambda m: suffix if m[1] == "$" else str(letters[m[1]]), part)
            texts += [fill(function) for _, function in functions]
            programs += [Program(m[1] + suffix, fill(m[2]), fill(m[3]), letters["T"], template not in WITHOUT_GRADIENT)
                         for m, _ in functions]
    return "\n".join(texts), programs


class Case:
    """One entry to measure, in bf16: its inputs, and the result `o`, with their shapes."""

    has_gradient = True
    is_cold = False  # whether each call finds its inputs in memory, not in the cache

    def shape(self, name):
        """Of an input, the result, or a gradient d_.. of one."""
        name = name.removeprefix("d_")
        return self.output if name == "o" else self.inputs[name]


class Attention(Case):
    """`pattern` over batch x heads x tokens x depth."""

    backward_work = 2.5  # operations of the gradients, as many times as those of the result

    clauses, constants = "", ""  # of the attention, and what they read
    flop = None  # forward, where xf does not know

    def __init__(self, pattern, kind, tokens, depth, batch, heads):
        self.pattern, self.kind, self.tokens, self.depth, self.batch, self.heads = pattern, kind, tokens, depth, batch, heads
        self.name = f"{kind}_d{depth}_n{tokens}"
        self.output = (batch, heads, tokens, depth)
        self.inputs = dict.fromkeys("qkv", self.output)

    def text(self):
        tensor = f"tensor<{self.batch}x{self.heads}x{self.tokens}x{self.depth}xbf16>"
        matrices = ", ".join(f'%{x}: {tensor} {{xf.name = "{x}"}}' for x in "qkv")
        return (f'func.func @{self.name}({matrices}) -> ({tensor} {{xf.name = "o"}}) {{\n'
                f"{self.constants}  %o = xf.attention %q, %k, %v pattern({self.pattern}){self.clauses} : "
                f"({tensor}, {tensor}, {tensor}) -> {tensor}\n  return %o : {tensor}\n}}\n")


def score(body, captures=""):
    return f" score(%s : f32, %b, %h, %i, %j) {captures}{{\n{body}    xf.yield %y : f32\n  }}"


class Pairs(Attention):
    """What single pairs are asked: a soft cap, ALiBi, packed documents of an eighth of the tokens, dropout, blocks drawn."""

    def __init__(self, kind, tokens, depth, batch, heads):
        patterns = {"documents": "#xf.intersection<[#xf.causal, #xf.segments]>", "bigbird": "#xf.bigbird<block = 64, random = 3>"}
        super().__init__(patterns.get(kind, "#xf.causal"), kind, tokens, depth, batch, heads)
        if kind == "capped":
            self.clauses = score("    %c = arith.constant 30.0 : f32\n    %x = arith.divf %s, %c : f32\n"
                                 "    %t = math.tanh %x : f32\n    %y = arith.mulf %t, %c : f32\n")
        if kind == "alibi":
            slopes = f"tensor<{heads}xf32>"
            self.constants = f"  %m = arith.constant dense<0.0625> : {slopes}\n"
            self.clauses = score(f"    %slope = tensor.extract %t[%h] : {slopes}\n    %d = arith.subi %j, %i : index\n"
                                 "    %n = arith.index_cast %d : index to i64\n    %x = arith.sitofp %n : i64 to f32\n"
                                 "    %a = arith.mulf %slope, %x : f32\n    %y = arith.addf %s, %a : f32\n",
                                 f"captures(%t = %m : {slopes}) ")
        if kind == "documents":
            length = tokens // 8
            self.flop = 4 * depth * batch * heads * 8 * length * (length + 1) // 2
            numbers, ids = ", ".join(str(n * 8 // tokens) for n in range(tokens)), f"tensor<{tokens}xi32>"
            self.constants = (f"  %n = arith.constant dense<[{numbers}]> : {ids}\n"
                              f"  %m = xf.reshape %n : {ids} to tensor<1x{tokens}xi32>\n"
                              f"  %a = xf.broadcast %m : tensor<1x{tokens}xi32> to tensor<{batch}x{tokens}xi32>\n")
            self.clauses = f" segments(%a, %a : tensor<{batch}x{tokens}xi32>, tensor<{batch}x{tokens}xi32>)"
        if kind == "dropped":
            self.constants = "  %seed = arith.constant dense<[1, 2]> : tensor<2xi64>\n"
            self.clauses = " dropout(1.0e-1, %seed : tensor<2xi64>)"


class Decode(Case):
    """The last `queries` rows of heads that share keys in groups, against a cache of `tokens` keys."""

    has_gradient, is_cold, backward_work = False, True, 0

    def __init__(self, pattern, batch, queries, heads, key_heads, tokens, depth):
        self.pattern, self.kind = f"#xf.{pattern}", f"decode_b{batch}_q{queries}_kv{key_heads}"
        self.tokens, self.depth, self.is_causal = tokens, depth, pattern == "causal"
        self.name = f"{self.kind}_d{depth}_n{tokens}"
        self.output, keys = (batch, heads, queries, depth), (batch, key_heads, tokens, depth)
        self.inputs = {"q": self.output, "k": keys, "v": keys}
        self.bytes = 2 * (2 * math.prod(self.output) + 2 * math.prod(keys))

    def text(self):
        types = {name: f"tensor<{'x'.join(map(str, self.shape(name)))}xbf16>" for name in "qkvo"}
        matrices = ", ".join(f'%{x}: {types[x]} {{xf.name = "{x}"}}' for x in "qkv")
        return (f'func.func @{self.name}({matrices}) -> ({types["o"]} {{xf.name = "o"}}) {{\n'
                f"  %o = xf.attention %q, %k, %v pattern({self.pattern}) : ({types['q']}, {types['k']}, {types['v']}) -> "
                f"{types['o']}\n  return %o : {types['o']}\n}}\n")


class Linear(Case):
    """x w^T + b of tokens x depth by columns x depth."""

    backward_work = 2

    def __init__(self, tokens, depth, columns):
        self.kind, self.tokens, self.depth = f"linear_{columns}", tokens, depth
        self.name = f"linear_{tokens}_{depth}_{columns}"
        self.output, self.inputs = (tokens, columns), {"x": (tokens, depth), "w": (columns, depth), "b": (columns,)}

    def text(self):
        types = {name: f"tensor<{'x'.join(map(str, self.shape(name)))}xbf16>" for name in ("x", "w", "b", "o")}
        inputs = ", ".join(f'%{name}: {types[name]} {{xf.name = "{name}"}}' for name in self.inputs)
        return (f'func.func @{self.name}({inputs}) -> ({types["o"]} {{xf.name = "o"}}) {{\n'
                f'  %o = xf.linear %x, %w bias(%b : {types["b"]}) : ({types["x"]}, {types["w"]}) -> {types["o"]}\n'
                f'  return %o : {types["o"]}\n}}\n')


def case(pattern, kind, tokens, depth, quick):
    """As FlashAttention's papers have it: 16384 tokens in all, 2048 columns in all heads."""
    if quick:
        return Attention(pattern, kind, 64, 16, 1, 2)
    return Attention(pattern, kind, tokens, depth, max(1, 16384 // tokens), 2048 // depth)


def groups(quick):
    """What is measured, by the name of its model. The first of `sparse` is what the others are compared with."""
    sizes = (1024,) if quick else (1024, 2048, 4096, 8192, 16384, 32768)
    found = {f"speed-{kind}-{depth}": [case(f"#xf.{kind}", kind, n, depth, quick) for n in sizes]
             for depth in (128, 64) for kind in ("causal", "dense")}
    found["speed-window"] = [case("#xf.window<left = 1024>", "window", 32768, 64, quick)]
    found["speed-sparse"] = [case(pattern, kind, 16384, 64, quick) for kind, pattern in (
        ("dense", "#xf.dense"), ("strided", "#xf.strided<stride = 128>"), ("fixed", "#xf.fixed<block = 128, summary = 32>"))]
    pairs = (64, 16, 1, 2) if quick else (8192, 128, 2, 16)
    found["speed-pairs"] = [Pairs(kind, *pairs) for kind in ("capped", "alibi", "documents", "dropped", "bigbird")]
    found["speed-kernelised"] = [case(f"#xf.kernelized<feature = elu{of}>", kind, 16384, 64, quick) for kind, of in (
        ("kernelised", ""), ("kernelised_causal", ", of = #xf.causal"))]
    found["speed-decode"] = [Decode("dense", 1, 1, 4, 2, 300, 64)] if quick else [
        *(Decode("dense", 1, 1, 32, key_heads, n, 128) for n in (8192, 65536) for key_heads in (4, 8, 32)),
        *(Decode("dense", 32, 1, 32, key_heads, 8192, 128) for key_heads in (4, 8)), Decode("causal", 1, 8, 32, 8, 8192, 128)]
    found["speed-linear"] = [Linear(*sizes) for sizes in ([(136, 72, 72)] if quick else [
        (8192, 8192, 8192), (16384, 4096, 4096), (4096, 4096, 16384), (16384, 768, 3072), (512, 4096, 4096)])]
    return found


def models(quick):
    """For each model its text and its entries, each with whether it has a gradient; built when it is asked for."""
    def measured(cases):
        return "".join(one.text() for one in cases), [(one.name, one.has_gradient) for one in cases]

    def checked(name):
        text, programs = family(name, quick)
        return text, [(program.name, program.differentiable) for program in programs]

    found = {f"check-{name}": (lambda name=name: checked(name)) for name in FAMILIES}
    found |= {name: (lambda cases=cases: measured(cases)) for name, cases in groups(quick).items()}
    images = [case("#xf.causal", "causal", 8192, 128, quick)]
    return found | {"image-cubin": lambda: measured(images), "image-ptx": lambda: measured(images)}


def compile_model(name, make, folder, build, architectures):
    """Compiles MODELS/NAME.so; whether it is there now."""
    target = folder / f"{name}.so"
    text, entries = make()
    (folder / f"{name}.mlir").write_text(text)
    command = [build / "bin/xfc", folder / f"{name}.mlir", "--emit=shared", "-o", folder / f"{name}.part.so", "--target=cuda",
               "--gpu-arch=" + architectures, "--mcpu=x86-64-v3"]
    command += [f"--entry={entry}" for entry, _ in entries] + [f"--vjp={entry}" for entry, has in entries if has]
    environment = {**os.environ, "XF_PTXAS": ""} if name == "image-ptx" else os.environ
    with open(folder / f"{name}.log", "w", encoding="utf-8") as log:
        done = subprocess.run(command, stdout=log, stderr=log, env=environment)
    if done.returncode == 0:
        os.replace(folder / f"{name}.part.so", target)
    return done.returncode == 0


def compile_missing(chosen, options):
    """Compiles models that are not there, as long as there is time. Names of those that failed, and of those left."""
    deadline = time.monotonic() + options.minutes * 60
    missing = [name for name in chosen if not (options.models / f"{name}.so").exists()]

    def one(name):
        if time.monotonic() >= deadline:
            return None
        return compile_model(name, chosen[name], options.models, options.build, options.gpu_arch)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        made = dict(zip(missing, pool.map(one, missing)))
    return [name for name in missing if made[name] is False], [name for name in missing if made[name] is None]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("models", type=pathlib.Path)
    parser.add_argument("--build", type=pathlib.Path, default=HERE.parent.parent / "build/release")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--gpu-arch", default="sm_90a")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--minutes", type=float, default=1e6)
    parser.add_argument("names", nargs="*")
    options = parser.parse_intermixed_args()
    options.models.mkdir(parents=True, exist_ok=True)
    known = models(options.quick)
    chosen = {name: known[name] for name in options.names or known}
    failed, left = compile_missing(chosen, options)
    print(f"{len(chosen) - len(failed) - len(left)} of {len(chosen)} models in {options.models}")
    for name in failed:
        print(f"failed: {name}, see {options.models / name}.log")
    if left:
        print("left for the next run:", *left)
    return 1 if failed or left else 0


if __name__ == "__main__":
    sys.exit(main())
