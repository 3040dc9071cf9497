# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The program of several ranks that follows from a seed, as draw.py describes it."""

import random


def tensor(shape, kind):
    return f"tensor<{''.join(f'{size}x' for size in shape)}{kind}>"


def sharding(axes):
    """The attribute for a list with a word for each dimension: an axis, or none."""
    dims = ", ".join("{" + (f'"{axis}"' + (f" zigzag {zigzag}" if zigzag > 1 else "") if axis else "") + "}" for axis, zigzag in axes)
    return f"xf.sharding = #xf.sharding<[{dims}]>"


class Program:
    """The lines of a function, with the types of its values."""

    def __init__(self, seed, order):
        self.random = random.Random(f"{order} {seed}")
        self.order, self.name = order, f"seed{seed}"
        self.lines, self.arguments, self.types, self.wrt = [], [], {}, []
        choose = self.random.choice
        self.kind = choose(["f32", "bf16", "f64"]) if order == "keys" else choose(["f64"] * 6 + ["f32", "bf16"])
        self.mesh = self.draw_mesh()
        self.zigzag = 1
        if order == "ranks" and self.mesh.get("s", 1) > 1 and self.random.random() < .3:
            self.zigzag = choose([2, 3, 4])
        self.dynamic = order == "ranks" and self.random.random() < .15
        self.mixed = order == "ranks" and seed % 5 == 4  # attention between reshapes of tokens in zigzag chunks
        if self.mixed:
            self.kind, self.zigzag, self.dynamic = choose(["bf16", "bf16", "f32", "f64"]), choose([2, 3, 4]), False
            while self.mesh.get("s", 1) == 1:
                self.mesh = self.draw_mesh()

    def kinds(self):
        """What of the kinds that a night counts the program has; it is drawn."""
        count = "\n".join(self.lines).count
        found = {"attention": count("xf.attention") > 0, "two reshapes": count("xf.reshape") > 1, "chunks": self.zigzag > 1, "bf16": self.kind == "bf16"}
        return [name for name, has in {**found, "all of these": all(found.values())}.items() if has]

    def draw_mesh(self):
        if self.order == "keys":
            axes = self.random.choice([{"s": 2}, {"s": 4}, {"d": 2, "s": 2}, {"d": 4}, {"t": 4}, {"s": 2, "t": 2}, {"d": 2, "t": 2}])
        else:
            axes = self.random.choice([{"s": 2}, {"s": 3}, {"s": 4}, {"d": 2, "s": 2}, {"d": 2, "s": 4}, {"s": 2, "t": 2}, {"t": 4},
                                       {"t": 2}, {"d": 2, "s": 2, "t": 2}, {"s": 5}, {"d": 3, "t": 2}, {"s": 4, "d": 2}])
        return axes

    def argument(self, name, shape, kind=None, axes=None, wrt=False, extra=""):
        kind = kind or self.kind
        kept = [(a if a in self.mesh else None, d) for a, d in axes or []]
        attributes = [sharding(kept)] if any(a for a, _ in kept) else []
        attributes += [extra] if extra else []
        self.arguments.append((name, tensor(shape, kind), attributes))
        self.types[name] = (list(shape), kind)
        if wrt:
            self.wrt.append(len(self.arguments) - 1)
        return name

    def parameter(self, shape):
        """A parameter, of which ranks along `t` may have parts of the first dimension."""
        shared = "t" in self.mesh and shape[0] % self.mesh["t"] == 0 and self.random.random() < .5
        return self.argument(f"%w{len(self.arguments)}", shape, axes=[("t" if shared else None, 1)] + [(None, 1)] * (len(shape) - 1), wrt=True)

    def emit(self, text, shape, kind=None):
        name = f"%v{len(self.lines)}"
        self.lines.append(f"    {name} = {text}")
        self.types[name] = (list(shape), kind or self.kind)
        return name

    def type(self, value):
        return tensor(*self.types[value])

    def text(self, result):
        taken = ", ".join(f"{n}: {t}" for n, t, _ in self.arguments)
        given = ", ".join(f"{n}: {t}" + (f" {{{', '.join(a)}}}" if a else "") for n, t, a in self.arguments)
        types, out = ", ".join(t for _, t, _ in self.arguments), self.type(result)
        results = ", ".join([out] + [self.arguments[n][1] for n in self.wrt])
        values = ["%y"] + [f"%g{n}" for n in self.wrt]
        axes = ", ".join(f'"{a}" = {n}' for a, n in self.mesh.items())
        axis = f" {{{self.cotangent}}}" if self.cotangent else ""
        return "\n".join([
            f"module attributes {{xf.mesh = #xf.mesh<{axes}>}} {{",
            f"  func.func @{self.name}({given}, %dy: {out}{axis}) -> ({results}) {{",
            f"    {', '.join(values)} = xf.vjp @f({', '.join(n for n, _, _ in self.arguments)}) cotangents(%dy : {out}) wrt "
            f"{self.wrt} : ({types}) -> ({results})",
            f"    return {', '.join(values)} : {results}", "  }",
            f"  func.func private @f({taken}) -> {out} {{", *self.lines, f"    return {result} : {out}", "  }", "}", ""])

    # Attention

    def scattered(self, tokens):
        """Positions of up to 30 tokens, in order; the last one is counted from the end at times."""
        r = self.random
        positions = sorted(r.sample(range(tokens), r.randint(1, min(tokens, r.choice([2, 9, 13, 30])))))
        return positions[:-1] + [-1] if r.random() < .3 else positions

    def pattern(self, tokens, keys):
        """A pattern, and what it is: set, states, rank."""
        r, n = self.random, max(tokens, 1)

        def small(most):
            return r.randint(1, max(1, most))

        def window():
            left = r.randint(0, n + 2)
            return f"#xf.window<left = {left}, right = {r.choice([0, 0, small(5), small(n)])}>"

        def one():
            block = small(n)
            if self.dynamic:
                return r.choice(["#xf.causal", "#xf.dense", window(), f"#xf.strided<stride = {block}>", f"#xf.fixed<block = {block}, summary = 1>",
                                 f"#xf.union<[#xf.window<left = {small(4)}>, #xf.global<[0]>]>", f"#xf.block<size = {small(4)}, of = #xf.causal>"])
            return r.choice([
                "#xf.causal", "#xf.causal", "#xf.dense", window(), window(),
                f"#xf.strided<stride = {block}>", f"#xf.strided<stride = {block}, part = column>",
                f"#xf.fixed<block = {block}, summary = {small(block)}>", f"#xf.fixed<block = {block}, summary = 1, part = local>",
                f"#xf.dilated<left = {small(6)}, right = 0, step = {small(3)}>", f"#xf.prefix<length = {small(n)}>",
                f"#xf.block<size = {small(4)}, of = #xf.causal>",
                f"#xf.union<[#xf.window<left = {small(4)}, right = {small(4)}>, #xf.global<[0, {-small(n) if n > 1 else 0}]>]>",
                f"#xf.union<[#xf.window<left = {small(4)}, right = {small(4)}>, #xf.global<{self.scattered(n)}>]>",
                f"#xf.union<[#xf.window<left = {small(4)}>, #xf.random<count = 2, seed = {small(99)}>]>",
                f"#xf.difference<[#xf.causal, #xf.window<left = {small(3)}, right = 0>]>" if n > 4 else "#xf.causal",
                f"#xf.union<[#xf.keys<[0 : {small(n)}]>, #xf.window<left = {small(3)}, right = 0>]>",
                f"#xf.window_nd<extents = [{n}, 1], radius = [{small(3)}, 1]>" if tokens == keys else "#xf.causal"])

        kind = r.choice(["set"] * 7 + ["heads", "states", "states", "rank"])
        if kind == "heads":
            return f"#xf.heads<[{one()}, {one()}]>", "heads"
        if kind == "states":
            causal = r.random() < .6
            # Sums of relu and square may be close to 0: quotients of such sums have no digits in bf16.
            feature = r.choice(["elu", "exp", "favor", "softmax"] + ["relu", "square"] * (self.kind != "bf16" or self.order == "keys"))
            more = "stabilizer = row, " if feature == "favor" else ""
            return f"#xf.kernelized<feature = {feature}, {more}of = {'#xf.causal' if causal else '#xf.dense'}>", feature
        if kind == "rank":
            return f"#xf.low_rank<rank = {small(min(4, n))}>", "rank"
        return one(), "set"

    def score(self, heads, tokens, keys):
        """The clause of a score, and its line of captures."""
        r, kind = self.random, "f64" if self.kind == "f64" else "f32"
        which = r.choice(["distance", "cap", "table", "slope"])
        if which == "cap":
            return f"score(%s : {kind}, %b, %h, %i, %j) {{\n      %t = math.tanh %s : {kind}\n      xf.yield %t : {kind}\n    }}"
        if which == "distance":
            return (f"score(%s : {kind}, %b, %h, %i, %j) {{\n      %n = arith.subi %i, %j : index\n      %c = arith.index_cast %n : index to i64\n"
                    f"      %x = arith.sitofp %c : i64 to {kind}\n      %w = arith.constant 0.01 : {kind}\n      %y = arith.mulf %x, %w : {kind}\n"
                    f"      %t = arith.subf %s, %y : {kind}\n      xf.yield %t : {kind}\n    }}")
        shape, index = ([heads, keys], "%h, %j") if which == "table" else ([heads], "%h")
        if self.dynamic:
            shape, index = [heads], "%h"
        t = self.argument(f"%t{len(self.arguments)}", shape, kind=kind, wrt=True)
        return (f"score(%s : {kind}, %b, %h, %i, %j) captures(%c = {t} : {tensor(shape, kind)}) {{\n      %x = tensor.extract %c[{index}] : "
                f"{tensor(shape, kind)}\n      %t = arith.addf %s, %x : {kind}\n      xf.yield %t : {kind}\n    }}")

    def attention(self, q, k, v):
        r = self.random
        (batch, heads, tokens, width), keys = self.types[q][0], self.types[k][0][2]
        real = 12 if self.dynamic else tokens
        text, what = self.pattern(real, 12 if self.dynamic else keys)
        clauses, kernel = [], what not in ("set", "heads")
        if what == "favor":
            clauses.append(f"params({self.argument(f'%f{len(self.arguments)}', [r.randint(1, 6), width], wrt=True)} : %TYPE)")
        if what == "rank":
            if self.dynamic:
                text = "#xf.dense"
            else:
                rank = int(text[text.index("= ") + 2:-1])
                e = [self.argument(f"%e{len(self.arguments)}", [keys, rank], wrt=True) for _ in range(2)]
                clauses.append(f"params({e[0]}, {e[1]} : {self.type(e[0])}, {self.type(e[1])})")
        if what == "favor":
            clauses[0] = clauses[0].replace("%TYPE", self.type(self.arguments[-1][0]))
        if not kernel:
            if r.random() < .2:
                n = self.argument(f"%n{len(self.arguments)}", [batch], kind="i64", axes=[("d", 1)], extra=f"xf.range = array<i64: 0, {real}>")
                clauses.append(f"lengths({n} : {self.type(n)})")
                if r.random() < .5:
                    m = self.argument(f"%n{len(self.arguments)}", [batch], kind="i64", axes=[("d", 1)], extra=f"xf.range = array<i64: 0, {real}>")
                    clauses.append(f"query_lengths({m} : {self.type(m)})")
            if r.random() < .3:
                clauses.append(self.score(heads, tokens, keys))
            if r.random() < .2:
                s = self.argument(f"%seed{len(self.arguments)}", [2], kind="i64")
                clauses.append(f"dropout(0.25, {s} : tensor<2xi64>)")
        out = [batch, heads, tokens, self.types[v][0][3]]
        return self.emit(f"xf.attention {q}, {k}, {v} pattern({text}) {' '.join(clauses)} : ({self.type(q)}, {self.type(k)}, {self.type(v)}) -> "
                         f"{tensor(out, self.kind)}", out)

    def sizes(self):
        """Of a batch and of tokens, which ranks divide."""
        r = self.random
        batch = self.mesh.get("d", 1) * r.choice([1, 1, 2])
        parts = self.mesh.get("s", 1) * self.zigzag
        tokens = parts * r.choice([1, 1, 2, 3, 5, 8, 9, 16, 17])
        if self.order == "keys":
            batch, tokens = 4 * r.choice([1, 2]), 4 * r.choice([1, 2, 3, 5, 8, 17, 32])
        return batch, tokens

    def draw_attention(self):
        r = self.random
        batch, tokens = self.sizes()
        keys = tokens * r.choice([1, 1, 1, 1, 2]) if self.zigzag == 1 or r.random() < .5 else tokens
        key_heads = r.choice([1, 1, 2]) * (self.mesh.get("t", 1) if r.random() < .7 else 1)
        heads = key_heads * r.choice([1, 1, 2, 3])
        share_heads = "t" in self.mesh and key_heads % self.mesh["t"] == 0 and (self.order != "keys" or r.random() < .3)
        width, value_width = r.choice([1, 4, 8, 16, 33, 80]), 0
        value_width = width if r.random() < .8 else r.choice([1, 5, 24])
        token_axis = ("s", self.zigzag)
        head_axis = ("t" if share_heads else None, 1)
        if self.dynamic:
            tokens = keys = "?"
        axes = [("d", 1), head_axis, token_axis, (None, 1)]
        q = self.argument("%q", [batch, heads, tokens, width], axes=axes, wrt=True)
        if r.random() < .1 and heads == key_heads and not self.dynamic and keys == tokens:
            k = v = q
        else:
            k = self.argument("%k", [batch, key_heads, keys, width], axes=axes, wrt=True)
            v = k if r.random() < .1 else self.argument("%v", [batch, key_heads, keys, value_width], axes=axes, wrt=True)
        o = self.attention(q, k, v)
        kept = [(a if a in self.mesh else None, d) for a, d in axes]
        self.cotangent = sharding(kept) if any(a for a, _ in kept) else ""
        return self.text(o)

    # Layers

    def linear(self, x, width):
        shape = self.types[x][0]
        w = self.parameter([width, shape[-1]])
        bias, types = "", f"{self.type(x)}, {self.type(w)}"
        if self.random.random() < .3:
            b = self.argument(f"%b{len(self.arguments)}", [width], wrt=True)
            bias = f" bias({b} : {self.type(b)})"
        out = shape[:-1] + [width]
        return self.emit(f"xf.linear {x}, {w}{bias} : ({types}) -> {tensor(out, self.kind)}", out)

    def binary(self, op, x, y):
        return self.emit(f"xf.{op} {x}, {y} : ({self.type(x)}, {self.type(y)}) -> {self.type(x)}", self.types[x][0])

    def unary(self, op, x):
        return self.emit(f"xf.{op} {x} : {self.type(x)}", self.types[x][0])

    def layer(self, x, which=None):
        """One more layer: B x N x C to B x N x C."""
        r, (batch, tokens, width) = self.random, self.types[x][0]
        which = which or r.choice(["attention"] * 4 + ["mlp", "mlp", "norm", "norm", "softmax", "transposed", "slices", "merged", "positions", "mean",
                                             "dropout", "shift", "tokens", "max", "silu", "twice", "twice", "taken", "thinned", "rotary"])
        if self.dynamic and which in ("transposed", "slices", "merged", "positions", "shift", "tokens", "mean", "max", "twice", "taken", "thinned"):
            which = "mlp"
        if self.kind == "bf16" and self.order == "ranks" and which == "max":  # of two that are nearly equal, ranks may take the other
            which = "mean"
        if which == "attention":
            heads = r.choice([1, 2, 4]) if width % 4 == 0 else 1
            key_heads = heads // r.choice([1, 2]) or 1
            size = r.choice([1, 2, 4])
            q = self.heads_of(self.linear(x, heads * size), heads)
            k = self.heads_of(self.linear(x, key_heads * size), key_heads)
            v = k if r.random() < .2 else self.heads_of(self.linear(x, key_heads * size), key_heads)
            o = self.attention(q, k, v)
            out = [batch, tokens, heads * size]
            y = self.emit(f"xf.merge_heads {o} : ({self.type(o)}) -> {tensor(out, self.kind)}", out)
            return self.binary("add", x, self.linear(y, width))
        if which == "mlp":
            return self.binary("add", x, self.linear(self.unary(r.choice(["silu", "tanh", "relu"]), self.linear(x, r.choice([4, 8, 12]))), width))
        if which == "norm":
            w = self.argument(f"%w{len(self.arguments)}", [width], wrt=True)
            op = r.choice(["layer_norm", "rms_norm"])
            return self.emit(f"xf.{op} {x} weight({w} : {self.type(w)}) eps 1.0e-2 : {self.type(x)} -> {self.type(x)}", self.types[x][0])
        if which == "softmax":
            return self.binary("mul", x, self.unary("softmax", x))
        if which == "dropout":
            s = self.argument(f"%seed{len(self.arguments)}", [2], kind="i64")
            return self.emit(f"xf.dropout {x} seed({s} : tensor<2xi64>) p 2.5e-01 : {self.type(x)}", self.types[x][0])
        if which == "transposed":
            out = [width, tokens, batch]
            t = self.unary("tanh", self.emit(f"xf.transpose {x} permutation [2, 1, 0] : {self.type(x)} to {tensor(out, self.kind)}", out))
            if r.random() < .5:
                t = self.unary("softmax", t)
            return self.emit(f"xf.transpose {t} permutation [2, 1, 0] : {self.type(t)} to {self.type(x)}", self.types[x][0])
        if which == "slices":
            if width < 2:
                return self.unary("tanh", x)
            cut = r.randint(1, width - 1)
            parts = [self.emit(f"xf.slice {x} offsets [0, 0, {at}] strides [1, 1, 1] : {self.type(x)} to {tensor([batch, tokens, n], self.kind)}",
                               [batch, tokens, n]) for at, n in ((0, cut), (cut, width - cut))]
            return self.emit(f"xf.concat {parts[1]}, {self.unary('tanh', parts[0])} axis 2 : ({self.type(parts[1])}, {self.type(parts[0])}) -> "
                             f"{self.type(x)}", self.types[x][0])
        if which == "shift":  # of tokens: what the last one had is lost
            if tokens < 2:
                return self.unary("tanh", x)
            less = [batch, tokens - 1, width]
            p = self.emit(f"xf.slice {x} offsets [0, 0, 0] strides [1, 1, 1] : {self.type(x)} to {tensor(less, self.kind)}", less)
            y = self.emit(f"xf.pad {p} low [0, 1, 0] strides [1, 1, 1] : {self.type(p)} to {self.type(x)}", self.types[x][0])
            return self.binary("add", x, y)
        if which == "merged":
            flat = [batch * tokens, width]
            y = self.emit(f"xf.reshape {x} : {self.type(x)} to {tensor(flat, self.kind)}", flat)
            y = self.linear(self.unary("tanh", y), width)
            return self.emit(f"xf.reshape {y} : {self.type(y)} to {self.type(x)}", self.types[x][0])
        if which == "twice":  # dimensions that count several count several of them, alone or beside others, and part again
            return self.merged_twice(x)
        if which == "taken":  # tokens of one part or of several, for all
            size, stride = r.choice([1, 1, 2, 3]), r.choice([1, 1, 2])
            size = min(size, (tokens - 1) // stride + 1)
            first, part = r.randint(0, tokens - 1 - (size - 1) * stride), [batch, size, width]
            y = self.emit(f"xf.slice {x} offsets [0, {first}, 0] strides [1, {stride}, 1] : {self.type(x)} to {tensor(part, self.kind)}", part)
            if r.random() < .5:
                y = self.unary("tanh", self.linear(y, width))
            out = [batch, width]
            y = self.emit(f"xf.reduce sum {y} axes [1] : {self.type(y)} -> {tensor(out, self.kind)}", out)
            y = self.emit(f"xf.reshape {y} : {self.type(y)} to {tensor([batch, 1, width], self.kind)}", [batch, 1, width])
            return self.binary("add", x, y)
        if which == "thinned":  # each n-th token, for all of n
            stride = r.choice([n for n in (2, 3, 4) if tokens % n == 0] or [1])
            few, first = [batch, tokens // stride, width], r.randrange(stride)
            y = self.emit(f"xf.slice {x} offsets [0, {first}, 0] strides [1, {stride}, 1] : {self.type(x)} to {tensor(few, self.kind)}", few)
            y = self.unary("silu", y)
            y = self.emit(f"xf.pad {y} low [0, {r.randrange(stride)}, 0] strides [1, {stride}, 1] : {self.type(y)} to {self.type(x)}", self.types[x][0])
            return self.binary("add", x, y)
        if which == "rotary":  # halves of a row that are turned, as positions of tokens turn them
            if width % 2 or self.dynamic:
                return self.unary("silu", x)
            half = [batch, tokens, width // 2]
            a, b = (self.emit(f"xf.slice {x} offsets [0, 0, {at}] strides [1, 1, 1] : {self.type(x)} to {tensor(half, self.kind)}", half)
                    for at in (0, width // 2))
            p = self.argument(f"%p{len(self.arguments)}", [tokens, width // 2], wrt=True)
            y = self.binary("sub", self.binary("mul", a, p), self.unary("silu", b))
            return self.emit(f"xf.concat {y}, {self.binary('add', b, y)} axis 2 : ({self.type(y)}, {self.type(b)}) -> {self.type(x)}", self.types[x][0])
        if which == "tokens":
            t = [batch, width, tokens]
            y = self.emit(f"xf.transpose {x} permutation [0, 2, 1] : {self.type(x)} to {tensor(t, self.kind)}", t)
            y = self.linear(y, tokens)
            y = self.emit(f"xf.transpose {y} permutation [0, 2, 1] : {self.type(y)} to {self.type(x)}", self.types[x][0])
            return self.binary("add", x, y)
        if which == "positions":
            p = self.argument(f"%p{len(self.arguments)}", [tokens, width], wrt=True)
            return self.binary("add", x, p)
        if which in ("mean", "max"):
            over = r.choice([[0], [1], [2], [0, 1], [1, 2], [0, 2]])
            out = [n for d, n in enumerate(self.types[x][0]) if d not in over]
            m = self.emit(f"xf.reduce {r.choice(['mean', 'sum']) if which == 'mean' else 'max'} {x} axes {over} : {self.type(x)} -> "
                          f"{tensor(out, self.kind)}", out)
            ones = [1 if d in over else n for d, n in enumerate(self.types[x][0])]
            m = self.emit(f"xf.reshape {m} : {self.type(m)} to {tensor(ones, self.kind)}", ones)
            return self.binary("sub", x, m)
        return self.unary("silu", x)

    def reshaped(self, x, shape):
        return self.emit(f"xf.reshape {x} : {self.type(x)} to {tensor(shape, self.kind)}", shape)

    def merged_twice(self, x):
        """Neighbouring dimensions of B x N x C are merged one after the other, with ops between, and parted the same way or at once."""
        r, whole, (batch, tokens, width) = self.random, self.types[x][0], self.types[x][0]
        first = r.random() < .3  # tokens before entries
        y = self.emit(f"xf.transpose {x} permutation [1, 0, 2] : {self.type(x)} to {tensor([tokens, batch, width], self.kind)}", [tokens, batch, width]) if first else x
        shape = list(self.types[y][0])
        parts = [n for n in (2, 4) if width % n == 0] or [1]
        shape[2:] = [n := r.choice(parts), width // n]
        if shape[1] % 2 == 0 and r.random() < .3:
            shape[1:2] = [shape[1] // 2, 2]
        shapes, y = [shape], self.reshaped(y, shape)
        while len(shapes[-1]) > 2 and (len(shapes) < 3 or r.random() < .5):
            last = shapes[-1]
            at = r.randrange(len(last) - 2)
            shapes.append(last[:at] + [last[at] * last[at + 1]] + last[at + 2:])
            y = self.unary(r.choice(["tanh", "silu"]), self.reshaped(y, shapes[-1]))
        if r.random() < .5:
            y = self.linear(y, shapes[-1][-1])
        if r.random() < .3:
            y = self.binary("mul", y, self.reshaped(self.reshaped(x, whole) if first else x, shapes[-1]))
        for back in reversed(shapes[:-1]):
            if r.random() < .5:
                y = self.unary("tanh", self.reshaped(y, back))
        y = self.reshaped(y, [tokens, batch, width] if first else whole)
        if first:
            y = self.emit(f"xf.transpose {y} permutation [1, 0, 2] : {self.type(y)} to {self.type(x)}", whole)
        return self.binary("add", x, y)

    def heads_of(self, x, heads):
        batch, tokens, width = self.types[x][0]
        out = [batch, heads, tokens, width // heads]
        return self.emit(f"xf.split_heads {x} heads {heads} : ({self.type(x)}) -> {tensor(out, self.kind)}", out)

    def draw_layers(self):
        r = self.random
        batch, tokens = self.sizes()
        width = r.choice([4, 8, 8, 12])
        wide = "t" in self.mesh and width % self.mesh["t"] == 0 and r.random() < .3
        axes = [("d", 1), ("s", self.zigzag), ("t" if wide else None, 1)]
        if self.dynamic:  # sizes without names: ranks that have a part and those that have all would not fit
            tokens = "?"
        if r.random() < .3 and not self.dynamic:
            ids = self.argument("%ids", [batch, tokens], kind="i32", axes=axes[:2], extra="xf.range = array<i64: 0, 6>")
            table = self.parameter([8, width])
            x = self.emit(f"xf.embedding {table}, {ids} : ({self.type(table)}, {self.type(ids)}) -> {tensor([batch, tokens, width], self.kind)}",
                          [batch, tokens, width])
        else:
            x = self.argument("%x", [batch, tokens, width], axes=axes, wrt=True)
        for which in ["twice", "attention", "twice", None] if self.mixed else [None] * r.randint(1, 4):
            x = self.layer(x, which)
        kept = [(a if a in self.mesh else None, d) for a, d in axes[:2] + [(None, 1)]]
        self.cotangent = sharding(kept) if any(a for a, _ in kept) and (self.dynamic or r.random() < .7) else ""
        return self.text(x)


def draw(seed, order):
    program = Program(seed, order)
    return program.draw_attention() if not program.mixed and program.random.random() < .5 else program.draw_layers(), program
