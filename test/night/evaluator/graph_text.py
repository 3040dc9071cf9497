# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs of graphs.py as functions of the dialect."""

import re

from evaluator import ops, programs


def tensor(kind, shape):
    return f"tensor<{'x'.join([*map(str, shape), kind.split('<')[0]])}>"


def one_line(node, types, dtype):  # dtype: that of the results
    """The right side of an op, but its results' types in the usual place."""
    op, a = node["op"], node["attributes"]
    given, kinds = ["%" + n for n in node["in"]], [types[n] for n in node["in"]]
    result = tensor(dtype, node["shapes"][0])
    functional = f"({', '.join(kinds)}) -> {result}"
    if op in ops.UNARY or op == "softmax":
        return f"xf.{op} {given[0]} : {result}"
    if op in ops.BINARY or op == "embedding":
        return f"xf.{op} {given[0]}, {given[1]} : {functional}"
    if op == "cumsum":
        return f"xf.cumsum {given[0]}{' reverse' * a['reverse']} : {result}"
    if op == "gelu":
        return f"xf.gelu {given[0]} form {a['form']} : {result}"
    if op == "matmul":
        left, right = (" transposed" * a[f"transpose_{x}"] for x in "ab")
        return f"xf.matmul {given[0]}{left}, {given[1]}{right} : {functional}"
    if op == "linear":
        bias = f" bias({given[2]} : {kinds[2]})" if len(given) > 2 else ""
        return f"xf.linear {given[0]}, {given[1]}{bias} : ({kinds[0]}, {kinds[1]}) -> {result}"
    if op in ("layer_norm", "rms_norm"):
        return norm_line(op, a, given, kinds, result)
    if op == "reduce":
        return f"xf.reduce {a['kind']} {given[0]} axes {a['axes']} : {kinds[0]} -> {result}"
    to = f": {kinds[0]} to {result}"
    if op in ("reshape", "broadcast", "cast"):
        return f"xf.{op} {given[0]} {to}"
    if op == "transpose":
        return f"xf.transpose {given[0]} permutation {a['permutation']} {to}"
    if op in ("slice", "pad"):
        first = "offsets" if op == "slice" else "low"
        return f"xf.{op} {given[0]} {first} {a[first]} strides {a['strides']} {to}"
    if op == "dropout":
        return f"xf.dropout {given[0]} seed({given[1]} : {kinds[1]}) p {a['p']:.17e} : {result}"
    if op == "slice_update":
        return f"xf.slice_update {given[0]}, {given[1]} at {given[2]} axis {a['axis']} : {functional}"
    if op == "take_along":
        return f"xf.take_along {given[0]}, {given[1]} : {kinds[0]}, {kinds[1]} -> {result}"
    words = {"concat": lambda: f"axis {a['axis']}", "split_heads": lambda: f"heads {a['heads']}",
             "pool_layers": lambda: f"layers {a['layers']} kind {a['kind']}",
             "clip_scale": lambda: f"max_norm {a['max_norm']:.17e}"}.get(op, lambda: "")()
    return f"xf.{op} {', '.join(given)} {words} : {functional}"


def norm_line(op, a, given, kinds, result):
    rest, words = list(zip(given[1:], kinds[1:])), ""
    for name in ("weight", "bias"):
        if a.get(name, op == "rms_norm" and name == "weight") and rest:
            words += " {}({} : {})".format(name, *rest.pop(0))
    return f"xf.{op} {given[0]}{words} eps {a['eps']:.17e} : {kinds[0]}" + f" -> {result}"


def attention_line(program, given, types):
    """The op of a program, whose operands have other names here."""
    names = dict(zip(programs.operands(program), given))
    text = programs.op_text(program, {n: types[x[1:]] for n, x in names.items()})
    return re.sub(r"%(\w+)", lambda found: names.get(found[1], found[0]), text)


def lines(node, types, dtype, known):
    op, outs = node["op"], ["%" + n for n in node["out"]]
    given, kinds = ["%" + n for n in node["in"]], [types[n] for n in node["in"]]
    result, a = tensor(dtype, node["shapes"][0]), node["attributes"]
    if op == "add_constant":
        return [f"{outs[0]}c = arith.constant dense<{a['value']:.17e}> : {result}",
                f"{outs[0]} = xf.add {given[0]}, {outs[0]}c : ({kinds[0]}, {result}) -> {result}"]
    if op == "attention":
        return [f"{outs[0]} = {attention_line(known[a['program']], given, types)} -> {result}"]
    if op == "where":
        return where_lines(node, given, kinds, result)
    if op == "top_k":
        return [f"{outs[0]}, {outs[0]}i = xf.top_k {given[0]} : {kinds[0]} -> {result}, {tensor('i64', node['shapes'][0])}"]
    if op == "cross_entropy":
        lse = tensor("f64" if dtype == "f64" else "f32", node_rows(kinds[0]))
        return [f"{outs[0]}, {outs[0]}l = xf.cross_entropy {given[0]}, {given[1]} : ({kinds[0]}, {kinds[1]}) -> "
                f"({result}, {lse})"]
    if op == "adamw":
        return [f"{', '.join(outs)} = xf.adamw {', '.join(given[:4])} rate {given[4]} step {given[6]} clip {given[5]} "
                f"betas {a['beta1']:.17e}, {a['beta2']:.17e} eps {a['eps']:.17e} decay {a['decay']:.17e} : {kinds[0]}, "
                f"{kinds[4]}, {kinds[6]}, {kinds[5]}"]
    if op == "sgd":
        return [f"{', '.join(outs)} = xf.sgd {', '.join(given[:3])} rate {given[3]} clip {given[4]} momentum "
                f"{a['momentum']:.17e} decay {a['decay']:.17e} : {kinds[0]}, {kinds[3]}, {kinds[4]}"]
    return [f"{outs[0]} = {one_line(node, types, dtype)}"]


def node_rows(kind):
    return [int(n) for n in kind[7:-1].split("x")[:-2]]


def where_lines(node, given, kinds, result):
    sides = [[int(n) for n in kind[7:-1].split("x")[:-1]] for kind in kinds[:2]]
    sides = [[1] * (max(map(len, sides)) - len(s)) + s for s in sides]
    test, name = tensor("i1", [0 if 0 in pair else max(pair) for pair in zip(*sides)]), "%" + node["out"][0]
    return [f"{name}t = xf.compare {node['attributes']['kind']} {given[0]}, {given[1]} : ({kinds[0]}, {kinds[1]}) -> {test}",
            f"{name} = xf.where {name}t, {given[2]}, {given[3]} : ({test}, {kinds[2]}, {kinds[3]}) -> {result}"]


def in_checkpoint(node, inside, types):
    """The lines of an op with one result in the region of a checkpoint."""
    given, out, result = list(dict.fromkeys(node["in"])), "%" + node["out"][0], types[node["out"][0]]
    arguments = ", ".join(f"%{n}_in = %{n} : {types[n]}" for n in given)
    for n in given:
        inside = [re.sub(rf"%{n}\b", f"%{n}_in", line) for line in inside]
    inside = [re.sub(rf"{out}\b", f"{out}_in", line) for line in inside]
    return [f"{out} = xf.checkpoint ({arguments}) -> ({result}) {{", *("  " + line for line in inside),
            f"  xf.yield {out}_in : {result}", "}"]


def text(graph, name):
    """A function of the graph."""
    types = {n: tensor(kind, shape) for n, (kind, shape) in graph["inputs"].items()}
    body = []
    for node in graph["nodes"]:
        types.update((n, tensor(node["kind"], shape)) for n, shape in zip(node["out"], node["shapes"]))
        inside = lines(node, types, node["kind"], graph.get("programs"))
        body += in_checkpoint(node, inside, types) if "checkpoint" in node["attributes"] else inside
    states = graph.get("states", {})
    updated = {result: state for state, result in states.items()}
    arguments = ", ".join(f'%{n}: {types[n]} {{xf.name = "{n}"' + f', xf.state = "{n}"' * (n in states) + "}" for n in graph["inputs"])
    named = ", ".join(f'{types[n]} {{xf.name = "r_{n}"' + f', xf.updates = "{updated.get(n)}"' * (n in updated) + "}"
                      for n in graph["results"])
    values, plain = ", ".join("%" + n for n in graph["results"]), ", ".join(types[n] for n in graph["results"])
    inside = "\n".join("  " + line for line in body)
    return f"func.func @{name}({arguments}) -> ({named}) {{\n{inside}\n  return {values} : {plain}\n}}\n"
