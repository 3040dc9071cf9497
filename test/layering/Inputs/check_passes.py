"""Checks that a pass has one name: its class, file, flag and test.

usage: check_passes.py ROOT

The pass `DoThingPass` of compiler/STAGE/Passes.td has the flag `xf-do-thing`, lives in a file DoThing.cpp of its stage, and
is tested by a do-thing.mlir below test/compiler/STAGE, or by the folder where that is called DoThing. No pass lives outside
a Passes.td. Patterns are applied until none applies: the default limit makes a pass fail on long programs. A pass manager
of the pipeline asks for a reason where a pass fails. Prints one line per violation, `file:line: message`; exits with 1 if
there is one.
"""

import os
import re
import sys

from source_tree import report, sources

MANAGER = re.compile(r": (public )?PassManager\b|\bPassManager \w+\(")
PASS = re.compile(r'def (\w+) : Pass<"([^"]*)"')
WORDS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def find(root, folder, name):
    """The path of a file of this name in a folder or below, or None."""
    return next((os.path.join(path, name) for path, _, files in os.walk(os.path.join(root, folder)) if name in files), None)


def check_pass(root, folder, name, flag):
    if not name.endswith("Pass"):
        yield "expected a name that ends in Pass, got %s" % name
        return
    base = name[:-len("Pass")]
    words = "-".join(WORDS.split(base)).lower()
    if flag != "xf-" + words:
        yield "expected the flag xf-%s of %s, got %s" % (words, name, flag)
    source = find(root, folder, base + ".cpp")
    if not source:
        yield "expected a file %s.cpp in %s with %s" % (base, folder, name)
    else:
        with open(source, encoding="utf-8") as file:
            if not re.search(r"\b(struct|class) %s\b" % name, file.read()):
                yield "expected %s in %s" % (name, os.path.relpath(source, root))
    tests = os.path.join("test", folder)
    if os.path.basename(folder) != base and not find(root, tests, words + ".mlir"):
        yield "expected a test %s.mlir in %s" % (words, tests)
    elif os.path.basename(folder) == base and not os.path.isdir(os.path.join(root, tests)):
        yield "expected tests in %s" % tests


def check_file(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        text = file.read()
        for number, line in enumerate(text.splitlines(), 1):
            if "applyPatternsGreedily(" in line and "kNoLimit" not in text:
                yield number, "expected patterns that are applied without a limit, by kNoLimit"
            if MANAGER.search(line) and path.startswith("compiler/Pipeline") and "requireReasons(" not in text:
                yield number, "expected a pass manager with requireReasons"
            if "PassWrapper" in line:
                yield number, "expected a pass of a Passes.td, got a PassWrapper"
            if path.endswith(".td") and (found := PASS.match(line)):
                if os.path.basename(path) != "Passes.td":
                    yield number, "expected passes in Passes.td"
                for message in check_pass(root, os.path.dirname(path), *found.groups()):
                    yield number, message


def accepts(top, _, name):
    return top == "compiler" and name.endswith((".h", ".cpp", ".td"))


report(sys.argv[1], sources(sys.argv[1], accepts), check_file)
