"""Checks that files say what they are, and that public headers document what they declare.

usage: check_headers.py ROOT

- Every C++ file begins with `//===- NAME - what it is -===//`, NAME being its name or the end of its path, and the licence.
- A header has an include guard made of its name.
- In a public header a comment stands above every declaration of a namespace, or above the group of declarations without
  a blank line between them; a heading `//===--- .. ---===//` speaks for the group below it. namespace detail is not public.

Prints one line per violation, `file:line: message`, and exits with 1 if there is one.
"""

import os
import re
import sys

from source_tree import report, sources

PUBLIC = ("frontend/include/", "frontend/models/", "runtime/include/")
TITLE = re.compile(r"//===- (\S+) - \S.*-===//")
LICENCE = ["// Part of xf, under the Apache License v2.0 with LLVM Exceptions.",
           "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"]
FORWARD = re.compile(r"(class|struct|enum class) \w+;|template <[^>]*>")
NO_DECLARATION = re.compile(r"namespace\b|extern \"C\"|[{}]")
STRING = re.compile(r"//.*|\"(\\.|[^\"])*\"|'(\\.|[^'])'")


def check_title(path, lines):
    title = TITLE.match(lines[0])
    if not title or not path.endswith(title.group(1)):
        yield 1, "expected a title '//===- %s - what it is -===//'" % os.path.basename(path)
    if lines[2:4] != LICENCE:
        yield 3, "expected the licence in lines 3 and 4"


def check_guard(path, lines):
    if not path.endswith((".h", ".hpp")):
        return
    first, second = ([line.split() for line in lines if line.startswith("#")] + [[], []])[:2]
    name = re.sub(r"\W", "_", os.path.basename(path)).upper()
    if len(first) < 2 or first[0] != "#ifndef" or second[:2] != ["#define", first[1]] or not first[1].endswith(name):
        yield 1, "expected an include guard that ends in %s" % name


def net_braces(line):
    code = STRING.sub("", line)
    return code.count("{") - code.count("}")


def check_declarations(lines):
    depth = 0  # of braces that are no namespace's, or of namespace detail
    commented = False  # this group of lines
    before = ""
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text:
            commented = before.startswith("//===---")
        elif text.startswith(("//", "/*", "*")):
            commented = True
        elif depth == 0 and text.startswith("namespace detail"):
            depth = 1
        elif depth == 0 and NO_DECLARATION.match(text):
            commented = False
        elif not text.startswith("#") and not before.endswith("\\"):
            if depth == 0 and not commented and not FORWARD.fullmatch(text):
                yield number, "expected a comment above the declaration '%s'" % text[:60]
            depth = max(0, depth + net_braces(text))
        before = text


def check_file(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        lines = file.read().split("\n")
    yield from check_title(path, lines)
    yield from check_guard(path, lines)
    if path.startswith(PUBLIC):
        yield from check_declarations(lines)


def accepts(top, _, name):
    """Tests that lit runs may be .c and .cpp files without a title."""
    return name.endswith((".h", ".hpp", ".td") if top == "test" else (".h", ".hpp", ".c", ".cpp", ".td"))


report(sys.argv[1], sources(sys.argv[1], accepts), check_file)
