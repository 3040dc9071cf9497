"""Prints the programs of a folder as one module, whose entries have the names of the files.

usage: one_module.py FOLDER
"""

import glob
import os
import re
import sys

print("module @gallery {")
for path in sorted(glob.glob(os.path.join(sys.argv[1], "*.mlir"))):
    with open(path, encoding="utf-8") as file:
        lines = file.read().strip().splitlines()[1:-1]
    name = re.sub(r"\W", "_", os.path.basename(path)[:-5])
    print("\n".join(lines).replace("@attend", "@" + name))
print("}")
