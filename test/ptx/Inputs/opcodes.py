"""Runs a file of opcodes and compares what it stores with the value in the comment behind each store.

usage: opcodes.py PTX_RUN FILE [ARGUMENT..]

`st.global.b32 [%out+8], %r1; // = 0x10`: integers, or floats of 32 (1.5f) and 64 bits (1.5d). Stores are 8 bytes apart.
"""

import os
import re
import struct
import subprocess
import sys
import tempfile

STORE = re.compile(r"st\.global\.\w(\d+)\s+\[%out\+(\d+)\].*// = (\S+)")


def bits(text, size):
    if text.endswith("f") and not text.startswith("0x"):
        return struct.unpack("<I", struct.pack("<f", float(text[:-1])))[0]
    if text.endswith("d") and not text.startswith("0x"):
        return struct.unpack("<Q", struct.pack("<d", float(text[:-1])))[0]
    return int(text, 0) & ((1 << size) - 1)


program, path, *arguments = sys.argv[1:]
with open(path, encoding="utf-8") as file:
    lines = file.read().split("\n")
cases = [(number, STORE.search(line)) for number, line in enumerate(lines, 1) if STORE.search(line)]
dump = os.path.join(tempfile.mkdtemp(), "results")
command = [program, path, "--buffer=u64:%d" % len(cases), "--dump=0:" + dump] + arguments
result = subprocess.run(command, capture_output=True, text=True)
sys.stderr.write(result.stderr)
failed = result.returncode
with open(dump, "rb") as file:
    data = file.read()
for number, match in cases:
    size, offset = int(match.group(1)), int(match.group(2))
    got = int.from_bytes(data[offset:offset + size // 8], "little")
    expected = bits(match.group(3), size)
    if got != expected:
        print("%s:%d: expected %s (0x%x), got 0x%x" % (path, number, match.group(3), expected, got))
        failed = 1
print("%d values" % len(cases))
sys.exit(failed or not cases)
