"""Writes a safetensors file, or a malformed one.

usage: make-weights.py FILE NAME:TYPE:SHAPE=VALUES.. [--cut=BYTES]

SHAPE is as in 2x3, empty for a scalar; VALUES is a list with commas, of F32, F64, I32, I64 or U8. --cut leaves out bytes at the end.
"""

import json
import struct
import sys

CODES = {"F32": "f", "F64": "d", "I32": "i", "I64": "q", "U8": "B"}

header, data, cut = {"__metadata__": {"made": "here"}}, b"", 0
for word in sys.argv[2:]:
    if word.startswith("--cut="):
        cut = int(word[6:])
        continue
    head, values = word.split("=")
    name, kind, shape = head.rsplit(":", 2)
    convert = float if kind.startswith("F") else int
    values = [convert(value) for value in values.split(",") if value]
    begin = len(data)
    data += struct.pack("<%d%s" % (len(values), CODES[kind]), *values)
    sizes = [int(size) for size in shape.split("x") if size]
    header[name] = {"dtype": kind, "shape": sizes, "data_offsets": [begin, len(data)]}
text = json.dumps(header).encode()
content = struct.pack("<Q", len(text)) + text + data
with open(sys.argv[1], "wb") as file:
    file.write(content[:len(content) - cut])
