"""Pieces of solved patterns: compares what the compiler prints with the files that tests of plans read.

usage: xfc patterns.mlir --stop-after=pattern | patterns.py FOLDER [--write]

The pieces of `func.func @NAME` are the lines of FOLDER/NAME.pieces. Prints one line per difference and exits with 1 if there
is one; with --write the files are written instead.
"""

import os
import re
import sys


def enclosed(text, start):
    """The text from the bracket at `start` to its partner."""
    depth = 0
    for k in range(start, len(text)):
        depth += (text[k] in "<([") - (text[k] in ")]" or (text[k] == ">" and text[k - 1] != "-"))
        if depth == 0:
            return text[start:k + 1]
    raise ValueError("expected a bracket that is closed")


def main():
    folder, write = sys.argv[1], "--write" in sys.argv
    text = sys.stdin.read()
    functions = re.split(r"func\.func @", text)[1:]
    differences = 0 if functions else 1
    for function in functions:
        name = re.match(r"\w+", function).group(0)
        pieces = "".join("#xf.piece" + enclosed(function, found.end() - 1) + "\n" for found in re.finditer(r"#xf\.piece<", function))
        path = os.path.join(folder, name + ".pieces")
        if write:
            with open(path, "w", encoding="utf-8") as file:
                file.write(pieces)
            continue
        with open(path, encoding="utf-8") as file:
            if file.read() != pieces:
                print("expected the pieces of %s to be those that the compiler prints" % os.path.basename(path))
                differences += 1
    print("%d functions, %d differences" % (len(functions), differences))
    return 1 if differences else 0


sys.exit(main())
