"""Copies a file with one text, where it is found first, replaced by another: damage-file.py FROM TO OLD NEW"""

import sys

source, target, old, new = sys.argv[1], sys.argv[2], sys.argv[3].encode(), sys.argv[4].encode()
data = open(source, "rb").read()
assert old in data and len(old) == len(new), f"expected {old} in {source}, and as many bytes in its place"
open(target, "wb").write(data.replace(old, new, 1))
