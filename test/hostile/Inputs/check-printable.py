"""Standard input is lines of printable UTF-8 of at most so many characters: check-printable.py CHARACTERS"""

import sys

for line in sys.stdin.buffer.read().decode("utf-8").split("\n"):
    assert len(line) <= int(sys.argv[1]), f"expected at most {sys.argv[1]} characters, got {len(line)}"
    assert line.replace("\t", "").isprintable(), f"expected printable text, got {line[:200]!r}"
