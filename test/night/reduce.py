# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes what fails smaller: programs of dictionaries by smaller sizes and fewer clauses, files by fewer lines and bytes."""

import copy
import json
import time

from evaluator import patterns
import slices
import trial

SECONDS = 200  # that a reduction may take


def outcome_of(kind, program, target, build, folder):
    """(outcome, message) of one program, in a process of its own."""
    def work(inner, report):
        trial.run(kind, {"e0": program}, target, build, inner,
                  lambda name, outcome, message, *_: report(name, outcome, message))
    reports, _ = slices.Slice("one", 0, work, folder / "one").wait()
    return (reports[-1]["outcome"], reports[-1]["message"]) if reports else ("nothing", "")


def inner_patterns(pattern):
    """Each pattern with one part replaced by something inside it, the outermost first."""
    for inner in [pattern.get("of"), *pattern.get("members", [])]:
        if inner is not None and pattern["kind"] not in ("kernelized", "low_rank"):
            yield inner
    for name in ("of", "outside"):
        if name in pattern:
            for smaller in inner_patterns(pattern[name]):
                yield {**pattern, name: smaller}
    if "outside" in pattern:
        yield {n: x for n, x in pattern.items() if n != "outside"}
    for n, member in enumerate(pattern.get("members", [])):
        others = pattern["members"]
        if len(others) > 2 or (pattern["kind"] in ("union", "intersection", "heads") and len(others) > 1):
            yield {**pattern, "members": others[:n] + others[n + 1:]}
        for smaller in inner_patterns(member):
            yield {**pattern, "members": others[:n] + [smaller] + others[n + 1:]}


def smaller_programs(program):
    """Programs that are simpler in one way."""
    def changed(**more):
        return {**copy.deepcopy(program), **more}
    for name in ("score", "dropout", "scale", "clauses", "low"):
        if program.get(name):
            yield {n: x for n, x in copy.deepcopy(program).items() if n != name}
    for n in range(len(program.get("score", []))):
        yield changed(score=program["score"][:n] + program["score"][n + 1:])
    for pattern in inner_patterns(program["pattern"]):
        yield settled(changed(pattern=pattern))
    for name in program["uses"]:
        if name.endswith("lengths"):
            yield changed(uses=[n for n in program["uses"] if n != name])
    for name, value in (("dynamic", []), ("lse", False), ("hidden", False), ("vjp", False), ("deviation", 1.0),
                        ("dtype", "f32"), ("pattern", {"kind": "dense"})):
        if program[name] != value and (name != "pattern" or program["pattern"]["kind"] not in ("kernelized", "low_rank")):
            yield settled(changed(**{name: value}))
    for names in (("B",), ("H", "Hk", "Hv"), ("D", "Dv"), ("D",), ("Dv",), ("Nq", "Nk"), ("Nq",), ("Nk",)):
        for shrink in (lambda x: 1, lambda x: x // 2, lambda x: x - 1):
            sizes = {**program["sizes"], **{n: shrink(program["sizes"][n]) for n in names}}
            if sizes != program["sizes"] and min(sizes.values()) > 0:
                yield changed(sizes=sizes)


def settled(program):
    """Without operands that the pattern has no use for."""
    kinds = {p["kind"] for p in patterns.walk(program["pattern"])}
    program["uses"] = [n for n in program["uses"] if n.endswith("lengths") or (n == "segments" and "segments" in kinds) or
                       (n == "table" and "table" in kinds)]
    if "symbols" in program:
        program["symbols"] = program["symbols"][:patterns.symbols_of(program["pattern"])]
    return program


def smaller_graphs(graph):
    """Graphs without a result or a node, which becomes an input."""
    for n in graph["results"] if len(graph["results"]) > 1 else []:
        yield pruned({**graph, "results": [r for r in graph["results"] if r != n]})
    if graph["vjp"]:
        yield {**graph, "vjp": False}
    if graph.get("states"):
        yield {**graph, "states": {}}
    for place, node in enumerate(graph["nodes"]):
        if node["out"][0] not in graph["results"]:
            names = {n: f"x{100 + place}{k}" for k, n in enumerate(node["out"])}
            yield pruned({**graph, "nodes": [{**other, "in": [names.get(n, n) for n in other["in"]]}
                                             for other in graph["nodes"] if other is not node],
                          "inputs": {**graph["inputs"], **{names[n]: [node["kind"], shape]
                                                           for n, shape in zip(node["out"], node["shapes"])}}})
    for node in graph["nodes"]:  # what an op reads as a result
        results = [n for n in node["in"] if n not in graph["inputs"]]
        if results and node["out"][0] in graph["results"]:
            yield pruned({**graph, "results": results})


def pruned(graph):
    """Without nodes and inputs that no result needs."""
    needed, nodes = set(graph["results"]), []
    for node in reversed(graph["nodes"]):
        if needed & set(node["out"]):
            nodes.insert(0, node)
            needed |= set(node["in"])
    return {**graph, "nodes": nodes, "inputs": {n: x for n, x in graph["inputs"].items() if n in needed}}


SMALLER = {"attend": smaller_programs, "graph_cases": smaller_graphs}


def reduced(kind, program, target, outcome, build, folder):
    """The smallest program found that ends as this one does, and what it says."""
    end = time.monotonic() + SECONDS
    least, (first, message) = program, outcome_of(kind, program, target, build, folder)
    if first != outcome:
        return least, f"not again: {first} {message}"
    again = True
    while again and time.monotonic() < end:
        again = False
        for candidate in SMALLER[kind.__name__](least):
            if time.monotonic() > end:
                break
            try:
                kind.text(candidate, "e0")
            except Exception:
                continue  # no such program
            found, said = outcome_of(kind, candidate, target, build, folder)
            # Not by drifting to a program that has no finite results.
            if found == outcome and ("inf times" in said) == ("inf times" in message):
                least, message, again = candidate, said, True
                break
    return least, message


def as_test(kind, program, target, message):
    """A test that fails as long as the program does."""
    said = " ".join(message.split())[:200]
    return (f"RUN: %python %source/test/night/case.py %build %s\n\nFound by .ci/night, seed {program['seed']}: {said}\n\n"
            f"{kind.text(program, 'e0')}\nprogram {kind.__name__} {target} {json.dumps(program)}\n")
