"""recurrences.py BUILD: element-wise recurrences, unrolled, compile at any length, have the values of numpy, and as many
operations after fusion as before."""

import pathlib
import re
import subprocess
import sys
import tempfile

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "night"))
import native

TYPE = "tensor<4x8xf64>"


class Graph:
    """The same steps as text and as numbers."""

    def __init__(self):
        self.lines, self.values = [], {}

    def line(self, text, value):
        name = f"%v{len(self.lines)}"
        self.lines.append(f"  {name} = {text}")
        self.values[name] = value
        return name

    def number(self, value):
        return self.line(f"arith.constant dense<{value:e}> : {TYPE}", numpy.full((4, 8), value))

    def op(self, op, *names):
        types = TYPE if len(names) == 1 else f"({TYPE}, {TYPE}) -> {TYPE}"
        functions = {"add": numpy.add, "sub": numpy.subtract, "mul": numpy.multiply, "tanh": numpy.tanh}
        return self.line(f"xf.{op} {', '.join(names)} : {types}", functions[op](*(self.values[n] for n in names)))


def product(g, n):  # x'' = x x'
    a, b = "%x", "%w"
    for _ in range(min(n, 14)):
        a, b = b, g.op("mul", a, b)
    return b


def second_order(g, n):  # a filter: y'' = p y' + q y + x
    a, b, p, q = "%x", "%w", g.number(1.2), g.number(-.5)
    for _ in range(n):
        a, b = b, g.op("add", g.op("add", g.op("mul", b, p), g.op("mul", a, q)), "%x")
    return b


def rotation(g, n):  # a pair of states that is turned
    a, b, p, q = "%x", "%w", g.number(.9), g.number(.1)
    for _ in range(n):
        a, b = g.op("sub", g.op("mul", a, p), g.op("mul", b, q)), g.op("add", g.op("mul", a, q), g.op("mul", b, p))
    return g.op("add", a, b)


def momentum(g, n):  # descent
    x, v, h, m = "%x", "%w", g.number(.1), g.number(.9)
    for _ in range(n):
        v = g.op("sub", g.op("mul", v, m), g.op("mul", x, h))
        x = g.op("add", x, v)
    return x


def adams(g, n):  # the two-step Adams-Bashforth method of y' = tanh y
    y, before, h, q = "%x", "%w", g.number(.15), g.number(.05)
    for _ in range(n):
        f = g.op("tanh", y)
        y, before = g.op("add", y, g.op("sub", g.op("mul", f, h), g.op("mul", before, q))), f
    return y


def fibonacci(g, n):  # of one tensor, whose early terms are cheap to repeat
    a, b = "%x", g.op("mul", "%x", "%x")
    for _ in range(min(n, 64)):
        a, b = b, g.op("add", a, b)
    return b


def main():
    build, rng = pathlib.Path(sys.argv[1]).resolve(), numpy.random.default_rng(3)
    x, w = 1 + rng.standard_normal((4, 8)) / 100, 1 + rng.standard_normal((4, 8)) / 100
    text, wanted, counts = "", {}, {}
    for recurrence in (product, second_order, rotation, momentum, adams, fibonacci):
        for steps in (11, 32, 64, 200):
            g, name = Graph(), f"{recurrence.__name__}_{steps}"
            g.values.update({"%x": x, "%w": w})
            result = recurrence(g, steps)
            text += (f'func.func @{name}(%x: {TYPE} {{xf.name = "x"}}, %w: {TYPE} {{xf.name = "w"}}) -> ({TYPE} {{xf.name = "y"}}) {{\n'
                     + "\n".join(g.lines) + f"\n  return {result} : {TYPE}\n}}\n")
            wanted[name] = g.values[result]
            counts[name] = sum("= xf." in line for line in g.lines)
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder, "recurrences.so")
        vjp = [name for name in wanted if name.endswith("_32")]
        code, error = native.compile_text(build, text, native.TARGETS["avx2"], vjp, output)
        if code:
            raise SystemExit(f"expected programs that compile, got {code}: {error}")
        library = native.Library(build, output, native.TARGETS["avx2"])
        for name, want in wanted.items():
            array, _ = library.call(name, {"x": (x, "f64"), "w": (w, "f64")}, {"y": (4, 8)})["y"]
            if not numpy.allclose(array, want, rtol=1e-10, atol=0):
                raise SystemExit(f"{name}: expected {want[0, 0]}, got {array[0, 0]}")
        fused = subprocess.run([f"{build}/bin/xfc", output.with_suffix(".mlir"), "--stop-after=fuse", "-o", "-"],
                               capture_output=True, text=True, check=True).stdout
        for function in fused.split("func.func ")[1:]:
            name = function[1:function.index("(")]
            found = len(re.findall(r"= (?:arith\.(?:addf|subf|mulf)|math\.tanh|xf\.(?:add|sub|mul|tanh)) ", function))
            if found > counts[name] + 24:  # of which some terms are cheaper twice than stored
                raise SystemExit(f"{name}: expected about {counts[name]} operations, got {found}")
    print(f"{len(wanted)} recurrences")


if __name__ == "__main__":
    main()
