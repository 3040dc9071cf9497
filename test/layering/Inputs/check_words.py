"""Checks that no source uses a word that the glossary has retired.

usage: check_words.py ROOT

The last column of the tables in docs/glossary.md holds such words, each as `code`. Prints one line per use,
`file:line: message`; exits with 1 if there is one.
"""

import os
import re
import sys

from source_tree import report, sources


def retired(root):
    """{word: what to say instead} of the glossary."""
    words = {}
    with open(os.path.join(root, "docs/glossary.md"), encoding="utf-8") as file:
        for line in file:
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            if line.startswith("|") and len(cells) == 3 and cells[2] != "not":
                words.update({word: cells[0] for word in re.findall(r"`([^`]+)`(?! \()", cells[2])})
    return words


words = retired(sys.argv[1])
if not words:
    sys.exit("expected retired words in docs/glossary.md")
# Words may be parts of longer names: ByGroups of ExpandByGroups, but not GroupTile of GroupTiles.
WORD = re.compile("(%s)(?![a-z])" % "|".join((r"\b" if word[0].islower() else "") + word for word in words))


def check_file(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            for found in WORD.findall(line):
                yield number, "expected '%s' (docs/glossary.md), got %s" % (words[found], found)


def accepts(top, folder, name):
    return top in ("compiler", "dialects", "frontend", "runtime") and name.endswith((".h", ".cpp", ".td", ".md"))


report(sys.argv[1], sources(sys.argv[1], accepts), check_file)
