"""Checks that units do not need each other in circles.

usage: check_circles.py ROOT [--most=CIRCLES]

A unit is a header and the source of its name in its folder. It needs the units whose headers either includes. Units that need
each other, directly or through others, are a circle: none of them can be read, tested or built without the rest. Prints one line
for each of the product's circles, and exits with 1 if there are more than CIRCLES (none without the option), or fewer, as
the limit may then fall.
"""

import argparse
import collections
import os
import re
import sys

from source_tree import sources

INCLUDE = re.compile(r'#include "([^"]+[.]h(?:pp)?)"')
# Folders from which headers are found, as CMake has them.
ROOTS = ("", "runtime/include/", "runtime/lib/", "frontend/include/", "frontend/lib/", "frontend/models/")


def unit_of(path):
    return os.path.splitext(path)[0]


def needs_of(root):
    """unit -> the units that it needs"""
    paths = list(sources(root, lambda top, folder, name: top != "test" and name.endswith((".h", ".hpp", ".cpp", ".c"))))
    units = {unit_of(path) for path in paths}
    needs = collections.defaultdict(set)
    for path in paths:
        with open(os.path.join(root, path), encoding="utf-8") as file:
            names = INCLUDE.findall(file.read())
        for name in names:
            for folder in (os.path.dirname(path) + "/", *ROOTS):
                if (unit := unit_of(os.path.normpath(folder + name))) in units:
                    needs[unit_of(path)].add(unit)
                    break
    return needs


def circles_of(needs):
    """The strongly connected components of two units or more (Tarjan 1972), by depth first search without recursion."""
    order, low, stack, circles = {}, {}, [], []
    for start in sorted(needs):
        work = [(start, iter(sorted(needs[start])))] if start not in order else []
        while work:
            unit, following = work[-1]
            if unit not in order:
                order[unit] = low[unit] = len(order)
                stack.append(unit)
            for other in following:
                if other not in order:
                    work.append((other, iter(sorted(needs.get(other, ())))))
                    break
                if other in stack:
                    low[unit] = min(low[unit], order[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[unit])
                if low[unit] == order[unit]:
                    circle = stack[stack.index(unit):]
                    del stack[stack.index(unit):]
                    if len(circle) > 1:
                        circles.append(sorted(circle))
    return circles


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("root")
    parser.add_argument("--most", type=int, default=0)
    options = parser.parse_args()
    circles = circles_of(needs_of(options.root))
    for circle in sorted(circles, key=len, reverse=True):
        print(f"{len(circle)} units need each other: {', '.join(circle)}")
    if len(circles) != options.most:
        print(f"expected {options.most} circles of units, got {len(circles)}")
    return len(circles) != options.most


if __name__ == "__main__":
    sys.exit(main())
