#!/usr/bin/env python3
# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs of ops that move elements, with named sizes: do all who run them agree?

usage: programs.py BUILD [--count=N] [--first=N] [--targets=reference,cpu,cuda] [--output=DIR]

Program N follows from N. It runs for three choices of its sizes, forward and backward, in the interpreter, on the CPU and
on a GPU (the simulated one, if its driver is found), and in numpy, whose gradients are differences of quotients along a
random direction. Prints a line for each program that fails and one for all; exit code 1 where one failed. DIR keeps the
programs of failures.
"""

import argparse
import math
import pathlib
import random
import subprocess
import sys
import tempfile

import numpy

CHOICES = 3  # of sizes
LARGEST = 3000  # elements of a tensor


class Size:
    """An expression of sizes, with its value for each choice."""

    def __init__(self, text, values):
        self.values = tuple(values)
        self.text = text if not text.isdigit() else str(self.values[0])

    def __add__(self, other):
        return constant_or(f"{self.text} + {other.text}", [a + b for a, b in zip(self.values, other.values)], self, other)

    def __sub__(self, other):
        return constant_or(f"{self.text} - ({other.text})", [a - b for a, b in zip(self.values, other.values)], self, other)

    def __mul__(self, other):
        return constant_or(f"({self.text}) * ({other.text})", [a * b for a, b in zip(self.values, other.values)], self, other)

    def __floordiv__(self, number):
        return constant_or(f"({self.text}) / {number}", [a // number for a in self.values], self)

    def is_static(self):
        return self.text.isdigit()

    def type_text(self):
        return self.text if self.is_static() else "?"


def constant_or(text, values, *operands):
    return number(values[0]) if all(o.is_static() for o in operands) else Size(text, values)


def number(value):
    return Size(str(value), [value] * CHOICES)


def product(sizes):
    result = number(1)
    for size in sizes:
        result = result * size
    return result


class Tensor:
    def __init__(self, name, shape):
        self.name, self.shape = name, list(shape)

    def type_text(self):
        return "tensor<" + "".join(size.type_text() + "x" for size in self.shape) + "f32>"

    def elements(self, choice):
        return math.prod(size.values[choice] for size in self.shape)

    def extents(self, choice):
        return tuple(size.values[choice] for size in self.shape)


class Program:
    """Lines of the function's body, and the same steps as functions on numpy arrays."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.names = {name: Size(name, [self.random.randint(1, 6) for _ in range(CHOICES)]) for name in ("b", "n", "m")}
        self.lines, self.steps, self.tensors = [], [], []
        self.add_arguments()
        for _ in range(self.random.randint(3, 8)):
            self.add_step()
        self.result = self.tensors[-1]

    def add_arguments(self):
        b, n, m = self.names.values()
        width = number(self.random.choice([1, 3, 4, 8]))
        shapes = [self.random.choice([[b, n, width], [n, b, width], [b, width, n]]), [m, width],
                  self.random.choice([[n, width], [width], [b, n, width]])]
        self.arguments = [Tensor(f"x{k}", shape) for k, shape in enumerate(shapes)]
        self.tensors += self.arguments

    def emit(self, op, operands, shape, attributes, compute):
        """Adds an op unless one of its sizes does not fit a choice."""
        result = Tensor(f"v{len(self.lines)}", shape)
        for choice in range(CHOICES):
            if min(result.extents(choice), default=1) < 0 or result.elements(choice) > LARGEST:
                return None
        types = ", ".join(o.type_text() for o in operands)
        arrow = f"({types}) -> {result.type_text()}" if op == "concat" else (
            f"{types} -> {result.type_text()}" if op.startswith("reduce") else
            f"{types}" if op == "sin" else f"{types} to {result.type_text()}")
        if op in ("add", "mul"):
            arrow = f"({types}) -> {result.type_text()}"
        names = ", ".join("%" + o.name for o in operands)
        self.lines.append(f"  %{result.name} = xf.{op} {names}{attributes} : {arrow}")
        self.steps.append((result.name, [o.name for o in operands], compute))
        self.tensors.append(result)
        return result

    def sizes(self, shape):
        dynamic = [size.text for size in shape if not size.is_static()]
        return f" sizes [{', '.join(dynamic)}]" if dynamic else ""

    def pick(self, least=1):
        fit = [t for t in (self.tensors[-1:] * 6 + self.tensors[-3:] + self.arguments) if len(t.shape) >= least]
        return self.random.choice(fit)

    def add_step(self):
        steps = [self.add_reshape, self.add_split, self.add_broadcast, self.add_concat, self.add_slice, self.add_transpose,
                 self.add_elementwise, self.add_reduce, self.add_pad, self.add_filled, self.add_regroup]
        self.random.choice(steps)()

    def reshape(self, x, shape):
        extents = [tuple(size.values[c] for size in shape) for c in range(CHOICES)]
        return self.emit("reshape", [x], shape, self.sizes(shape), lambda c, a: a.reshape(extents[c]))

    def add_reshape(self):
        x = self.pick(2)
        first = self.random.randrange(len(x.shape) - 1)
        self.reshape(x, x.shape[:first] + [x.shape[first] * x.shape[first + 1]] + x.shape[first + 2:])

    def add_split(self):
        x = self.pick(1)
        axis, by = self.random.randrange(len(x.shape)), self.random.choice([1, 2, 4])
        if len(x.shape) < 5 and all(value % by == 0 for value in x.shape[axis].values):
            self.reshape(x, x.shape[:axis] + [x.shape[axis] // by, number(by)] + x.shape[axis + 1:])

    def add_regroup(self):
        """The same elements under a permuted shape."""
        x = self.pick(2)
        shape = x.shape[:]
        self.random.shuffle(shape)
        self.reshape(x, shape)

    def add_broadcast(self):
        x = self.pick(0)
        if len(x.shape) >= 4:
            return
        size = self.random.choice([*self.names.values(), number(2), self.names["n"] + number(1)])
        shape = [size] + [self.names["m"] if s.text == "1" else s for s in x.shape]
        extents = [tuple(s.values[c] for s in shape) for c in range(CHOICES)]
        self.emit("broadcast", [x], shape, self.sizes(shape), lambda c, a: numpy.broadcast_to(a, extents[c]))

    def add_concat(self):
        x = self.pick(1)
        axis = self.random.randrange(len(x.shape))
        others = [t for t in self.tensors if len(t.shape) == len(x.shape) and
                  all(d == axis or s.text == o.text for d, (s, o) in enumerate(zip(x.shape, t.shape)))]
        parts = [self.random.choice(others) for _ in range(self.random.randint(1, 2))]
        parts.insert(self.random.randint(0, len(parts)), x)
        total = parts[0].shape[axis]
        for part in parts[1:]:
            total = total + part.shape[axis]
        self.emit("concat", parts, x.shape[:axis] + [total] + x.shape[axis + 1:], f" axis {axis}",
                  lambda c, *all: numpy.concatenate(all, axis))

    def add_slice(self):
        x = self.pick(1)
        axis, step = self.random.randrange(len(x.shape)), self.random.choice([1, 1, 2])
        size = x.shape[axis]
        begin = self.random.choice([number(0), number(1), size - number(1), size // 2])
        end = self.random.choice([size, size - number(1), begin + number(1), self.names["n"]])
        if any(not 0 <= b <= e <= s for b, e, s in zip(begin.values, end.values, size.values)):
            return
        offsets = ["0"] * len(x.shape)
        strides = ["1"] * len(x.shape)
        offsets[axis], strides[axis] = begin.text, str(step)
        shape = x.shape[:]
        shape[axis] = (end - begin + number(step - 1)) // step
        cut = lambda c: tuple([slice(None)] * axis + [slice(begin.values[c], end.values[c], step)])
        self.emit("slice", [x], shape, f" offsets [{', '.join(offsets)}] strides [{', '.join(strides)}]" +
                  self.sizes(shape), lambda c, a: a[cut(c)])

    def add_pad(self):
        x = self.pick(1)
        axis = self.random.randrange(len(x.shape))
        low = self.random.choice([number(0), number(2), self.names["b"], self.names["n"] // 2])
        offsets = ["0"] * len(x.shape)
        offsets[axis] = low.text
        shape = x.shape[:]
        shape[axis] = x.shape[axis] + low + self.random.choice([number(0), number(1), self.names["m"]])

        def compute(c, a):
            y = numpy.zeros(tuple(s.values[c] for s in shape))
            y[tuple([slice(None)] * axis + [slice(low.values[c], low.values[c] + a.shape[axis])])] = a
            return y
        self.emit("pad", [x], shape, f" low [{', '.join(offsets)}] strides [{', '.join(['1'] * len(shape))}]" +
                  self.sizes(shape), compute)

    def add_transpose(self):
        x = self.pick(2)
        order = list(range(len(x.shape)))
        self.random.shuffle(order)
        self.emit("transpose", [x], [x.shape[d] for d in order], f" permutation [{', '.join(map(str, order))}]",
                  lambda c, a: a.transpose(order))

    def add_elementwise(self):
        x = self.pick(0)
        same = [t for t in self.tensors if [s.text for s in t.shape] == [s.text for s in x.shape]]
        y = self.random.choice(same)
        if y is x:
            self.emit("sin", [x], x.shape, "", lambda c, a: numpy.sin(a))
        else:
            self.emit("mul", [x, y], x.shape, "", lambda c, a, b: a * b)

    def add_reduce(self):
        x = self.pick(2)
        axis = self.random.randrange(len(x.shape))
        self.emit("reduce sum", [x], x.shape[:axis] + x.shape[axis + 1:], f" axes [{axis}]",
                  lambda c, a: a.sum(axis))

    def add_filled(self):
        """A constant of x's shape, times x: zeros and ones of dynamic sizes."""
        x = self.pick(1)
        value = self.random.choice([0.5, 2.0])
        self.lines.append(f"  %c{len(self.lines)} = arith.constant dense<{value}> : tensor<f32>")
        filled = Tensor(f"c{len(self.lines) - 1}", [])
        self.steps.append((filled.name, [], lambda c: numpy.array(value)))
        extents = [x.extents(c) for c in range(CHOICES)]
        ones = self.emit("broadcast", [filled], x.shape, self.sizes(x.shape),
                         lambda c, a: numpy.broadcast_to(a, extents[c]))
        if ones:
            self.emit("mul", [x, ones], x.shape, "", lambda c, a, b: a * b)

    def text(self):
        def dims(tensor):
            names = [f'#xf.dim<name = "{s.text}", min = 0, max = 4096>' for s in tensor.shape if not s.is_static()]
            return f", xf.dims = [{', '.join(names)}]" if names else ""
        arguments = ", ".join(f'%{a.name}: {a.type_text()} {{xf.name = "{a.name}"{dims(a)}}}' for a in self.arguments)
        result = self.result
        return "\n".join([f'func.func @f({arguments}) -> ({result.type_text()} {{xf.name = "y"}}) {{', *self.lines,
                          f"  return %{result.name} : {result.type_text()}", "}", ""])

    def evaluate(self, choice, given):
        values = dict(given)
        for name, operands, compute in self.steps:
            values[name] = compute(choice, *[values[o] for o in operands])
        return values[self.result.name]


def run(command):
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        raise ValueError(f"exit code {done.returncode}: {done.stdout.strip()[:400]}")


def close(got, expected, what):
    if got.shape != expected.shape:
        raise ValueError(f"{what}: expected shape {expected.shape}, got {got.shape}")
    scale = 1 + numpy.abs(expected).max(initial=0)
    error = numpy.abs(got - expected).max(initial=0)
    if not error <= 1e-4 * scale:
        raise ValueError(f"{what}: expected an error of at most {1e-4 * scale:.2g}, got {error:.2g}")


def slope(program, choice, given, cotangent, direction):
    """Of <cotangent, f> at `given` along `direction`."""
    step = 1e-5
    ends = [program.evaluate(choice, {k: v + sign * step * direction[k] for k, v in given.items()}) for sign in (1, -1)]
    return ((ends[0] - ends[1]) * cotangent).sum() / (2 * step)


def check(build, seed, targets, folder):
    program = Program(seed)
    source = folder / "program.mlir"
    source.write_text(program.text())
    xf_run, models = build / "bin/xf-run", {}
    for target in targets:
        models[target] = source if target == "reference" else folder / f"{target}.so"
        options = ["--target=cuda", "--gpu-arch=sm_80", "-O0"] if target == "cuda" else []
        if target != "reference":
            run([build / "bin/xfc", source, "--emit=shared", "--vjp=f", "-o", models[target], *options])
    draw = numpy.random.default_rng(seed)
    for choice in range(CHOICES):
        given = {a.name: draw.standard_normal(a.extents(choice)).astype("f4").astype("f8") for a in program.arguments}
        expected = program.evaluate(choice, given)
        cotangent = draw.standard_normal(expected.shape).astype("f4").astype("f8")
        direction = {k: draw.standard_normal(v.shape) for k, v in given.items()}
        for name, array in {**given, "d_y": cotangent}.items():
            numpy.save(folder / f"{name}.npy", array.astype("f4"))
        for target in targets:
            command = [xf_run, models[target], "--entry=f", "--vjp", f"--target={target}", "--threads=1"]
            command += [f"--input={name}=@{folder / name}.npy" for name in [*given, "d_y"]]
            outputs = ["y"] + [f"d_{name}" for name in given]
            run(command + [f"--output={name}=@{folder}/out_{name}.npy" for name in outputs])
            found = {name: numpy.load(folder / f"out_{name}.npy").astype("f8") for name in outputs}
            close(found["y"], expected, f"{target}, choice {choice}, y")
            for name, array in given.items():
                if found[f"d_{name}"].shape != array.shape:
                    raise ValueError(f"{target}, choice {choice}: expected d_{name} of shape {array.shape}")
            got = numpy.array(sum((found[f"d_{name}"] * direction[name]).sum() for name in given))
            close(got, numpy.array(slope(program, choice, given, cotangent, direction)), f"{target}, choice {choice}, slope")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--targets", default="reference,cpu")
    parser.add_argument("--output", type=pathlib.Path)
    parser.add_argument("--print", action="store_true", help="print program FIRST")
    options = parser.parse_args()
    if options.print:
        print(Program(options.first).text())
        return
    failed = 0
    for seed in range(options.first, options.first + options.count):
        with tempfile.TemporaryDirectory() as folder:
            try:
                check(options.build.resolve(), seed, options.targets.split(","), pathlib.Path(folder))
            except ValueError as error:
                failed += 1
                print(f"program {seed}: {error}", flush=True)
                if options.output:
                    options.output.mkdir(parents=True, exist_ok=True)
                    (options.output / f"program{seed}.mlir").write_text(Program(seed).text())
    print(f"{options.count} programs, {options.targets}: {options.count - failed} agree, {failed} do not")
    sys.exit(failed > 0)


main()
