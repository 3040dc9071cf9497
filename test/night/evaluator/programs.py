# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention programs as text and their operands as arrays."""

import numpy

from evaluator import attention, features, patterns, scores, tape
from evaluator import types_of_xf as xf


def size_of(expression, sizes):
    """The value of 8, "H" or "Nq+Nk-1" in these sizes."""
    terms = str(expression).replace("-", "+-").split("+")
    return sum(sizes[term] if term in sizes else int(term) for term in terms)


def is_dynamic(expression, program):
    return isinstance(expression, str) and any(n in program["dynamic"] for n in expression.replace("-", "+").split("+"))


def captures(program):
    """Shapes of what score regions read, by name."""
    result = {}
    for step in program.get("score", []):
        if "capture" in step:
            result[step["capture"]] = [step.get("buckets") if e == "buckets" else e for e in scores.SHAPES[step["step"]]]
    return result


def operands(program):
    """Name -> (element type, shape as expressions), in the order of the function's arguments."""
    t, pattern, uses = program["dtype"], program["pattern"], program["uses"]
    real = "f64" if t == "f64" else "f32"
    result = {"q": (t, ["B", "H", "Nq", "D"]), "k": (t, ["B", "Hk", "Nk", "D"]), "v": (t, ["B", "Hv", "Nk", "Dv"])}
    if pattern["kind"] == "kernelized":
        if program["params"]:
            result["w"] = (t, [program["params"], "D"])
        for clause in program.get("clauses", []):
            result[clause] = (real, ["H", "Nk+Nk-1"] if clause == "relative" else ["B", "H", "Nk"])
        if "feature_region" in program:
            result["c"] = (t, [program["region_rows"], "D"])
    if pattern["kind"] == "low_rank" and "params" in program:
        for name, heads, width in [("e", "Hk", "D"), ("f", "Hv", "Dv")][:program["params"]]:
            rank = pattern["rank"]
            if pattern["projection"] == "strided_conv":
                result[name] = (t, [-(-program["sizes"]["Nk"] // rank), width])
            else:
                result[name] = (t, [heads] * program["per_head"] + [program["sizes"]["Nk"] + program["rows_more"], rank])
    for name in ("lengths", "query_lengths"):
        if name in uses:
            result[name] = ("i64", ["B"])
    if "segments" in uses:
        result["sq"], result["sk"] = ("i32", ["B", "Nq"]), ("i32", ["B", "Nk"])
    for n, rank in enumerate(program.get("symbols", [])):
        result[f"p{n}"] = ("i64", ["B", "H"][:rank])
    if "table" in uses:
        rows, columns = table_sizes(program)
        result["offsets"], result["columns"] = ("i32", [rows + 1]), ("i64", [columns])
    for name, shape in captures(program).items():
        result[name] = (real, shape)
    if program.get("dropout") is not None:
        result["seed"] = ("i64", [2])
    return result


def table_sizes(program):
    rng = numpy.random.default_rng(program["seed"] ^ 77)
    rows = int(rng.integers(1, program["sizes"]["Nk"] + 1))
    return rows, int(rng.integers(0, 4 * rows + 1))


def tensor_type(program, kind, shape):
    """The type as text."""
    dims = ["?" if is_dynamic(e, program) else str(size_of(e, program["sizes"])) for e in shape]
    return f"tensor<{'x'.join(dims + [kind])}>"


def clauses(program, types):
    """What stands between the pattern and the types."""
    lines, of = [], lambda *names: f"({', '.join('%' + n for n in names)} : {', '.join(types[n] for n in names)})"
    if program.get("scale") is not None:
        lines.append(f"scale {program['scale']:.17e}")
    if "w" in types or "e" in types:
        lines.append("params" + of(*[n for n in ("w", "e", "f") if n in types]))
    lines += [name + of(name) for name in ("decay", "beta", "relative") if name in types]
    if "feature_region" in program:
        t, rows = program["dtype"], program["region_rows"]
        shape = "?" if "D" in program["dynamic"] else program["sizes"]["D"]
        x, u = f"tensor<{shape}x{t}>", f"tensor<{rows}x{t}>"
        body = features.REGIONS[program["feature_region"]][0].format(x=x, u=u, c=types["c"])
        lines.append(f"feature(%x: {x}) captures(%c = %c : {types['c']}) {{\n{indented(body.splitlines())}\n  }}")
    lines += [name + of(name) for name in ("lengths", "query_lengths") if name in types]
    if "sq" in types:
        lines.append("segments" + of("sq", "sk"))
    symbols = [name for name in types if name[0] == "p" and name[1:].isdigit()]
    if symbols:
        lines.append("symbols" + of(*symbols))
    if "offsets" in types:
        lines.append("table" + of("offsets", "columns"))
    if program.get("score"):
        real = "f64" if program["dtype"] == "f64" else "f32"
        read = ", ".join(f"%{c} = %{c} : {types[c]}" for c in captures(program))
        body = indented(scores.write(program["score"], real, program["sizes"], types))
        lines.append(f"score(%s : {real}, %b, %h, %i, %j){f' captures({read})' if read else ''} {{\n{body}\n  }}")
    if program.get("dropout") is not None:
        lines.append(f"dropout({program['dropout']:.17e}, %seed : {types['seed']})")
    return "\n    ".join(lines)


def indented(lines):
    return "\n".join("      " + line for line in lines)


def result_types(program):
    t = program["dtype"]
    types = {"o": tensor_type(program, t, ["B", "H", "Nq", "Dv"])}
    if program["lse"]:
        types["lse"] = tensor_type(program, "f64" if t == "f64" else "f32", ["B", "H", "Nq"])
    return types


def text(program, name):
    """A function of the program."""
    types = {n: tensor_type(program, *t) for n, t in operands(program).items()}
    results = result_types(program)
    arguments = ", ".join(f'%{n}: {t} {{xf.name = "{n}"}}' for n, t in types.items())
    named = ", ".join(f'{t} {{xf.name = "{n}"}}' for n, t in results.items())
    values, plain = ", ".join("%" + n for n in results), ", ".join(results.values())
    return (f"func.func @{name}({arguments}) -> ({named}) {{\n"
            f"  {values} = {op_text(program, types)} -> {plain if len(results) == 1 else f'({plain})'}\n"
            f"  return {values} : {plain}\n}}\n")


def op_text(program, types):
    """The op without its results."""
    return (f"xf.attention %q, %k, %v pattern({patterns.text(program['pattern'])})\n    {clauses(program, types)}\n"
            f"    : ({types['q']}, {types['k']}, {types['v']})")


# ---- operands ----

def integers(name, shape, sizes, rng, program):
    if name == "seed":
        return rng.integers(-2**62, 2**62, shape)
    if name == "lengths":
        return rng.integers(0, sizes["Nk"] + 1, shape)
    if name == "query_lengths":
        return rng.integers(0, sizes["Nq"] + 1, shape)
    if name in ("sq", "sk"):
        numbers = rng.integers(-1, 4, shape)
        return numpy.sort(numbers, 1) if program["seed"] % 2 else numbers
    if name == "offsets":
        return numpy.sort(rng.integers(0, table_sizes(program)[1] + 1, shape))
    if name == "columns":
        return rng.integers(-1, sizes["Nk"] + 1, shape)
    return rng.integers(-3, sizes["Nk"] + 3, shape)  # a symbol


def other_sizes(program, call):
    """The sizes of a call: the program's own, or other ones where they are dynamic."""
    rng = numpy.random.default_rng([program["seed"], call, 5])
    sizes = dict(program["sizes"])
    if call:
        for name in program["dynamic"]:
            most = 3 if name == "B" else 17 if "beta" in program.get("clauses", []) else 70  # states of beta may grow
            sizes[name] = int(rng.integers(1, most + 1)) if rng.random() < .8 else int(rng.integers(0, 2))
    if sizes["Nq"] > sizes["Nk"] and program["pattern"]["kind"] == "kernelized":
        sizes["Nq"] = sizes["Nk"] if "Nq" in program["dynamic"] else sizes["Nq"]
        sizes["Nk"] = max(sizes["Nk"], sizes["Nq"])
    if "relative" in program.get("clauses", []):
        sizes["Nk"] = max(sizes["Nk"], 1)  # it has 2 Nk - 1 rows
    if program["pattern"]["kind"] == "low_rank":
        sizes["Nk"] = program["sizes"]["Nk"]
    return sizes


def arrays(program, sizes, call=0):
    """The operands of a call as f64, or int64."""
    rng = numpy.random.default_rng([program["seed"], call])
    result = {}
    for name, (kind, expressions) in operands(program).items():
        shape = tuple(size_of(e, sizes) for e in expressions)
        if kind[0] == "i":
            result[name] = integers(name, shape, sizes, rng, program).astype(numpy.int64)
        elif name in ("decay", "beta"):
            result[name] = xf.rounded(rng.uniform(.6, 1, shape), kind)
        else:
            deviation = program["deviation"] if name in ("q", "k") else 1 / max(1, shape[0])**.5 if name in "ef" else 1.0
            if program["pattern"]["kind"] == "kernelized":
                deviation = {"k": .7, "q": .7, "w": .7, "c": .4}.get(name, deviation)
            if name in ("relative",) or name[0] == "c" and name[1:].isdigit():
                deviation = .5
            result[name] = xf.rounded(rng.standard_normal(shape) * deviation, kind)
    for step in program.get("score", []):
        if step["step"] == "padding":  # on the left, as many tokens as an entry of the batch lacks
            low = numpy.arange(sizes["Nk"]) < rng.integers(0, sizes["Nk"] + 1, (sizes["B"], 1))
            result[step["capture"]] = xf.rounded(numpy.where(low, step["low"], 0.0), operands(program)[step["capture"]][0])
    if "low" in program:
        low_first(program, sizes, result)
    return result


def low_first(program, sizes, values):
    """Makes products with the first keys low."""
    for name, shift in (("q", lambda x: abs(x) + 1), ("k", lambda x: x - program["low"])):
        part = values[name][:, :, :None if name == "q" else -(-sizes["Nk"] // 2), 0]
        part[:] = xf.rounded(shift(part), program["dtype"])


def hidden_rows(program, sizes, values):
    """Rows that nothing can observe: by operand, a mask of its rows."""
    if program["pattern"]["kind"] == "low_rank":
        if "lengths" not in values:
            return {}
        beyond = numpy.arange(sizes["Nk"]) >= values["lengths"][:, None]
        return {x: numpy.repeat(beyond[:, None], sizes[h], 1) for x, h in (("k", "Hk"), ("v", "Hv"))}
    mask = attention.visible(program, sizes, values)
    seen = mask.any(2)
    result = {"q": ~mask.any(3)}
    for x, heads in (("k", sizes["Hk"]), ("v", sizes["Hv"])):
        result[x] = ~seen.reshape(sizes["B"], heads, sizes["H"] // heads, sizes["Nk"]).any(2)
    read = scores.reads(program.get("score", []), sizes, lambda name: values[name].shape, mask)
    return {**result, **{name: ~seen for name, seen in read.items()}}


def expected(program, sizes, values, cotangents=None):
    """Name -> Value of the results and, given cotangents of them by name, of the gradients d_x."""
    inputs = {n: tape.Value(values[n]) for n, (kind, _) in operands(program).items() if kind[0] != "i"}
    results = attention.evaluate(program, sizes, values, inputs)
    if cotangents is None:
        return results
    given = [n for n in results if n in cotangents]
    seen = {n: numpy.isfinite(results[n].val) for n in given}  # an lse of -inf is a constant
    found = tape.gradients([results[n] for n in given],
                           [numpy.where(seen[n], cotangents[n], 0) for n in given], list(inputs.values()))
    return {**results, **{f"d_{n}": g for n, g in zip(inputs, found)}}
