"""Assembles every .ptx file below a folder, for the target that it names, but for those in folders called `invalid`.

usage: assemble.py PTXAS FOLDER
"""

import os
import re
import subprocess
import sys
import tempfile

ptxas, root = sys.argv[1:]
failed = count = 0
for folder, folders, files in os.walk(root):
    folders[:] = sorted(set(folders) - {"invalid"})
    for name in sorted(files):
        if not name.endswith(".ptx"):
            continue
        path = os.path.join(folder, name)
        with open(path, encoding="utf-8") as file:
            target = re.search(r"^\.target\s+(\w+)", file.read(), re.M).group(1)
        count += 1
        with tempfile.TemporaryDirectory() as scratch:
            command = [ptxas, "-arch=" + target, path, "-o", os.path.join(scratch, "out.cubin")]
            result = subprocess.run(command, capture_output=True, text=True)
        if result.returncode:
            failed += 1
            print(path, result.stdout, result.stderr, sep="\n")
print(count, "files")
sys.exit(failed > 0 or count == 0)
