"""Checks pages: check_pages.py ROOT [--lines=N] [--words=N] [--columns=N] [--sources=FOLDER,..] PAGE..

A link to a file of the project leads to one; a page has at most so many lines and words (as `wc` counts them), and a line at
most so many columns. With --sources, a file of code that a page names, as `Rows/RowLaunch.h`, lies in one of the folders.
"""

import os
import re
import sys

LINK = re.compile(r"\[[^\]]*\]\(([^)#]+)[^)]*\)")
SPAN = re.compile(r"`[^`]*`")  # code, which may look like a link
SOURCE = re.compile(r"`([\w/.-]+\.(?:h|cpp|td|def|py|test))`")


def paths_in(root, folders):
    """The paths of all files in the folders, each with / in front; none where no folder is given."""
    walks = [walk for start in folders for walk in os.walk(os.path.join(root, start))]
    return ["/" + os.path.join(folder, name) for folder, _, names in walks for name in names]


def problems(root, page, limits, paths):
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
        for source in SOURCE.findall(line) if paths else []:
            if not any(path.endswith("/" + source) for path in paths):
                yield f"{page}:{number}: expected a file of the sources, got '{source}'"
        for target in [] if code else LINK.findall(SPAN.sub("", line)):
            if "://" not in target and not os.path.exists(os.path.join(root, os.path.dirname(page), target)):
                yield f"{page}:{number}: expected a file at the end of a link, got '{target}'"


def main(root, *arguments):
    options = dict(a[2:].split("=") for a in arguments if a.startswith("--"))
    paths = paths_in(root, filter(None, options.pop("sources", "").split(",")))
    limits = {key: int(value) for key, value in options.items()}
    found = [line for page in arguments if not page.startswith("--") for line in problems(root, page, limits, paths)]
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
