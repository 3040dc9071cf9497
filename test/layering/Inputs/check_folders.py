"""Checks how the folders of a source tree are cut.

usage: check_folders.py ROOT

No folder holds more than 25 source files; the includes of the folders of a stage of the compiler, and of a target, have no
circle; targets name their folders alike. Prints one line per violation, `folder:1: message`; exits with 1 if there is one.
"""

import collections
import os
import re
import sys

from source_tree import sources

MOST = 25
# Texts that tests compile or compare (.mlir, .test, .ptx) are no sources.
SOURCES = (".h", ".cpp", ".td", ".def", ".py")
# The folders of a target, and of what targets share. `Machine`: what names instructions and registers. `Operands`: how
# operands come to where kernels read them. `Code`: of what targets share, what builds code of any kernel.
ROOMS = {"Attend", "AttendVjp", "Contract", "Decode", "Lanes", "Rows", "Scan", "Operands", "Machine", "Tiling", "Code"}
INCLUDE = re.compile(r'^\s*#\s*include\s*"(compiler/[^"]+)"', re.MULTILINE)


def unit_of(folder):
    """The stage or target that a folder is of: compiler/Tile, compiler/Target/CPU."""
    parts = folder.split("/")
    return "/".join(parts[:3 if parts[1:2] == ["Target"] else 2])


def find_circle(edges):
    """A list of folders, each of which includes the next, that ends where it began; or None."""
    done, path = set(), []

    def visit(folder):
        if folder in path:
            return path[path.index(folder):] + [folder]
        if folder in done:
            return None
        path.append(folder)
        for other in sorted(edges[folder]):
            if circle := visit(other):
                return circle
        done.add(path.pop())
        return None

    return next((circle for folder in sorted(edges) if (circle := visit(folder))), None)


def check(root):
    counts, edges = collections.Counter(), collections.defaultdict(lambda: collections.defaultdict(set))
    for path in sources(root, lambda top, _, name: name.endswith(SOURCES)):
        folder = os.path.dirname(path)
        counts[folder] += 1
        if not path.startswith("compiler/"):
            continue
        with open(os.path.join(root, path), encoding="utf-8") as file:
            for included in INCLUDE.findall(file.read()):
                other = os.path.dirname(included)
                if other != folder and unit_of(other) == unit_of(folder):
                    edges[unit_of(folder)][folder].add(other)
                    edges[unit_of(folder)].setdefault(other, set())
    for folder, count in sorted(counts.items()):
        if count > MOST:
            yield folder, "expected at most %d source files, got %d" % (MOST, count)
        parts = folder.split("/")
        if parts[:2] == ["compiler", "Target"] and len(parts) > 3 and parts[3] not in ROOMS:
            yield folder, "expected one of the names that targets' folders have (%s)" % ", ".join(sorted(ROOMS))
    for unit, of_unit in sorted(edges.items()):
        if circle := find_circle(of_unit):
            yield unit, "expected no circle of includes, got " + " -> ".join(circle)
    if not counts:
        yield root, "expected sources, got none"


violations = list(check(sys.argv[1]))
for folder, message in violations:
    print("%s:1: %s" % (folder, message))
print("%d violations" % len(violations))
sys.exit(bool(violations))
