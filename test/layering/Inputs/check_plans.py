"""Checks that plans are functions of pieces and integers.

usage: check_plans.py ROOT

No file of runtime/pieces names a pattern (one of dialects/xf/IR/XfPatterns.td and what papers call theirs), has floating
point, whose sums may differ between machines, reads a clock, or has a container whose order may differ between runs.
Prints one line per violation, `file:line: message`, and exits with 1 if there is one.
"""

import os
import re
import sys

from source_tree import report, sources

FOLDER = "runtime/pieces"
PATTERNS = re.compile(r"\w*(causal|dilated|strided|bigbird|longformer|axial|prefixlm|documents?|segments?)\w*|\b(dense|fixed|sliding)\b",
                      re.IGNORECASE)
FLOATS = re.compile(r"\b(float|double|f32|f64|cmath)\b")
OUTSIDE = re.compile(r"\b(chrono|clock\w*|rand\w*|random|getenv|thread\w*|unordered_\w+)\b(?=[ <(>])")
COMMENT = re.compile(r"//.*")


def check_file(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            code = COMMENT.sub("", line)
            if found := PATTERNS.search(line):
                yield number, "expected no pattern to be named, got %s" % found.group(0)
            if found := FLOATS.search(code):
                yield number, "expected integers, got %s" % found.group(0)
            if found := OUTSIDE.search(code):
                yield number, "expected a function of the problem alone, got %s" % found.group(0)


report(sys.argv[1], sources(sys.argv[1], lambda _, folder, name: folder.endswith(FOLDER) and name.endswith((".h", ".cpp"))),
       check_file)
