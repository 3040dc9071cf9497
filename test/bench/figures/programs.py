# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Texts of the programs that are measured, and how much work they are."""

import dataclasses

import numpy


@dataclasses.dataclass
class Attention:
    """Softmax attention of one batch; `queries` and `key_heads` are `size` and `heads` unless given."""
    pattern: str
    size: int
    depth: int
    heads: int
    element: str = "f32"
    queries: int | None = None
    key_heads: int | None = None

    def shape(self, name):
        rows, heads = (self.queries or self.size, self.heads) if name == "q" else (self.size, self.key_heads or self.heads)
        return (1, heads, rows, self.depth)

    def text(self):
        tensor = {x: "tensor<" + "x".join(map(str, self.shape(x))) + f"x{self.element}>" for x in "qkv"}
        operands = ", ".join(f'%{x}: {tensor[x]} {{xf.name = "{x}"}}' for x in "qkv")
        ids, clause = f"tensor<1x{self.size}xi32>", ""
        if "segments" in self.pattern:
            operands += "".join(f', %s{x}: {ids} {{xf.name = "s{x}"}}' for x in "qk")
            clause = f"segments(%sq, %sk : {ids}, {ids})"
        return f"""func.func @attend({operands}) -> ({tensor["q"]} {{xf.name = "o"}}) {{
  %o = xf.attention %q, %k, %v pattern({self.pattern}) {clause} : ({", ".join(tensor.values())}) -> {tensor["q"]}
  return %o : {tensor["q"]}
}}
"""

    def pairs(self, lab):
        """Of all heads: by formula where that is simple, and else by the compiler's count."""
        n = self.size
        if self.pattern == "#xf.dense":
            return self.heads * n * (self.queries or n)
        if self.pattern == "#xf.causal":
            return self.heads * n * (n + 1) // 2
        if "segments" in self.pattern:
            lengths = numpy.bincount(documents(n)[0])
            return self.heads * int((lengths * (lengths + 1) // 2).sum())
        return lab.explain(self.text())["pairs"]

    def call(self, lab, gradient=False, arrays=None, threads=1):
        arrays = dict(arrays or {})
        if "segments" in self.pattern:
            arrays |= {name: documents(self.size) for name in ("sq", "sk")}
        return lab.call(self.text(), "attend_vjp" if gradient else "attend", arrays, ("--vjp=attend",), threads)


def documents(size):
    """Ids of eight packed documents whose lengths are as 1 to 8."""
    ends = numpy.cumsum(range(1, 9)) * size // 36
    return numpy.searchsorted(ends, numpy.arange(size), side="right").astype(numpy.int32)[None]


def flop_per_pair(depth, gradient):
    """Two products forward, five more backward."""
    return (14 if gradient else 4) * depth


@dataclasses.dataclass
class Linear:
    """y = x w^T, with bias, and with bias and GELU; w and bias are parameters."""
    rows: int
    depth: int
    columns: int
    element: str = "f32"
    epilogue: str = ""  # "bias", "bias + GELU"

    def text(self):
        tensor = lambda *shape: "tensor<" + "x".join(map(str, shape)) + f"x{self.element}>"
        x, w, y, b = (tensor(*shape) for shape in ((self.rows, self.depth), (self.columns, self.depth),
                                                   (self.rows, self.columns), (self.columns,)))
        operand = f', %b: {b} {{xf.parameter = "b"}}' if self.epilogue else ""
        clause = f"bias(%b : {b}) " if self.epilogue else ""
        gelu = f"  %g = xf.gelu %h form tanh : {y}\n" if "GELU" in self.epilogue else ""
        return f"""func.func @linear(%x: {x} {{xf.name = "x"}}, %w: {w} {{xf.parameter = "w"}}{operand}) -> ({y} {{xf.name = "y"}}) {{
  %h = xf.linear %x, %w {clause}: ({x}, {w}) -> {y}
{gelu}  return {"%g" if gelu else "%h"} : {y}
}}
"""

    def flop(self):
        return 2 * self.rows * self.depth * self.columns

    def weight_bytes(self):
        return self.depth * self.columns * (4 if self.element == "f32" else 2)
