"""Checks that a how-to page lists the files that define its example.

usage: check_files.py ROOT PAGE MOST

The page names the example, its ops in the dialect (`NameOp`) and its functions in the frontend (`xf::name`), and lists at most
MOST files as numbered links. The files outside of tests and docs that name one of these ops, or declare one of these functions,
have to be the same ones. Prints one line per difference, `page: message`, and exits with 1 if there is one.
"""

import os
import re
import sys

FOLDERS = ("compiler", "dialects", "frontend", "runtime")
SOURCES = (".h", ".cpp", ".td", ".def")


def example_of(page, text):
    """What names the example in sources; LLVM's math ops may have the names of the dialect's."""
    ops, functions = re.findall(r"`(\w+Op)`", text), re.findall(r"`xf::(\w+)`", text)
    if not ops or not functions:
        sys.exit(page + ": expected the names of an op and of a function")
    return re.compile(r"(?<!math::)(?<!arith::)\b(Xf_)?(%s)\b|\bTensor (xf::)?(%s)\(" % ("|".join(ops), "|".join(functions)))


def defining_files(root, example):
    for top in FOLDERS:
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in names:
                path = os.path.join(folder, name)
                if name.endswith(SOURCES):
                    with open(path, encoding="utf-8") as file:
                        if example.search(file.read()):
                            yield os.path.relpath(path, root)


def problems(root, page, most):
    with open(os.path.join(root, page), encoding="utf-8") as file:
        text = file.read()
    links = re.findall(r"^\d+\. \[[^\]]*\]\(([^)]+)\)", text, re.MULTILINE)
    listed = {os.path.normpath(os.path.join(os.path.dirname(page), link)) for link in links}
    found = set(defining_files(root, example_of(page, text)))
    if len(listed) > most:
        yield "expected at most %d files, got %d" % (most, len(listed))
    for path in sorted(found - listed):
        yield "expected a list with %s, which names the example" % path
    for path in sorted(listed - found):
        yield "expected a file that names the example, got %s" % path


def main(root, page, most):
    found = ["%s: %s" % (page, message) for message in problems(root, page, int(most))]
    print("\n".join(found + ["%d violations" % len(found)]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
