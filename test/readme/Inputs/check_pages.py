"""Checks pages: check_pages.py ROOT [--lines=N] [--words=N] [--columns=N] PAGE..

A link to a file of the project leads to one; a page has at most so many lines and words (as `wc` counts them), and a line at
most so many columns.
"""

import os
import re
import sys

LINK = re.compile(r"\[[^\]]*\]\(([^)#]+)[^)]*\)")
SPAN = re.compile(r"`[^`]*`")  # code, which may look like a link


def problems(root, page, limits):
    with open(os.path.join(root, page)) as file:
        text = file.read()
    for what, found in (("lines", text.count("\n")), ("words", len(text.split()))):
        if found > limits.get(what, found):
            yield f"{page}: expected at most {limits[what]} {what}, got {found}"
    code = False
    for number, line in enumerate(text.splitlines(), 1):
        code ^= line.startswith("```")
        if len(line) > limits.get("columns", len(line)):
            yield f"{page}:{number}: expected at most {limits['columns']} columns, got {len(line)}"
        for target in [] if code else LINK.findall(SPAN.sub("", line)):
            if "://" not in target and not os.path.exists(os.path.join(root, os.path.dirname(page), target)):
                yield f"{page}:{number}: expected a file at the end of a link, got '{target}'"


def main(root, *arguments):
    limits = {key[2:]: int(value) for key, value in (a.split("=") for a in arguments if a.startswith("--"))}
    found = [line for page in arguments if not page.startswith("--") for line in problems(root, page, limits)]
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
