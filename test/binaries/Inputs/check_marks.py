"""check_marks.py ARCHIVE..: every object in these static libraries says that its indirect calls and jumps have marked targets."""

import platform
import subprocess
import sys

MARKS = {"x86_64": "IBT, SHSTK", "aarch64": "BTI"}


def read(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout


mark = MARKS.get(platform.machine(), "")
count = wrong = 0
for archive in sys.argv[1:]:
    objects = len(read("llvm-ar", "t", archive).splitlines())
    marked = sum(mark in line for line in read("llvm-readelf", "--notes", archive).splitlines() if "feature:" in line)
    if mark and marked != objects:
        print(f"{archive}: expected every object to be marked for {mark}, got {marked} of {objects}")
        wrong += 1
    count += objects
print(f"{count} objects")
sys.exit(wrong > 0)
