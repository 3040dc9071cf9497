# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiling drawn programs together and trying each. What they are is a module's matter (attend.py, graph_cases.py):
text(program, name), has_gradient(program), check(program, entry, library), check_interpreter(..), is_right_refusal(..)."""

import pathlib
import re

import native


def compile_all(kind, build, named, target, output):
    """Compiles the entries together, without those that are refused: {name: message of a refusal}."""
    refused = {}
    while True:
        left = {n: p for n, p in named.items() if n not in refused}
        if not left:
            return refused
        texts = {n: kind.text(p, n) for n, p in left.items()}
        vjp = [n for n in left if kind.has_gradient(left[n])]
        code, error = native.compile_text(build, "".join(texts.values()), target, vjp, output)
        if code == 0:
            return refused
        place = re.search(r"\.mlir:(\d+):\d+: error: ", error)
        line = int(place.group(1)) if place else 1
        for name, text in texts.items():
            line -= text.count("\n")
            if line <= 0:
                refused[name] = error[place.end() if place else 0:][:500]
                break
        else:
            raise native.Failed("crash", error[:500])


def run(kind, named, target_name, build, folder, report):
    """Compiles programs and checks each; report(name, outcome, message, worst, calls) with outcome right, refused, or
    a kind of failure."""
    target = native.TARGETS[target_name]
    if target_name == "interpreter":
        for name, program in named.items():
            attempt(lambda: kind.check_interpreter(program, name, build, folder), name, program, report, kind)
        return
    output = pathlib.Path(folder, f"programs-{next(iter(named))}.so")
    try:
        refused = compile_all(kind, build, named, target, output)
    except native.Failed as failure:
        if len(named) == 1:
            report(*named, failure.kind, failure.message, 0, 0)
            return
        for name, program in named.items():
            run(kind, {name: program}, target_name, build, folder, report)
        return
    for name, message in refused.items():
        outcome = "refused" if kind.is_right_refusal(named[name], message) else "wrongly refused"
        report(name, outcome, message, 0, 0)
    if len(refused) == len(named):
        return
    library = native.Library(build, output, target)
    for name, program in named.items():
        if name not in refused:
            report(name, "begins", "", 0, 0)
            attempt(lambda: kind.check(program, name, library), name, program, report, kind)


def attempt(check_it, name, program, report, kind):
    try:
        wrong, worst, calls = check_it()
    except native.Failed as failure:
        right = failure.kind == "status" and kind.is_right_refusal(program, failure.message)
        report(name, "refused" if right else failure.kind, failure.message, 0, 0)
        return
    report(name, "wrong" if wrong else "right", wrong or "", worst, calls)
