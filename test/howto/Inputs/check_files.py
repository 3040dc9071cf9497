"""Checks that how-to pages list the files that an addition touches: check_files.py SOURCE MOST PAGE..

A page lists at most MOST files as numbered links, and names in a comment an addition of this kind that is there already, by words
(a regular expression) that its files have and no others:

    <!-- example: SwinPatternAttr|SwinSet in compiler dialects frontend runtime -->

The sources below these folders in which one of the words stands have to be the files of the list. Prints one line per
difference, `page: message`, and exits with 1 if there is one.
"""

import os
import pathlib
import re
import sys

EXAMPLE = re.compile(r"<!-- example: (.+) in ([\w/. ]+) -->")
LINK = re.compile(r"^\d+\. \[[^\]]*\]\(([^)]+)\)", re.MULTILINE)
SOURCES = {".h", ".cpp", ".c", ".td", ".def", ".txt", ".cmake", ".py"}


def files_with(source, folders, words):
    for folder in folders:
        root = source / folder
        for path in [root] if root.is_file() else sorted(root.rglob("*")):
            if path.suffix in SOURCES and path.is_file() and words.search(path.read_text(encoding="utf-8")):
                yield path.relative_to(source).as_posix()


def problems(source, page, most):
    text = (source / page).read_text(encoding="utf-8")
    example = EXAMPLE.search(text)
    if not example:
        yield "expected a comment '<!-- example: WORDS in FOLDERS -->'"
        return
    found = set(files_with(source, example[2].split(), re.compile(rf"\b(?:{example[1]})(?!\w)")))
    listed = {os.path.normpath(os.path.join(os.path.dirname(page), link)) for link in LINK.findall(text)}
    if len(listed) > most:
        yield f"expected at most {most} files, got {len(listed)}"
    for file in sorted(found - listed):
        yield f"expected a list with {file}, which has the example"
    for file in sorted(listed - found):
        yield f"expected a file that has the example, got {file}"


def main(source, most, *pages):
    found = [f"{page}: {problem}" for page in pages for problem in problems(pathlib.Path(source), page, int(most))]
    print("\n".join(found + [f"{len(pages)} pages, {len(found)} violations"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
